// What holds for every lab, whatever it shows.
#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "../figure/fake_measure.h"
#include "app/figure/formula.h"
#include "app/labs/labs.h"
#include "core/random.h"
#include "core/text/utf8.h"

namespace {

using lab::Lab;
using lab::Page;
using lab::State;
using param::Parameter;

// A number for everything a page says, so that two pages can be compared.
class PageHash {
 public:
  std::uint64_t of(const Page& page) {
    for (const auto& figure : page.figures) add(figure);
    for (const auto& readout : page.readouts) {
      text(readout.id + readout.label + readout.text);
      number(readout.value);
    }
    text(page.formula + page.explanation.title + page.status);
    for (const auto& line : page.explanation.lines) {
      text(line.left);
      for (const auto& span : line.right) add(span);
    }
    for (const auto& note : page.notes) text(note);
    for (const auto& card : page.cards) text(card.said + card.truth + card.source);
    return hash_;
  }

 private:
  void word(std::uint64_t value) { hash_ = core::mix64(hash_ + value + 0x9e3779b97f4a7c15u); }
  void text(const std::string& value) { word(core::hash64(value)); }
  void number(double value) { word(std::bit_cast<std::uint64_t>(value)); }
  void numbers(const std::vector<double>& values) {
    word(values.size());
    for (const double value : values) number(value);
  }
  void labels(const figure::Labels& names) {
    word(names ? names->size() : ~std::uint64_t{0});
    if (!names) return;
    for (const std::string& name : *names) text(name);
  }
  void color(const figure::Color& c) {
    word(static_cast<std::uint64_t>(c.role));
    word(static_cast<std::uint64_t>(c.head + 1));
    number(static_cast<double>(c.alpha));
  }
  void picks(const figure::Assignments& all) {
    for (const auto& [id, value] : all) text(id + "=" + value);
  }
  void add(const figure::Span& span) {
    text(span.text);
    color(span.color);
  }
  void add(const figure::Axis& axis) {
    text(axis.label + axis.link);
    number(axis.lo);
    number(axis.hi);
    number(axis.origin);
    number(axis.unit);
    labels(axis.labels);
    word(static_cast<std::uint64_t>(axis.marked + 1));
  }
  void add(const figure::Figure& figure) {
    text(figure.id + figure.title + figure.note + figure.caption);
    number(static_cast<double>(figure.height));
    word(static_cast<std::uint64_t>(figure.columns * 100 + figure.span));
    for (const auto& span : figure.footer) add(span);
    for (const auto& plot : figure.plots) add(plot);
  }
  void add(const figure::Plot& plot) {
    text(plot.id + plot.title + plot.note + plot.lead);
    word(plot.selected);
    text(plot.x_param + " " + plot.y_param + " " + plot.points_param);
    picks(plot.click);
    add(plot.x);
    add(plot.y);
    for (const auto& mark : plot.marks) std::visit([this](const auto& m) { add(m); }, mark);
  }
  void add(const figure::Heatmap& map) {
    word(static_cast<std::uint64_t>(map.scale.map) * 100 +
         static_cast<std::uint64_t>(map.scale.transform) * 10 +
         static_cast<std::uint64_t>(map.pool));
    number(static_cast<double>(map.scale.lo));
    number(static_cast<double>(map.scale.hi));
    text(map.row_param + map.col_param + map.paint_param);
    word(static_cast<std::uint64_t>(map.paint_param.empty() ? 0 : map.brush));
    picks(map.also);
    word(map.pinned ? static_cast<std::uint64_t>(map.pinned->first * 65536 + map.pinned->second)
                    : ~std::uint64_t{0});
    // All values of a small source, a grid of a large one.
    const auto rows = map.source->rows(), cols = map.source->cols();
    word(static_cast<std::uint64_t>(rows * 65536 + cols));
    const auto row_step = std::max<core::Index>(1, rows / 64);
    const auto col_step = std::max<core::Index>(1, cols / 64);
    for (core::Index i = 0; i < rows; i += row_step) {
      for (core::Index j = 0; j < cols; j += col_step) {
        word(std::bit_cast<std::uint32_t>(map.source->value(i, j)));
      }
    }
  }
  void add(const figure::Line& line) {
    numbers(line.x);
    numbers(line.y);
    color(line.color);
    text(line.label);
  }
  void add(const figure::Band& band) {
    numbers(band.x);
    numbers(band.lo);
    numbers(band.hi);
  }
  void add(const figure::Bars& bars) {
    numbers(bars.values);
    word(static_cast<std::uint64_t>(bars.marked + 1));
    for (const auto& pick : bars.picks) picks(pick);
  }
  void add(const figure::Points& points) {
    numbers(points.x);
    numbers(points.y);
    text(points.points_param);
    for (const auto& pick : points.picks) picks(pick);
  }
  void add(const figure::Arrows& arrows) {
    for (const auto& a : arrows.arrows) numbers({a.x0, a.y0, a.x1, a.y1});
    color(arrows.color);
    text(arrows.label);
  }
  void add(const figure::Handle& handle) {
    numbers({handle.x, handle.y});
    text(handle.x_param + " " + handle.y_param + " " + handle.points_param + " " + handle.label);
    word(handle.point);
    picks(handle.also);
  }
  void add(const figure::Boxes& boxes) {
    for (const auto& box : boxes.boxes) {
      numbers({box.x0, box.y0, box.x1, box.y1});
      text(box.text + box.tooltip);
      color(box.fill);
      word(box.marked);
      picks(box.pick);
    }
  }
  void add(const figure::Table& table) {
    for (const auto& column : table.columns) text(column.title);
    for (const auto& row : table.rows) {
      for (const auto& cell : row) {
        for (const auto& span : cell) add(span);
      }
    }
    for (const auto& pick : table.picks) picks(pick);
    word(static_cast<std::uint64_t>(table.marked + 1));
  }
  void add(const figure::Rule& rule) {
    number(rule.at);
    text(rule.label);
  }
  void add(const figure::Note& note) {
    number(note.x);
    number(note.y);
    text(note.text);
  }
  void add(const figure::Links& links) {
    labels(links.left);
    labels(links.right);
    text(links.left_param + links.right_param);
    word(static_cast<std::uint64_t>(links.marked_left * 65536 + links.marked_right + 65537));
    for (const auto& link : links.links) {
      word(static_cast<std::uint64_t>(link.from * 65536 + link.to));
      number(static_cast<double>(link.weight));
      color(link.color);
    }
  }

  std::uint64_t hash_ = 0;
};

Page compute(const State& state) {
  static const words::Words english;
  lab::Memo memo;
  return state.compute({{}, english, memo, {}, 0});
}

std::uint64_t hash(const State& state) { return PageHash().of(compute(state)); }

std::string named(const Lab& lab) { return std::string(lab.id); }

std::string number_text(const Parameter& p, double value) {
  const bool whole = std::holds_alternative<param::Integer>(p.kind);
  return whole ? std::to_string(std::lround(value)) : nlohmann::json(value).dump();
}

// Each entry alone, one more item at the end, and the first one moved down.
std::vector<std::string> other_stacks(const param::Stack& stack) {
  const param::Catalogue& catalogue = *stack.catalogue;
  std::vector<std::string> all;
  const auto add = [&](const param::StackItems& items) {
    if (items != *stack.value) all.push_back(param::print_stack(items, catalogue));
  };
  for (int k = 0; k < static_cast<int>(catalogue.entries.size()); ++k) {
    add({param::initial_item(catalogue, k)});
  }
  if (stack.value->size() < stack.most) {
    param::StackItems longer = *stack.value;
    longer.push_back(param::initial_item(catalogue, 0, 1));
    add(longer);
  }
  add(param::with_moved(*stack.value, 0, 1));
  return all;
}

// One point fewer, one more, and the first one elsewhere.
std::vector<std::string> other_points(const param::Points& kind) {
  std::vector<std::string> texts;
  const auto middle = param::nearest(kind, kind.x_min * 0.375 + kind.x_max * 0.625,
                                     kind.y_min * 0.375 + kind.y_max * 0.625);
  param::PointList points = *kind.value;
  if (points.size() < kind.most) {
    points.push_back(middle);
    texts.push_back(param::print(points));
    points.pop_back();
  }
  if (points.empty()) return texts;
  points.pop_back();
  texts.push_back(param::print(points));
  points = *kind.value;
  points.front() = middle;
  texts.push_back(param::print(points));
  return texts;
}

// A file that a lab which reads such files can read.
std::string sample_file(const param::File& kind) {
  REQUIRE(kind.endings.find(".csv") != std::string_view::npos);
  const auto path = std::filesystem::temp_directory_path() / "attnscope_contract_sample.csv";
  std::ofstream(path) << "x,y\n0.5,1\n1,3\n2.5,2\n4,2.5\n4.5,4\n";
  return path.string();
}

// Another permitted value of a parameter, as text; several to choose from.
std::vector<std::string> other_values(const Parameter& p) {
  if (const auto* flag = std::get_if<param::Flag>(&p.kind))
    return {*flag->value ? "false" : "true"};
  if (const auto* choice = std::get_if<param::Choice>(&p.kind)) {
    std::vector<std::string> ids;
    for (std::size_t k = 0; k < choice->options.size(); ++k) {
      if (static_cast<int>(k) != choice->get()) ids.emplace_back(choice->options[k].id);
    }
    return ids;
  }
  if (std::holds_alternative<param::Text>(p.kind)) return {param::print(p) + " otter"};
  if (const auto* stack = std::get_if<param::Stack>(&p.kind)) return other_stacks(*stack);
  if (std::holds_alternative<param::Painted>(p.kind)) return {"0:0", "0-9:0-4,6", "3:2;5:1-7"};
  if (const auto* points = std::get_if<param::Points>(&p.kind)) return other_points(*points);
  if (const auto* file = std::get_if<param::File>(&p.kind)) return {sample_file(*file)};
  const double now = *param::number(p);
  std::vector<std::string> values;
  for (const double wanted : {now + 1, now - 1, now / 2, now * 2}) {
    const double value = param::nearest(p, wanted);
    if (value == now) continue;
    values.push_back(number_text(p, value));
  }
  return values;
}

// Settings that a lab should be tried in: the defaults and every preset that is quick to compute.
std::vector<param::Values> settings(const Lab& lab) {
  std::vector<param::Values> all{{}};
  for (const auto& preset : lab.presets) {
    bool large = false;
    for (const auto& [id, value] : preset.values)
      large |= (id == "length" || id == "n") && value.size() > 3;
    if (!large) all.push_back(preset.values);
  }
  return all;
}

void set(State& state, std::string_view id, const std::string& value) {
  param::assign(state.describe(), {{std::string(id), value}});
}

// Whether another value of a parameter gives another page, in some setting in which it is active.
bool matters(const Lab& lab, std::string_view id) {
  for (const param::Values& setting : settings(lab)) {
    const auto state = lab.make();
    param::assign(state->describe(), setting);
    param::List list = state->list();
    const Parameter& parameter = *list.find(id);
    if (!parameter.info.active) continue;
    const std::uint64_t before = hash(*state);
    for (const std::string& value : other_values(parameter)) {
      const auto changed = state->clone();
      set(*changed, id, value);
      if (hash(*changed) != before) return true;
    }
  }
  return false;
}

void check_picks(const Lab& lab, const Page& page) {
  const auto state = lab.make();
  const auto exists = [&](const std::string& id) {
    CAPTURE(id);
    CHECK((id.empty() || state->list().find(id) != nullptr));
  };
  const auto assignable = [&](const figure::Assignments& picks) {
    for (const auto& [id, value] : picks) exists(id);
  };
  const auto paintable = [&](const std::string& id) {
    if (id.empty()) return;
    param::List list = state->list();
    const Parameter* p = list.find(id);
    CHECK((p && std::holds_alternative<param::Painted>(p->kind)));
  };
  const auto points_of = [&](const std::string& id) {
    exists(id);
    const param::List list = state->list();
    for (const auto& p : list.items()) {
      CHECK((p.info.id != id || std::holds_alternative<param::Points>(p.kind)));
    }
  };
  const auto places = [&](const std::string& id) {
    exists(id);
    const param::List list = state->list();
    for (const auto& p : list.items()) CHECK((p.info.id != id || param::number(p).has_value()));
  };
  for (const auto& figure : page.figures) {
    for (const auto& plot : figure.plots) {
      assignable(plot.click);
      places(plot.x_param);
      places(plot.y_param);
      points_of(plot.points_param);
      for (const auto& mark : plot.marks) {
        if (const auto* map = std::get_if<figure::Heatmap>(&mark)) {
          exists(map->row_param);
          exists(map->col_param);
          assignable(map->also);
          paintable(map->paint_param);
          CHECK(map->brush >= 1);
        } else if (const auto* handle = std::get_if<figure::Handle>(&mark)) {
          places(handle->x_param);
          places(handle->y_param);
          points_of(handle->points_param);
          assignable(handle->also);
        } else if (const auto* table = std::get_if<figure::Table>(&mark)) {
          for (const auto& pick : table->picks) assignable(pick);
        } else if (const auto* links = std::get_if<figure::Links>(&mark)) {
          exists(links->left_param);
          exists(links->right_param);
        } else if (const auto* bars = std::get_if<figure::Bars>(&mark)) {
          for (const auto& pick : bars->picks) assignable(pick);
        } else if (const auto* points = std::get_if<figure::Points>(&mark)) {
          for (const auto& pick : points->picks) assignable(pick);
          points_of(points->points_param);
        }
      }
    }
  }
}

void check_page(const Lab& lab, const Page& page) {
  std::set<std::string> figures, plots, readouts;
  for (const auto& figure : page.figures) {
    CAPTURE(figure.id);
    CHECK(figures.insert(figure.id).second);
    CHECK_FALSE(figure.title.empty());
    CHECK_FALSE(figure.caption.empty());
    CHECK((figure.span >= 1 && figure.span <= 12));
    CHECK_FALSE(figure.plots.empty());
    for (const auto& plot : figure.plots) {
      CAPTURE(plot.id);
      CHECK(plots.insert(plot.id).second);
      CHECK_FALSE(plot.marks.empty());
      CHECK(std::isfinite(plot.x.lo + plot.x.hi + plot.y.lo + plot.y.hi));
      CHECK(plot.x.lo < plot.x.hi);
      CHECK(plot.y.lo < plot.y.hi);
    }
  }
  for (const auto& readout : page.readouts) {
    CAPTURE(readout.id);
    CHECK(readouts.insert(readout.id).second);
    CHECK(std::isfinite(readout.value));
    CHECK_FALSE(readout.text.empty());
    CHECK_FALSE(readout.help.empty());
  }
  const FakeOptions fake;
  CHECK(figure::formula_size(page.formula, fake.options).x > 0);
  CHECK_FALSE(page.status.empty());
  check_picks(lab, page);
}

}  // namespace

TEST_CASE("Every lab says what it asks, where it comes from, and what to open first") {
  std::set<std::string_view> ids;
  CHECK_FALSE(lab::all().empty());
  for (const Lab& lab : lab::all()) {
    CAPTURE(named(lab));
    CHECK(ids.insert(lab.id).second);
    CHECK_FALSE(lab.title.empty());
    CHECK_FALSE(lab.about.empty());
    CHECK(lab.question.ends_with('?'));
    CHECK_FALSE(lab.sources.empty());
    CHECK(lab.presets.size() >= 6);
    CHECK_FALSE(lab::chapter_title(lab.chapter).empty());
    std::set<std::string_view> presets;
    for (const auto& preset : lab.presets) {
      CHECK(presets.insert(preset.id).second);
      CHECK_FALSE(preset.title.empty());
      CHECK_FALSE(preset.teaches.empty());
    }
    CHECK(&lab::find(lab.id) == &lab);
  }
  CHECK_THROWS_AS(lab::find("no such lab"), core::InputError);
}

TEST_CASE("Chapters follow the order of the labs") {
  for (std::size_t k = 1; k < lab::all().size(); ++k) {
    CHECK(lab::all()[k - 1].chapter <= lab::all()[k].chapter);
  }
}

TEST_CASE("Parameters are described with ids of their own, labels, help and sound bounds") {
  for (const Lab& lab : lab::all()) {
    CAPTURE(named(lab));
    const auto state = lab.make();
    std::set<std::string_view> ids;
    const param::List list = state->list();
    for (const Parameter& p : list.items()) {
      CAPTURE(std::string(p.info.id));
      CHECK(ids.insert(p.info.id).second);
      CHECK_FALSE(p.info.label.empty());
      CHECK_FALSE(p.info.help.empty());
      CHECK_FALSE(p.group.empty());
      CHECK((p.info.plays == 0 || std::holds_alternative<param::Integer>(p.kind)));
      CHECK(p.info.plays >= 0);
      if (const auto value = param::number(p)) {
        CHECK(p.info.min <= p.info.max);
        CHECK(*value >= p.info.min);
        CHECK(*value <= p.info.max);
        if (p.info.scale == param::Scale::log) CHECK(p.info.min > 0);
        if (p.info.unpinned) CHECK(param::nearest(p, *p.info.unpinned) == *p.info.unpinned);
      }
    }
    // The defaults and every preset already are settled: nothing moves when they are taken.
    const param::Values before = param::values(state->describe());
    param::settle(state->describe());
    CHECK(param::values(state->describe()) == before);
  }
}

TEST_CASE("Every preset computes a sound page, the same one twice") {
  for (const Lab& lab : lab::all()) {
    CAPTURE(named(lab));
    check_page(lab, compute(*lab.make()));
    for (const auto& preset : lab.presets) {
      CAPTURE(std::string(preset.id));
      const auto state = lab.make();
      param::assign(state->describe(), preset.values);
      for (const auto& [id, value] : preset.values) {
        CHECK(param::print(*state->list().find(id)) == value);  // settling took nothing back
      }
      const Page page = compute(*state);
      check_page(lab, page);
      CHECK(PageHash().of(page) == hash(*state));
    }
  }
}

TEST_CASE("Values survive text and JSON, and a clone is independent") {
  for (const Lab& lab : lab::all()) {
    CAPTURE(named(lab));
    for (const auto& preset : lab.presets) {
      const auto state = lab.make();
      param::assign(state->describe(), preset.values);
      const param::Values values = param::values(state->describe());
      const auto by_text = lab.make();
      param::assign(by_text->describe(), values);
      CHECK(param::values(by_text->describe()) == values);
      const auto by_json = lab.make();
      const param::List source = state->list();
      for (const Parameter& p : source.items()) {
        const auto json = nlohmann::json::parse(param::to_json(p).dump());
        param::from_json(*by_json->list().find(p.info.id), json);
      }
      CHECK(param::values(by_json->describe()) == values);
      const auto clone = state->clone();
      const Parameter first = source.items().front();
      param::parse(*clone->list().find(first.info.id), other_values(first).front());
      CHECK(param::values(state->describe()) == values);
    }
  }
}

TEST_CASE("Every parameter matters in some setting") {
  for (const Lab& lab : lab::all()) {
    const auto state = lab.make();
    const param::List list = state->list();
    for (const Parameter& p : list.items()) {
      CAPTURE(named(lab));
      CAPTURE(std::string(p.info.id));
      CHECK(matters(lab, p.info.id));
    }
  }
}

TEST_CASE("A parameter that is said to be inactive has no effect") {
  for (const Lab& lab : lab::all()) {
    for (const param::Values& setting : settings(lab)) {
      const auto state = lab.make();
      param::assign(state->describe(), setting);
      const std::uint64_t before = hash(*state);
      const param::List list = state->list();
      for (const Parameter& p : list.items()) {
        if (p.info.active) continue;
        CAPTURE(named(lab));
        CAPTURE(std::string(p.info.id));
        for (const std::string& value : other_values(p)) {
          const auto changed = state->clone();
          set(*changed, p.info.id, value);
          CHECK(hash(*changed) == before);
        }
      }
    }
  }
}

// What is nonsense to most parameters may be a value of one: an option, or a number in its range.
bool is_sensible(const Parameter& p, const std::string& text) {
  if (const auto* choice = std::get_if<param::Choice>(&p.kind)) {
    return std::any_of(choice->options.begin(), choice->options.end(),
                       [&](const param::Option& option) { return option.id == text; });
  }
  return param::number(p) && text == "-1e9" && p.info.min <= -1e9;
}

TEST_CASE("Nonsense is refused in a sentence and leaves everything alone") {
  for (const Lab& lab : lab::all()) {
    CAPTURE(named(lab));
    const auto state = lab.make();
    const param::Values before = param::values(state->describe());
    const param::List list = state->list();
    for (const Parameter& p : list.items()) {
      CAPTURE(std::string(p.info.id));
      for (const std::string& bad :
           {std::string("\xff\xfe"), std::string("not this one"), std::string("nan"),
            std::string("1e400"), std::string("-1e99")}) {
        // Whether a file is there, and what is in it, is seen when the lab reads it.
        const bool is_text = std::holds_alternative<param::Text>(p.kind) ||
                             std::holds_alternative<param::File>(p.kind);
        if (is_text && !core::invalid_utf8(bad)) continue;
        if (is_sensible(p, bad)) continue;
        std::string message;
        try {
          param::assign(state->describe(), {{std::string(p.info.id), bad}});
        } catch (const core::InputError& error) {
          message = error.what();
        }
        CHECK(message.find(std::string(p.info.id) + ": expected ") == 0);
        CHECK_FALSE(core::invalid_utf8(message));
        CHECK(param::values(state->describe()) == before);
      }
    }
    CHECK_THROWS_AS(param::assign(state->describe(), {{"no_such_parameter", "1"}}),
                    core::InputError);
  }
}

TEST_CASE("Each number computes at both ends of its range, in every setting where it counts") {
  for (const Lab& lab : lab::all()) {
    for (const param::Values& setting : settings(lab)) {
      const auto state = lab.make();
      param::assign(state->describe(), setting);
      const param::List list = state->list();
      for (const Parameter& p : list.items()) {
        if (!param::number(p) || !p.info.active) continue;
        for (const double end : {p.info.min, p.info.max}) {
          CAPTURE(named(lab));
          CAPTURE(std::string(p.info.id));
          CAPTURE(end);
          const auto changed = state->clone();
          set(*changed, p.info.id, number_text(p, param::nearest(p, end)));
          check_page(lab, compute(*changed));
        }
      }
    }
  }
}

TEST_CASE("Every entry of a catalogue computes with each of its numbers at both ends") {
  for (const Lab& lab : lab::all()) {
    const auto state = lab.make();
    const param::List list = state->list();
    for (const Parameter& p : list.items()) {
      const auto* stack = std::get_if<param::Stack>(&p.kind);
      if (!stack) continue;
      const param::Catalogue& catalogue = *stack->catalogue;
      for (int entry = 0; entry < static_cast<int>(catalogue.entries.size()); ++entry) {
        const auto& arguments = catalogue.entries[static_cast<std::size_t>(entry)].arguments;
        for (std::size_t a = 0; a < arguments.size(); ++a) {
          for (const int end : {arguments[a].min, arguments[a].max}) {
            param::StackItem item = param::initial_item(catalogue, entry);
            item.arguments.at(a) = end;
            const std::string text = param::print_stack({item}, catalogue);
            CAPTURE(named(lab));
            CAPTURE(text);
            const auto changed = state->clone();
            set(*changed, p.info.id, text);
            check_page(lab, compute(*changed));
          }
        }
      }
    }
  }
}

TEST_CASE("A catalogue names each thing once, its numbers inside of their ranges") {
  for (const Lab& lab : lab::all()) {
    const auto state = lab.make();
    const param::List list = state->list();
    for (const Parameter& p : list.items()) {
      const auto* stack = std::get_if<param::Stack>(&p.kind);
      if (!stack) continue;
      CAPTURE(named(lab));
      CHECK_FALSE(stack->value->empty());
      std::set<std::string_view> ids;
      for (const auto& operation : stack->catalogue->operations) {
        CHECK(ids.insert(operation.id).second);
      }
      for (const param::Entry& entry : stack->catalogue->entries) {
        CAPTURE(std::string(entry.id));
        CHECK(ids.insert(entry.id).second);
        CHECK_FALSE(entry.label.empty());
        CHECK_FALSE(entry.help.empty());
        CHECK(entry.arguments.size() <= param::Entry::kMostArguments);
        std::set<std::string_view> names;
        for (const param::Argument& a : entry.arguments) {
          CHECK(names.insert(a.id).second);
          CHECK_FALSE(a.help.empty());
          CHECK(a.min <= a.initial);
          CHECK(a.initial <= a.max);
        }
      }
    }
  }
}

TEST_CASE("A page in Chinese has the same numbers") {
  const words::Words chinese(words::Language::zh_CN);
  for (const Lab& lab : lab::all()) {
    CAPTURE(named(lab));
    const auto state = lab.make();
    lab::Memo memo;
    const Page page = state->compute({{}, chinese, memo, {}, 0});
    const Page english = compute(*state);
    check_page(lab, page);
    REQUIRE(page.readouts.size() == english.readouts.size());
    for (std::size_t k = 0; k < page.readouts.size(); ++k) {
      CHECK(page.readouts[k].value == english.readouts[k].value);
    }
  }
}

TEST_CASE("A cancelled computation stops") {
  const words::Words english;
  std::stop_source stop;
  stop.request_stop();
  for (const Lab& lab : lab::all()) {
    lab::Memo memo;
    CHECK_THROWS_AS(lab.make()->compute({core::Cancel(stop.get_token()), english, memo, {}, 0}),
                    core::Cancelled);
  }
}
