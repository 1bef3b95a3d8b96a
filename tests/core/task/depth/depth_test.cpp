// Small decoders of letters: their text, how large numbers are along the depth, and a training with
// and without warm-up.
#include <doctest/doctest.h>

#include <atomic>
#include <cmath>
#include <set>
#include <string>

#include "core/task/depth/letter_model.h"
#include "core/task/depth/stack_sizes.h"
#include "core/task/depth/warm_up.h"
#include "refusal.h"

namespace depth_test {

using namespace core::task;
using core::Index;

namespace {

core::model::Tensor<float> loss_of(const LetterModel& model, const LetterWindows& windows,
                                   core::model::Tape<float>& tape) {
  return model.loss(tape, windows.ids.data(), windows.next.data(), kLetterBatch,
                    double(kLetterBatch * kLetterWindow));
}

}  // namespace

TEST_CASE("the sentences of a seed are the same whatever compiler made the program") {
  CHECK(
      letter_text(300, 7).starts_with("Where is the box? The box is under the cup.\n"
                                      "Tom has a book that is red. He gives the book to Anna.\n"
                                      "Paul has a key that is new. He gives the key to Lucy.\n"
                                      "Tom likes the bird, but he fears the cat.\n"
                                      "The green bird sees the bird.\n"
                                      "Lucy likes the bird, but she fears the bird.\n"
                                      "Where is the cup? The cup is behind the book.\n"));
}

TEST_CASE("the letters' text has only letters of the model, and follows from its seed") {
  const std::string text = letter_text(5000, 7);
  CHECK(text.size() >= 5000);
  CHECK(text.size() < 5100);
  for (const char letter : text) CHECK(kLetters.find(letter) != std::string_view::npos);
  const std::set<char> unique(kLetters.begin(), kLetters.end());
  CHECK(unique.size() == kLetters.size());
  CHECK(text.find("She") != std::string::npos);
  CHECK(letter_text(5000, 7) == text);
  CHECK(letter_text(5000, 8) != text);
}

TEST_CASE("what it costs to know how often letters come") {
  CHECK(letter_entropy("aabb") == doctest::Approx(std::log(2)).epsilon(1e-14));
  CHECK(letter_entropy("aaab") ==
        doctest::Approx(-(0.75 * std::log(0.75) + 0.25 * std::log(0.25))).epsilon(1e-14));
  CHECK(letter_entropy("aaaa") == 0);
  CHECK(letter_entropy("") == 0);
  CHECK(letter_entropy(letter_text(20000, 1)) < std::log(double(kLetters.size())));
}

TEST_CASE("a window's next letters are its own, one on; a text without room is refused") {
  const std::string text = letter_text(300, 2);
  const LetterWindows windows = draw_windows(text, 5);
  REQUIRE(Index(windows.ids.size()) == kLetterBatch * kLetterWindow);
  REQUIRE(windows.next.size() == windows.ids.size());
  for (std::size_t k = 0; k < windows.ids.size(); ++k) {
    const bool last = k % std::size_t(kLetterWindow) == std::size_t(kLetterWindow) - 1;
    if (!last) CHECK(windows.next[k] == windows.ids[k + 1]);
  }
  std::string first;
  for (Index k = 0; k < kLetterWindow; ++k) {
    first += kLetters[std::size_t(windows.ids[std::size_t(k)])];
  }
  CHECK(text.find(first) != text.npos);
  CHECK(refusals::sentence([] { draw_windows(std::string(49, 'a'), 1); }).find("50 letters") !=
        std::string::npos);
  CHECK(draw_windows(std::string(50, 'a'), 1).ids.size() == windows.ids.size());
}

TEST_CASE("a gradient along the depth is that of the loss: differences agree") {
  // One number of the first layer's feed-forward network, moved to both sides.
  core::model::TransformerForm form;
  form.d_model = 16, form.heads = form.key_heads = 2, form.feed_forward.width = 16;
  const LetterModel model(form, 2);
  auto values = model.layout().start<float>(3);
  const LetterWindows windows = draw_windows(letter_text(2000, 3), 3);
  std::vector<float> gradients(values.size(), 0.0F);
  core::model::Tape<float> tape;
  const auto loss = [&](bool walk) {
    tape.begin(values.data(), walk ? gradients.data() : nullptr, {.differentiates = walk});
    const auto l = loss_of(model, windows, tape);
    if (walk) tape.backward(l);
    return double(*l.value);
  };
  loss(true);
  const auto at = std::size_t(model.layout().find("0.feed_forward.down.weight")->slot.offset + 5);
  const float kept = values[at];
  values[at] = kept + 0.05F;
  const double up = loss(false);
  values[at] = kept - 0.05F;
  const double down = loss(false);
  CHECK((up - down) / 0.1 == doctest::Approx(double(gradients[at])).epsilon(0.02));
}

TEST_CASE("sizes along the depth: norms hold them, residual connections tell tokens apart") {
  core::model::TransformerForm form = small_form();
  form.heads = form.key_heads = 4;
  const auto all = stack_sizes(form, 24, 1);
  REQUIRE(all.size() == kStackVariants.size());
  // In the order of kStackVariants: after, before, none; then without residual connections.
  for (const double size : all[0].forward) CHECK(size < 1.5);
  CHECK(all[0].forward.back() == doctest::Approx(1).epsilon(1e-3));
  CHECK(all[1].forward.back() > 2 * all[1].forward[1]);
  CHECK(all[2].forward.back() > 1000 * all[2].forward.front());
  for (const StackSizes& d : all) {
    CHECK(d.forward.size() == 25);
    CHECK(d.backward.size() == 25);
    CHECK(d.apart.size() == 25);
  }
  // Without norms the gradient of the first layer is the largest.
  CHECK(all[2].first > 3 * all[2].last);
  for (const int alone : {3, 4}) CHECK(all[std::size_t(alone)].apart.back() < 0.05);
  CHECK(all[1].apart.back() > 0.3);
}

TEST_CASE("sizes along the depth do not depend on threads, nor on the form's own norms") {
  core::model::TransformerForm other = small_form();
  other.norm_first = true;
  other.residual = false;
  const auto one = stack_sizes(small_form(), 2, 6, 1), two = stack_sizes(other, 2, 6, 2);
  for (std::size_t v = 0; v < one.size(); ++v) {
    CHECK(one[v].forward == two[v].forward);
    CHECK(one[v].backward == two[v].backward);
    CHECK(one[v].loss == two[v].loss);
  }
  CHECK(refusals::sentence([] { stack_sizes(small_form(), 0, 1); }).find("at least 1 layer") !=
        std::string::npos);
  std::atomic<std::int64_t> questions{2};
  CHECK_THROWS_AS(stack_sizes(small_form(), 2, 6, 1, core::Cancel(questions)), core::Cancelled);
}

TEST_CASE("a training is the same to the last bit on one thread and on two") {
  const WarmUpFit fit({NormPlace::before, true}, 0.01, 5, 2);
  WarmUpFit::State one = fit.begin(1), two = fit.begin(2);
  const double first = one.loss;
  for (int k = 0; k < 4; ++k) {
    fit.step(one, 1);
    fit.step(two, 2);
    CHECK(one.loss == two.loss);
  }
  CHECK(one.values == two.values);
  CHECK(one.loss < first);
  CHECK(WarmUpFit::bytes(one) > one.values.size() * sizeof(float));
  CHECK(fit == WarmUpFit({NormPlace::before, true}, 0.01, 5, 2));
  CHECK_FALSE(fit == WarmUpFit({NormPlace::before, true}, 0.01, 0, 2));
  CHECK_FALSE(fit == WarmUpFit({NormPlace::after, true}, 0.01, 5, 2));
}

}  // namespace depth_test
