// Beam search against looking at everything, penalties by hand, and the tree that it leaves.
#include "core/decode/beam.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "core/attention/softmax.h"
#include "core/random.h"

namespace beam_test {

using namespace core::decode;  // NOLINT: the box under test
using core::Index, core::VectorD;
using Outcome = BeamBranch::Outcome;

namespace {

using Path = std::vector<std::int32_t>;

// Any logits, the same for the same text.
struct AnyLogits {
  Index words;
  std::uint64_t seed;
  VectorD operator()(const Path& ids) const {
    std::uint64_t key = seed;
    for (const std::int32_t id : ids) key = core::stream_seed(key, static_cast<std::uint64_t>(id));
    core::Random random(key);
    VectorD logits(words);
    for (double& x : logits) x = 1.5 * random.gaussian();
    return logits;
  }
};

struct Best {
  double score = -std::numeric_limits<double>::infinity();
  Path path;
};

void try_all(const AnyLogits& next, const BeamOptions& options, const Path& prompt, Path& path,
             double sum, Best& best) {
  const auto length = static_cast<Index>(path.size());
  if (length > 0 && (length == options.most || path.back() == options.end)) {
    const double score = sum / options.penalty.at(length);
    if (score > best.score) best = {score, path};
    return;
  }
  Path all = prompt;
  all.insert(all.end(), path.begin(), path.end());
  const VectorD logs = core::log_softmax<double>(next(all));
  for (Index id = 0; id < next.words; ++id) {
    path.push_back(static_cast<std::int32_t>(id));
    try_all(next, options, prompt, path, sum + logs(id), best);
    path.pop_back();
  }
}

const BeamBranch& at(const BeamTree& tree, Index k) {
  return tree.branches[static_cast<std::size_t>(k)];
}

}  // namespace

TEST_CASE("a beam as wide as everything finds the best of everything; one of 1 is greedy") {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const AnyLogits next{3, seed};
    const Path prompt{1, 2};
    BeamOptions options{.width = 81, .most = 4, .end = seed % 2 == 0 ? 2 : -1, .shown = 1};
    options.penalty = {static_cast<LengthPenalty::Kind>(seed % 3), 0.8};
    options.penalized = false;
    Best best;
    Path path;
    try_all(next, options, prompt, path, 0, best);
    const BeamTree tree = beam_search(next, prompt, options);
    CHECK(tree.tokens(tree.ranked.front()) == best.path);
    CHECK(at(tree, tree.ranked.front()).score == doctest::Approx(best.score));

    options.width = 1;
    const BeamTree narrow = beam_search(next, prompt, options);
    Path greedy_path;
    for (const WrittenToken& token :
         write(next, prompt, {.samples = false, .most = 4, .end = options.end}).tokens) {
      greedy_path.push_back(token.id);
    }
    CHECK(narrow.tokens(narrow.ranked.front()) == greedy_path);
  }
}

TEST_CASE("length penalties by hand") {
  CHECK(LengthPenalty{}.at(7) == 1);
  const LengthPenalty root{LengthPenalty::Kind::power, 0.5}, mean{LengthPenalty::Kind::power, 1};
  CHECK(root.at(9) == doctest::Approx(3));
  CHECK(mean.at(9) == 9);
  const LengthPenalty gnmt{LengthPenalty::Kind::gnmt, 2};
  CHECK(gnmt.at(1) == 1);
  CHECK(gnmt.at(7) == doctest::Approx(4));
}

TEST_CASE("greedy misses what a beam of two finds, and the branches say why") {
  // "The A to E example" in small: A is likelier, but after B comes a sure thing.
  const NextLogits next = [](const Path& ids) -> VectorD {
    VectorD p(3);
    if (ids.empty()) {
      p << 0.5, 0.4, 0.1;
    } else if (ids.back() == 0) {
      p << 0.35, 0.35, 0.3;
    } else {
      p << 0.9, 0.1, 0;
    }
    return p.array().log();
  };
  BeamOptions options{.width = 2, .most = 2, .shown = 3};
  const BeamTree tree = beam_search(next, {}, options);
  CHECK(tree.tokens(tree.ranked[0]) == Path{1, 0});
  CHECK(tree.tokens(tree.ranked[1]) == Path{0, 0});  // as good as 0 1: the smaller
  REQUIRE(tree.beams.size() == 2);
  // 3 first tokens; 3 after A and 2 after B, as what has no probability is no branch.
  REQUIRE(tree.branches.size() == 8);
  CHECK(at(tree, 0).outcome == Outcome::grown);
  CHECK(at(tree, 0).decided == 2);
  CHECK(at(tree, 1).outcome == Outcome::grown);
  CHECK(at(tree, 2).outcome == Outcome::outscored);
  CHECK(at(tree, 2).decided == 1);
  CHECK(at(tree, 2).token == 2);
  for (std::size_t k = 0; k < tree.branches.size(); ++k) {
    const BeamBranch& one = tree.branches[k];
    CHECK(one.parent < static_cast<Index>(k));
    const double before = one.parent < 0 ? 0 : at(tree, one.parent).sum;
    CHECK(one.sum == before + one.log_probability);
    CHECK(one.score == one.sum);
    CHECK(one.length == static_cast<Index>(tree.tokens(static_cast<Index>(k)).size()));
  }
  CHECK(std::exp(at(tree, tree.ranked[0]).sum) == doctest::Approx(0.36));
  CHECK(at(tree, tree.ranked[0]).outcome == Outcome::open);
  options.shown = 1;  // never fewer than live on
  CHECK(beam_search(next, {}, options).branches.size() == 6);
}

TEST_CASE("what has ended stays, competes and may be outscored later") {
  // The end, 1, is likelier at first than anything; what goes on becomes sure.
  const NextLogits next = [](const Path& ids) -> VectorD {
    VectorD p(2);
    if (ids.size() == 2) {
      p << 0.5, 0.5;
    } else if (ids.empty()) {
      p << 0.45, 0.55;
    } else {
      p << 0.999, 0.001;
    }
    return p.array().log();
  };
  BeamOptions options{.width = 1, .most = 5, .end = 1};
  const BeamTree greedy = beam_search(next, {}, options);
  CHECK(greedy.beams.size() == 1);
  CHECK(at(greedy, greedy.ranked[0]).outcome == Outcome::finished);
  options.width = 2;
  const BeamTree plain = beam_search(next, {}, options);
  CHECK(plain.tokens(plain.ranked[0]) == Path{1});
  CHECK(at(plain, plain.ranked[0]).decided == 1);
  // By the mean of log-probabilities the longer one wins; only where scores decide at once does the
  // early end leave the beam for two that go on.
  options.penalty = {LengthPenalty::Kind::power, 1};
  const BeamTree mean = beam_search(next, {}, options);
  CHECK(mean.tokens(mean.ranked[0]).size() > 1);
  Index ended = -1;
  for (Index k = 0; k < 2; ++k) {
    if (at(mean, k).token == 1) ended = k;
  }
  REQUIRE(ended >= 0);
  CHECK(at(mean, ended).outcome == Outcome::outscored);
  CHECK(at(mean, ended).decided == 3);
  options.penalized = false;
  const BeamTree late = beam_search(next, {}, options);
  CHECK(at(late, ended).outcome == Outcome::finished);
  CHECK(late.tokens(late.ranked[0]) == mean.tokens(mean.ranked[0]));
}

TEST_CASE("beams of no width, of no step and of no number are refused; a prompt is passed on") {
  const AnyLogits next{3, 1};
  CHECK_THROWS_AS(beam_search(next, {}, {.width = 0}), core::InputError);
  CHECK_THROWS_AS(beam_search(next, {}, {.most = 0}), core::InputError);
  CHECK_THROWS_AS(beam_search(next, {}, {.shown = 0}), core::InputError);
  CHECK_THROWS_AS(
      beam_search(next, {}, {.penalty = {.alpha = std::numeric_limits<double>::quiet_NaN()}}),
      core::InputError);
  CHECK_THROWS_AS(beam_search([](const Path&) { return VectorD(); }, {}, {}), core::InputError);
  const BeamTree a = beam_search(next, {0}, {.width = 2, .most = 3});
  const BeamTree b = beam_search(next, {1}, {.width = 2, .most = 3});
  CHECK(at(a, 0).sum != at(b, 0).sum);
}

}  // namespace beam_test
