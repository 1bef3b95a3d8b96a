// What the tests of this box share: small pages, pixels of a PNG.
#pragma once

#include <png.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "app/figure/drawing.h"
#include "app/labs/lab.h"
#include "core/tile.h"
#include "folder.h"

namespace test {

// A source of given floats with plain pooling of its own: the largest magnitude of a block.
class PlainSource final : public figure::TileSource {
 public:
  PlainSource(core::Index rows, core::Index cols, std::vector<float> values)
      : rows_(rows), cols_(cols), values_(std::move(values)) {}
  core::Index rows() const override { return rows_; }
  core::Index cols() const override { return cols_; }
  float value(core::Index row, core::Index col) const override {
    return values_[static_cast<std::size_t>(row * cols_ + col)];
  }
  void pooled(int level, const core::Region& region, core::Pool, float* out,
              const core::Cancel&) const override {
    for (core::Index r = 0; r < region.rows; ++r) {
      for (core::Index c = 0; c < region.cols; ++c) {
        *out++ = block((region.row + r) << level, (region.col + c) << level, level);
      }
    }
  }
  double cost(int, const core::Region&, core::Pool) const override { return 0; }

 private:
  float block(core::Index row, core::Index col, int level) const {
    const core::Index side = core::Index{1} << level;
    float most = core::kMasked;
    for (core::Index r = row; r < std::min(row + side, rows_); ++r) {
      for (core::Index c = col; c < std::min(col + side, cols_); ++c) {
        const float v = value(r, c);
        if (core::is_masked(v)) continue;
        if (core::is_masked(most) || std::abs(v) > std::abs(most)) most = v;
      }
    }
    return most;
  }

  core::Index rows_, cols_;
  std::vector<float> values_;
};

inline std::shared_ptr<PlainSource> ramp(core::Index rows, core::Index cols) {
  std::vector<float> values;
  for (core::Index k = 0; k < rows * cols; ++k) {
    values.push_back(static_cast<float>(k) / static_cast<float>(rows * cols));
  }
  return std::make_shared<PlainSource>(rows, cols, std::move(values));
}

inline figure::Plot heatmap_plot(const std::string& id,
                                 std::shared_ptr<const figure::TileSource> source) {
  figure::Plot plot;
  plot.id = id;
  plot.title = "weights";
  plot.x.cells = plot.y.cells = true;
  plot.x.hi = static_cast<double>(source->cols());
  plot.y.hi = static_cast<double>(source->rows());
  figure::Heatmap map;
  map.source = std::move(source);
  plot.marks.emplace_back(std::move(map));
  return plot;
}

inline lab::Page heatmap_page() {
  lab::Page page;
  figure::Figure figure;
  figure.id = "steps";
  figure.title = "Step by step";
  figure.caption = "Rows are queries, 列是键。";
  figure.plots.push_back(heatmap_plot("scores", ramp(4, 6)));
  figure.plots.push_back(heatmap_plot("weights", ramp(4, 6)));
  page.figures.push_back(figure);
  return page;
}

struct Picture {
  int width = 0, height = 0;
  std::vector<unsigned char> rgb;
  figure::Rgba at(int x, int y) const {
    const std::size_t k = (static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                           static_cast<std::size_t>(x)) *
                          3;
    return {rgb[k], rgb[k + 1], rgb[k + 2], 255};
  }
};

inline Picture decode_png(const std::string& bytes) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  if (!png_image_begin_read_from_memory(&image, bytes.data(), bytes.size())) {
    throw std::runtime_error(image.message);
  }
  image.format = PNG_FORMAT_RGB;
  Picture picture{static_cast<int>(image.width), static_cast<int>(image.height), {}};
  picture.rgb.resize(PNG_IMAGE_SIZE(image));
  if (!png_image_finish_read(&image, nullptr, picture.rgb.data(), 0, nullptr)) {
    throw std::runtime_error(image.message);
  }
  return picture;
}

}  // namespace test
