#include "core/heads/head_rows.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <string>

#include "core/io/memory_bytes.h"
#include "heads/given_rows.h"

namespace head_rows_test {

namespace {

using namespace core::heads;
using given::check_row, given::kInf, given::kMasked, given::kNaN, given::rows;

// Row-major float32 numbers as an array of a file.
class Array {
 public:
  Array(const std::vector<float>& numbers, std::vector<core::Index> shape)
      : bytes_(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(float)) {
    tensor_.shape = std::move(shape);
    tensor_.bytes = std::make_shared<const core::MemoryBytes>(bytes_);
  }
  core::TensorView view() const { return core::TensorView(tensor_); }

 private:
  std::string bytes_;
  core::Tensor tensor_;
};

}  // namespace

TEST_CASE("a query stands at its own key, the last one at the last key") {
  CHECK(own_key(2, 5, 5) == 2);
  CHECK(own_key(0, 2, 5) == 3);
  CHECK(own_key(1, 2, 5) == 4);
  CHECK(own_key(0, 5, 2) == -3);
}

TEST_CASE("stored rows are those of the file") {
  const Array array({1, 2, 3, 4, 5, 6}, {2, 3});
  const HeadPointer head = stored_rows(array.view());
  CHECK(head->queries() == 2);
  CHECK(head->keys() == 3);
  check_row(head, 0, {1, 2, 3});
  check_row(head, 1, {4, 5, 6});
}

TEST_CASE("weights are computed from queries and keys by hand") {
  // q = (1, 0), (0, 2); k = (1, 1), (2, 0), (0, 1): q·k = 1, 2, 0 and 2, 0, 2.
  const Array q({1, 0, 0, 2}, {2, 2}), k({1, 1, 2, 0, 0, 1}, {3, 2});
  const HeadPointer scores = product_rows(q.view(), k.view(), 0.5);
  check_row(scores, 0, {0.5F, 1, 0});
  check_row(scores, 1, {1, 0, 1});
  const HeadPointer weights = softmax_rows_of(scores, {});
  const double sum = std::exp(0.5) + std::exp(1.0) + 1;
  check_row(weights, 0,
            {static_cast<float>(std::exp(0.5) / sum), static_cast<float>(std::exp(1.0) / sum),
             static_cast<float>(1 / sum)});
  // Causal: the last of two queries stands at the last of three keys.
  const HeadPointer causal = softmax_rows_of(scores, {.causal = true});
  const double two = std::exp(0.5) + std::exp(1.0);
  check_row(
      causal, 0,
      {static_cast<float>(std::exp(0.5) / two), static_cast<float>(std::exp(1.0) / two), kMasked});
  CHECK_THROWS_AS(product_rows(q.view(), Array({1, 2, 3}, {1, 3}).view(), 1), core::InputError);
}

TEST_CASE("softmax of what is masked, empty or no number") {
  const HeadPointer scores =
      rows({{0, kMasked, 0}, {-kInf, -kInf, -kInf}, {0, kNaN, -kInf}, {kInf, 0, 0}});
  const HeadPointer weights = softmax_rows_of(scores, {});
  check_row(weights, 0, {0.5F, kMasked, 0.5F});
  check_row(weights, 1, {kMasked, kMasked, kMasked});
  check_row(weights, 2, {kNaN, kNaN, kMasked});
  check_row(weights, 3, {kNaN, kNaN, kNaN});
}

TEST_CASE("the mean, the largest and the difference of heads") {
  const HeadPointer a = rows({{0.2F, 0.8F, kMasked}, {kNaN, 0.5F, 0.5F}});
  const HeadPointer b = rows({{0.6F, kMasked, kMasked}, {0.1F, 0.7F, 0.2F}});
  check_row(mean_rows({a, b}), 0, {0.4F, 0.4F, kMasked});
  check_row(mean_rows({a, b}), 1, {kNaN, 0.6F, 0.35F});
  check_row(largest_rows({a, b}), 0, {0.6F, 0.8F, kMasked});
  check_row(largest_rows({b, a}), 1, {kNaN, 0.7F, 0.5F});
  check_row(difference_rows(a, b), 0, {-0.4F, 0.8F, kMasked});
  check_row(difference_rows(b, b), 0, {0, kMasked, kMasked});  // with itself nothing is left
  check_row(difference_rows(b, b), 1, {0, 0, 0});
  check_row(mean_rows({b}), 1, {0.1F, 0.7F, 0.2F});
  CHECK_THROWS_AS(difference_rows(a, rows({{1, 2, 3}})), core::InputError);
  CHECK_THROWS_AS(mean_rows({}), core::InputError);
}

TEST_CASE("several rows at once are the rows one by one") {
  std::vector<float> numbers;
  for (int k = 0; k < 40 * 700; ++k) numbers.push_back(static_cast<float>((k * 37) % 101) * 0.01F);
  const Array q({numbers.begin(), numbers.begin() + 6 * 40}, {6, 40}), k(numbers, {700, 40});
  const HeadPointer head =
      softmax_rows_of(product_rows(q.view(), k.view(), 1 / std::sqrt(40.0)), {.causal = true});
  std::vector<float> all(6 * 700);
  head->read(0, 6, all.data(), {});
  for (core::Index i = 0; i < 6; ++i) {
    const auto row = head->row(i);
    CHECK(std::memcmp(row.data(), all.data() + i * 700, 700 * sizeof(float)) == 0);
  }
}

}  // namespace head_rows_test
