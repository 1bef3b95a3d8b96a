#include "core/model/head_attention.h"

#include <doctest/doctest.h>

#include <cmath>

namespace head_attention_test {

namespace {

using namespace core::model;
using core::Matrix;

// Two tokens, four heads of width 2 whose keys are shared in pairs: numbers tell their places.
Matrix counted(core::Index rows, core::Index cols, float first) {
  return Matrix::NullaryExpr(rows, cols, [=](core::Index i, core::Index j) {
    return first + static_cast<float>(10 * i + j);
  });
}

}  // namespace

TEST_CASE("a token looks with its head's part of the queries, at the part that its group shares") {
  const Matrix queries = counted(2, 8, 0), keys = counted(3, 4, 100);
  const HeadAttention first = head_attention(queries, keys, {1, 4, 2}, 1),
                      last = head_attention(queries, keys, {3, 4, 2}, 0);
  CHECK(first.query == core::VectorD{{12, 13}});
  CHECK(first.keys.row(2) == Eigen::RowVector2d(120, 121));
  CHECK(last.query == core::VectorD{{6, 7}});
  CHECK(last.keys.row(0) == Eigen::RowVector2d(102, 103));
}

TEST_CASE("scores by hand: with a scale, without one, and with what is added") {
  HeadAttention look{.query = core::VectorD{{3, 4}}, .keys = core::MatrixD{{1, 0}, {2, -1}}};
  CHECK(look.scores() == std::vector{3 / std::sqrt(2.0), 2 / std::sqrt(2.0)});
  look.scale = 2;
  look.added = core::VectorD{{0.5, -1}};
  CHECK(look.scores() == std::vector{6.5, 3.0});
}

TEST_CASE("a trace has the row of its bias; what was not traced is refused") {
  Trace<float> trace;
  const auto keep = [&](const char* name, std::vector<core::Index> shape,
                        std::vector<float> values) {
    trace.keep({.name = name,
                .shape = std::move(shape),
                .axes = {},
                .values = std::move(values),
                .gradients = {}});
  };
  keep("a.queries", {1, 2, 2}, {1, 2, 3, 4});
  CHECK_THROWS_AS(head_attention(trace, "a.", {0, 2, 2}, 1), core::InputError);
  keep("a.keys", {1, 3, 2}, {5, 6, 7, 8, 9, 10});
  CHECK(head_attention(trace, "a.", {1, 2, 2}, 1).added.size() == 0);
  keep("a.bias", {2, 2, 3}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
  const HeadAttention look = head_attention(trace, "a.", {1, 2, 2}, 1);
  CHECK(look.query == core::VectorD{{4}});
  CHECK(look.keys.col(0) == core::VectorD{{6, 8, 10}});
  CHECK(look.added == core::VectorD{{9, 10, 11}});
}

}  // namespace head_attention_test
