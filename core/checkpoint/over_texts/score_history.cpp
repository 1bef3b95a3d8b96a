#include "core/checkpoint/over_texts/score_history.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "core/message.h"

namespace core::checkpoint {
namespace {

using nlohmann::json;

double five_decimals(double value) { return std::round(value * 1e5) / 1e5; }

bool is_of_texts(const task::NamedScore& one) { return one.of != task::NamedScore::Of::task; }

json numbers_of(const AllHeadScores& heads, task::HeadScore task::HeadScores::*score) {
  json layers = json::array();
  for (const auto& layer : heads) {
    json& row = layers.emplace_back(json::array());
    for (const task::HeadScores& head : layer) row.push_back(five_decimals((head.*score).mean));
  }
  return layers;
}

ScoreHistory::Step history_step(const json& from, const json& shared) {
  ScoreHistory::Step step;
  step.step = from.at("step").get<Index>();
  step.tokens = from.at("tokens").get<Index>();
  step.bits = from.at("bits").get<double>();
  step.of_texts = from.at("bits of texts").get<std::vector<double>>();
  if (const auto at = from.find("bits in training"); at != from.end()) {
    step.training = at->get<double>();
  }
  for (const task::NamedScore& one : task::named_scores()) {
    if (!is_of_texts(one)) continue;
    const std::string name(one.name);
    const auto means = from.at("heads").at(name).get<std::vector<std::vector<double>>>();
    const double even = shared.at(name).at("even").get<double>();
    const Index count = shared.at(name).at("places").get<Index>();
    step.heads.resize(means.size());
    for (std::size_t l = 0; l < means.size(); ++l) {
      step.heads[l].resize(means[l].size());
      for (std::size_t h = 0; h < means[l].size(); ++h) {
        step.heads[l][h].*one.score = {means[l][h], even, count};
      }
    }
  }
  return step;
}

}  // namespace

std::string history_json(const ScoreHistory& history) {
  json shared = json::object(), steps = json::array();
  for (const ScoreHistory::Step& step : history.steps) {
    json bits = json::array(), heads = json::object();
    for (const double one : step.of_texts) bits.push_back(five_decimals(one));
    for (const task::NamedScore& one : task::named_scores()) {
      if (!is_of_texts(one)) continue;
      heads[std::string(one.name)] = numbers_of(step.heads, one.score);
      const task::HeadScore& first = step.heads.at(0).at(0).*one.score;
      shared[std::string(one.name)] = {{"even", five_decimals(first.even)},
                                       {"places", first.positions}};
    }
    json& row = steps.emplace_back(json{{"step", step.step},
                                        {"tokens", step.tokens},
                                        {"bits", five_decimals(step.bits)},
                                        {"bits of texts", bits},
                                        {"heads", heads}});
    if (step.training) row["bits in training"] = five_decimals(*step.training);
  }
  return json{{"texts", history.texts},
              {"tokens of each at most", history.text_tokens},
              {"scores", shared},
              {"steps", steps}}
             .dump() +
         "\n";
}

ScoreHistory read_history(std::string_view text, const std::string& name) {
  try {
    const json all = json::parse(text);
    ScoreHistory history;
    history.texts = all.at("texts").get<Index>();
    history.text_tokens = all.at("tokens of each at most").get<Index>();
    for (const json& step : all.at("steps")) {
      history.steps.push_back(history_step(step, all.at("scores")));
    }
    return history;
  } catch (const json::exception&) {
    throw InputError(Message(
        N_("{}: expected the scores of heads at steps of a training, got something else"), name));
  }
}

}  // namespace core::checkpoint
