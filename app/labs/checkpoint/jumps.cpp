// The labs of positions and precision, opened with this model's own numbers, and those of decoders,
// opened with its folder and the text.
#include "app/labs/checkpoint/page.h"

namespace lab::checkpoint {
namespace {

using core::checkpoint::PositionFacts, core::checkpoint::RopeScaling, core::checkpoint::Rotary;

// How far the knobs of those labs go.
constexpr Index kLeastLength = 16, kLongest = Index{1} << 20, kLastPosition = 1000000;
constexpr Index kWidestOfClocks = 128, kWidestOfTables = 256;
constexpr Index kMostSlopesRounded = 32, kMostSlopes = 64;
constexpr double kLeastBase = 100, kMostBase = 1e7;

template <class Value>
std::string value_text(const Value& value) {
  return fmt::format("{}", value);
}

Index length_of(double tokens) {
  return std::clamp(to_index(std::min(tokens, 1e12)), kLeastLength, kLongest);
}

bool base_fits(const Rotary& rotary) {
  return rotary.base >= kLeastBase && rotary.base <= kMostBase;
}

Jump to_rotary(const Scene& scene, const Rotary& rotary) {
  const Words& w = scene.w;
  Jump jump{.lab = "rotary", .label = w("Rotary position (RoPE)"), .help = {}, .sets = {}};
  jump.help = w.format(
      "With this model's base {}, {} of {} numbers of a head rotated, pairs as halves; without a "
      "scaling of its frequencies",
      rotary.base, rotary.width, rotary.head_width);
  const Index reach = std::clamp<Index>(rotary.context, 64, kLastPosition);
  jump.sets = {{"reach", value_text(reach)}};
  const bool part = rotary.width < rotary.head_width && rotary.head_width <= kWidestOfClocks;
  jump.sets.emplace_back("d", value_text(part ? rotary.head_width : rotary.width));
  jump.sets.emplace_back("base", value_text(rotary.base));
  jump.sets.emplace_back("pairing", "halves");
  if (part) {
    jump.sets.emplace_back("partial", "true");
    jump.sets.emplace_back("rotated", value_text(rotary.width));
  }
  return jump;
}

// The knobs of the scaling, as that lab has them.
param::Values scaling_of(const Rotary& rotary) {
  const double context = to_double(rotary.context);
  const auto lengths = [](const char* method, double s, double trained, double length) {
    return param::Values{{"method", method},
                         {"stretch", "fixed"},
                         {"s", value_text(s)},
                         {"trained", value_text(length_of(trained))},
                         {"length", value_text(length_of(length))}};
  };
  switch (rotary.scaling) {
    case RopeScaling::linear:
      return lengths("interpolation", rotary.factor, context / rotary.factor, context);
    case RopeScaling::dynamic:
      return lengths("dynamic", rotary.factor, context, context * rotary.factor);
    case RopeScaling::yarn:
    case RopeScaling::llama3:  // the ramp of YaRN's paper
      return lengths("yarn", rotary.factor, rotary.original, rotary.original * rotary.factor);
    case RopeScaling::none:
    case RopeScaling::longrope: break;
  }
  const double trained = rotary.original > 0 ? rotary.original : context;
  return {{"method", "none"},
          {"trained", value_text(length_of(trained))},
          {"length", value_text(length_of(std::max(context, 8 * trained)))}};
}

// YaRN as released, or as in its paper, which is what published models call llama3.
void set_ramp(const Rotary& rotary, param::Values& sets) {
  sets.emplace_back("yarn", rotary.scaling == RopeScaling::yarn ? "code" : "paper");
  if (rotary.slow >= 0.1 && rotary.slow <= 64 && rotary.fast >= 1.01 * rotary.slow &&
      rotary.fast <= 1024) {
    sets.emplace_back("alpha", value_text(rotary.slow));
    sets.emplace_back("beta", value_text(rotary.fast));
  }
  if (rotary.multiplier == 1) {
    sets.emplace_back("attention", "off");
  } else if (rotary.multiplier >= 0.5 && rotary.multiplier <= 3) {
    sets.emplace_back("attention", "fixed");
    sets.emplace_back("attention_factor", value_text(rotary.multiplier));
  }
}

Jump to_extrapolation(const Scene& scene, const Rotary& rotary) {
  const Words& w = scene.w;
  Jump jump{.lab = "extrapolation", .label = w("Longer than trained"), .help = {}, .sets = {}};
  if (rotary.scaling == RopeScaling::longrope) {
    jump.help = w.format(
        "With this model's base {}, width and context; its scaling, {}, does not exist in that lab",
        rotary.base, core::checkpoint::rope_scaling_word(rotary.scaling));
  } else if (!rotary.whole_ends) {
    jump.help = w.format(
        "With this model's base {}, width, context and scaling; its ramp ends between two pairs, "
        "there at whole ones",
        rotary.base);
  } else {
    jump.help = w.format("With this model's base {}, width, context and scaling", rotary.base);
  }
  jump.sets = scaling_of(rotary);
  jump.sets.emplace_back("base", value_text(rotary.base));
  jump.sets.emplace_back("d", value_text(rotary.width));
  const bool ramps = rotary.scaling == RopeScaling::yarn || rotary.scaling == RopeScaling::llama3;
  if (ramps) set_ramp(rotary, jump.sets);
  return jump;
}

Jump to_rope_rounding(const Scene& scene, const Rotary& rotary) {
  const Words& w = scene.w;
  const Index length = length_of(to_double(rotary.context));
  return {.lab = "rope_rounding",
          .label = w("RoPE under rounding"),
          .help = w.format("With this model's base {}, its {} rotated numbers and its context; "
                           "without a scaling of its frequencies",
                           rotary.base, rotary.width),
          .sets = {{"d", value_text(rotary.width)},
                   {"base", value_text(rotary.base)},
                   {"length", value_text(length)},
                   {"query", value_text(length - 1 - std::min<Index>(12, length / 4))},
                   {"key", value_text(length - 1 - std::min<Index>(31, length / 2))},
                   {"pair", "0"}}};
}

Jump to_position_ids(const Scene& scene, Index context) {
  const Words& w = scene.w;
  const Index length = length_of(to_double(context));
  const Index shown = std::min<Index>(64, length / 2);
  return {.lab = "position_ids",
          .label = w("Position ids collide"),
          .help = w.format("With this model's context of {} positions", length),
          .sets = {{"length", value_text(length)},
                   {"start", value_text(length - shown)},
                   {"width", value_text(shown)},
                   {"id", value_text(length - 1 - shown / 4)},
                   {"other", value_text(length - 1 - shown / 2)}}};
}

Jump to_alibi_rounding(const Scene& scene, Index heads, Index context) {
  const Words& w = scene.w;
  const Index length = length_of(to_double(context));
  const Index shown = std::min<Index>(64, length / 2);
  return {.lab = "alibi_rounding",
          .label = w("ALiBi under rounding"),
          .help = w.format("With this model's {} heads, the slope of head {} and its context",
                           heads, scene.model.place.head + 1),
          .sets = {{"heads", value_text(heads)},
                   {"head", value_text(scene.model.place.head + 1)},
                   {"length", value_text(length)},
                   {"start", value_text(length - shown)},
                   {"width", value_text(shown)},
                   {"distance", value_text(length - 1 - shown / 2)}}};
}

Jump slopes_beyond(const Scene& scene, Index heads, Index context) {
  const Words& w = scene.w;
  const Index trained = length_of(to_double(context));
  return {.lab = "extrapolation",
          .label = w("Longer than trained"),
          .help = w.format("With the ALiBi slopes of this model's {} heads and its context", heads),
          .sets = {{"method", "alibi"},
                   {"trained", value_text(trained)},
                   {"length", value_text(length_of(8 * to_double(trained)))},
                   {"heads", value_text(heads)},
                   {"head", value_text(scene.model.place.head + 1)},
                   {"explain", "bias"}}};
}

}  // namespace

std::vector<Jump> decoder_jumps(const Scene& scene) {
  const auto& [p, model, w] = scene;
  if (model.facts().kind != core::checkpoint::Kind::decoder || !model.speaks()) return {};
  param::Values same = {{"from", "published"}};
  if (p.shows_shipped()) {
    same.emplace_back("published", shipped_folder(p.shipped));
  } else {
    same.emplace_back("folder", p.folder);
  }
  if (!p.around) same.emplace_back("around", "false");
  Jump written{
      .lab = "decoding",
      .label = w("Decoding"),
      .help = w("What this model writes after this text: a tree of beams and samples, and filters"),
      .sets = same};
  if (!p.text.empty()) written.sets.emplace_back("prompt", p.text);
  written.sets.insert(written.sets.end(), {{"steps", "5"}, {"width", "3"}});
  Jump inside{.lab = "gpt_inside",
              .label = w("Inside a GPT"),
              .help = w("The same model and text: what its heads are called by, what each part "
                        "adds to a logit, and what follows without some of them"),
              .sets = same};
  if (!p.text.empty()) inside.sets.emplace_back("text", p.text);
  inside.sets.insert(inside.sets.end(), {{"view", p.view == View::next ? "stream" : "heads"},
                                         {"layer", value_text(model.place.layer + 1)},
                                         {"head", value_text(model.place.head + 1)}});
  return {inside, written};
}

std::vector<Jump> jumps(const Scene& scene) {
  const PositionFacts& positions = scene.model.positions();
  std::vector<Jump> all;
  if (const auto& rotary = positions.rotary; rotary && base_fits(*rotary)) {
    if (rotary->width <= kWidestOfClocks) all.push_back(to_rotary(scene, *rotary));
    if (rotary->width >= 4 && rotary->width <= kWidestOfTables) {
      all.push_back(to_extrapolation(scene, *rotary));
    }
    if (rotary->width <= kWidestOfTables) all.push_back(to_rope_rounding(scene, *rotary));
  }
  const Index heads = positions.slopes.size();
  if (heads > 0 && heads <= kMostSlopes) {
    all.push_back(slopes_beyond(scene, heads, positions.context));
  }
  if (heads > 0 && heads <= kMostSlopesRounded) {
    all.push_back(to_alibi_rounding(scene, heads, positions.context));
  }
  const bool numbered = positions.rotary || positions.learned;
  if (numbered && positions.context > 0) all.push_back(to_position_ids(scene, positions.context));
  return all;
}

}  // namespace lab::checkpoint
