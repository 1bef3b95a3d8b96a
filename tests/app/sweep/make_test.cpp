#include "app/sweep/make.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "app/paper/file/session_carrier.h"
#include "app/sweep/steady.h"
#include "film_reader.h"
#include "paper/support.h"
#include "small_lab.h"

namespace make_test {

using sweep::Sweep;

struct Rig {
  test::Folder folder;
  sweep::Job job;
  int made = 0;
  std::unique_ptr<lab::State> state = small_lab::lab().make();
  words::Words w;
  lab::Memo memo;

  explicit Rig(const std::string& track, const std::string& name) {
    job.lab = &small_lab::lab();
    job.sweep.base = small_lab::values();
    job.sweep.tracks = {sweep::parse_track(track)};
    job.options.scale = 0.5f;
    job.out = folder / name;
  }
  sweep::MakePage make() {
    return [this](const param::Values& values) {
      ++made;
      param::assign(state->describe(), values);
      return state->compute({.cancel = {}, .words = w, .memo = memo});
    };
  }
  void film(int frames, const core::Cancel& cancel = {}) {
    sweep::make_film(job, {frames, 25}, make(), cancel);
  }
};

TEST_CASE("a film: one page for each setting, frames of one size, the way back as the way there") {
  Rig rig("t=0.5:50", "a.png");
  rig.film(5);
  CHECK(rig.made == 5);
  const auto film = film_reader::read_apng(film_reader::read(rig.job.out));
  REQUIRE(film.frames.size() == 8);
  CHECK(film.frames[1] == film.frames[7]);
  CHECK(film.frames[3] == film.frames[5]);
  CHECK(film.frames[0] != film.frames[1]);
  CHECK(film.seconds == std::vector<double>(8, 0.04));
  CHECK(rig.folder.files() == 1);
}

TEST_CASE("pages of other figures and heights are frames of one size, in every format") {
  for (const char* name : {"a.gif", "a.png"}) {
    Rig rig("kind=first:third", name);
    rig.film(3);
    const std::string bytes = film_reader::read(rig.job.out);
    const auto film =
        name == std::string("a.gif") ? film_reader::read_gif(bytes) : film_reader::read_apng(bytes);
    CHECK(film.frames.size() == 4);
    CHECK(film.frames[1] == film.frames[3]);
  }
}

TEST_CASE("steps that a knob has not are one page, and one longer frame") {
  Rig rig("n=3:5", "a.png");
  rig.job.figure = "cells";
  rig.job.sweep.loop = sweep::Loop::once;
  rig.film(21);
  CHECK(rig.made == 3);
  const auto film = film_reader::read_apng(film_reader::read(rig.job.out));
  CHECK(film.frames.size() == 3);
  CHECK_FALSE(film.forever);
  CHECK(film.seconds[0] + film.seconds[1] + film.seconds[2] == doctest::Approx(0.84));
}

TEST_CASE("a film that is cancelled leaves nothing") {
  for (const char* name : {"a.gif", "a.png", "frames"}) {
    for (const std::int64_t after : {1, 4, 9, 14}) {
      Rig rig("t=0.5:50", name);
      std::atomic<std::int64_t> questions = after;
      CHECK_THROWS_AS(rig.film(5, core::Cancel(questions)), core::Cancelled);
      CHECK(rig.folder.files() == 0);
    }
  }
}

TEST_CASE("what a page refuses is told with where the knobs stood") {
  Rig rig("t=0.5:50", "a.gif");
  const sweep::MakePage make = [](const param::Values&) -> lab::Page {
    throw core::InputError("no such page");
  };
  std::string fault;
  try {
    sweep::make_film(rig.job, {3, 25}, make, {});
  } catch (const core::InputError& error) {
    fault = error.what();
  }
  CHECK(fault == "at Temperature = 0.5: no such page");
  CHECK(rig.folder.files() == 0);
}

TEST_CASE("axes and colours are those of all frames; cells and other quantities keep theirs") {
  Rig rig("t=0.5:50", "a.gif");
  const auto make = rig.make();
  const lab::Page small = make(small_lab::values("t=0.5 | n=3"));
  const lab::Page large = make(small_lab::values("t=50 | n=5"));
  sweep::Steady steady;
  steady.add(small.figures);
  steady.add(large.figures);
  std::vector<figure::Figure> now = small.figures;
  steady.apply(now);
  CHECK(now[0].plots[0].y.hi == 50);  // its label holds another number, and is the same quantity
  CHECK(now[0].plots[0].y.lo == 0);
  CHECK(now[1].plots[0].x.hi == 3);
  CHECK(std::get<figure::Heatmap>(now[1].plots[0].marks[0]).scale.hi == 50);
  // An axis that runs downwards goes on doing so.
  std::vector<figure::Figure> falling = small.figures;
  std::swap(falling[0].plots[0].y.lo, falling[0].plots[0].y.hi);
  steady.apply(falling);
  CHECK(falling[0].plots[0].y.lo == 50);
  CHECK(falling[0].plots[0].y.hi == 0);
  // A window onto another place stays where it is.
  std::vector<figure::Figure> near = small.figures, far = small.figures;
  far[0].plots[0].x.lo = 500, far[0].plots[0].x.hi = 563;
  far[0].plots[0].y.hi = 600;
  sweep::Steady windows;
  windows.add(near);
  windows.add(far);
  windows.apply(near);
  CHECK(near[0].plots[0].x.hi == 1);
  CHECK(near[0].plots[0].y.hi == 0.5);
  std::vector<figure::Figure> other = small.figures;
  other[0].plots[0].y.label = "bits";
  steady.apply(other);
  CHECK(other[0].plots[0].y.hi == 0.5);
}

TEST_CASE("small multiples: a plot for each value, in shared axes, under what the knob is") {
  Rig rig("t=0.5:50", "grid.json");
  rig.job.figure = "lines";
  rig.job.sweep.ease = sweep::Ease::linear;
  sweep::make_grid(rig.job, {1, 3}, rig.make(), {});
  const nlohmann::json all = nlohmann::json::parse(film_reader::read(rig.job.out));
  const nlohmann::json& plots = all.at("figures").at(0).at("plots");
  REQUIRE(plots.size() == 3);
  CHECK(plots[0].at("title") == "Temperature = 0.5");
  CHECK(plots[1].at("title") == "Temperature = 5");
  CHECK(plots[2].at("title") == "Temperature = 50");
  for (const nlohmann::json& plot : plots) CHECK(plot.at("y").at("hi") == 50);
  CHECK(plots[1].at("marks").at(0).at("y").at(1) == 5);
}

TEST_CASE("two knobs: the first from row to row, the second from column to column") {
  Rig rig("t=1:100", "grid.json");
  rig.job.sweep.tracks.push_back(sweep::parse_track("n=2:4"));
  rig.job.sweep.ease = sweep::Ease::linear;
  rig.job.figure = "lines";
  sweep::make_grid(rig.job, {2, 3}, rig.make(), {});
  const nlohmann::json all = nlohmann::json::parse(film_reader::read(rig.job.out));
  const nlohmann::json& plots = all.at("figures").at(0).at("plots");
  REQUIRE(plots.size() == 6);
  CHECK(plots[0].at("title") == "Number = 2 · Temperature = 1");
  CHECK(plots[2].at("title") == "Number = 4 · Temperature = 1");
  CHECK(plots[3].at("title") == "Number = 2 · Temperature = 100");
  CHECK_THROWS_AS(sweep::parse_grid("0x3"), core::InputError);
  CHECK_THROWS_AS(sweep::parse_grid("1x1"), core::InputError);
  CHECK_THROWS_AS(sweep::parse_grid("9x9"), core::InputError);
  CHECK(sweep::parse_grid("1x5").columns == 5);
}

TEST_CASE("two of frames, duration and frames a second give the third") {
  Sweep sweep;
  CHECK(sweep::frames_of(sweep, 0, 0, 0).count == 101);
  CHECK(sweep::frames_of(sweep, 11, 2, 0).fps == 5);
  CHECK(sweep.seconds == 2);
  sweep.seconds = 4;
  CHECK(sweep::frames_of(sweep, 21, 0, 0).fps == 5);  // in the same time
  sweep.seconds = 4;
  CHECK(sweep::frames_of(sweep, 3, 0, 0).fps == 1);
  CHECK(sweep.seconds == 2);
  sweep.seconds = 4;
  CHECK(sweep::frames_of(sweep, 201, 0, 0).fps == 25);
  CHECK(sweep.seconds == 8);
  CHECK(sweep::frames_of(sweep, 11, 0, 10).count == 11);
  CHECK(sweep.seconds == 1);
  CHECK(sweep::frames_of(sweep, 0, 3, 10).count == 31);
  CHECK_THROWS_AS(sweep::frames_of(sweep, 11, 2, 5), core::InputError);
  CHECK_THROWS_AS(sweep::frames_of(sweep, 1, 0, 0), core::InputError);
  CHECK_THROWS_AS(sweep::frames_of(sweep, 0, 600, 60), core::InputError);
  CHECK_THROWS_AS(sweep::frames_of(sweep, 0, 0, 100), core::InputError);
}

}  // namespace make_test
