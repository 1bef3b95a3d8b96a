#include "core/checkpoint/over_texts/comparison.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace core::checkpoint {
namespace {

using nlohmann::json;

constexpr double kRounded = 0.002;  // what rounding of the sources may do to their mean

json numbers_of(const Comparison::Source& one) {
  json bits = json::array();
  for (const double each : one.bits) bits.push_back(std::round(each * 1e4) / 1e4);
  return {{"id", one.id}, {"bytes", one.bytes}, {"bits a byte", bits}};
}

Comparison::Source source_of(const json& from) {
  return {from.at("id").get<std::string>(), from.at("bytes").get<Index>(),
          from.at("bits a byte").get<std::vector<double>>()};
}

bool is_mean(const Comparison::Source& all, const Comparison::Source& mean) {
  for (std::size_t k = 0; k < mean.bits.size(); ++k) {
    if (std::abs(all.bits[k] - mean.bits[k]) > kRounded) return false;
  }
  return all.bytes == mean.bytes;
}

bool sound(const Comparison& all) {
  const auto has_bits = [&](const Comparison::Source& one) {
    const auto positive = [](double bits) { return bits > 0 && std::isfinite(bits); };
    return one.bytes > 0 && one.bits.size() == all.guessers.size() &&
           std::all_of(one.bits.begin(), one.bits.end(), positive);
  };
  return !all.guessers.empty() && all.guessers.front().id == "model" && !all.sources.empty() &&
         std::all_of(all.sources.begin(), all.sources.end(), has_bits) && has_bits(all.all) &&
         is_mean(all.all, all.mean());
}

}  // namespace

Message Comparison::Guesser::name() const {
  if (id == "model") return Message(N_("this model"));
  if (id == "ppmd") return Message(N_("PPMd {}"), setting);
  if (id == "zstd") return Message(N_("zstd {}"), setting);
  if (id == "grams") return Message(N_("{}-grams"), setting);
  return Message::plain(id);
}

Message Comparison::Source::name() const {
  struct Named {
    std::string_view id, name;
  };
  constexpr Named kNamed[] = {{"definitions", N_("WordNet's definitions")},
                              {"bible", N_("King James Bible")},
                              {"jargon", N_("Jargon File")},
                              {"devil", N_("The Devil's Dictionary")},
                              {"poems", N_("poems of Tang and Song")},
                              {"classics", N_("old sayings")}};
  for (const Named& one : kNamed) {
    if (id == one.id) return Message(one.name);
  }
  return id.empty() ? Message(N_("all of them")) : Message::plain(id);
}

Comparison::Source Comparison::mean() const {
  Source sum{.id = {}, .bytes = 0, .bits = std::vector<double>(guessers.size(), 0.0)};
  for (const Source& one : sources) sum.bytes += one.bytes;
  for (const Source& one : sources) {
    const double share = static_cast<double>(one.bytes) / static_cast<double>(sum.bytes);
    for (std::size_t k = 0; k < sum.bits.size(); ++k) sum.bits[k] += share * one.bits[k];
  }
  return sum;
}

std::size_t Comparison::best_other() const {
  const std::vector<double>& bits = all.bits;
  if (bits.size() < 2) return 0;
  return static_cast<std::size_t>(std::min_element(bits.begin() + 1, bits.end()) - bits.begin());
}

std::string comparison_json(const Comparison& comparison) {
  json guessers = json::array(), sources = json::array();
  for (const auto& one : comparison.guessers) {
    guessers.push_back({{"id", one.id}, {"setting", one.setting}});
  }
  for (const auto& one : comparison.sources) sources.push_back(numbers_of(one));
  return json{{"measured by", comparison.measured_by},
              {"guessers", guessers},
              {"held out of", sources},
              {"all", numbers_of(comparison.all)}}
             .dump(1) +
         "\n";
}

Comparison read_comparison(std::string_view text, const std::string& name) {
  Comparison all;
  try {
    const json read = json::parse(text);
    all.measured_by = read.at("measured by").get<std::string>();
    for (const json& one : read.at("guessers")) {
      all.guessers.push_back({one.at("id").get<std::string>(), one.at("setting").get<Index>()});
    }
    for (const json& one : read.at("held out of")) all.sources.push_back(source_of(one));
    all.all = source_of(read.at("all"));
  } catch (const json::exception&) {
    all.sources.clear();
  }
  if (sound(all)) return all;
  throw InputError(
      Message(N_("{}: expected bits a byte of held-out texts by source, of the model and others, "
                 "got something else"),
              name));
}

}  // namespace core::checkpoint
