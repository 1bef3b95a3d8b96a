// A lab answers one question. It is a plain struct of parameters, one description of them, and one
// pure function from their values to a page. No ImGui, no GL, no globals.
//
// This header brings what every lab is written with: the standard containers and algorithms, fmt,
// figures, words, knobs and matrices. A file of a lab includes its own header and what is special.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <numbers>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "app/labs/memo.h"
#include "app/labs/page.h"
#include "app/labs/training.h"

namespace lab {

// What compute gets besides its parameters.
struct Context {
  core::Cancel cancel;
  const Words& words;
  Memo& memo;
  // Shows an unfinished page (training); may be empty.
  std::function<void(Page)> publish = {};
  int threads = 0;       // 0: all cores
  Runs* runs = nullptr;  // null: trainings are made here and now, whole

  // The training that `task` describes (see Trained), as it is at `step`; it goes on to `goal`.
  template <class T>
  Trained<T> trained(const std::string& name, T task, Index goal, Index step) const {
    const auto typed = std::make_shared<const TypedTask<T>>(task);
    const auto plainly = [&] { return train(*typed, goal, step, {cancel, threads}); };
    Snapshot now = runs ? runs->at(name, typed, goal, step, cancel)
                        : *memo.get(name, std::tuple(std::move(task), goal, step), plainly);
    return {now.step, TypedTask<T>::state_of(std::move(now.state)), std::move(now.scalars),
            now.going, std::move(now.fault)};
  }
  // The value of stage `name`: the one that was made of an equal key, or what make(key..., run)
  // returns now. `make` is a function, or a lambda that captures nothing: it can read nothing that
  // is not in its key. Parts of the key are compared by ==, pointers to stages by their address.
  // Throws core::Cancelled before and after.
  template <class Make, class... Key>
  auto stage(const std::string& name, Make make, const Key&... key) const {
    static_assert(std::is_empty_v<Make> || std::is_pointer_v<Make>, "a stage captures nothing");
    cancel.poll();
    auto made = memo.get(name, std::tuple(key...), [&] {
      return make(key..., Run{cancel, threads});
    });
    cancel.poll();
    return made;
  }
};

// The parameters with all but these fields at their defaults: what a stage is given whose key they
// are. Parameters are then compared by ==.
template <class Parameters, class... Fields>
Parameters only(const Parameters& p, Fields Parameters::*... fields) {
  Parameters kept;
  ((kept.*fields = p.*fields), ...);
  return kept;
}

struct Source {
  std::string_view citation, where, url;  // where: "section 3.2.2, eq. 1"
};

// What changes to the defaults a preset makes: "m=36 | n=30 | vectors=equal". `teaches` is a
// sentence or two; opening it brings `figure` into view, where it names one.
struct Preset {
  Preset(std::string_view id_, std::string_view title_, std::string_view teaches_,
         std::string_view settings, std::string_view figure_ = {})
      : id(id_),
        title(title_),
        teaches(teaches_),
        figure(figure_),
        values(param::read_settings(settings)) {}

  std::string_view id, title, teaches, figure;
  param::Values values;
};

// The chapters of the sidebar, in order.
enum class Chapter {
  where_attention_comes_from,
  attention,
  position,
  precision,
  sparsity,
  transformer,
  gpt,
  yours
};
std::string_view chapter_title(Chapter chapter);

// One lab's live parameters, their type hidden.
class State {
 public:
  virtual ~State() = default;
  virtual std::unique_ptr<State> clone() const = 0;
  virtual param::List list() = 0;
  virtual Page compute(const Context& context) const = 0;
  // Takes over what a page has found (Page::found): describing is then told of it.
  virtual void learn(const param::Facts& found) = 0;
  // Knows nothing of what was found, until the next page says it.
  virtual void forget() = 0;
  param::Describe describe() {
    return [this] { return list(); };
  }
};

struct Lab {
  std::string_view id, title, question;
  Chapter chapter;
  std::string_view about;  // at most three sentences: what this shows and how to read it
  std::vector<Source> sources;
  std::vector<Preset> presets;
  // What the window sets at first for who reads Chinese, as a preset does: "text=猫 坐 在 垫子 上".
  std::string_view chinese = {};
  std::function<std::unique_ptr<State>()> make;
};

// For Lab::make: parameters of this type as they are described, and the page that they make.
template <class Parameters>
std::function<std::unique_ptr<State>()> live(void (*describe)(Parameters&, param::List&),
                                             Page (*compute)(const Parameters&, const Context&)) {
  using Described = void (*)(Parameters&, param::List&);
  using Computed = Page (*)(const Parameters&, const Context&);
  struct Typed final : State {
    Described described;
    Computed computed;
    Parameters parameters{};
    param::Facts facts;
    Typed(Described d, Computed c) : described(d), computed(c) {}
    std::unique_ptr<State> clone() const override { return std::make_unique<Typed>(*this); }
    void learn(const param::Facts& found) override {
      for (const auto& [id, fact] : found) facts.insert_or_assign(id, fact);
    }
    void forget() override { facts.clear(); }
    param::List list() override {
      param::List list(facts);
      described(parameters, list);
      return list;
    }
    Page compute(const Context& context) const override {
      context.cancel.poll();
      return computed(parameters, context);
    }
  };
  return [describe, compute] { return std::make_unique<Typed>(describe, compute); };
}

}  // namespace lab
