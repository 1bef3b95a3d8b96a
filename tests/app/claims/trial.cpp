#include "trial.h"

#include <algorithm>
#include <set>

#include "app/figure/layout.h"
#include "app/lesson/sight.h"
#include "contract/settings.h"
#include "said.h"

namespace claims {
namespace {

using lesson::Expression;
using Does = Expression::Does;

// Seeds 0 to 9 where a lab is tried wholly, else the first few, of long trainings the first three.
constexpr int kSeeds = 10, kSeedsOfAll = 4, kSeedsOfTrainings = 3;
int seeds(bool trains_long) {
  if (contract::tried_wholly()) return kSeeds;
  return trains_long ? kSeedsOfTrainings : kSeedsOfAll;
}

bool is_seed(const param::Parameter& p) {
  return p.info.active && (p.info.id == "seed" || p.info.id.ends_with("_seed"));
}

// The expression with numbers for the names that were kept.
Expression filled(Expression e, const std::map<std::string, double>& kept) {
  if (e.does == Does::word) {
    if (const auto found = kept.find(e.word); found != kept.end()) return {.number = found->second};
  }
  for (Expression& part : e.parts) part = filled(std::move(part), kept);
  return e;
}

bool compares_numbers(const Expression& e) {
  return e.does >= Does::less && e.does <= Does::unequal;
}

// Both sides of a comparison that does not hold, for the message.
std::string sides(const Expression& e, const lesson::Sight& sight) {
  if (!compares_numbers(e)) {
    std::string all;
    for (const Expression& part : e.parts) {
      if (part.is_condition() && !part.is_event()) all += sides(part, sight) + "; ";
    }
    return all;
  }
  const auto one = [&](const Expression& part) {
    const lesson::Value value = lesson::evaluate(part, sight);
    if (const auto* number = std::get_if<double>(&value)) return figure::number_text(*number, 6);
    if (const auto* word = std::get_if<std::string>(&value)) return *word;
    return std::string("a condition");
  };
  return one(e.parts[0]) + " and " + one(e.parts[1]);
}

std::string key_of(const Setting& setting) {
  std::string key;
  for (const param::Values& some : setting.values) {
    for (const auto& [id, value] : some) key += id + "=" + value + "\n";
    key += "\n";
  }
  return key;
}

// What a page is computed from. Knobs without an effect are left out: the contract's tests hold
// every lab to it that these change nothing.
std::string effective(lab::State& state) {
  std::string key;
  const param::List list = state.list();
  for (const param::Parameter& p : list.items()) {
    if (p.info.active) key += std::string(p.info.id) + "=" + param::serialize(p) + "\n";
  }
  return key;
}

const lab::Card* card_of(const lab::Page& page, std::string_view id) {
  const auto found = std::find_if(page.cards.begin(), page.cards.end(),
                                  [id](const lab::Card& one) { return one.id == id; });
  return found == page.cards.end() ? nullptr : &*found;
}

}  // namespace

std::vector<Setting> moved_settings(const lab::Lab& lab) {
  std::vector<Setting> all;
  for (const param::Values& values : contract::settings(lab)) {
    std::string name;
    for (const auto& [id, value] : values) name += (name.empty() ? "" : ", ") + id + "=" + value;
    all.push_back({name.empty() ? "as it is at first" : name, {values}});
  }
  const param::Values first = contract::with_short_training(lab, {});
  const auto state = lab.make();
  param::assign(state->describe(), first);
  const param::List list = state->list();
  for (const param::Parameter& p : list.items()) {
    if (!p.info.active || p.info.measures || contract::takes_long(p)) continue;
    std::vector<std::string> values = contract::other_values(p);
    if (is_seed(p)) {
      values.clear();
      for (int k = 0; k < seeds(false); ++k) values.push_back(std::to_string(k));
    }
    for (const std::string& value : values) {
      const std::string id(p.info.id);
      all.push_back({id + "=" + value, {first, {{id, value}}}});
    }
  }
  return all;
}

std::unique_ptr<lab::State> Trial::state(const Setting& setting) const {
  auto state = lab_.make();
  for (const param::Values& some : setting.values) param::assign(state->describe(), some);
  return state;
}

const Trial::Scene& Trial::scene(const Setting& setting) {
  Scene& scene = scenes_[key_of(setting)];
  if (scene.page) return scene;
  const auto made = state(setting);
  scene.knobs = param::values(made->describe());
  std::shared_ptr<const lab::Page>& page = pages_[effective(*made)];
  if (!page) {
    page = std::make_shared<const lab::Page>(made->compute({{}, english_, memo_, {}, 0, &runs_}));
  }
  scene.page = page;
  return scene;
}

const lab::Page& Trial::page(const Setting& setting) { return *scene(setting).page; }

const lab::Page& Trial::page_of_card(std::string_view id) {
  for (const param::Values& values : contract::settings(lab_)) {
    const lab::Page& there = page({"", {values}});
    if (card_of(there, id)) return there;
  }
  return page({"as it is at first", {}});
}

std::vector<std::string> Trial::said(const Place& place, const lab::Page& page) const {
  std::string text;
  switch (place.kind) {
    case Kind::lab:
    case Kind::sources: break;
    case Kind::about: text = lab_.about; break;
    case Kind::made_up: text = page.made_up; break;
    case Kind::preset:
      for (const lab::Preset& one : lab_.presets) {
        if (one.id == place.id) text = one.teaches;
      }
      break;
    case Kind::card:
      if (const lab::Card* one = card_of(page, place.id)) text = one->truth;
      break;
    case Kind::caption:
      for (const figure::Figure& one : page.figures) {
        if (one.id == place.id) text = one.caption;
      }
      break;
  }
  return sentences(text);
}

std::vector<Setting> Trial::with_seeds(const Claim& claim, std::vector<Setting> all) {
  const auto says_seed = [](const std::string& quote) {
    return quote.find("this seed") != quote.npos;
  };
  if (std::any_of(claim.quotes.begin(), claim.quotes.end(), says_seed)) return all;
  const auto fixed = [&](std::string_view id) {
    return std::find(claim.fixed.begin(), claim.fixed.end(), id) != claim.fixed.end() ||
           std::any_of(claim.over.begin(), claim.over.end(),
                       [&](const Over& one) { return one.knob == id; });
  };
  const std::vector<Setting> unseeded = all;
  for (const Setting& base : unseeded) {
    const auto made = state(base);
    const param::List list = made->list();
    const param::Values values = param::values(made->describe());
    const bool trains_long = contract::with_short_training(lab_, values) != values;
    for (const param::Parameter& p : list.items()) {
      if (!is_seed(p) || fixed(p.info.id)) continue;
      for (int k = 0; k < seeds(trains_long); ++k) {
        Setting seeded = base;
        seeded.values.push_back({{std::string(p.info.id), std::to_string(k)}});
        seeded.name += ", " + std::string(p.info.id) + "=" + std::to_string(k);
        all.push_back(std::move(seeded));
      }
    }
  }
  return all;
}

std::vector<Setting> Trial::settings(const Place& place, const Claim& claim) {
  const bool moves = place.kind != Kind::preset && place.kind != Kind::card;
  if (moves && !claim.one_scene() && claim.over.empty()) return moved_settings(lab_);
  std::string preset = claim.preset;
  if (preset.empty() && place.kind == Kind::preset) preset = place.id;
  if (preset.empty() && place.kind == Kind::card) {
    if (const lab::Card* one = card_of(page_of_card(place.id), place.id))
      preset = one->settled.preset;
  }
  Setting base{preset.empty() ? "as it is at first" : "preset " + preset, {}};
  for (const lab::Preset& one : lab_.presets) {
    if (one.id == preset) base.values.push_back(one.values);
  }
  if (!claim.sets.empty()) base.values.push_back(claim.sets);
  std::vector<Setting> all{base};
  for (const Over& over : claim.over) {
    for (const std::string& value : over.values) {
      Setting one = base;
      one.values.push_back({{over.knob, value}});
      one.name += ", " + over.knob + "=" + value;
      all.push_back(std::move(one));
    }
  }
  return with_seeds(claim, std::move(all));
}

void Trial::try_claim(const Place& place, const Claim& claim, const Setting& setting,
                      Outcome& outcome) {
  // What the page fills in is known as said1, said2 and so on.
  std::map<std::string, double> kept;
  const bool everywhere = place.kind == Kind::caption || place.kind == Kind::made_up;
  if (everywhere || place.kind == Kind::card) {
    bool here = false;
    for (const std::string& sentence : said(place, page(setting))) {
      for (const std::string& quote : claim.quotes) {
        const auto parts = matched(quote, sentence);
        if (!parts) continue;
        here = true;
        for (std::size_t k = 0; k < parts->size(); ++k) {
          if (const auto number = shown_number((*parts)[k]))
            kept["said" + std::to_string(k + 1)] = *number;
        }
      }
    }
    if (everywhere && !here) return;
  }
  Setting now = setting;
  const auto fault = [&](const Step& step, const std::string& what) {
    outcome.faults.push_back("line " + std::to_string(step.line) + ", " + now.name + ": " +
                             step.text + ": " + what);
  };
  for (const Step& step : claim.steps) {
    try {
      if (step.does == Step::Does::then) {
        now.values.push_back(step.sets);
        now.name += ", then";
        for (const auto& [id, value] : step.sets) now.name += " " + id + "=" + value;
        continue;
      }
      const Scene& there = scene(now);
      const lesson::Sight sight{there.page.get(), &lab_, &there.knobs};
      const Expression e = filled(step.expression, kept);
      if (step.does == Step::Does::keep) {
        kept[step.name] = lesson::number(e, sight);
      } else if (!lesson::holds(e, sight)) {
        if (step.does == Step::Does::when) return;
        fault(step, sides(e, sight));
      }
    } catch (const std::exception& error) {
      if (outcome.refused.insert(step.line).second) fault(step, error.what());
      return;
    }
  }
  ++outcome.tried;
}

std::map<int, Outcome> Trial::all(const std::vector<Place>& places) {
  // What is tried with the same knobs is tried on the same page.
  struct Task {
    const Place* place;
    const Claim* claim;
  };
  std::map<int, Outcome> outcomes;
  std::vector<Setting> settings_;
  std::map<std::string, std::vector<Task>> tasks;
  for (const Place& place : places) {
    for (const Claim& claim : place.claims) {
      const bool computes = std::any_of(claim.steps.begin(), claim.steps.end(),
                                        [](const Step& s) { return s.does == Step::Does::check; });
      if (!computes) continue;
      outcomes[claim.line];
      for (Setting& setting : settings(place, claim)) {
        auto& here = tasks[key_of(setting)];
        if (here.empty()) settings_.push_back(std::move(setting));
        here.push_back({&place, &claim});
      }
    }
  }
  for (const Setting& setting : settings_) {
    for (const Task& task : tasks[key_of(setting)])
      try_claim(*task.place, *task.claim, setting, outcomes[task.claim->line]);
  }
  return outcomes;
}

}  // namespace claims
