#include "core/io/tensor/tensor_view.h"

#include <doctest/doctest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "io/made_files.h"

namespace tensor_view_test {

namespace {

using core::Index;

std::shared_ptr<const core::TensorFile> numpy_arrays(const std::string& name) {
  return core::open_tensors(std::filesystem::path(ATTNSCOPE_SOURCE_DIR) /
                            "tests/reference/tensors" / name);
}

// The k-th number that tests/reference/tensors/make.py writes.
double made_number(core::NumberType type, Index k) {
  switch (core::facts(type).npy[0]) {
    case 'f': return 0.75 * static_cast<double>(k) - 4;
    case 'i': return static_cast<double>(5 * k - 11);
    case 'u': return static_cast<double>(7 * k + 1);
    default: return k % 3 == 0 ? 1 : 0;
  }
}

// The number of the array counted in C order at indices given in order.
Index in_c_order(const std::vector<Index>& shape, const std::vector<Index>& at) {
  Index k = 0;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) k = k * shape[axis] + at[axis];
  return k;
}

// How many numbers of a view differ from what was written, by value, by reading all of it and by
// reading a part of it.
int wrong_numbers(const core::Tensor& tensor, const core::ViewAxes& axes) {
  const core::TensorView view(tensor, axes);
  core::MatrixD all(view.rows(), view.cols());
  view.read({0, 0, view.rows(), view.cols()}, all.data());
  const core::Region part{view.rows() / 3, view.cols() / 2, view.rows() - view.rows() / 3,
                          view.cols() - view.cols() / 2};
  core::Matrix some(part.rows, part.cols);
  view.read(part, some.data());
  int wrong = 0;
  for (Index i = 0; i < view.rows(); ++i) {
    for (Index j = 0; j < view.cols(); ++j) {
      std::vector<Index> at = axes.at;
      if (axes.row) at[*axes.row] = i;
      if (axes.col) at[*axes.col] = j;
      const double want = made_number(tensor.type, in_c_order(tensor.shape, at));
      wrong += view.value(i, j) != want || all(i, j) != want;
      if (i >= part.row && j >= part.col) {
        wrong += static_cast<double>(some(i - part.row, j - part.col)) != want;
      }
    }
  }
  return wrong;
}

}  // namespace

TEST_CASE("what NumPy wrote is read: every type, both orders, stored and deflated") {
  for (const std::string name : {"stored.npz", "deflated.npz"}) {
    const auto file = numpy_arrays(name);
    CHECK(file->tensors.size() >= 28);
    for (const core::Tensor& tensor : file->tensors) {
      CAPTURE(tensor.name);
      CHECK(tensor.deflated == (name == "deflated.npz"));
      CHECK(wrong_numbers(tensor, core::last_axes(tensor)) == 0);
    }
    const core::Tensor* const big = file->find("big_i4");
    REQUIRE(big != nullptr);
    CHECK(big->big_endian);
    CHECK(file->find("fortran")->fortran_order);
    CHECK(file->find("number")->shape.empty());
    CHECK(file->find("none")->count() == 0);
  }
  for (const std::string name : {"matrix.npy", "version_2.npy", "version_3.npy", "zip64.npz"}) {
    const auto file = numpy_arrays(name);
    for (const core::Tensor& tensor : file->tensors) {
      CHECK(wrong_numbers(tensor, core::last_axes(tensor)) == 0);
    }
  }
}

TEST_CASE("any two axes, either way round, with the others fixed") {
  const auto file = numpy_arrays("deflated.npz");
  core::Tensor plain = *file->find("long");  // 40 by 300 numbers seen as 4 by 10 by 5 by 60
  plain.shape = {4, 10, 5, 60};
  const core::Tensor fortran = *file->find("fortran");  // 3 by 4 by 5
  for (const core::Tensor& tensor : {plain, fortran}) {
    const std::size_t axes = tensor.shape.size();
    for (std::size_t row = 0; row < axes; ++row) {
      for (std::size_t col = 0; col < axes; ++col) {
        if (row == col) continue;
        core::ViewAxes shown{row, col, {}};
        for (const Index size : tensor.shape) shown.at.push_back(size - 2);
        CAPTURE(row);
        CAPTURE(col);
        CHECK(wrong_numbers(tensor, shown) == 0);
      }
      core::ViewAxes line{row, std::nullopt, std::vector<Index>(axes, 1)};
      CHECK(wrong_numbers(tensor, line) == 0);
      std::swap(line.row, line.col);
      CHECK(wrong_numbers(tensor, line) == 0);
    }
    CHECK(wrong_numbers(tensor, {{}, {}, std::vector<Index>(axes, 2)}) == 0);
  }
}

TEST_CASE("runs follow the file, are short, and cover a region once") {
  const made::Folder folder;
  const auto path = folder.write("a.npy", made::npy("|u1", "(7, 9000)", std::string(63'000, '\1')));
  const core::Tensor tensor = core::open_tensors(path)->tensors[0];
  core::ViewAxes transposed{1, 0, {0, 0}};
  for (const core::TensorView& view :
       {core::TensorView(tensor), core::TensorView(tensor, transposed)}) {
    const bool down = view.rows() == 9000;
    CHECK(view.runs_down() == down);
    const core::Region region = down ? core::Region{10, 1, 8985, 5} : core::Region{1, 10, 5, 8985};
    double sum = 0;
    Index longest = 0, last = -1;
    bool rising = true;
    view.each_run<double>(region, [&](Index row, Index col, const double* numbers, Index count) {
      for (Index k = 0; k < count; ++k) sum += numbers[k];
      longest = std::max(longest, count);
      const Index place = down ? col * 9000 + row : row * 9000 + col;
      rising = rising && place > last;
      last = place;
    });
    CHECK(sum == 5 * 8985);
    CHECK(longest == core::TensorView::kLongestRun);
    CHECK(rising);
  }
}

TEST_CASE("numbers that lie far apart are read one by one") {
  const made::Folder folder;
  std::string bytes(40 * 10'000, '\0');
  for (std::size_t i = 0; i < 40; ++i) bytes[i * 10'000 + 77] = static_cast<char>(i);
  const auto path = folder.write("a.npy", made::npy("|u1", "(40, 10000)", bytes));
  const core::Tensor tensor = core::open_tensors(path)->tensors[0];
  const core::TensorView column(tensor, {0, std::nullopt, {0, 77}});
  core::VectorD numbers(40);
  column.read({0, 0, 40, 1}, numbers.data());
  CHECK(numbers == core::VectorD::LinSpaced(40, 0, 39));
}

TEST_CASE("axes and regions that there are not") {
  const core::Tensor tensor = *numpy_arrays("stored.npz")->find("fortran");  // 3 by 4 by 5
  const auto view = [&](core::ViewAxes axes) { return core::TensorView(tensor, axes); };
  CHECK_THROWS_AS(view({3, 1, {0, 0, 0}}), core::InputError);
  CHECK_THROWS_AS(view({1, 1, {0, 0, 0}}), core::InputError);
  CHECK_THROWS_AS(view({0, 1, {0, 0}}), core::InputError);
  CHECK_THROWS_AS(view({0, 1, {0, 0, 5}}), core::InputError);
  CHECK_THROWS_AS(view({0, 1, {0, 0, -1}}), core::InputError);
  CHECK(view({0, 1, {99, 99, 4}}).rows() == 3);
  double cell = 0;
  const core::TensorView good(tensor);
  CHECK_THROWS_AS(good.value(4, 0), core::InputError);
  CHECK_THROWS_AS(good.value(0, -1), core::InputError);
  CHECK_THROWS_AS(good.read({0, 0, 5, 5}, &cell), core::InputError);
  CHECK_THROWS_AS(good.read({0, 0, -1, 1}, &cell), core::InputError);
  good.read({4, 5, 0, 0}, &cell);
  CHECK(cell == 0);
}

TEST_CASE("a reading that is cancelled, and one of a file that was changed") {
  const made::Folder folder;
  const auto path =
      folder.write("a.npy", made::npy("|u1", "(1000, 1000)", std::string(1'000'000, '\1')));
  const core::TensorView view(core::open_tensors(path)->tensors[0]);
  core::Matrix all(1000, 1000);
  std::atomic<std::int64_t> questions = 3;
  CHECK_THROWS_AS(view.read({0, 0, 1000, 1000}, all.data(), core::Cancel(questions)),
                  core::Cancelled);
  std::filesystem::resize_file(path, 500'000);
  CHECK_THROWS_AS(view.read({0, 0, 1000, 1000}, all.data()), core::InputError);
  CHECK_THROWS_AS(view.value(0, 0), core::InputError);
}

}  // namespace tensor_view_test
