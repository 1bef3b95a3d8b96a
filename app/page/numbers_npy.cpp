#include <fmt/format.h>
#include <fmt/ranges.h>

#include <bit>

#include "app/page/number_formats.h"
#include "app/words/sentence.h"

namespace page {
namespace {

using core::Index;
using figure::Heatmap;
using figure::Plot;

static_assert(std::endian::native == std::endian::little, "'<f4' is written as it lies in memory");

// One thing that could become the array.
struct Array {
  std::string plot;
  std::vector<Index> shape;
  const Heatmap* map = nullptr;
  const figure::Bars* bars = nullptr;
  std::vector<std::pair<const std::vector<double>*, const std::vector<double>*>> curves = {};
};

using Arrays = std::vector<Array>;

// What of a plot could become an array; every kind of mark says so.
struct Found {
  const Plot& plot;
  Arrays maps = {}, bars = {};
  Array curves = {};

  void operator()(const Heatmap& map) {
    if (!map.source) return;
    maps.push_back({plot.id, {map.source->rows(), map.source->cols()}, &map});
  }
  void operator()(const figure::Bars& some) {
    bars.push_back({plot.id, {static_cast<Index>(some.values.size())}, nullptr, &some});
  }
  void operator()(const figure::Line& line) { curves.curves.emplace_back(&line.x, &line.y); }
  void operator()(const figure::Points& points) {
    curves.curves.emplace_back(&points.x, &points.y);
  }
  void operator()(const figure::Band&) {}
  void operator()(const figure::Rule&) {}
  void operator()(const figure::Note&) {}
  void operator()(const figure::Links&) {}
  void operator()(const figure::Arrows&) {}
  void operator()(const figure::Handle&) {}
  void operator()(const figure::Table&) {}
  void operator()(const figure::Interval&) {}
  void operator()(const figure::Boxes&) {}
  void operator()(const figure::Diagram&) {}  // pictures of many shapes
};

// Lines, or points, of one plot together: [k, 2, n] when all are equally long.
Arrays together(const Plot& plot, Array array) {
  if (array.curves.empty()) return {};
  array.plot = plot.id;
  const std::size_t length = array.curves.front().first->size();
  for (const auto& [x, y] : array.curves) {
    if (x->size() == length && y->size() == length) continue;
    words::refuse<core::InputError>(
        N_("the lines of \"{}\" are not equally long, so that they are no array: export them as "
           ".json"),
        plot.id);
  }
  array.shape = {static_cast<Index>(array.curves.size()), 2, static_cast<Index>(length)};
  return {std::move(array)};
}

// What a plot shows: its heatmaps; else its bars; else its lines and points.
Arrays arrays_of(const Plot& plot) {
  Found found{plot};
  for (const figure::Mark& mark : plot.marks) std::visit(found, mark);
  if (!found.maps.empty()) return found.maps;
  if (!found.bars.empty()) return found.bars;
  return together(plot, std::move(found.curves));
}

// The arrays that go into the file, one behind the other: one, or heatmaps of one shape that are
// the plots of one figure.
Arrays chosen(const std::vector<figure::Figure>& figures) {
  Arrays all;
  std::vector<std::string> ids;
  bool stack = figures.size() == 1;
  for (const figure::Figure& figure : figures) {
    for (const Plot& plot : figure.plots) {
      const Arrays arrays = arrays_of(plot);
      stack = stack && arrays.size() == 1 && arrays[0].map &&
              (all.empty() || arrays[0].shape == all[0].shape);
      all.insert(all.end(), arrays.begin(), arrays.end());
      if (!arrays.empty()) ids.push_back(plot.id);
    }
    if (figures.size() > 1) ids.push_back(figure.id);
  }
  if (all.size() == 1 || (stack && !all.empty())) return all;
  if (all.empty()) words::refuse<core::InputError>(N_("there is no array in these figures"));
  words::refuse<core::InputError>(N_("an .npy file holds one array, and these figures have {}: "
                                     "choose one figure or plot of {}"),
                                  all.size(), fmt::format("{}", fmt::join(ids, ", ")));
}

// Version 1.0: the header's length is a multiple of 64, so that the data is aligned.
std::string header(const Arrays& arrays) {
  std::vector<Index> shape = arrays[0].shape;
  if (arrays.size() > 1) shape.insert(shape.begin(), static_cast<Index>(arrays.size()));
  std::string tuple;
  for (const Index n : shape) tuple += fmt::format("{}, ", n);
  if (shape.size() > 1) tuple.resize(tuple.size() - 2);
  if (shape.size() == 1) tuple.pop_back();
  std::string text =
      fmt::format("{{'descr': '<f4', 'fortran_order': False, 'shape': ({}), }}", tuple);
  constexpr std::size_t kBefore = 10;
  text.append(63 - (kBefore + text.size()) % 64, ' ');
  text += '\n';
  std::string out("\x93NUMPY\x01\x00", 8);
  out += static_cast<char>(text.size() & 255);
  out += static_cast<char>(text.size() >> 8);
  return out + text;
}

void write_floats(std::span<const float> values, NumbersFile& file) {
  file.write({reinterpret_cast<const char*>(values.data()), values.size_bytes()});
}

void write_doubles(const std::vector<double>& values, NumbersFile& file) {
  const std::vector<float> narrow(values.begin(), values.end());
  write_floats(narrow, file);
}

void write_array(const Array& array, NumbersFile& file) {
  if (array.map) {
    each_row(*array.map->source, file,
             [&](Index, std::span<const float> row) { write_floats(row, file); });
  }
  if (array.bars) write_doubles(array.bars->values, file);
  for (const auto& [x, y] : array.curves) {
    write_doubles(*x, file);
    write_doubles(*y, file);
  }
}

}  // namespace

void check_npy(const std::vector<figure::Figure>& figures) { chosen(figures); }

void write_npy(const std::vector<figure::Figure>& figures, NumbersFile& file) {
  const Arrays arrays = chosen(figures);
  file.write(header(arrays));
  for (const Array& array : arrays) write_array(array, file);
}

}  // namespace page
