#include "app/cli/shared/options.h"

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <vector>

#include "app/cli/shared/paper_words.h"

namespace options_test {

namespace {

struct Places {
  int row = 0, col = 0, head = 0, step = 0;
  double x = 0, y = 0;
};

figure::Plot plot_of(std::string id, std::string x_param, std::string y_param) {
  figure::Plot plot;
  plot.id = std::move(id);
  plot.x_param = std::move(x_param);
  plot.y_param = std::move(y_param);
  plot.x.lo = plot.y.lo = -2;
  plot.x.hi = plot.y.hi = 2;
  plot.marks = {figure::Line{{-2, 2}, {-2, 2}}};
  return plot;
}

// A page with a heatmap, a plane, and plots of which only x or y is picked.
lab::Page compute_places(const Places&, const lab::Context&) {
  figure::Heatmap map;
  map.source = std::make_shared<figure::DenseSource>(core::Matrix::Zero(3, 4));
  map.row_param = "row";
  map.col_param = "col";
  map.also = {{"head", "2"}};
  figure::Plot cells = plot_of("cells", "", "");
  cells.x = {.lo = 0, .hi = 4, .cells = true};
  cells.y = {.lo = 0, .hi = 3, .cells = true};
  cells.marks = {map};
  figure::Plot steps = plot_of("steps", "step", "");
  steps.x = {.lo = 0, .hi = 10, .cells = true};
  steps.click = {{"head", "1"}};
  figure::Figure f;
  f.id = "figure";
  f.plots = {cells, plot_of("plane", "x", "y"), steps, plot_of("level", "", "y")};
  lab::Page page;
  page.figures = {f};
  return page;
}

void describe_places(Places& p, param::List& list) {
  list.integer(p.row, "row", "Row", "", {.max = 2});
  list.integer(p.col, "col", "Column", "", {.max = 3});
  list.integer(p.head, "head", "Head", "", {.max = 2});
  list.integer(p.step, "step", "Step", "", {.max = 9, .step = 3});
  list.real(p.x, "x", "x", "", {.min = -1, .max = 1, .step = 0.25});
  list.real(p.y, "y", "y", "", {.min = -2, .max = 2});
}

// The values after a pick, in the order of description.
std::string picked(const std::string& words) {
  static const lab::Lab lab{.id = "places",
                            .title = "Places",
                            .question = "Where?",
                            .chapter = lab::Chapter::attention,
                            .about = "",
                            .sources = {},
                            .presets = {},
                            .make = lab::live(describe_places, compute_places)};
  cli::View view;
  view.lab = &lab;
  view.state = lab.make();
  cli::apply_pick(view, words);
  std::string text;
  for (const auto& [id, value] : param::values(view.state->describe())) text += value + " ";
  return text;
}

}  // namespace

TEST_CASE("a pick sets what a click would: cells with what they set besides, and places") {
  CHECK(picked("cells:2,1") == "2 1 2 0 0 0 ");
  CHECK(picked("figure:2,1") == "2 1 2 0 0 0 ");
  CHECK(picked("plane:1.5,-0.4") == "0 0 0 0 -0.5 1.5 ");
  CHECK(picked("plane:-2,2") == "0 0 0 0 1 -2 ");
  CHECK(picked("steps:7") == "0 0 1 6 0 0 ");
  CHECK(picked("level:1e-1") == "0 0 0 0 0 0.1 ");
  for (const char* wrong : {"cells:3,0",
                            "cells:0,4",
                            "cells:-1,0",
                            "cells:0.5,0",
                            "cells:1",
                            "plane:1",
                            "plane:0,2.5",
                            "plane:nan,0",
                            "plane:inf,0",
                            "plane:1,",
                            "plane:,1",
                            "plane:1,1,1",
                            "plane:",
                            "steps:10",
                            "steps:1,1",
                            "level:3",
                            "nothing:1",
                            "figure",
                            "",
                            "plane:0x1,0"}) {
    CAPTURE(wrong);
    CHECK_THROWS_AS(picked(wrong), core::InputError);
  }
  try {
    picked("plane:0,2.5");
  } catch (const core::InputError& e) {
    CHECK(std::string(e.what()) ==
          "--pick: expected y from -2 to 2, x from -2 to 2 in plane, got 0,2.5");
  }
}

TEST_CASE("sizes are read whole") {
  CHECK(cli::parse_size("1600x1000").width == 1600);
  CHECK(cli::parse_size("96x16384").height == 16384);
  for (const char* bad : {"", "x", "1600", "1600x", "1600x1000x", "95x96", "96x16385", "-1x96",
                          "320x0", "0x320", "320x0x0"}) {
    CAPTURE(bad);
    CHECK_THROWS_AS(cli::parse_size(bad), core::InputError);
  }
  CHECK(cli::parse_size("320x0", cli::SizeOf::figures).width == 320);
  CHECK_THROWS_AS(cli::parse_size("320x-0", cli::SizeOf::figures), core::InputError);
  CHECK_THROWS_AS(cli::parse_size("320x95", cli::SizeOf::figures), core::InputError);
}

TEST_CASE("lengths of paper, in the units that people use") {
  const auto points = [](const std::string& text, double dots = 96) {
    return cli::parse_length("--width", text, dots);
  };
  CHECK(points("85mm") == doctest::Approx(240.945));
  CHECK(points("8.5cm") == doctest::Approx(240.945));
  CHECK(points("8.5 cm") == doctest::Approx(240.945));
  CHECK(points("3.5in") == 252);
  CHECK(points("240pt") == 240);
  CHECK(points("960px") == 720);
  CHECK(points("960px", 300) == doctest::Approx(230.4));
  for (const char* wrong : {"", "85", "mm", "85 m", "85mmm", "-85mm", "1e400mm", "nanmm", "1mm",
                            "2001mm", "85mm ", "0x55mm", "85,5mm"}) {
    CAPTURE(std::string(wrong));
    try {
      points(wrong);
      FAIL("it is no length of paper");
    } catch (const core::InputError& error) {
      const std::string message = error.what();
      CHECK(message.starts_with("--width: expected a length from 15 to 2000 mm such as 85mm"));
      CHECK(message.ends_with("got \"" + std::string(wrong) + "\""));
    }
  }
}

}  // namespace options_test
