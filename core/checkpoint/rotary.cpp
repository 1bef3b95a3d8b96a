#include "core/checkpoint/rotary.h"

#include <cmath>

#include "core/position/frequency.h"
#include "core/position/rotary_scaling.h"

namespace core::checkpoint {
namespace {

// "su" is what the first files with longrope call it.
constexpr Word<RopeScaling> kRopeScalings[] = {
    {"default", RopeScaling::none},    {"linear", RopeScaling::linear},
    {"dynamic", RopeScaling::dynamic}, {"yarn", RopeScaling::yarn},
    {"llama3", RopeScaling::llama3},   {"longrope", RopeScaling::longrope},
    {"su", RopeScaling::longrope}};

double original_context(const Config& section, const Config& config, const Rotary& rotary) {
  constexpr std::string_view kKey = "original_max_position_embeddings";
  const Config& from = section.gives(kKey) ? section : config;
  return static_cast<double>(from.size(kKey, rotary.context));
}

// s, at least 1.
double factor_of(const Config& section) {
  const double factor = section.positive("factor");
  if (factor < 1) section.refuse("factor", Message(N_("a number of at least 1")));
  return factor;
}

void require_ramp(const Config& section, std::string_view slow_key, std::string_view fast_key,
                  const Rotary& rotary) {
  if (rotary.slow < rotary.fast) return;
  section.refuse(fast_key, Message(N_("a number above {} ({})"), slow_key, rotary.slow));
}

// 0.1 m ln s + 1
double yarn_multiplier(double s, double m) { return s <= 1 ? 1 : 0.1 * m * std::log(s) + 1; }

void read_yarn(const Config& section, Rotary& rotary) {
  if (section.has("factor") && !section.gives("factor")) {
    rotary.factor = std::max(1.0, static_cast<double>(rotary.context) / rotary.original);
  } else {
    rotary.factor = factor_of(section);
  }
  rotary.slow = section.positive("beta_slow", 1.0);
  rotary.fast = section.positive("beta_fast", 32.0);
  require_ramp(section, "beta_slow", "beta_fast", rotary);
  rotary.whole_ends = section.flag("truncate", true);
  rotary.multiplier = yarn_multiplier(rotary.factor, 1);
  if (section.gives("mscale") && section.gives("mscale_all_dim")) {
    rotary.multiplier = yarn_multiplier(rotary.factor, section.positive("mscale")) /
                        yarn_multiplier(rotary.factor, section.positive("mscale_all_dim"));
  }
  rotary.multiplier = section.positive("attention_factor", rotary.multiplier);
}

void read_longrope(const Config& section, Rotary& rotary) {
  rotary.short_factors = section.numbers("short_factor", rotary.width / 2);
  rotary.long_factors = section.numbers("long_factor", rotary.width / 2);
  const double ratio = static_cast<double>(rotary.context) / rotary.original;
  rotary.factor = ratio > 1 || !section.gives("factor") ? std::max(1.0, ratio) : factor_of(section);
  const double usual =
      rotary.factor <= 1 ? 1 : std::sqrt(1 + std::log(rotary.factor) / std::log(rotary.original));
  rotary.multiplier = section.positive("attention_factor", usual);
}

void read_scaling(const Config& section, const Config& config, Rotary& rotary) {
  const std::string_view type = section.first_of({"rope_type", "type"});
  rotary.scaling = section.word<RopeScaling>(type, kRopeScalings);
  if (rotary.scaling == RopeScaling::none) return;
  const bool ramps =
      rotary.scaling != RopeScaling::linear && rotary.scaling != RopeScaling::longrope;
  if (ramps && rotary.width < 4) {
    section.refuse(
        type, Message(N_("heads of which at least 4 numbers are turned (here {})"), rotary.width));
  }
  rotary.original = original_context(section, config, rotary);
  switch (rotary.scaling) {
    case RopeScaling::yarn:
      if (!(rotary.base > 1)) section.refuse(type, Message(N_("a base above 1 beside it")));
      return read_yarn(section, rotary);
    case RopeScaling::longrope: return read_longrope(section, rotary);
    case RopeScaling::llama3:
      rotary.slow = section.positive("low_freq_factor");
      rotary.fast = section.positive("high_freq_factor");
      require_ramp(section, "low_freq_factor", "high_freq_factor", rotary);
      break;
    default: break;
  }
  rotary.factor = factor_of(section);
}

}  // namespace

std::string_view rope_scaling_word(RopeScaling scaling) {
  for (const Word<RopeScaling>& one : kRopeScalings) {
    if (one.value == scaling) return one.text;
  }
  return "";
}

VectorD Rotary::frequencies(Index length) const {
  const RotaryScaling form{width, base, original, factor, slow, fast, whole_ends};
  switch (scaling) {
    case RopeScaling::none: break;
    case RopeScaling::linear: return core::frequencies(width, base) / factor;
    case RopeScaling::dynamic:
      return core::frequencies(width,
                               dynamic_ntk_base(width, base, factor, static_cast<double>(context),
                                                static_cast<double>(std::max(length, context))));
    case RopeScaling::yarn: return yarn_code(form).frequencies;
    case RopeScaling::llama3: return yarn_paper(form).frequencies;
    case RopeScaling::longrope: {
      const auto& factors = static_cast<double>(length) > original ? long_factors : short_factors;
      return core::frequencies(width, base).array() /
             Eigen::Map<const VectorD>(factors.data(), width / 2).array();
    }
  }
  return core::frequencies(width, base);
}

Rotary read_rotary(const Config& config, Index head_width, Index context, const RotaryKeys& keys) {
  Rotary rotary{.head_width = head_width, .context = context};
  const std::optional<Config> older = config.section("rope_scaling");
  const std::optional<Config> newer = config.section("rope_parameters");
  if (older && newer) {
    config.refuse("rope_scaling",
                  Message(N_("either {} or {}"), "rope_scaling", "rope_parameters"));
  }
  const auto home = [&](std::string_view key) -> const Config& {
    return newer && newer->gives(key) ? *newer : config;
  };
  const std::string_view base_key = home("rope_theta").first_of({"rope_theta", keys.base});
  rotary.base = home("rope_theta").positive(base_key, 10000.0);
  constexpr std::string_view kShare = "partial_rotary_factor";
  const Config& of_share = home(kShare);
  const std::string_view share_key = of_share.first_of({kShare, keys.share});
  const double share = of_share.positive(share_key, keys.usual_share);
  rotary.width = static_cast<Index>(static_cast<double>(head_width) * std::min(share, 2.0));
  if (share > 1 || rotary.width < 2 || rotary.width % 2 != 0) {
    of_share.refuse(share_key, Message(N_("a share that turns an even number of the {} numbers of "
                                          "a head (here {})"),
                                       head_width, rotary.width));
  }
  if (older) read_scaling(*older, config, rotary);
  if (newer && (newer->gives("rope_type") || newer->gives("type") || newer->gives("factor"))) {
    read_scaling(*newer, config, rotary);
  }
  return rotary;
}

}  // namespace core::checkpoint
