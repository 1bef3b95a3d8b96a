#include "core/mask/reach.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <string>

#include "core/parallel.h"
#include "core/refuse.h"

namespace core {
namespace {

// Columns are independent of one another, so a task takes a strip of them through all layers: a
// cache line of bits for each row, which for thousands of rows stays in the second-level cache.
constexpr Index kStripWords = 8;
constexpr Index kStripKeys = kStripWords * BitMatrix::kWord;
struct alignas(64) Line {
  std::uint64_t word[kStripWords] = {};
  void join(const Line& other) {
    for (Index k = 0; k < kStripWords; ++k) word[k] |= other.word[k];
  }
  bool operator==(const Line& other) const {
    return std::equal(std::begin(word), std::end(word), std::begin(other.word));
  }
  void set(Index j) { word[j / BitMatrix::kWord] |= std::uint64_t{1} << (j % BitMatrix::kWord); }
  // The bits [begin, end), within the line.
  void set(Index begin, Index end) {
    constexpr std::uint64_t kOnes = ~std::uint64_t{0};
    for (Index k = begin / BitMatrix::kWord; k * BitMatrix::kWord < end; ++k) {
      const Index low = std::max<Index>(0, begin - k * BitMatrix::kWord);
      const Index high = std::min(BitMatrix::kWord, end - k * BitMatrix::kWord);
      word[k] |= kOnes >> (BitMatrix::kWord - (high - low)) << low;
    }
  }
  Index count() const {
    Index sum = 0;
    for (const std::uint64_t w : word) sum += std::popcount(w);
    return sum;
  }
};
using LineStrip = std::vector<Line>;

// How to join the rows that a mask names, worked out once for all strips. A run of c keys is the
// union of two overlapping blocks of 2^level keys of its step, 2^level <= c; a block's union comes
// from a table that doubles in place. Runs of a step that would not pay for its table are joined
// key by key.
class Plan {
 public:
  explicit Plan(const SparseMask& mask) : n_(mask.rows()) {
    std::map<std::int32_t, Index> keys;
    for (Index i = 0; i < n_; ++i) {
      for (const KeyRun& run : mask.row(i)) keys[run.step] += run.count;
    }
    for (Index i = 0; i < n_; ++i) {
      for (const KeyRun& run : mask.row(i)) add(i, run, keys[run.step]);
    }
  }

  // next |= mask * now; `table` is scratch. Rows that have reached `all` are left as they are.
  void apply(const LineStrip& now, const Line& all, LineStrip& table, LineStrip& next) const {
    for (const Group& group : single_) {
      Line& line = next[at(group.row)];
      for (const KeyRun& run : group.runs) {
        if (line == all) break;
        for (std::int32_t k = 0; k < run.count; ++k) line.join(now[at(run.begin + k * run.step)]);
      }
    }
    for (const auto& [step, levels] : stepped_) {
      table = now;
      for (std::size_t level = 0; level < levels.size(); ++level) {
        const std::int32_t span = (std::int32_t{1} << level) * step;
        for (const Block& block : levels[level]) {
          next[at(block.row)].join(table[at(block.first)]);
          if (block.second != block.first) next[at(block.row)].join(table[at(block.second)]);
        }
        // table[j] becomes the union of twice as many rows from j on; later ones still are of half.
        if (level + 1 == levels.size()) break;
        for (Index j = 0; j + span < n_; ++j) table[at(j)].join(table[at(j + span)]);
      }
    }
  }

 private:
  struct Group {
    std::int32_t row;
    std::vector<KeyRun> runs;
  };
  struct Block {
    std::int32_t row, first, second;
  };
  static std::size_t at(Index i) { return static_cast<std::size_t>(i); }

  void add(Index i, const KeyRun& run, Index keys_of_step) {
    const auto row = static_cast<std::int32_t>(i);
    // A table costs n joins a level, of which there are at most the bits of n / step.
    const auto levels =
        static_cast<Index>(std::bit_width(static_cast<std::uint64_t>(n_ / run.step)));
    if (run.count <= 2 || keys_of_step <= n_ * levels) {
      if (single_.empty() || single_.back().row != row) single_.push_back({row, {}});
      single_.back().runs.push_back(run);
      return;
    }
    const auto level =
        static_cast<std::size_t>(std::bit_width(static_cast<std::uint32_t>(run.count)) - 1);
    auto& of_step = stepped_[run.step];
    if (of_step.size() <= level) of_step.resize(level + 1);
    const std::int32_t rest = run.count - (std::int32_t{1} << level);
    of_step[level].push_back({row, run.begin, run.begin + rest * run.step});
  }

  Index n_;
  std::vector<Group> single_;
  std::map<std::int32_t, std::vector<std::vector<Block>>> stepped_;
};

// The bits of `mask` in the strip's columns.
LineStrip strip_of(const SparseMask& mask, Index strip) {
  const Index begin = strip * kStripKeys, end = begin + kStripKeys;
  LineStrip bits(static_cast<std::size_t>(mask.rows()));
  for (Index i = 0; i < mask.rows(); ++i) {
    Line& line = bits[static_cast<std::size_t>(i)];
    for (const KeyRun& run : mask.row(i)) {
      if (run.begin >= end) break;
      if (run.last() < begin) continue;
      if (run.step == 1) {
        line.set(std::max<Index>(run.begin, begin) - begin,
                 std::min<Index>(run.last() + 1, end) - begin);
        continue;
      }
      const Index skip = run.begin >= begin ? 0 : (begin - run.begin + run.step - 1) / run.step;
      for (Index k = skip; k < run.count; ++k) {
        const Index j = run.begin + k * run.step - begin;
        if (j >= end - begin) break;
        line.set(j);
      }
    }
  }
  return bits;
}

class Walk {
 public:
  Walk(const std::vector<const SparseMask*>& masks, const ReachOptions& options,
       const Cancel& cancel)
      : first_(*masks.front()), options_(options), cancel_(cancel) {
    for (const SparseMask* mask : masks) plans_.emplace_back(*mask);
    result_.n = masks.front()->rows();
    result_.layers = options.layers;
    const auto layers = static_cast<std::size_t>(options.layers);
    result_.pairs.assign(layers, 0);
    result_.covered.assign(layers, 0);
    result_.wanted = options.target ? options.target->kept() : result_.n * result_.n;
    result_.sizes.setZero(options.layers, result_.n);
    if (options.keep) result_.after.assign(layers, BitMatrix(result_.n, result_.n));
  }

  Reach run() {
    const Index strips = (result_.n + kStripKeys - 1) / kStripKeys;
    std::atomic<Index> done = 0;
    parallel_for(strips, options_.threads, [&](Index strip, int) {
      walk(strip);
      cancel_.progress(static_cast<float>(++done) / static_cast<float>(strips));
    });
    return std::move(result_);
  }

 private:
  // What a strip adds to the result.
  struct Share {
    std::vector<Index> pairs, covered;
    Eigen::Matrix<std::int32_t, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> sizes;
  };

  void walk(Index strip) {
    const auto n = static_cast<std::size_t>(result_.n);
    LineStrip now(n), next(n), table(n), wanted;
    Line all;
    for (Index j = strip * kStripKeys; j < std::min(result_.n, (strip + 1) * kStripKeys); ++j) {
      now[static_cast<std::size_t>(j)].set(j % kStripKeys);
      all.set(j % kStripKeys);
    }
    if (options_.target) wanted = strip_of(*options_.target, strip);
    Share share;
    share.pairs.resize(result_.pairs.size());
    share.covered.resize(result_.pairs.size());
    share.sizes.setZero(result_.layers, result_.n);
    // As many layers in a row that changed nothing as there are masks: nothing ever will.
    std::size_t still = 0;
    for (Index layer = 0; layer < result_.layers; ++layer) {
      cancel_.poll();
      if (still < plans_.size()) {
        if (layer == 0) {
          next = strip_of(first_, strip);  // M_1 times the identity
        } else {
          std::fill(next.begin(), next.end(), Line{});
        }
        for (std::size_t i = 0; options_.residual && i < n; ++i) next[i].join(now[i]);
        if (layer > 0) {
          plans_[static_cast<std::size_t>(layer) % plans_.size()].apply(now, all, table, next);
        }
        still = now == next ? still + 1 : 0;
        now.swap(next);
      }
      count(now, wanted, layer, share);
      if (options_.keep) store(now, strip, result_.after[static_cast<std::size_t>(layer)]);
    }
    add(share);
  }

  void count(const LineStrip& now, const LineStrip& wanted, Index layer, Share& share) const {
    const auto l = static_cast<std::size_t>(layer);
    for (std::size_t i = 0; i < now.size(); ++i) {
      const Index here = now[i].count();
      share.sizes(layer, static_cast<Index>(i)) = static_cast<std::int32_t>(here);
      share.pairs[l] += here;
      if (wanted.empty()) {
        share.covered[l] += here;
        continue;
      }
      for (Index k = 0; k < kStripWords; ++k) {
        share.covered[l] += std::popcount(now[i].word[k] & wanted[i].word[k]);
      }
    }
  }

  static void store(const LineStrip& now, Index strip, BitMatrix& matrix) {
    const Index first = strip * kStripWords;
    const Index words = std::min(kStripWords, matrix.words() - first);
    for (Index i = 0; i < matrix.rows(); ++i) {
      std::copy_n(now[static_cast<std::size_t>(i)].word, words, matrix.row(i) + first);
    }
  }

  void add(const Share& share) {
    const std::lock_guard lock(mutex_);
    for (std::size_t l = 0; l < share.pairs.size(); ++l) {
      result_.pairs[l] += share.pairs[l];
      result_.covered[l] += share.covered[l];
    }
    result_.sizes += share.sizes;
  }

  const SparseMask& first_;
  const ReachOptions& options_;
  const Cancel& cancel_;
  std::vector<Plan> plans_;
  Reach result_;
  std::mutex mutex_;
};

}  // namespace

std::optional<Index> Reach::layers_to_cover() const {
  if (wanted == 0) return 0;
  const auto it = std::find(covered.begin(), covered.end(), wanted);
  if (it == covered.end()) return std::nullopt;
  return it - covered.begin() + 1;
}

std::optional<Index> Reach::first_layer(Index i, Index j) const {
  if (i == j) return 0;
  for (std::size_t l = 0; l < after.size(); ++l) {
    if (after[l](i, j)) return static_cast<Index>(l) + 1;
  }
  return std::nullopt;
}

Reach reach_of(const std::vector<const SparseMask*>& masks, const ReachOptions& options,
               const Cancel& cancel) {
  if (masks.empty()) refuse("reach", "at least one mask", "none");
  if (options.layers < 0 || options.layers > 1024) {
    refuse("reach", "0 to 1024 layers", std::to_string(options.layers));
  }
  const Index n = masks.front()->rows();
  const auto check = [n](const SparseMask& mask, const char* what) {
    if (mask.rows() != n || mask.cols() != n) {
      refuse("reach", what + shape_text(n, n), shape_text(mask.rows(), mask.cols()));
    }
  };
  for (const SparseMask* mask : masks) check(*mask, "masks of ");
  if (options.target) check(*options.target, "a target of ");
  return Walk(masks, options, cancel).run();
}

Reach reach_of(const SparseMask& mask, const ReachOptions& options, const Cancel& cancel) {
  return reach_of(std::vector<const SparseMask*>{&mask}, options, cancel);
}

bool is_causal(const SparseMask& mask) {
  for (Index i = 0; i < mask.rows(); ++i) {
    for (const KeyRun& run : mask.row(i)) {
      if (run.last() > i) return false;
    }
  }
  return true;
}

}  // namespace core
