// Filters, each on what the last one left, and what is drawn of what they cut.
#include <doctest/doctest.h>

#include "decoding_rig.h"

namespace decoding_filters_test {

using namespace decoding_rig;

TEST_CASE("the order of two filters decides how many tokens stay") {
  const Model first = preset("temperature_first").model(),
              last = preset("temperature_last").model();
  CHECK(kept(first, 0) == 3);
  CHECK(kept(first, 1) == 3);
  CHECK(kept(first, 2) == 1);
  CHECK(kept(last, 1) == 2);
  CHECK(kept(last, 2) == 2);
  CHECK(first.distribution(1).probabilities(0) == doctest::Approx(0.8668133).epsilon(1e-6));
  CHECK(last.distribution(0).probabilities(0) == doctest::Approx(0.6652410).epsilon(1e-6));
  CHECK(last.distribution(0).probabilities(1) == doctest::Approx(0.2447285).epsilon(1e-6));
}

TEST_CASE("a sum of exactly p: the paper keeps two, the library three") {
  Made m = preset("boundary");
  CHECK(kept(m.model(), 1) == 2);
  m.set({{"form", "library"}});
  CHECK(kept(m.model(), 1) == 3);
}

TEST_CASE("decimals that sum to p on paper complete the set, in what is typed by hand") {
  Made m = made({{"rules", "A:0.4 B:0.3 C:0.2 D:0.1"}, {"filters", "top_p p=0.9"}});
  CHECK(kept(m.model(), 1) == 3);
  m.set({{"rules", "A:0.7 B:0.1 C:0.1 D:0.1"}, {"filters", "top_p p=0.8"}});
  CHECK(kept(m.model(), 1) == 2);
  m.set({{"form", "library"}});
  CHECK(kept(m.model(), 1) == 3);
  m.set({{"rules", "A:0.8 B:0.12 C:0.08"},
         {"filters", "min_p p=0.1"},
         {"explain", "probability"},
         {"stage", "1"},
         {"token", "2"}});
  CHECK(kept(m.model(), 1) == 3);
  CHECK(says(m.page(), "0.08 is at least that."));
}

TEST_CASE("each filter works on what the last one left") {
  Made m = preset("shares");
  CHECK(kept(m.model(), 1) == 3);
  CHECK(kept(m.model(), 2) == 2);
  m.set({{"filters", "top_p p=0.75; top_k k=3"}});
  CHECK(kept(m.model(), 2) == 3);

  Made place = preset("open_or_sure");
  CHECK(kept(place.model(), 1) == 1);
  place.set({{"filters", "top_k k=3"}});
  CHECK(kept(place.model(), 1) == 3);
  place.set({{"prompt", "y"}});
  CHECK(kept(place.model(), 1) == 3);
  place.set({{"filters", "top_p p=0.9"}});
  CHECK(kept(place.model(), 1) == 5);

  Made hot = preset("hot");
  CHECK(kept(hot.model(), 2) == 3);
  hot.set({{"filters", "temperature t=3; min_p p=0.1"}});
  const Model asked_last = hot.model();
  CHECK(kept(asked_last, 2) == 7);
  CHECK(asked_last.distribution(1).probabilities(5) == doctest::Approx(0.0885).epsilon(0.001));
}

TEST_CASE("a penalty on a negative logit rewards as the paper writes it") {
  Made m = preset("rewarded");
  const Model paper = m.model();
  CHECK(paper.distribution(1).logits(1) == doctest::Approx(-1 / 1.5));
  CHECK(paper.distribution(1).probabilities(1) > paper.distribution(0).probabilities(1));
  CHECK(says(m.page(), "the penalty rewards"));
  m.set({{"form", "library"}});
  const Model library = m.model();
  CHECK(library.distribution(1).logits(1) == -1.5);
  CHECK(library.distribution(1).probabilities(1) < library.distribution(0).probabilities(1));
}

TEST_CASE("what was cut stays in the figure, hollow and with a cross") {
  Made m = made({{"filters", "top_k k=2; temperature t=1"}});
  const lab::Page page = m.page();
  for (const char* id : {"stage_1", "stage_2"}) {
    const figure::Plot& plot = plot_of(page, id);
    const auto crosses = marks_of<figure::Note>(plot);
    REQUIRE(crosses.size() == 2);
    CHECK(crosses[0].x == 2.5);
    CHECK(crosses[1].x == 3.5);
    CHECK(mark_of<figure::Bars>(plot).values == std::vector<double>{0, 0, 0.2, 0.1, 0});
    const auto& kept_bars = mark_of<figure::Bars>(plot, 1).values;
    CHECK(kept_bars[0] == doctest::Approx(0.4 / 0.7));
    CHECK(kept_bars[2] == 0);
  }
}

TEST_CASE("the search may go by what the filters leave") {
  Made m = made({{"filters", "top_k k=1"}, {"beam_filters", "true"}});
  const Model model = m.model();
  CHECK(model.beam->ranked.size() == 1);
  CHECK(text_of(model, Way::beam) == "A B");
  CHECK(p_of(model, Way::beam) == doctest::Approx(1));
  m.set({{"beam_filters", "false"}});
  CHECK(m.model().beam->ranked.size() == 2);
}

}  // namespace decoding_filters_test
