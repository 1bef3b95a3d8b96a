#include "app/worker/tile_service.h"

#include <doctest/doctest.h>

#include <atomic>
#include <bit>
#include <chrono>
#include <cmath>
#include <optional>
#include <random>
#include <stdexcept>
#include <thread>

#include "eventually.h"

namespace tile_service_test {

namespace {

using namespace std::chrono_literals;
using figure::Index;
using figure::Pool;
using figure::Region;
using worker::CellsImage;
using worker::TileService;

// A source that is as slow and as faulty as a test wants, and defined by a formula.
class Formula final : public figure::TileSource {
 public:
  struct Options {
    Index rows = 4096, cols = 4096;
    double cost_per_cell = 1000;
    std::chrono::microseconds delay{0};
    float seed = 0;
    Index fails_from_row = -1;                // pooled row from which `pooled` throws
    const std::atomic<bool>* gate = nullptr;  // `pooled` waits until it is open
    std::atomic<int>* calls = nullptr;
    std::atomic<int>* cancels = nullptr;
    std::atomic<int>* inside = nullptr;  // calls of `pooled` under way
  };
  explicit Formula(Options options) : o_(options) {}

  Index rows() const override { return o_.rows; }
  Index cols() const override { return o_.cols; }
  float value(Index r, Index c) const override {
    if (c > r + o_.cols / 2) return core::kMasked;
    const auto h = static_cast<std::uint64_t>(r * 7919 + c * 104729);
    return static_cast<float>((h * 2654435761u) % 2001) / 1000.0f - 1 + o_.seed;
  }
  // The first cell stands for its block: pooling itself is figure's business.
  void pooled(int level, const Region& g, Pool pool, float* out,
              const core::Cancel& cancel) const override {
    if (o_.calls) ++*o_.calls;
    const Inside inside(o_.inside);
    while (o_.gate && !*o_.gate) std::this_thread::sleep_for(1ms);
    for (Index r = g.row; r < g.row + g.rows; ++r) {
      if (o_.fails_from_row >= 0 && r >= o_.fails_from_row) throw std::runtime_error("no such row");
      if (o_.delay.count() > 0) std::this_thread::sleep_for(o_.delay);
      if (cancel.requested() && o_.cancels) ++*o_.cancels;
      cancel.poll();
      for (Index c = g.col; c < g.col + g.cols; ++c) {
        const float v = value(r << level, c << level);
        *out++ = pool == Pool::mean && !core::is_masked(v) ? -v : v;
      }
    }
  }
  double cost(int level, const Region& g, core::Pool) const override {
    return o_.cost_per_cell * static_cast<double>(g.rows * g.cols) * std::ldexp(1.0, 2 * level);
  }

 private:
  struct Inside {
    std::atomic<int>* count;
    explicit Inside(std::atomic<int>* of) : count(of) {
      if (count) ++*count;
    }
    ~Inside() {
      if (count) --*count;
    }
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;
  };

  Options o_;
};

std::shared_ptr<const Formula> formula(Formula::Options options) {
  return std::make_shared<const Formula>(options);
}

bool same_bits(const CellsImage& a, const CellsImage& b) {
  if (a.level != b.level || !(a.region == b.region) || a.values.size() != b.values.size()) {
    return false;
  }
  for (std::size_t i = 0; i < a.values.size(); ++i) {
    if (std::bit_cast<std::uint32_t>(a.values[i]) != std::bit_cast<std::uint32_t>(b.values[i])) {
      return false;
    }
  }
  return true;
}

struct Question {
  std::shared_ptr<const figure::TileSource> source;
  int level = 0;
  Region region;
  Pool pool = Pool::max;
};

TileService::Answer ask(TileService& service, const std::string& slot, const Question& q) {
  return service.get({slot, q.source, q.level, q.region, q.pool});
}

// Asks again, as a window would, until the answer is exact.
std::shared_ptr<const CellsImage> finally(TileService& service, const std::string& slot,
                                          const Question& q) {
  TileService::Answer answer;
  REQUIRE(eventually([&] { return (answer = ask(service, slot, q)).exact; }));
  return answer.image;
}

void check_exact(TileService& service, const std::string& slot, const Question& q) {
  const auto image = finally(service, slot, q);
  REQUIRE(image);
  CHECK(same_bits(*image, worker::exact_cells(*q.source, q.level, q.region, q.pool)));
}

}  // namespace

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

}  // namespace tile_service_test
