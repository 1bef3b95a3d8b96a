// Tiles that are made on workers, and what stands in until they are there.
#include <doctest/doctest.h>

#include <random>

#include "app/worker/tile_service.h"
#include "tile_service_rig.h"

namespace costly_tiles_test {

using namespace tile_service_rig;  // NOLINT

TEST_CASE("costly regions come from tiles and are exact in the end") {
  std::atomic<int> woken{0};
  std::atomic<bool> gate{false};
  TileService service([&] { ++woken; });
  const auto source = formula({.gate = &gate});
  const Question whole{source, 2, {0, 0, 1024, 1024}};
  const auto at_once = ask(service, "a", whole);
  CHECK_FALSE(at_once.exact);
  CHECK(at_once.image == nullptr);  // nothing is known yet
  CHECK(service.busy());
  gate = true;
  check_exact(service, "a", whole);
  CHECK(eventually([&] { return woken == 16; }));
  CHECK_FALSE(service.busy());
  check_exact(service, "a", {source, 0, {100, 200, 300, 333}});
  check_exact(service, "a", {source, 0, {4000, 4090, 96, 6}, Pool::mean});
  check_exact(service, "a", {source, 3, {7, 9, 500, 400}});
}

TEST_CASE("while tiles are missing, a coarser picture of the same source stands in") {
  std::atomic<bool> gate{true};
  TileService service({}, {.threads = 1});
  const auto coarse_source = formula({.rows = 2048, .cols = 2048, .gate = &gate});
  check_exact(service, "a", {coarse_source, 3, {0, 0, 256, 256}});
  // Another place: no last image, so what stands in can only be the coarse tile.
  const Question fine{coarse_source, 0, {512, 768, 256, 256}};
  gate = false;
  const auto answer = ask(service, "b", fine);
  gate = true;
  REQUIRE(answer.image);
  CHECK_FALSE(answer.exact);
  CHECK(answer.image->level == 0);
  CHECK(answer.image->region == fine.region);
  const auto at = [&](Index r, Index c) {
    return std::bit_cast<std::uint32_t>(
        answer.image->values[static_cast<std::size_t>(r * 256 + c)]);
  };
  for (const Index r : {0, 7, 8, 100, 255}) {
    for (const Index c : {0, 7, 8, 100, 255}) {
      const float want = coarse_source->value((512 + r) / 8 * 8, (768 + c) / 8 * 8);
      CHECK(at(r, c) == std::bit_cast<std::uint32_t>(want));
    }
  }
  check_exact(service, "b", fine);
}

TEST_CASE("the place's last image stands in for a new source of the same size only") {
  std::atomic<bool> gate{true};
  TileService service({}, {.threads = 1});
  Formula::Options options{.rows = 256, .cols = 256, .gate = &gate};
  // What stands in until it is made.
  const auto at_first = [&](const Question& q) {
    gate = false;
    const auto answer = ask(service, "a", q);
    gate = true;
    return answer;
  };
  const Question old{formula(options), 0, {0, 0, 256, 256}};
  const auto before = finally(service, "a", old);
  REQUIRE(before);
  options.seed = 3;
  const Question next{formula(options), 0, {0, 0, 256, 256}};
  auto answer = at_first(next);
  CHECK_FALSE(answer.exact);
  CHECK(answer.image == before);  // the very picture, and so no upload
  check_exact(service, "a", next);
  // Zooming in on a third one: its cells are those of the last image, as far as that reaches.
  options.seed = 5;
  const auto shown = finally(service, "a", {next.source, 1, {0, 0, 64, 64}});
  REQUIRE(shown);
  answer = at_first({formula(options), 0, {0, 0, 256, 200}});
  REQUIRE(answer.image);
  CHECK(answer.image->values[3] == shown->values[1]);
  CHECK(core::is_masked(answer.image->values[150]));
  // Zooming out: each cell is the middle one of those it will pool.
  const auto fine = finally(service, "a", {next.source, 0, {0, 0, 256, 256}});
  REQUIRE(fine);
  answer = at_first({formula(options), 2, {0, 0, 64, 64}});
  REQUIRE(answer.image);
  CHECK(answer.image->values[5 * 64 + 3] == fine->values[22 * 256 + 14]);
  // Another size: nothing that is known has anything to do with it.
  options.rows = 255;
  CHECK(at_first({formula(options), 0, {0, 0, 255, 256}}).image == nullptr);
}

TEST_CASE("a source that fails gives NaN and says why, once, at once or on a worker") {
  for (const double cost : {1.0, 1000.0}) {
    CAPTURE(cost);
    std::atomic<int> calls{0};
    TileService service;
    const Question q{formula({.rows = 512,
                              .cols = 256,
                              .cost_per_cell = cost,
                              .fails_from_row = 256,
                              .calls = &calls}),
                     0,
                     {0, 0, 512, 256}};
    const auto image = finally(service, "a", q);
    REQUIRE(image);
    CHECK(ask(service, "a", q).error.in_english() == "no such row");
    CHECK(std::isnan(image->values[511 * 256]));
    CHECK_FALSE(core::is_masked(image->values[511 * 256]));
    if (cost > 1) CHECK(image->values[255 * 256] == q.source->value(255, 0));
    const int made = calls;
    for (int i = 0; i < 10; ++i) ask(service, "a", q);
    CHECK(calls == made);
    // The next question is answered as if nothing had happened.
    check_exact(service, "a", {formula({.rows = 512, .cols = 256}), 0, {0, 0, 512, 256}});
    CHECK(ask(service, "b", {q.source, 0, {0, 0, 256, 256}}).error.empty());
  }
}

TEST_CASE("tiles that nobody asks for any more are not made") {
  std::atomic<int> calls{0}, cancels{0};
  std::atomic<bool> gate{false};
  TileService service({}, {.threads = 1});
  const auto slow = formula({.gate = &gate, .calls = &calls, .cancels = &cancels});
  ask(service, "a", {slow, 0, {0, 0, 2560, 2560}});  // a hundred tiles, and none is made as yet
  REQUIRE(eventually([&] { return calls == 1; }));
  const Question other{formula({.seed = 1}), 0, {0, 0, 512, 512}};
  ask(service, "a", other);
  gate = true;
  check_exact(service, "a", other);
  CHECK(calls == 1);
  CHECK(cancels == 1);
  CHECK_FALSE(service.busy());
}

TEST_CASE("a place that is not asked about any more is forgotten") {
  std::atomic<int> cancels{0};
  std::atomic<bool> gate{false};
  TileService service({}, {.threads = 1});
  const auto slow = formula({.gate = &gate, .cancels = &cancels});
  ask(service, "gone", {slow, 0, {0, 0, 2560, 2560}});
  const Question q{formula({.seed = 1}), 0, {0, 0, 512, 512}};
  service.end_frame();
  CHECK(service.busy());  // it was on screen in that frame
  const auto first = ask(service, "a", q);
  service.end_frame();  // and is not in this one
  CHECK_FALSE(first.exact);
  gate = true;
  check_exact(service, "a", q);
  CHECK(eventually([&] { return !service.busy(); }));
  CHECK(cancels <= 1);
}

TEST_CASE("a place on screen is kept however often others are asked about in the same frame") {
  std::atomic<int> calls{0};
  TileService service;
  const Question q{
      formula({.rows = 100, .cols = 90, .cost_per_cell = 1, .calls = &calls}), 0, {0, 0, 100, 90}};
  const auto image = ask(service, "kept", q).image;
  const Question other{formula({.cost_per_cell = 1, .seed = 1}), 0, {0, 0, 50, 50}};
  for (int i = 0; i < 5; ++i) ask(service, "other", other);
  service.end_frame();
  CHECK(ask(service, "kept", q).image == image);
  CHECK(calls == 1);
  service.end_frame();
  service.end_frame();  // a frame without it
  CHECK(ask(service, "kept", q).image != image);
}

TEST_CASE("a source may die while it is shown; another at its address is not taken for it") {
  TileService service;
  Formula::Options options{.rows = 512, .cols = 512};
  for (int i = 0; i < 20; ++i) {
    options.seed = static_cast<float>(i);
    check_exact(service, "a", {formula(options), 0, {0, 0, 512, 512}});
  }
  // Heads that share one owner differ by address.
  struct Heads {
    Formula one{{.rows = 300, .cols = 300, .seed = 1}}, two{{.rows = 300, .cols = 300, .seed = 2}};
  };
  const auto heads = std::make_shared<Heads>();
  check_exact(service, "a", {{heads, &heads->one}, 0, {0, 0, 300, 300}});
  check_exact(service, "a", {{heads, &heads->two}, 0, {0, 0, 300, 300}});
}

TEST_CASE("random pans and zooms over many places are exact in the end") {
  std::mt19937 random(11);
  const auto between = [&](Index lo, Index hi) {
    return std::uniform_int_distribution<Index>(lo, hi)(random);
  };
  worker::MemoryBudget full(0, [] { return std::size_t{1} << 40; });  // what is not shown goes
  TileService service([] {}, {.threads = 2, .budget = &full});
  const std::shared_ptr<const figure::TileSource> sources[] = {
      formula({.delay = 5us}), formula({.delay = 5us, .seed = 1}),
      formula({.rows = 1000, .cols = 3000, .seed = 2}),
      formula({.rows = 700, .cols = 650, .cost_per_cell = 5, .seed = 3})};
  Question last[6];
  for (int round = 0; round < 150; ++round) {
    for (std::size_t slot = 0; slot < 6; ++slot) {
      Question q;
      q.source = sources[between(0, 3)];
      q.level = static_cast<int>(between(0, 3));
      const Index rows = figure::pooled_size(q.source->rows(), q.level);
      const Index cols = figure::pooled_size(q.source->cols(), q.level);
      q.region.row = between(0, rows - 1);
      q.region.col = between(0, cols - 1);
      q.region.rows = between(1, std::min<Index>(rows - q.region.row, 700));
      q.region.cols = between(1, std::min<Index>(cols - q.region.col, 700));
      q.pool = between(0, 1) == 0 ? Pool::max : Pool::mean;
      const auto answer = ask(service, std::to_string(slot), q);
      if (answer.image) CHECK(answer.image->region == q.region);
      last[slot] = q;
    }
  }
  REQUIRE(eventually([&] {
    bool all = true;
    for (std::size_t s = 0; s < 6; ++s) all = ask(service, std::to_string(s), last[s]).exact && all;
    return all;
  }));
  for (std::size_t slot = 0; slot < 6; ++slot) {
    check_exact(service, std::to_string(slot), last[slot]);
  }
}

TEST_CASE("tiles count within the budget: those that are not shown go when room is needed") {
  constexpr std::size_t kRoom = std::size_t{64} << 20, kTooMuch = std::size_t{1} << 20;
  std::atomic<std::size_t> used = 0;
  worker::MemoryBudget budget(kRoom, [&] { return used.load(); });
  std::vector<std::string> asked;
  const worker::MemoryBudget::Holder earlier(
      budget, [&](std::size_t bytes) { asked.push_back("earlier " + std::to_string(bytes)); });
  TileService service([] {}, {.threads = 1, .budget = &budget});
  std::optional<worker::MemoryBudget::Holder> later;
  later.emplace(budget, [&](std::size_t) { asked.emplace_back("later"); });
  const Question one{formula({.rows = 1024, .cols = 1024}), 0, {0, 0, 512, 512}};
  const Question other{one.source, 0, {512, 512, 512, 512}};
  const auto settle = [&](const Question& q) {
    REQUIRE(finally(service, "a", q));
    service.end_frame();
  };
  settle(one);
  settle(other);
  const std::size_t both = service.bytes();
  REQUIRE(both >= 8 * 256 * 256 * sizeof(float));
  budget.keep();  // there is room
  CHECK(asked.empty());
  CHECK(service.bytes() == both);
  used = kRoom + kTooMuch;
  CHECK(budget.excess() == kTooMuch);
  budget.keep();  // who came last begins
  CHECK(asked == std::vector<std::string>{"later", "earlier " + std::to_string(kTooMuch)});
  CHECK(service.bytes() == both / 2);
  later.reset();
  used = std::size_t{1} << 40;
  budget.keep();  // what is shown stays, however much is wanted
  CHECK(asked.size() == 3);
  CHECK(service.bytes() == both / 2);
  CHECK(ask(service, "a", other).exact);
  // With no room at all a new tile drives out what is not shown.
  settle(one);
  CHECK(service.bytes() == both / 2);
  used = 0;
  settle(other);
  CHECK(service.bytes() == both);
}

TEST_CASE("it is torn down while tiles are being made") {
  for (int delay = 0; delay < 30; ++delay) {
    std::atomic<int> inside{0};
    {
      TileService service([] {}, {.threads = 2});
      const auto source = formula({.delay = 100us, .inside = &inside});
      for (int i = 0; i < 3; ++i) {
        ask(service, "a", {source, 0, {Index{i} * 100, 0, 1024, 1024}});
        std::this_thread::sleep_for(std::chrono::microseconds(61 * delay));
      }
    }
    CHECK(inside == 0);
  }
}

}  // namespace costly_tiles_test
