#include "core/checkpoint/rotary.h"

#include <cmath>

#include "core/position/frequency.h"
#include "core/position/rotary/rotary_scaling.h"

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
  return static_cast<double>(from.count(kKey, rotary.context));
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

// What newer files write beside "default" all the same.
void read_no_scaling(const Config& section) {
  section.gives("original_max_position_embeddings");
  if (section.gives("factor") && section.positive("factor") != 1) {
    section.refuse("factor", Message(N_("1, or a type that has one")));
  }
}

void read_scaling(const Config& section, const Config& config, Rotary& rotary) {
  const std::string_view type = section.first_of({"rope_type", "type"});
  rotary.scaling = section.word<RopeScaling>(type, kRopeScalings);
  if (section.gives("type") && section.word<RopeScaling>("type", kRopeScalings) != rotary.scaling) {
    section.refuse("type", Message(N_("the same as {}"), "rope_type"));
  }
  section.gives("finetuned");  // a note that it was trained so
  if (rotary.scaling == RopeScaling::none) return read_no_scaling(section);
  const bool ramps =
      rotary.scaling != RopeScaling::linear && rotary.scaling != RopeScaling::longrope;
  if (ramps && rotary.width < 4) {
    section.refuse(type,
                   Message(N_("heads with at least 4 rotated numbers (here {})"), rotary.width));
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

struct Form {
  const Config& config;
  Index head_width, context;
  const RotaryKeys& keys;
};

// A number that may stand within the object or beside it, under one of these names; `home` is then
// where it does, and `key` as what. InputError where two places differ.
struct Found {
  const Config* home;
  std::string_view key;
  bool said = false;
};
Found find_number(const Form& form, const Config* section,
                  std::initializer_list<std::string_view> names) {
  const std::string_view beside = form.config.first_of(names);
  const bool is_beside = form.config.gives(beside);
  if (!section || !section->gives(section->first_of(names))) {
    return {&form.config, beside, is_beside};
  }
  const std::string_view within = section->first_of(names);
  if (is_beside && form.config.positive(beside) != section->positive(within)) {
    section->refuse(
        within, Message(N_("the same as {} beside it ({})"), beside, form.config.positive(beside)));
  }
  return {section, within, true};
}

Rotary read_one(const Form& form, const Config* section) {
  Rotary rotary{.head_width = form.head_width, .context = form.context};
  const Found base = find_number(form, section, {"rope_theta", form.keys.base});
  rotary.base = base.home->positive(base.key, 10000.0);
  rotary.base_said = base.said;
  const Found of_share = find_number(form, section, {"partial_rotary_factor", form.keys.share});
  const double share = of_share.home->positive(of_share.key, form.keys.usual_share);
  rotary.width = static_cast<Index>(static_cast<double>(form.head_width) * std::min(share, 2.0));
  if (share > 1 || rotary.width < 2 || rotary.width % 2 != 0) {
    of_share.home->refuse(
        of_share.key,
        Message(N_("a share that rotates an even number of the {} numbers of a head (here {})"),
                form.head_width, rotary.width));
  }
  if (!section) return rotary;
  if (section->gives("rope_type") || section->gives("type") || section->gives("factor")) {
    read_scaling(*section, form.config, rotary);
  }
  section->require_all_read();
  return rotary;
}

// Two objects that are told apart by their types already.
void require_one_type(const Config& config) {
  const auto older = config.section("rope_scaling"), newer = config.section("rope_parameters");
  if (!older || !newer) return;
  const auto type = [](const Config& section) {
    return section.word<RopeScaling>(section.first_of({"rope_type", "type"}), kRopeScalings,
                                     RopeScaling::none);
  };
  if (type(*older) == type(*newer)) return;
  config.refuse("rope_scaling", Message(N_("either {} or {}"), "rope_scaling", "rope_parameters"));
}

// One of two objects may leave the base to the other.
void take_base(Rotary& to, const Rotary& from) {
  if (to.base_said || !from.base_said) return;
  to.base = from.base;
  to.base_said = true;
}

// An object, or one of objects by the types of layers, of which those that layer_types names count.
std::optional<Rotary> read_object(const Form& form, std::string_view key) {
  const std::optional<Config> section = form.config.section(key);
  if (!section) return std::nullopt;
  if (!section->holds_objects_alone()) return read_one(form, &*section);
  std::optional<Rotary> all;
  for (const std::string& type : section->keys()) {
    const std::optional<Config> of_type = section->section(type);
    if (!of_type || !form.config.lists("layer_types", type)) continue;
    const Rotary one = read_one(form, &*of_type);
    if (all && !(*all == one)) {
      form.config.refuse(key, Message(N_("one setting for the layers of all types")));
    }
    all = one;
  }
  if (!all) form.config.refuse(key, Message(N_("a setting for the types of layer_types")));
  return all;
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
  const Form form{config, head_width, context, keys};
  require_one_type(config);
  std::optional<Rotary> older = read_object(form, "rope_scaling");
  std::optional<Rotary> newer = read_object(form, "rope_parameters");
  if (older && newer) take_base(*older, *newer), take_base(*newer, *older);
  if (older && newer && !(*older == *newer)) {
    config.refuse("rope_scaling",
                  Message(N_("either {} or {}"), "rope_scaling", "rope_parameters"));
  }
  return newer ? *newer : older ? *older : read_one(form, nullptr);
}

}  // namespace core::checkpoint
