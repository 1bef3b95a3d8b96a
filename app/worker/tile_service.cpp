#include "app/worker/tile_service.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <limits>
#include <map>
#include <mutex>
#include <new>
#include <optional>
#include <utility>

#include "app/worker/assemble.h"
#include "app/worker/signal.h"
#include "app/worker/tile_cache.h"
#include "core/parallel.h"
#include "core/system/threads.h"

namespace worker {
namespace {

using figure::Index;
using figure::Pool;
using figure::Region;
using figure::TileSource;
using SourcePtr = std::shared_ptr<const TileSource>;
using ImagePtr = std::shared_ptr<const CellsImage>;

std::uint64_t next_version() {
  static std::atomic<std::uint64_t> versions{0};
  return ++versions;
}

Region cut_down(const TileSource& source, int level, const Region& r) {
  const auto cut = [](Index begin, Index size, Index limit) {
    const Index first = std::clamp<Index>(begin, 0, limit);
    return std::pair{first, std::clamp<Index>(begin + size, first, limit) - first};
  };
  const auto [row, rows] = cut(r.row, r.rows, figure::pooled_size(source.rows(), level));
  const auto [col, cols] = cut(r.col, r.cols, figure::pooled_size(source.cols(), level));
  return {row, col, rows, cols};
}

std::size_t cells_of(const Region& r) { return static_cast<std::size_t>(r.rows * r.cols); }

// What a place on screen asks for, and what it was last given.
struct Slot {
  std::weak_ptr<const TileSource> source;
  std::uint64_t source_id = 0;
  int level = 0;
  Region region;
  Pool pool = Pool::max;
  bool from_tiles = false;  // its tiles are to be made

  ImagePtr image;
  Index image_rows = 0, image_cols = 0;  // the source's size when the image was made
  bool exact = false;
  core::Message error;
  long made_at = -1;        // how many tiles were finished when the image was made
  std::uint64_t asked = 0;  // counts questions: the greatest was asked last
  bool in_this_frame = true;

  bool asks(std::uint64_t id, int at_level, const Region& at, Pool how) const {
    return source_id == id && level == at_level && region == at && pool == how;
  }
  // The tiles that cover the region, as a rectangle of tiles.
  Region tiles() const {
    if (region.rows == 0 || region.cols == 0) return {};
    const Index row = region.row / kTileSide, col = region.col / kTileSide;
    return {row, col, (region.row + region.rows - 1) / kTileSide - row + 1,
            (region.col + region.cols - 1) / kTileSide - col + 1};
  }
  bool wants(const TileKey& key) const {
    const Region t = tiles();
    return from_tiles && source_id == key.source && level == key.level && pool == key.pool &&
           key.row >= t.row && key.row < t.row + t.rows && key.col >= t.col &&
           key.col < t.col + t.cols;
  }
  template <class Visit>  // Visit(const TileKey&) returns true to stop
  bool each_tile(Visit visit) const {
    const Region t = tiles();
    for (Index r = t.row; r < t.row + t.rows; ++r) {
      for (Index c = t.col; c < t.col + t.cols; ++c) {
        if (visit(TileKey{source_id, level, pool, r, c})) return true;
      }
    }
    return false;
  }
};

// Cells of a tile, fewer at the last row and column.
Region cells_of_tile(const TileSource& source, const TileKey& key) {
  return cut_down(source, key.level,
                  {key.row * kTileSide, key.col * kTileSide, kTileSide, kTileSide});
}

Region overlap(const Region& a, const Region& b) {
  const Index row = std::max(a.row, b.row), col = std::max(a.col, b.col);
  return {row, col, std::min(a.row + a.rows, b.row + b.rows) - row,
          std::min(a.col + a.cols, b.col + b.cols) - col};
}

// Asks the source. What it throws, but Cancelled, becomes words, and its cells NaN.
core::Message fill(const TileSource& source, int level, const Region& region, Pool pool,
                   std::vector<float>& values, const core::Cancel& cancel) {
  core::Message error;
  try {
    source.pooled(level, region, pool, values.data(), cancel);
    return error;
  } catch (const core::Cancelled&) {
    throw;
  } catch (...) {
    error = core::caught();
  }
  std::fill(values.begin(), values.end(), std::numeric_limits<float>::quiet_NaN());
  return error;
}

bool same_cells(const CellsImage& a, const CellsImage& b) {
  return a.level == b.level && a.region == b.region && a.values.size() == b.values.size() &&
         std::memcmp(a.values.data(), b.values.data(), a.values.size() * sizeof(float)) == 0;
}

}  // namespace

CellsImage exact_cells(const TileSource& source, int level, const Region& region, Pool pool,
                       const core::Cancel& cancel) {
  CellsImage image{level, region, std::vector<float>(cells_of(region)), next_version()};
  source.pooled(level, region, pool, image.values.data(), cancel);
  return image;
}

struct TileService::Inner {
  struct Known {
    std::weak_ptr<const TileSource> source;
    const TileSource* address;
    std::uint64_t id;
  };
  struct Job {
    TileKey key;
    SourcePtr source;
    std::stop_source stop;
  };

  std::function<void()> wake;
  mutable std::mutex mutex;
  Signal changed;
  TileCache cache;
  std::map<std::string, Slot> slots;
  std::vector<Known> sources;
  std::vector<std::pair<TileKey, std::stop_source>> running;
  std::uint64_t clock = 0, last_id = 0;
  long finished = 0;
  MemoryBudget* budget;
  std::optional<MemoryBudget::Holder> holder;
  std::vector<Listener> threads;  // last: they join before the rest dies

  Inner(std::function<void()> wake_call, const TileOptions& options)
      : wake(std::move(wake_call)), budget(options.budget) {
    if (budget) {
      holder.emplace(*budget, [this](std::size_t bytes) {
        const std::scoped_lock lock(mutex);
        give_up(bytes);
      });
    }
    // One core is the window's.
    const int count =
        options.threads > 0 ? options.threads : std::clamp(core::thread_count(0) - 1, 1, 8);
    for (int i = 0; i < count; ++i) {
      threads.emplace_back(changed, mutex, [this](const std::stop_token& quit) { loop(quit); });
    }
  }

  ~Inner() {
    holder.reset();
    for (Listener& thread : threads) thread.stop();
    const std::scoped_lock lock(mutex);
    for (auto& [key, stop] : running) stop.request_stop();
  }

  // --- Questions. All of these hold the mutex. ---

  // A number for a source that no other source ever gets, even at the same address; tiles of
  // sources that have died go.
  std::uint64_t id_of(const SourcePtr& source) {
    std::erase_if(sources, [this](const Known& known) {
      if (known.source.expired()) cache.forget(known.id);
      return known.source.expired();
    });
    for (const Known& known : sources) {
      if (known.address == source.get() && !known.source.owner_before(source) &&
          !source.owner_before(known.source)) {
        return known.id;
      }
    }
    sources.push_back({source, source.get(), ++last_id});
    return last_id;
  }

  // Notes that a place was asked about.
  Slot& touch(const std::string& name) {
    Slot& slot = slots[name];
    slot.asked = ++clock;
    slot.in_this_frame = true;
    return slot;
  }

  // A place that was not asked about is not on screen any more.
  void end_frame() {
    const auto gone =
        std::erase_if(slots, [](const auto& entry) { return !entry.second.in_this_frame; });
    for (auto& [name, slot] : slots) slot.in_this_frame = false;
    if (gone > 0) cancel_unwanted();
  }

  void give_up(std::size_t bytes) {
    cache.give_up(bytes, [this](const TileKey& key) { return wanted(key); });
  }

  bool wanted(const TileKey& key) const {
    return std::any_of(slots.begin(), slots.end(),
                       [&](const auto& entry) { return entry.second.wants(key); });
  }

  void cancel_unwanted() {
    for (auto& [key, stop] : running) {
      if (!wanted(key)) stop.request_stop();
    }
  }

  // The finished tile, else the best coarser one that covers it.
  Piece piece_for(const TileSource& source, const Slot& slot, const TileKey& key) {
    Piece piece{overlap(cells_of_tile(source, key), slot.region), cache.find(key), 0};
    const Index longer = std::max(source.rows(), source.cols());
    for (int shift = 1; !piece.tile && figure::pooled_size(longer, key.level + shift - 1) > 1;
         ++shift) {
      TileKey coarser = key;
      coarser.level += shift;
      coarser.row >>= shift;
      coarser.col >>= shift;
      piece.tile = cache.find(coarser);
      piece.shift = shift;
    }
    return piece;
  }

  // --- The workers. ---

  // The first missing tile of the place that was asked about last.
  std::optional<Job> next_job() {
    std::vector<Slot*> newest;
    for (auto& [name, slot] : slots) {
      if (slot.from_tiles && !slot.exact) newest.push_back(&slot);
    }
    std::sort(newest.begin(), newest.end(),
              [](const Slot* a, const Slot* b) { return a->asked > b->asked; });
    for (Slot* slot : newest) {
      std::optional<Job> job;
      slot->each_tile([&](const TileKey& key) {
        if (cache.contains(key) || is_running(key)) return false;
        if (SourcePtr source = slot->source.lock()) job.emplace(Job{key, std::move(source), {}});
        return true;
      });
      if (job) return job;
    }
    return std::nullopt;
  }

  // A job that was told to stop does not count: its tile may be wanted again.
  bool is_running(const TileKey& key) const {
    return std::any_of(running.begin(), running.end(), [&](const auto& job) {
      return job.first == key && !job.second.stop_requested();
    });
  }

  void loop(const std::stop_token& quit) {
    core::step_back();  // finer tiles may come later, the window's next frame may not
    const core::Alone alone;
    for (;;) {
      std::optional<Job> job;
      {
        std::unique_lock lock(mutex);
        changed.wait(lock, quit, [&] { return (job = next_job()).has_value(); });
        if (quit.stop_requested()) return;
        running.emplace_back(job->key, job->stop);
      }
      const bool kept = run(*job, quit);
      job.reset();  // perhaps the last to hold the source: not under the lock
      if (kept && wake) wake();
    }
  }

  // True when there is a new tile.
  bool run(const Job& job, const std::stop_token& quit) {
    std::shared_ptr<const Tile> tile;
    bool out_of_memory = false;
    try {
      tile = make(job);
    } catch (const std::bad_alloc&) {
      out_of_memory = true;
    }
    std::unique_lock lock(mutex);
    std::erase_if(running, [&](const auto& r) { return r.second == job.stop; });
    if (tile) {
      cache.insert(job.key, std::move(tile));
      if (budget) give_up(budget->excess());
      ++finished;
      return true;
    }
    // Not even room for one tile: others may give some back before the next attempt.
    if (out_of_memory) {
      const auto later = std::chrono::steady_clock::now() + std::chrono::milliseconds(200);
      changed.wait_until(lock, quit, later, [] { return false; });
    }
    return false;
  }

  // Null when it was cancelled.
  static std::shared_ptr<const Tile> make(const Job& job) {
    auto tile = std::make_shared<Tile>();
    const Region region = cells_of_tile(*job.source, job.key);
    tile->rows = region.rows;
    tile->cols = region.cols;
    tile->values.resize(cells_of(region));
    try {
      tile->error = fill(*job.source, job.key.level, region, job.key.pool, tile->values,
                         core::Cancel(job.stop.get_token()));
    } catch (const core::Cancelled&) {
      return nullptr;
    }
    return tile;
  }

  // --- Answers. ---

  // Keeps the old image, and its version, when nothing in it changed.
  static void give(Slot& slot, const TileSource& source, std::shared_ptr<CellsImage> image) {
    slot.image_rows = source.rows();
    slot.image_cols = source.cols();
    if (image && slot.image && same_cells(*image, *slot.image)) return;
    if (image) image->version = next_version();
    slot.image = std::move(image);
  }

  static Answer answer(const Slot& slot) { return {slot.image, slot.exact, slot.error}; }

  // A question whose answer is not known yet.
  struct Open {
    std::size_t number;
    const Question* question;
    Region region;  // cut down
    double cost;
    std::shared_ptr<CellsImage> image;
    core::Message error;
  };

  // Notes the question. True when the slot's image is all that can be said about it now.
  bool known(const Open& open, bool at_once, Answer& answer_known) {
    const Question& q = *open.question;
    const std::uint64_t id = id_of(q.source);
    Slot& slot = touch(q.slot);
    const bool same = slot.asks(id, q.level, open.region, q.pool) && slot.from_tiles == !at_once;
    const bool news = !at_once && slot.made_at != finished;
    if (same && (slot.exact || !news)) {
      answer_known = answer(slot);
      return true;
    }
    slot.source = q.source;
    slot.source_id = id;
    slot.level = q.level;
    slot.region = open.region;
    slot.pool = q.pool;
    slot.from_tiles = !at_once;
    slot.exact = false;
    cancel_unwanted();
    return false;
  }

  // In this very frame. Only the asking thread changes slots, so it may let go of the mutex.
  void compute(std::vector<Open>& cheap, std::vector<Answer>& answers) {
    constexpr double kWorthAThread = 1e5;  // multiply-adds
    double all = 0;
    for (const Open& open : cheap) all += open.cost;
    core::parallel_for(std::ssize(cheap), all < kWorthAThread ? 1 : 0, [&](Index i, int) {
      Open& open = cheap[static_cast<std::size_t>(i)];
      const Question& q = *open.question;
      open.image = std::make_shared<CellsImage>();
      open.image->level = q.level;
      open.image->region = open.region;
      open.image->values.resize(cells_of(open.region));
      open.error =
          fill(*q.source, q.level, open.region, q.pool, open.image->values, core::Cancel{});
    });
    const std::scoped_lock lock(mutex);
    for (Open& open : cheap) {
      Slot& slot = slots[open.question->slot];
      give(slot, *open.question->source, std::move(open.image));
      slot.exact = true;
      slot.error = std::move(open.error);
      answers[open.number] = answer(slot);
    }
  }

  // From tiles, with what stands in for those that are missing.
  Answer put_together(const Question& question) {
    const TileSource& source = *question.source;
    std::vector<Piece> pieces;
    ImagePtr stand_in;
    core::Message error;
    bool exact = true;
    long made_at = 0;
    std::unique_lock lock(mutex);
    Slot& slot = slots[question.slot];
    made_at = finished;
    slot.each_tile([&](const TileKey& key) {
      pieces.push_back(piece_for(source, slot, key));
      exact = exact && pieces.back().tile && pieces.back().shift == 0;
      if (pieces.back().tile && error.empty()) error = pieces.back().tile->error;
      return false;
    });
    if (slot.image_rows == source.rows() && slot.image_cols == source.cols()) {
      stand_in = slot.image;
    }
    lock.unlock();
    std::shared_ptr<CellsImage> image = assemble(slot.level, slot.region, pieces, stand_in.get());
    lock.lock();
    give(slot, source, std::move(image));
    slot.made_at = made_at;
    slot.exact = exact;
    slot.error = std::move(error);
    return answer(slot);
  }
};

TileService::TileService(std::function<void()> wake, TileOptions options)
    : inner_(std::make_unique<Inner>(std::move(wake), options)) {}

TileService::~TileService() = default;

std::vector<TileService::Answer> TileService::get(std::span<const Question> questions) {
  Inner& in = *inner_;
  std::vector<Answer> answers(questions.size());
  std::vector<Inner::Open> cheap, costly;
  for (std::size_t i = 0; i < questions.size(); ++i) {
    const Question& q = questions[i];
    const Region cut = cut_down(*q.source, q.level, q.region);
    if (cells_of(cut) == 0) continue;
    Inner::Open open{i, &q, cut, q.source->cost(q.level, cut, q.pool), nullptr, {}};
    const bool at_once = open.cost <= kCheap;
    const std::scoped_lock lock(in.mutex);
    if (in.known(open, at_once, answers[i])) continue;
    (at_once ? cheap : costly).push_back(std::move(open));
  }
  in.compute(cheap, answers);
  bool missing = false;
  for (const Inner::Open& open : costly) {
    answers[open.number] = in.put_together(*open.question);
    missing = missing || !answers[open.number].exact;
  }
  if (missing) in.changed.notify_all();
  return answers;
}

void TileService::end_frame() {
  const std::scoped_lock lock(inner_->mutex);
  inner_->end_frame();
}

std::size_t TileService::bytes() const {
  const std::scoped_lock lock(inner_->mutex);
  return inner_->cache.bytes();
}

bool TileService::busy() const {
  const std::scoped_lock lock(inner_->mutex);
  return !inner_->running.empty() || inner_->next_job().has_value();
}

}  // namespace worker
