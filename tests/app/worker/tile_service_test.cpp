#include "app/worker/tile_service.h"

#include <doctest/doctest.h>

#include <random>

#include "tile_service_rig.h"

namespace tile_service_test {

using namespace tile_service_rig;  // NOLINT

TEST_CASE("exact cells are what the source says, each time with a version of its own") {
  const auto source = formula({.rows = 40, .cols = 30});
  const CellsImage a = worker::exact_cells(*source, 1, {2, 3, 5, 7}, Pool::max);
  REQUIRE(a.values.size() == 35);
  CHECK(a.values[0] == source->value(4, 6));
  CHECK(a.values[34] == source->value(12, 18));
  CHECK(worker::exact_cells(*source, 1, {2, 3, 5, 7}, Pool::max).version != a.version);
}

TEST_CASE("cheap regions are there at once, exact, and made once") {
  std::atomic<int> calls{0};
  TileService service;
  const Question q{
      formula({.rows = 100, .cols = 90, .cost_per_cell = 1, .calls = &calls}), 0, {0, 0, 100, 90}};
  const auto first = ask(service, "a", q);
  REQUIRE(first.image);
  CHECK(first.exact);
  CHECK(same_bits(*first.image, worker::exact_cells(*q.source, 0, q.region, Pool::max)));
  calls = 0;
  for (int i = 0; i < 10; ++i) CHECK(ask(service, "a", q).image == first.image);
  CHECK(calls == 0);
  Question mean = q;
  mean.pool = Pool::mean;
  const auto other = ask(service, "a", mean);
  CHECK(calls == 1);
  CHECK(other.image->version != first.image->version);
  CHECK_FALSE(service.busy());
}

TEST_CASE("questions of one frame are answered as they would be one by one") {
  std::atomic<bool> gate{false};
  TileService together, apart;
  std::vector<TileService::Question> questions;
  for (int k = 0; k < 30; ++k) {
    const bool costly = k % 3 == 0;  // left to the workers
    questions.push_back({"place " + std::to_string(k),
                         formula({.rows = 4000 + k,
                                  .cols = 2000,
                                  .cost_per_cell = costly ? 1000.0 : 1.0,
                                  .gate = costly ? &gate : nullptr}),
                         k % 4,
                         {k, 0, 100, 80},
                         k % 2 == 0 ? Pool::max : Pool::mean});
  }
  questions.push_back({"nothing", formula({.rows = 0, .cols = 0}), 0, {0, 0, 5, 5}});
  const auto all_exact = [](const std::vector<TileService::Answer>& answers) {
    return std::all_of(answers.begin(), answers.end() - 1, [](const auto& a) { return a.exact; });
  };
  std::vector<TileService::Answer> answers = together.get(questions);
  REQUIRE(answers.size() == questions.size());
  CHECK_FALSE(all_exact(answers));
  for (std::size_t k = 0; k + 1 < questions.size(); ++k) {
    CAPTURE(k);
    const auto& q = questions[k];
    if (q.source->cost(q.level, q.region, q.pool) > TileService::kCheap) continue;
    REQUIRE(answers[k].exact);
    CHECK(same_bits(*answers[k].image, worker::exact_cells(*q.source, q.level, q.region, q.pool)));
  }
  gate = true;
  REQUIRE(eventually([&] { return all_exact(answers = together.get(questions)); }));
  for (std::size_t k = 0; k + 1 < questions.size(); ++k) {
    CAPTURE(k);
    const auto& q = questions[k];
    REQUIRE(answers[k].image);
    CHECK(same_bits(*answers[k].image, worker::exact_cells(*q.source, q.level, q.region, q.pool)));
    const auto alone = finally(apart, q.slot, {q.source, q.level, q.region, q.pool});
    REQUIRE(alone);
    CHECK(same_bits(*answers[k].image, *alone));
  }
  CHECK_FALSE(answers.back().image);
  const auto again = together.get(questions);
  for (std::size_t k = 0; k < questions.size(); ++k) CHECK(again[k].image == answers[k].image);
}

TEST_CASE("the version stays when a new source gives the same cells, and moves when it does not") {
  for (const double cost : {1.0, 1000.0}) {
    CAPTURE(cost);
    TileService service;
    Formula::Options options{.rows = 300, .cols = 300, .cost_per_cell = cost};
    Question q{formula(options), 0, {0, 0, 300, 300}};
    const auto first = finally(service, "a", q);
    REQUIRE(first);
    q.source = formula(options);
    CHECK(finally(service, "a", q)->version == first->version);
    options.seed = 1;
    q.source = formula(options);
    CHECK(finally(service, "a", q)->version != first->version);
  }
}

TEST_CASE("a region beyond the source is cut down to it, and an empty one has no image") {
  TileService service;
  const auto source = formula({.rows = 10, .cols = 10, .cost_per_cell = 1});
  const auto answer = service.get({"a", source, 1, {3, -2, 100, 4}});
  REQUIRE(answer.image);
  CHECK(answer.image->region == Region{3, 0, 2, 2});
  CHECK(service.get({"a", source, 0, {20, 20, 5, 5}}).image == nullptr);
  CHECK(service.get({"a", formula({.rows = 0, .cols = 0}), 0, {0, 0, 5, 5}}).image == nullptr);
}

}  // namespace tile_service_test
