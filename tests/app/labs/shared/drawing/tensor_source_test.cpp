#include "app/labs/shared/drawing/tensor_source.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "core/io/tensor/tensor_file.h"
#include "folder.h"

namespace tensor_source_test {

namespace {

using core::Index;
using figure::Pool;
using figure::Region;

// A matrix in a file of its own, of either order.
class SavedMatrix {
 public:
  SavedMatrix(const core::Matrix& matrix, bool fortran) {
    const std::string dictionary = std::string("{'descr': '<f4', 'fortran_order': ") +
                                   (fortran ? "True" : "False") + ", 'shape': (" +
                                   std::to_string(matrix.rows()) + ", " +
                                   std::to_string(matrix.cols()) + ")}";
    const core::Matrix stored = fortran ? core::Matrix(matrix.transpose()) : matrix;
    const char size[] = {static_cast<char>(dictionary.size()), 0};
    std::ofstream out(path_, std::ios::binary);
    out << "\x93NUMPY\x01" << '\0';
    out.write(size, 2);
    out << dictionary;
    out.write(reinterpret_cast<const char*>(stored.data()), stored.size() * 4);
  }

  core::Tensor tensor() const { return core::open_tensors(path_)->tensors[0]; }
  const std::filesystem::path& path() const { return path_; }

 private:
  test::Folder folder_;
  std::filesystem::path path_ = folder_ / "matrix.npy";
};

core::Matrix noise(Index rows, Index cols) {
  std::mt19937 random(3);
  std::normal_distribution<float> normal;
  return core::Matrix::NullaryExpr(rows, cols, [&] { return normal(random); });
}

std::vector<float> pooled(const figure::TileSource& source, int level, const Region& region,
                          Pool pool) {
  std::vector<float> cells(static_cast<std::size_t>(region.rows * region.cols), 9e9f);
  source.pooled(level, region, pool, cells.data(), {});
  return cells;
}

// Cells that are not those of the same matrix in memory. Means are summed in another order and may
// differ in their last digit.
int differing(const figure::TileSource& source, const figure::DenseSource& dense) {
  int wrong = 0;
  for (const int level : {0, 1, 3, 5, 9}) {
    const Index rows = figure::pooled_size(dense.rows(), level);
    const Index cols = figure::pooled_size(dense.cols(), level);
    for (const Region& region :
         {Region{0, 0, rows, cols}, Region{rows / 3, cols / 2, rows - rows / 3, cols - cols / 2}}) {
      for (const Pool pool : {Pool::max, Pool::mean}) {
        const auto got = pooled(source, level, region, pool);
        const auto want = pooled(dense, level, region, pool);
        for (std::size_t k = 0; k < got.size(); ++k) {
          const float allowed = pool == Pool::mean ? 2e-7f * (1 + std::abs(want[k])) : 0;
          const bool same = std::isnan(want[k])
                                ? std::memcmp(&got[k], &want[k], 4) == 0
                                : got[k] == want[k] || std::abs(got[k] - want[k]) <= allowed;
          wrong += !same;
        }
      }
    }
  }
  return wrong;
}

}  // namespace

TEST_CASE("a tensor of a file is drawn as the same matrix in memory is, either way round") {
  core::Matrix matrix = noise(70, 130);
  matrix(3, 4) = std::numeric_limits<float>::quiet_NaN();
  matrix(9, 100) = std::numeric_limits<float>::infinity();
  matrix.block(32, 32, 16, 16).setConstant(core::kMasked);
  for (const bool fortran : {false, true}) {
    const SavedMatrix saved(matrix, fortran);
    const auto source = lab::tensor_source(core::TensorView(saved.tensor()));
    CHECK(source->rows() == 70);
    CHECK(source->cols() == 130);
    CHECK(source->value(69, 129) == matrix(69, 129));
    CHECK(differing(*source, figure::DenseSource(matrix)) == 0);
    const auto transposed = lab::tensor_source(core::TensorView(saved.tensor(), {1, 0, {0, 0}}));
    CHECK(transposed->rows() == 130);
    CHECK(differing(*transposed, figure::DenseSource(core::Matrix(matrix.transpose()))) == 0);
  }
}

TEST_CASE("a long table is pooled over rows without pooling over columns") {
  core::Matrix matrix = noise(4096, 8);
  const SavedMatrix saved(matrix, false);
  const auto source = lab::tensor_source(core::TensorView(saved.tensor()));
  const auto wide = source->repeated(0, 6);  // each column 64 times
  REQUIRE(wide != nullptr);
  const auto cells = pooled(*wide, 6, {0, 0, 64, 8}, Pool::max);
  int wrong = 0;
  for (Index i = 0; i < 64; ++i) {
    for (Index j = 0; j < 8; ++j) {
      const float largest = matrix.col(j).segment(i * 64, 64).cwiseAbs().maxCoeff();
      wrong += std::abs(cells[static_cast<std::size_t>(i * 8 + j)]) != largest;
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("whatever reads much of a file is left to a worker and can be cancelled") {
  const SavedMatrix saved(noise(600, 700), false);
  const auto source = lab::tensor_source(core::TensorView(saved.tensor()));
  CHECK(source->cost(0, {0, 0, 600, 700}, Pool::max) > source->cost(0, {0, 0, 2, 2}, Pool::max));
  CHECK(source->cost(4, {0, 0, 38, 44}, Pool::max) >= 600 * 700);
  std::vector<float> cells(600 * 700);
  std::atomic<std::int64_t> questions = 2;
  CHECK_THROWS_AS(
      source->pooled(0, {0, 0, 600, 700}, Pool::max, cells.data(), core::Cancel(questions)),
      core::Cancelled);
}

TEST_CASE("a file that was changed is no longer drawn") {
  const SavedMatrix saved(noise(60, 70), false);
  const auto source = lab::tensor_source(core::TensorView(saved.tensor()));
  std::filesystem::resize_file(saved.path(), 100);
  float cell = 0;
  CHECK_THROWS_AS(source->value(0, 0), core::InputError);
  CHECK_THROWS_AS(source->pooled(0, {0, 0, 1, 1}, Pool::max, &cell, {}), core::InputError);
}

}  // namespace tensor_source_test
