// What tests of the tiles share: a source that is as slow and as faulty as a test wants.
#pragma once

#include <atomic>
#include <bit>
#include <chrono>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <thread>

#include <doctest/doctest.h>

#include "app/worker/tile_service.h"
#include "eventually.h"

namespace tile_service_rig {
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

inline std::shared_ptr<const Formula> formula(Formula::Options options) {
  return std::make_shared<const Formula>(options);
}

inline bool same_bits(const CellsImage& a, const CellsImage& b) {
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

inline TileService::Answer ask(TileService& service, const std::string& slot, const Question& q) {
  return service.get({slot, q.source, q.level, q.region, q.pool});
}

// Asks again, as a window would, until the answer is exact.
inline std::shared_ptr<const CellsImage> finally(TileService& service, const std::string& slot,
                                                 const Question& q) {
  TileService::Answer answer;
  REQUIRE(eventually([&] { return (answer = ask(service, slot, q)).exact; }));
  return answer.image;
}

inline void check_exact(TileService& service, const std::string& slot, const Question& q) {
  const auto image = finally(service, slot, q);
  REQUIRE(image);
  CHECK(same_bits(*image, worker::exact_cells(*q.source, q.level, q.region, q.pool)));
}

}  // namespace tile_service_rig
