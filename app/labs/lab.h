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

#include "app/figure/figure.h"
#include "app/labs/memo.h"
#include "app/labs/training.h"
#include "app/param/param.h"
#include "app/param/values.h"
#include "app/words/words.h"
#include "core/mask/mask.h"
#include "core/types.h"

namespace lab {

using core::Index, core::Mask, core::Matrix, core::MatrixD, core::VectorD;
using figure::Arrows, figure::Assignments, figure::Axis, figure::AxisScale, figure::Band,
    figure::Bars, figure::Color, figure::ColorScale, figure::DenseSource, figure::Figure,
    figure::Handle, figure::Heatmap, figure::Interval, figure::Labels, figure::Line,
    figure::MapName, figure::Mark, figure::Note, figure::Plot, figure::Points, figure::Role,
    figure::Rule, figure::TextStyle, figure::TileSource;
using words::Words;

// Conversions of numbers and of enumerators: indices are signed everywhere but in std::vector.
template <class T>
constexpr double to_double(T number) {
  return static_cast<double>(number);
}
template <class T>
constexpr float to_float(T number) {
  return static_cast<float>(number);
}
template <class T>
constexpr int to_int(T number) {
  return static_cast<int>(number);
}
template <class T>
constexpr Index to_index(T number) {
  return static_cast<Index>(number);
}
template <class T>
constexpr std::size_t to_size(T number) {
  return static_cast<std::size_t>(number);
}

// A number that was computed, with the id by which exports and tests know it.
struct Readout {
  std::string id, label;
  figure::Number value = 0;
  std::string text;  // as shown: "0.61 nats"
  std::string help;  // what it means, for the tooltip
};

// Why a value is what it is: each line continues the equation of the one before.
struct Explanation {
  struct Line {
    std::string left;                 // "w[12,10]" or empty
    std::vector<figure::Span> right;  // "= exp(2.254) / Σ exp"
  };
  std::string title;  // "The pinned weight"
  std::vector<Line> lines;
};
using Lines = std::vector<Explanation::Line>;

// What is commonly said, and what is true. It is asked before it is told: the reader judges first.
struct Card {
  // Of what is said: it is wrong, true only in a part or in one reading, or it holds.
  enum class Verdict { wrong, half, holds };
  // Where it is settled: a preset of this lab, and a figure of its page. Empty: by words alone.
  struct Place {
    std::string preset = {}, figure = {};
  };

  std::string id;  // of this lab's cards; in every setting the same
  std::string said, truth, source;
  Place settled = {};
  Verdict verdict = Verdict::wrong;
};

// A way on that a page offers: a button that sets knobs, over the figures, or beside the word that
// a training has stopped.
struct Offer {
  std::string label, help;
  figure::Assignments sets;  // empty: nothing is offered
};

// A file that a page can make, for a knob of the lab that it opens.
struct JumpFile {
  std::string knob;
  std::string ending;  // ".safetensors"
  std::function<std::string()> bytes;
};

// Another lab, opened with what this page found: its defaults with these settings. One step of
// undo, and a way back.
struct Jump {
  std::string lab;
  std::string label, help;  // what is found there
  param::Values sets;
  std::vector<JumpFile> files = {};
};

// Everything a lab shows. Texts are already in the reader's language.
struct Page {
  std::vector<Figure> figures;  // in reading order
  std::vector<Readout> readouts;
  std::string formula;  // in the small TeX of app/figure/formula.h
  Explanation explanation;
  std::vector<Card> cards;
  std::vector<std::string> notes;  // said plainly when something is unusual ("row 3 is empty")
  std::string status;              // "n = 14 · 8 heads · d_model 64"
  // Stands beside the question where vectors or tables are made up and nothing was learned: what
  // they are, and so what may be read from the figures. Empty: there is nothing to be said.
  std::string made_up;
  Offer offer = {};
  // Labs that can be opened from here, as buttons over the figures.
  std::vector<Jump> jumps = {};
  // The trained model that is shown, as the bytes of a .safetensors file; null: there is none.
  std::function<std::string()> model = {};
  // What was found on the way: names for parameters to choose from (param::Name), and the ranges of
  // numbers (param::List::found_ranges).
  param::Facts found = {};
  // Why there is no such page, where something was found all the same and another may be chosen:
  // then nothing else of it counts. What cannot be computed and found nothing is thrown.
  core::Message fault = {};

  void note(std::string text) { notes.push_back(std::move(text)); }
};

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
    Moment now = runs ? runs->at(name, typed, goal, step, cancel)
                      : *memo.get(name, std::tuple(std::move(task), goal, step), plainly);
    return {now.step, TypedTask<T>::state_of(std::move(now.state)), std::move(now.scalars),
            now.going, std::move(now.fault)};
  }
  // The value of stage `name`: the one that was made of an equal key, or what make(key..., run)
  // returns now. `make` is a function, or a lambda that captures nothing: it can read nothing that
  // is not in its key. Parts of the key are compared by ==, pointers to stages by their address.
  template <class Make, class... Key>
  auto stage(const std::string& name, Make make, const Key&... key) const {
    static_assert(std::is_empty_v<Make> || std::is_pointer_v<Make>, "a stage captures nothing");
    return memo.get(name, std::tuple(key...), [&] { return make(key..., Run{cancel, threads}); });
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

// What changes to the defaults a preset makes: "m=36 | n=30 | vectors=equal". `teaches` is empty or
// a sentence or two.
struct Preset {
  Preset(std::string_view id_, std::string_view title_, std::string_view teaches_,
         std::string_view settings)
      : id(id_), title(title_), teaches(teaches_), values(param::read_settings(settings)) {}

  std::string_view id, title, teaches;
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
    Page compute(const Context& context) const override { return computed(parameters, context); }
  };
  return [describe, compute] { return std::make_unique<Typed>(describe, compute); };
}

}  // namespace lab
