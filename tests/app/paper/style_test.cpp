// A style's choices: what they refuse, and what becomes of figures.
#include "app/paper/style/style.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "app/paper/export_figure.h"
#include "app/paper/file/export_bytes.h"
#include "app/paper/paper_text.h"
#include "app/paper/sheet.h"
#include "app/paper/style/plain_formulas.h"
#include "app/paper/style/styled.h"
#include "support.h"

namespace style_test {

namespace {

using figure::TextStyle;
using paper::Style;

// Two lines with names, from 0 to 10 and 0 to 4.
figure::Figure lines(int points = 11) {
  figure::Plot plot;
  plot.id = "loss", plot.title = "Loss by step";
  plot.x = {.label = "step", .lo = 0, .hi = 10};
  plot.y = {.label = "loss", .lo = 0, .hi = 4};
  for (const char* name : {"one head", "four heads"}) {
    figure::Line line;
    line.label = name;
    for (int k = 0; k < points; ++k) {
      line.add(10.0 * k / (points - 1), 1 + 0.2 * k * 10 / (points - 1));
    }
    plot.marks.emplace_back(line);
  }
  figure::Figure figure;
  figure.id = "training", figure.title = "Training";
  figure.plots = {plot};
  return figure;
}

figure::Figure heads() {
  figure::Figure figure;
  figure.id = "heads", figure.title = "Heads";
  for (const char* name : {"1", "2", "3"}) {
    figure.plots.push_back(test::heatmap_plot(std::string("head ") + name, test::ramp(4, 6)));
    figure.plots.back().title = std::string("Head ") + name;
    figure.plots.back().thumbnail = true;
  }
  return figure;
}

Style style(const param::Values& values) {
  Style made;
  paper::set(made, values);
  paper::check(made);
  return made;
}

paper::Styled styled(const figure::Figure& figure, const param::Values& values) {
  return paper::styled({figure}, {}, style(values), 0.75);
}

std::string refused(const figure::Figure& figure, const param::Values& values) {
  try {
    styled(figure, values);
  } catch (const core::InputError& error) {
    return error.what();
  }
  return "";
}

const figure::Line& line(const paper::Styled& s, std::size_t k) {
  return std::get<figure::Line>(s.figures.at(0).plots.at(0).marks.at(k));
}

paper::Sheet sheet(const figure::Figure& figure, const param::Values& values,
                   double width = 85 * 72 / 25.4) {
  paper::PaperOptions options;
  options.paper_width = width;
  options.style = style(values);
  return paper::compose({figure}, {}, options, paper::PaperMeasure(paper::lettering_of(options)),
                        4);
}

template <class P>
std::vector<P> all(const paper::Sheet& sheet) {
  std::vector<P> found;
  for (const figure::Drawing& drawing : sheet.drawings) {
    for (const figure::Primitive& one : drawing.primitives) {
      if (const P* p = std::get_if<P>(&one)) found.push_back(*p);
    }
  }
  return found;
}

std::vector<std::string> texts(const paper::Sheet& sheet) {
  std::vector<std::string> found;
  for (const auto& text : all<figure::draw::Text>(sheet)) found.push_back(text.text);
  return found;
}

bool has(const std::vector<std::string>& all, const std::string& one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

}  // namespace

TEST_CASE("a style is what was set, and no more") {
  const Style s = style({{"font_family", "dejavu serif"}, {"dashes", "true"}, {"x_ticks", "0 5"}});
  CHECK(s.font_family == "DejaVu Serif");  // as it is called
  CHECK(paper::given(s) ==
        param::Values{{"font_family", "DejaVu Serif"}, {"dashes", "true"}, {"x_ticks", "0 5"}});
  CHECK(paper::given({}).empty());
  CHECK(paper::numbers("x_ticks", " 0, 2.5,1e3 ") == std::vector<double>{0, 2.5, 1000});
  CHECK(paper::look_of(paper::given(s), false).size() == 2);  // ticks are one figure's own
}

TEST_CASE("what a style cannot be is said in a sentence") {
  const auto said = [](const param::Values& values) { return refused(lines(), values); };
  CHECK(said({{"font_family", "Nowhere Sans"}})
            .starts_with("font_family: there is no font \"Nowhere Sans\" on this machine: expected "
                         "one of Inter, JetBrains Mono, "));
  CHECK(said({{"title_size", "3"}}) == "title_size: expected 0 or 6 to 72 points, got 3");
  CHECK(said({{"line_width", "0.01"}}) == "line_width: expected 0 or 0.1 to 10 points, got 0.01");
  CHECK(said({{"x_ticks", "0 five"}}) ==
        "x_ticks: expected at most 100 numbers such as \"0 10 20\", got \"0 five\"");
  CHECK(said({{"y_limits", "3 1"}}) ==
        "y_limits: expected two numbers, the smaller one first, such as \"0 20\", got \"3 1\"");
  CHECK(said({{"vmin", "1"}, {"vmax", "0.5"}}) == "vmin: expected a number below vmax, 0.5, got 1");
  CHECK(said({{"color_scale", "log"}, {"vmin", "0"}}) ==
        "vmin: expected a number above 0, as the colour scale is logarithmic, got 0");
  CHECK(said({{"legend", "above"}}) ==
        "legend: expected one of automatic, beside, below, none, got above");
}

TEST_CASE("what the figures do not have is said, too") {
  CHECK(refused(lines(), {{"vmax", "0.5"}}) == "vmax: these figures have no heatmap of numbers");
  CHECK(refused(lines(), {{"colors", "gray"}}).empty());  // a look goes to figures without any
  CHECK(refused(heads(), {{"x_label", "key"}}) ==
        "x_label: these figures have no axis that could have a label");
  CHECK(refused(lines(), {{"x_ticks", "0 5 12"}}) ==
        "x_ticks: expected numbers from 0 to 10, the axis of \"Loss by step\", got 12");
  CHECK(refused(lines(), {{"x_ticks", "0 5 12"}, {"x_limits", "0 20"}}).empty());
  CHECK(refused(lines(), {{"y_ticks", "3"}, {"y_limits", "0 2"}}) ==
        "y_ticks: expected numbers from 0 to 2, the axis of \"Loss by step\", got 3");
  CHECK(refused(lines(), {{"y_scale", "log"}, {"y_limits", "0 2"}}) ==
        "y_limits: expected limits above 0, as the axis is logarithmic, got 0");
  CHECK(refused(lines(), {{"only", "two heads"}}) ==
        "only: expected some of one head, four heads, or numbers from 1 to 2, got \"two heads\"");
  CHECK_THROWS_WITH_AS(paper::styled({lines(), lines()}, {}, style({{"title", "Both"}}), 0.75),
                       "title: expected one figure to be called so, got 2", core::InputError);
}

TEST_CASE("titles, labels, lines and letters are the author's") {
  const auto s = styled(lines(), {{"title", "My training"},
                                  {"x_label", "step (thousands)"},
                                  {"y_label", "nats per token"},
                                  {"line_width", "1.5"}});
  CHECK(s.figures[0].title == "My training");
  CHECK(s.figures[0].plots[0].x.label == "step (thousands)");
  CHECK(s.figures[0].plots[0].y.label == "nats per token");
  CHECK(line(s, 0).width == doctest::Approx(2));  // units of 0.75 points
  const auto lettered = paper::styled({lines(), heads()}, {}, style({{"letters", "true"}}), 1);
  CHECK(lettered.figures[0].title == "(a) Training");
  CHECK(lettered.figures[1].title == "(b) Heads");
  CHECK(styled(lines(), {{"letters", "true"}}).figures[0].plots[0].title == "(a) Loss by step");
}

TEST_CASE("only what is asked for is left") {
  const auto one = styled(lines(), {{"only", "Four heads"}});
  REQUIRE(one.figures[0].plots[0].marks.size() == 1);
  CHECK(line(one, 0).label == "four heads");
  const auto two = styled(heads(), {{"only", "3, head 1"}});
  REQUIRE(two.figures[0].plots.size() == 2);
  CHECK(two.figures[0].plots[0].title == "Head 1");
  CHECK(two.figures[0].plots[1].title == "Head 3");
  // Where several plots have lines, either is chosen, and the other stays.
  figure::Figure both = lines();
  both.plots.push_back(both.plots.front());
  both.plots.back().title = "Loss held out";
  const auto plot = styled(both, {{"only", "2"}});
  REQUIRE(plot.figures[0].plots.size() == 1);
  CHECK(plot.figures[0].plots[0].title == "Loss held out");
  CHECK(plot.figures[0].plots[0].marks.size() == 2);
  const auto named = styled(both, {{"only", "four heads"}});
  REQUIRE(named.figures[0].plots.size() == 2);
  CHECK(named.figures[0].plots[1].marks.size() == 1);
  CHECK(refused(both, {{"only", "3"}}) ==
        "only: expected some of Loss by step, Loss held out, one head, four heads, or numbers "
        "from 1 to 2, got \"3\"");
}

TEST_CASE("no plot is without a letter") {
  figure::Figure many = lines();
  many.plots.resize(28, many.plots.front());
  const auto s = styled(many, {{"letters", "true"}});
  CHECK(s.figures[0].plots[25].title == "(z) Loss by step");
  CHECK(s.figures[0].plots[26].title == "(aa) Loss by step");
  CHECK(s.figures[0].plots[27].title == "(ab) Loss by step");
}

TEST_CASE("axes go where they are told") {
  const auto s = styled(lines(), {{"x_limits", "2 8"}, {"y_scale", "log"}, {"x_ticks", "2, 5, 8"}});
  CHECK(s.figures[0].plots[0].y.scale == figure::AxisScale::log);
  CHECK(s.figures[0].plots[0].y.lo == 1);  // the least that is drawn
  CHECK(s.views.at("loss").x0 == 2);
  CHECK(s.views.at("loss").x1 == 8);
  const auto said = texts(sheet(lines(), {{"x_limits", "2 8"}, {"x_ticks", "2, 4.5, 8"}}));
  CHECK(has(said, "4.5"));
  CHECK(has(said, "8"));
  CHECK_FALSE(has(said, "6"));
  // Of cells, from the first index to the last one.
  figure::Figure map;
  map.plots = {test::heatmap_plot("weights", test::ramp(4, 6))};
  const auto cut = styled(map, {{"x_limits", "1 3"}, {"y_limits", "0 1"}});
  CHECK(cut.views.at("weights") == figure::View{1, 4, 0, 2});
  CHECK(refused(map, {{"x_limits", "0 6"}}) ==
        "x_limits: expected whole numbers from 0 to 5 for \"weights\", got 0 6");
}

TEST_CASE("every heatmap has the colours that are asked for") {
  const auto scale = [](const param::Values& values) {
    return std::get<figure::Heatmap>(styled(heads(), values).figures[0].plots[1].marks[0]).scale;
  };
  CHECK(scale({}).hi == 1);
  const auto gray = scale({{"colors", "gray"}, {"vmax", "0.25"}});
  CHECK(gray.map == figure::MapName::gray);
  CHECK(gray.lo == 0);
  CHECK(gray.hi == 0.25f);
  const auto log = scale({{"color_scale", "log"}});
  CHECK(log.transform == figure::Transform::log);
  CHECK(log.lo == doctest::Approx(1e-4));
  const auto centred = scale({{"colors", "diverging"}});
  CHECK(centred.lo == -1);
  // One that is logarithmic keeps its ends when its colours change.
  figure::Figure wide;
  wide.plots = {test::heatmap_plot("weights", test::ramp(4, 6))};
  auto& own = std::get<figure::Heatmap>(wide.plots[0].marks[0]).scale;
  own.transform = figure::Transform::log, own.lo = 1e-7f;
  const auto recolored = styled(wide, {{"colors", "gray"}});
  CHECK(std::get<figure::Heatmap>(recolored.figures[0].plots[0].marks[0]).scale.lo == 1e-7f);
}

TEST_CASE("lines differ by dashes and markers") {
  const auto plain = all<figure::draw::Path>(sheet(lines(), {}));
  const auto dashed = all<figure::draw::Path>(sheet(lines(), {{"dashes", "true"}}));
  const auto broken = [](const std::vector<figure::draw::Path>& paths) {
    return std::count_if(paths.begin(), paths.end(), [](const figure::draw::Path& path) {
      return std::any_of(path.points.begin(), path.points.end(),
                         [](figure::Point p) { return std::isnan(p.x); });
    });
  };
  CHECK(broken(plain) == 0);
  CHECK(broken(dashed) >= 1);  // the second line, not the first
  const auto discs = [](const param::Values& values, int points) {
    return all<figure::draw::Disc>(sheet(lines(points), values)).size();
  };
  CHECK(discs({}, 11) == 0);
  CHECK(discs({{"markers", "true"}}, 11) >= 11);  // one a point
  CHECK(discs({{"markers", "true"}}, 200) < 20);  // where points are many, some
}

TEST_CASE("the legend stands where it is asked for, or nowhere") {
  const auto at = [](const param::Values& values) {
    const paper::Sheet made = sheet(lines(), values, 178 * 72 / 25.4);
    float below = -1;
    for (const auto& text : all<figure::draw::Text>(made)) {
      if (text.text == "one head") below = text.at.y / made.height;
    }
    return below;
  };
  CHECK(at({{"legend", "none"}}) < 0);
  CHECK(at({{"legend", "beside"}}) < 0.7f);
  CHECK(at({{"legend", "below"}}) > 0.8f);
}

TEST_CASE("each kind of text has its size, and all of it one family") {
  const auto measure = [](const param::Values& values) {
    paper::PaperOptions options;
    options.paper_width = 240, options.font = 9;  // a unit is 0.75 points
    options.style = style(values);
    return paper::PaperMeasure(paper::lettering_of(options));
  };
  const auto usual = measure({}), sized = measure({{"tick_size", "12"}, {"title_size", "13"}});
  CHECK(sized.font_size(TextStyle::mono_small) == doctest::Approx(16));
  CHECK(sized.font_size(TextStyle::reading) == doctest::Approx(16));  // names at axes
  CHECK(sized.font_size(TextStyle::card_title) == doctest::Approx(13 / 0.75));
  CHECK(sized.font_size(TextStyle::label) == usual.font_size(TextStyle::label));
  const auto serif = measure({{"font_family", "DejaVu Serif"}});
  CHECK(serif.size("weights", TextStyle::label).x != usual.size("weights", TextStyle::label).x);
  CHECK(serif.size("0.25", TextStyle::mono).x != usual.size("0.25", TextStyle::mono).x);
}

TEST_CASE("mathematics that captions have in plain text is set") {
  const auto set = [](const std::string& text) {
    std::string made = paper::with_formulas(text);
    for (std::size_t at = 0; (at = made.find(figure::kFormulaSign)) != made.npos;) {
      made.replace(at, figure::kFormulaSign.size(), "$");
    }
    return made;
  };
  CHECK(set("|h_(i+1) - h_i|. r columns") == "|$h_{i+1}$ - $h_{i}$|. r columns");
  CHECK(set("ζ_i^(|n - m|), a^K") == "$ζ_{i}^{|n\t-\tm|}$, $a^{K}$");
  CHECK(set("2^8 and d_model wide") == "$2^{8}$ and $d_{\\text{model}}$ wide");
  for (const char* plain : {"text_english", "\"x_1\" of data", "x_", "a_(b", "snake_case_name",
                            "f_(", "q·k / √d", "naïve_x", "__init__"}) {
    CHECK(set(plain) == plain);
  }
  lab::Page page;
  page.figures = {lines()};
  page.figures[0].caption = "Divided by h_(i+1).";
  const std::string svg = paper::export_bytes(page, {}, {}, {}, ".svg");
  CHECK(svg.find("h_(i+1)</text>") == std::string::npos);
  CHECK(svg.find(">h</text>") != std::string::npos);
  CHECK(svg.find("h_(i+1).") != std::string::npos);  // for those who read it aloud
}

TEST_CASE("wires of different colours differ by their dashes, and so do their names") {
  figure::Figure tree;
  tree.id = "tree", tree.height = 200;
  figure::Plot plot;
  plot.id = "tree";
  figure::Diagram diagram;
  const auto wire = [&](double y, figure::Role role, bool arrow = false) {
    diagram.wires.push_back({.path = {{0.1, y}, {0.9, y}}, .color = role, .arrow = arrow});
  };
  wire(0.2, figure::Role::query), wire(0.4, figure::Role::value), wire(0.6, figure::Role::dim);
  wire(0.7, figure::Role::value, true);
  plot.marks.emplace_back(diagram);
  tree.plots = {plot};
  tree.footer = {{"━ greedy", figure::Role::query},
                 {"━ beam", figure::Role::value},
                 {"━ other", figure::Role::key}};
  const auto breaks = [](const paper::Sheet& made, figure::Role role) {
    std::vector<bool> broken;  // of each path in this colour
    for (const auto& path : all<figure::draw::Path>(made)) {
      const figure::Theme& light = figure::theme(figure::ThemeName::light);
      if (path.filled || !(path.color == light(role))) continue;
      broken.push_back(std::any_of(path.points.begin(), path.points.end(),
                                   [](figure::Point p) { return std::isnan(p.x); }));
    }
    return broken;
  };
  const auto plain = sheet(tree, {}), dashed = sheet(tree, {{"dashes", "true"}});
  CHECK(has(texts(plain), "━ beam"));
  CHECK(breaks(plain, figure::Role::value) == std::vector<bool>{false, false});
  // The first is drawn through; the second's name has a piece of it.
  CHECK(breaks(dashed, figure::Role::query) == std::vector<bool>{false, false});
  CHECK(breaks(dashed, figure::Role::value) == std::vector<bool>{true, false, true});
  CHECK(breaks(dashed, figure::Role::dim) == std::vector<bool>{false});
  CHECK(has(texts(dashed), "beam"));
  CHECK(has(texts(dashed), "━ other"));  // no wire is so
}

TEST_CASE("what stands between $ is set as a formula, as large as the labels") {
  const auto plain = sheet(lines(), {{"y_label", "score, scaled"}});
  const auto set =
      sheet(lines(), {{"y_label", "score $q_i^{\\top} k_j$, scaled"}, {"label_size", "9"}});
  const auto written = all<figure::draw::Text>(set);
  const auto find = [&](const std::string& text) {
    for (const auto& one : written) {
      if (one.text == text) return one;
    }
    FAIL("no " << text);
    return written.front();
  };
  CHECK(has(texts(plain), "score, scaled"));
  CHECK_FALSE(has(texts(set), "score $q_i^{\\top} k_j$, scaled"));
  CHECK(find("score ").style == TextStyle::label);
  CHECK(find("q").style == TextStyle::math_italic);
  CHECK(find("i").style == TextStyle::math_small_italic);
  CHECK(find("i").at.y > find("⊤").at.y);  // below
  CHECK(find("k").at.x > find("i").at.x);
  CHECK(find(", scaled").at.x > find("k").at.x);
  CHECK(find("q").color == find("score ").color);
  paper::PaperOptions options;
  options.paper_width = 240, options.style = style({{"x_label", "$x$"}, {"label_size", "9"}});
  const paper::PaperMeasure measure(paper::lettering_of(options));
  CHECK(measure.font_size(TextStyle::math) == measure.font_size(TextStyle::label));
  // Where nobody asks for formulas a "$" is one.
  figure::Figure price = lines();
  price.plots[0].x.label = "price ($), cost ($)";
  CHECK(has(texts(sheet(price, {})), "price ($), cost ($)"));
  CHECK(refused(lines(), {{"title", "$x"}}) ==
        "title: expected a second $ at the end of the formula, or \\$ for a sign, got \"$x\"");
  CHECK(refused(lines(), {{"title", "$\\frac{a}{b}$"}})
            .starts_with("title: expected a formula of one line"));
  CHECK(refused(lines(), {{"title", "$\\nonsense x$"}}).starts_with("title: "));
}

TEST_CASE("a caption of one's own has formulas, in lines that keep them whole") {
  const std::string own =
      "Scores $q_i^{\\top} k_j$ before they are scaled, in \\$, and then weights of "
      "$\\sqrt{d_k}$ and more words until the line is full, and one more $z_{11}$.";
  const auto set = sheet(lines(), {{"caption", own}}, 240);
  const auto written = all<figure::draw::Text>(set);
  float top = 1e9f, bottom = 0;
  bool any = false;
  for (const auto& one : written) {
    CHECK(one.text.find("\\sqrt") == std::string::npos);
    CHECK(one.text.find("$q") == std::string::npos);
    if (one.text == "q" || one.text == "z") {
      CHECK(one.style == TextStyle::math_italic);
      top = std::min(top, one.at.y), bottom = std::max(bottom, one.at.y);
    }
    any = any || one.text.find("scaled, in $,") != std::string::npos;
  }
  CHECK(any);
  CHECK(bottom > top + 10);  // the last one stands on another line
  // It is what was asked for, also where a style has no captions.
  paper::PaperOptions bare;
  bare.paper_width = 240, bare.caption = false, bare.style = style({{"caption", "Mine."}});
  const paper::PaperMeasure measure(paper::lettering_of(bare));
  CHECK(has(texts(paper::compose({lines()}, {}, bare, measure, 4)), "Mine."));
  CHECK(refused(lines(), {{"caption", "$x"}}).starts_with("caption: expected a second $"));
  CHECK_THROWS_AS(paper::styled({lines(), lines()}, {}, style({{"caption", "x"}}), 0.75),
                  core::InputError);
}

TEST_CASE("what data call so is no formula beside an author's") {
  figure::Figure price = lines();
  price.plots[0].title = "$x$";  // such as a token's name
  price.plots[0].note = "$$";
  const auto set = texts(sheet(price, {{"y_label", "cost $c$, in \\$"}}));
  CHECK(has(set, "$x$"));
  CHECK(has(set, "$$"));
  CHECK(has(set, ", in $"));
  CHECK(has(set, "c"));
  CHECK(has(texts(sheet(price, {{"y_label", "cost in \\$"}})), "cost in $"));
}

TEST_CASE("small maps with names share their axes, so that eight stand in a column of 85 mm") {
  figure::Figure figure;
  figure.id = "heads", figure.title = "Heads", figure.columns = 4;
  const auto names = std::make_shared<const std::vector<std::string>>(
      std::vector<std::string>{"the", "cat", "sat", "on", "a", "mat"});
  for (int k = 1; k <= 8; ++k) {
    figure::Plot plot = test::heatmap_plot("head " + std::to_string(k), test::ramp(6, 6));
    plot.title = std::to_string(k), plot.note = "entropy 1.0" + std::to_string(k);
    plot.thumbnail = plot.square = true;
    for (figure::Axis* axis : {&plot.x, &plot.y}) axis->labels = names, axis->named = true;
    plot.x.link = plot.x.label = "key", plot.y.link = plot.y.label = "query";
    figure.plots.push_back(plot);
  }
  const auto made = sheet(figure, {{"grid_names", "true"}});
  const double millimetres = static_cast<double>(made.height) * (8.0 / 12) * 25.4 / 72;
  CHECK(millimetres < 110);
  const auto said = texts(made);
  const auto count = [&](const std::string& one) {
    return std::count(said.begin(), said.end(), one);
  };
  CHECK(count("query") == 1);
  CHECK(count("key") == 1);
  CHECK(count("sat") >= 2 + 4);  // two rows at the left, four columns at the foot
  CHECK(count("sat") <= 2 + 4);
  // All squares are as large, in two rows of four.
  std::set<float> lefts, tops;
  float least = 1e9f, most = 0;
  for (const auto& frame : made.drawings[0].frames) {
    lefts.insert(std::round(frame.area.x)), tops.insert(std::round(frame.area.y));
    least = std::min({least, frame.area.w, frame.area.h});
    most = std::max({most, frame.area.w, frame.area.h});
  }
  CHECK(lefts.size() == 4);
  CHECK(tops.size() == 2);
  CHECK(most - least < 1);
  CHECK(least > 55);
  for (int k = 1; k <= 8; ++k) {
    const std::string note = "entropy 1.0" + std::to_string(k), title = std::to_string(k);
    CHECK((has(said, note) || has(said, title + " · " + note)));
  }
  // A note behind its title keeps clear of the next map's.
  for (double width = 70; width < 120; width += 1) {
    const auto other = sheet(figure, {{"grid_names", "true"}}, width * 72 / 25.4);
    const paper::PaperMeasure measure;
    for (const auto& one : all<figure::draw::Text>(other)) {
      if (one.text.find(" · entropy") == std::string::npos) continue;
      const float right = one.at.x + measure.size(one.text, one.style).x;
      for (const auto& frame : other.drawings[0].frames) {
        CHECK((frame.area.x < one.at.x + 1 || frame.area.x > right + 4));
      }
    }
  }
}

TEST_CASE("small pictures can have axes with names, and one colour key") {
  figure::Figure figure = heads();
  for (figure::Plot& plot : figure.plots) {
    plot.square = true;
    plot.x.labels = std::make_shared<const std::vector<std::string>>(
        std::vector<std::string>{"the", "cat", "sat", "on", "a", "mat"});
    plot.x.named = true;
  }
  CHECK_FALSE(has(texts(sheet(figure, {})), "mat"));
  const auto said = texts(sheet(figure, {{"grid_names", "true"}}, 178 * 72 / 25.4));
  CHECK(std::count(said.begin(), said.end(), "mat") == 3);
  CHECK(std::count(said.begin(), said.end(), "0") >= 1);
}

TEST_CASE("one small picture that is left alone is called by its name, and its bar, too") {
  figure::Figure figure = heads();
  for (figure::Plot& plot : figure.plots) {
    std::get<figure::Heatmap>(plot.marks.front()).bar_label = "weight";
  }
  CHECK(has(texts(sheet(figure, {})), "Heads"));
  CHECK(has(texts(sheet(figure, {})), "weight"));
  const auto alone = texts(sheet(figure, {{"only", "2"}}));
  CHECK(has(alone, "Heads · Head 2"));
  CHECK_FALSE(has(alone, "Head 2"));
  CHECK(has(alone, "weight"));
  CHECK(has(texts(sheet(figure, {{"only", "1, 2"}})), "Heads"));
}

TEST_CASE("a diagram on paper has no buttons, and its notes are there or told") {
  figure::Diagram diagram;
  diagram.nodes = {{.x0 = 0, .y0 = 0, .x1 = 1, .y1 = 1, .title = "A", .note = "0.40 · -0.92"},
                   {.x0 = 0, .y0 = 2, .x1 = 1, .y1 = 3, .title = "more", .pointer_note = "more"}};
  const auto said = [&](double width) {
    figure::Figure tree;
    tree.plots.resize(1);
    tree.plots[0].x = {.lo = 0, .hi = width, .visible = false};
    tree.plots[0].y = {.lo = 0, .hi = 4, .visible = false};
    tree.plots[0].marks = {diagram};
    return texts(sheet(tree, {}));
  };
  CHECK(has(said(2), "0.40 · −0.92"));
  CHECK_FALSE(has(said(2), "more"));
  CHECK_FALSE(has(said(20), "0.40 · −0.92"));  // no box has so much room
}

TEST_CASE("what has no room is told") {
  const auto lost = [](double millimetres) {
    paper::PaperOptions options;
    options.paper_width = 85 * 72 / 25.4;
    options.paper_height = millimetres * 72 / 25.4;
    options.left_out = std::make_shared<std::vector<std::string>>();
    paper::compose({lines()}, {}, options, paper::PaperMeasure(paper::lettering_of(options)), 4);
    return *options.left_out;
  };
  CHECK(lost(60).empty());
  CHECK(has(lost(22), "10"));  // a tick
}

TEST_CASE("a map alone fills its paper") {
  figure::Figure map;
  map.plots = {test::heatmap_plot("weights", test::ramp(14, 14))};
  map.plots[0].square = true;
  const paper::Sheet made = sheet(map, {}, 178 * 72 / 25.4);
  const auto frame = made.drawings.at(0).frames.at(0);
  CHECK(frame.area.w > 0.9f * made.width);
  CHECK(frame.area.h == doctest::Approx(frame.area.w));
}

TEST_CASE("larger type has room") {
  const auto tops = [](const param::Values& values) {
    const paper::Sheet made = sheet(lines(), values);
    std::vector<float> at;
    for (const auto& text : all<figure::draw::Text>(made)) {
      if (text.text == "Training" || text.text == "Loss by step" || text.text == "loss") {
        at.push_back(text.at.y);
      }
    }
    return at;
  };
  const auto at = tops({{"label_size", "20"}, {"title_size", "24"}});
  REQUIRE(at.size() == 3);
  constexpr float kUnit = 8.0f / 12;
  CHECK(at[2] - at[1] >= 20 / kUnit);  // lines of that size do not touch
  CHECK(at[1] - at[0] >= 22 / kUnit);
}

TEST_CASE("an SVG and a PDF have the family that was chosen") {
  lab::Page page;
  page.figures = {lines()};
  paper::PaperOptions options;
  options.style.font_family = "DejaVu Serif";
  const test::Folder folder;
  paper::export_page(page, {}, {}, options, folder.path() / "a.svg");
  const std::string svg = test::read(folder.path() / "a.svg");
  CHECK(svg.find("font-family=\"DejaVu Serif, ") != std::string::npos);
  CHECK(svg.find("font-family=\"Inter") == std::string::npos);
  paper::export_page(page, {}, {}, options, folder.path() / "a.pdf");
  const std::string pdf = test::read(folder.path() / "a.pdf");
  CHECK(pdf.find("DejaVuSerif") != std::string::npos);
  CHECK(pdf.find("Inter") == std::string::npos);
  options.style.font_family = "Nowhere";
  CHECK_THROWS_AS(paper::export_page(page, {}, {}, options, folder.path() / "b.svg"),
                  core::InputError);
}

}  // namespace style_test
