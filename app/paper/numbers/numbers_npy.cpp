#include <fmt/format.h>
#include <zlib.h>

#include <bit>

#include "app/paper/file/selection.h"
#include "app/paper/numbers/arrays.h"
#include "app/paper/numbers/number_formats.h"
#include "app/paper/numbers/numbers.h"
#include "app/words/sentence.h"

namespace paper {
namespace {

using core::Index;
using figure::Heatmap;
using figure::Plot;

static_assert(std::endian::native == std::endian::little, "'<f4' is written as it lies in memory");

// One array: cells that are read as they are written, or values.
struct Array {
  std::string plot;
  const char* kind;
  std::vector<Index> shape;
  const figure::TileSource* source = nullptr;
  std::vector<double> values = {};
};

using Arrays = std::vector<Array>;
using Series = std::vector<const std::vector<double>*>;

// [k, parts, n] of as many equally long series each; empty when they are not equally long.
Array joined(const Plot& plot, const char* kind, const std::vector<Series>& all) {
  Array array{plot.id, kind, {}, nullptr, {}};
  const std::size_t length = all.front().front()->size();
  for (const Series& one : all) {
    for (const auto* part : one) {
      if (part->size() != length) return {plot.id, kind, {}, nullptr, {}};
      array.values.insert(array.values.end(), part->begin(), part->end());
    }
  }
  array.shape = {static_cast<Index>(all.size()), static_cast<Index>(all.front().size()),
                 static_cast<Index>(length)};
  return array;
}

// What of a plot is an array; every kind of mark says so.
struct Found {
  const Plot& plot;
  Arrays maps = {}, bars = {}, others = {};
  std::vector<Series> lines = {}, points = {}, bands = {};

  void operator()(const Heatmap& map) {
    if (!map.source) return;
    maps.push_back(
        {plot.id, "heatmap", {map.source->rows(), map.source->cols()}, map.source.get(), {}});
  }
  void operator()(const figure::Bars& some) {
    Array array{plot.id, "bars", {static_cast<Index>(some.values.size())}, nullptr, {}};
    array.values.assign(some.values.begin(), some.values.end());
    bars.push_back(std::move(array));
  }
  void operator()(const figure::Line& line) { lines.push_back({&line.x, &line.y}); }
  void operator()(const figure::Points& some) { points.push_back({&some.x, &some.y}); }
  void operator()(const figure::Band& band) { bands.push_back({&band.x, &band.lo, &band.hi}); }
  void operator()(const figure::Links& links) {
    Array array{plot.id, "links", {static_cast<Index>(links.links.size()), 3}, nullptr, {}};
    for (const figure::Links::Link& link : links.links) {
      for (const double v : {static_cast<double>(link.from), static_cast<double>(link.to),
                             static_cast<double>(link.weight)})
        array.values.push_back(v);
    }
    others.push_back(std::move(array));
  }
  void operator()(const figure::Arrows& arrows) {
    Array array{plot.id, "arrows", {static_cast<Index>(arrows.arrows.size()), 4}, nullptr, {}};
    for (const figure::Arrows::Arrow& a : arrows.arrows)
      array.values.insert(array.values.end(), {a.x0, a.y0, a.x1, a.y1});
    others.push_back(std::move(array));
  }
  void operator()(const figure::Diagram& diagram) {
    // A row of numbers for each box that has any, in the order of the file with names.
    Array numbers{plot.id, "boxes", {0, 0}, nullptr, {}};
    for (const auto& node : diagram.nodes) {
      if (node.numbers.empty()) continue;
      ++numbers.shape[0];
      numbers.shape[1] = static_cast<Index>(node.numbers.size());
      for (const auto& [name, value] : node.numbers) numbers.values.push_back(value);
    }
    if (!numbers.values.empty()) others.push_back(std::move(numbers));
    for (const auto& node : diagram.nodes) {
      if (!node.picture) continue;
      others.push_back({plot.id,
                        "picture",
                        {node.picture->rows(), node.picture->cols()},
                        node.picture.get(),
                        {}});
    }
  }
  void operator()(const figure::Rule&) {}
  void operator()(const figure::Note&) {}
  void operator()(const figure::Handle&) {}
  void operator()(const figure::Table&) {}
  void operator()(const figure::Interval&) {}
  void operator()(const figure::Boxes&) {}
};

Found found_in(const Plot& plot) {
  Found found{plot};
  for (const figure::Mark& mark : plot.marks) std::visit(found, mark);
  return found;
}

// What a plot shows: its heatmaps; else its bars; else its lines and points; else the others.
Arrays main_arrays(const Plot& plot) {
  Found found = found_in(plot);
  if (!found.maps.empty()) return found.maps;
  if (!found.bars.empty()) return found.bars;
  std::vector<Series> curves = found.lines;
  curves.insert(curves.end(), found.points.begin(), found.points.end());
  if (curves.empty()) curves = found.bands;
  if (curves.empty()) return found.others;
  Array array = joined(plot, "lines", curves);
  if (array.shape.empty()) {
    words::refuse<core::InputError>(N_("the lines of \"{}\" differ in length and do not form an "
                                       "array: export them as .npz or .json"),
                                    plot.id);
  }
  return {std::move(array)};
}

// All of a plot, for an archive; series of several lengths are arrays of their own.
Arrays all_arrays(const Plot& plot) {
  Found found = found_in(plot);
  Arrays all = std::move(found.maps);
  const auto add = [&](Arrays& more) { all.insert(all.end(), more.begin(), more.end()); };
  add(found.bars);
  const auto add_series = [&](const char* kind, const std::vector<Series>& series) {
    if (series.empty()) return;
    if (Array together = joined(plot, kind, series); !together.shape.empty()) {
      return all.push_back(std::move(together));
    }
    for (const Series& one : series) {
      Array array = joined(plot, kind, {one});
      if (!array.shape.empty()) array.shape.erase(array.shape.begin());
      if (!array.shape.empty()) all.push_back(std::move(array));
    }
  };
  add_series("lines", found.lines);
  add_series("points", found.points);
  add_series("bands", found.bands);
  add(found.others);
  return all;
}

struct Entry {
  std::string name;
  Array array;
};

// The arrays of an archive with their names: the plot's id, where it has several with what they
// are, and their number among those.
std::vector<Entry> entries_of(const std::vector<figure::Figure>& figures) {
  std::vector<Entry> entries;
  for (const figure::Figure& figure : figures) {
    for (const Plot& plot : figure.plots) {
      Arrays arrays = all_arrays(plot);
      for (std::size_t k = 0; k < arrays.size(); ++k) {
        const auto alike = [&](const Array& a) {
          return std::string_view(a.kind) == arrays[k].kind;
        };
        const auto end = arrays.begin() + static_cast<std::ptrdiff_t>(k);
        const auto before = std::count_if(arrays.begin(), end, alike);
        const auto same = std::count_if(arrays.begin(), arrays.end(), alike);
        std::string name = plot.id;
        if (arrays.size() > 1) name += std::string(".") + arrays[k].kind;
        if (same > 1) name += fmt::format("_{}", before + 1);
        entries.push_back({std::move(name), arrays[k]});
      }
    }
  }
  return entries;
}

// The arrays that go into the file, one behind the other: one, or heatmaps of one shape that are
// the plots of one figure.
Arrays chosen(const std::vector<figure::Figure>& figures) {
  Arrays all;
  std::vector<std::string> ids;
  bool stack = figures.size() == 1;
  for (const figure::Figure& figure : figures) {
    for (const Plot& plot : figure.plots) {
      const Arrays arrays = main_arrays(plot);
      stack = stack && arrays.size() == 1 && arrays[0].source &&
              (all.empty() || arrays[0].shape == all[0].shape);
      all.insert(all.end(), arrays.begin(), arrays.end());
      if (!arrays.empty()) ids.push_back(plot.id);
    }
    if (figures.size() > 1) ids.push_back(figure.id);
  }
  if (all.size() == 1 || (stack && !all.empty())) return all;
  if (all.empty()) words::refuse<core::InputError>(N_("there is no array in these figures"));
  words::refuse<core::InputError>(
      N_("an .npy file holds one array, and these figures have {}: export them as .npz, or choose "
         "one figure or plot of {}"),
      all.size(), words::listed(ids));
}

// Version 1.0: the header's length is a multiple of 64, so that the data is aligned.
std::string header(const std::vector<Index>& shape) {
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

std::string_view bytes_of(std::span<const float> values) {
  return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}

void write_array(const Array& array, NumbersSink& file) {
  if (!array.source) {
    return file.write(bytes_of(std::vector<float>(array.values.begin(), array.values.end())));
  }
  each_row(*array.source, file,
           [&](Index, std::span<const float> row) { file.write(bytes_of(row)); });
}

// A zip archive of stored files (APPNOTE 6.3): how long one is and its checksum stand behind it,
// since they are known only then.
class Zip final : public NumbersSink {
 public:
  explicit Zip(NumbersSink& file) : file_(file) {}

  void begin(std::string name) {
    files_.push_back({std::move(name), written_, 0, 0});
    std::string head;
    add(head, 0x04034b50, 4);
    common(head, files_.back(), true);
    add(head, files_.back().name.size(), 2);
    add(head, 0, 2);
    put(head + files_.back().name);
  }
  void write(std::string_view bytes) override {
    Stored& now = files_.back();
    const auto* data = reinterpret_cast<const Bytef*>(bytes.data());
    now.sum = static_cast<std::uint32_t>(crc32_z(now.sum, data, bytes.size()));
    now.size += bytes.size();
    put(bytes);
  }
  void end() {
    std::string after;
    add(after, 0x08074b50, 4);
    sizes(after, files_.back());
    put(after);
  }
  void finish() {
    const std::uint64_t directory = written_;
    for (const Stored& one : files_) {
      std::string entry;
      add(entry, 0x02014b50, 4);
      add(entry, 20, 2);
      common(entry, one, false);
      add(entry, one.name.size(), 2);
      add(entry, 0, 2 + 2 + 2 + 2);  // no more fields, no comment, first disk, binary
      add(entry, 0, 4);
      add(entry, one.at, 4);
      put(entry + one.name);
    }
    std::string end;
    const std::uint64_t length = written_ - directory;
    add(end, 0x06054b50, 4);
    add(end, 0, 4);
    add(end, files_.size(), 2);
    add(end, files_.size(), 2);
    add(end, length, 4);
    add(end, directory, 4);
    add(end, 0, 2);
    put(end);
  }
  const core::Cancel& cancel() const override { return file_.cancel(); }
  void wrote_cells(Index count) override { file_.wrote_cells(count); }

 private:
  struct Stored {
    std::string name;
    std::uint64_t at;
    std::uint32_t sum;
    std::uint64_t size;
  };
  // Little-endian.
  static void add(std::string& to, std::uint64_t value, int bytes) {
    for (int k = 0; k < bytes; ++k) {
      to += static_cast<char>(k < 8 ? value >> (8 * k) & 255 : 0);
    }
  }
  static void sizes(std::string& to, const Stored& one) {
    add(to, one.sum, 4);
    add(to, one.size, 4);
    add(to, one.size, 4);
  }
  // Version needed, flags, method, time, date (1 January 1980: the same bytes every time), sizes.
  static void common(std::string& to, const Stored& one, bool unknown) {
    constexpr unsigned kSizesFollow = 8, kUtf8 = 0x800, kFirstDay = 0x21;
    add(to, 20, 2);
    add(to, kSizesFollow | kUtf8, 2);
    add(to, 0, 2);
    add(to, 0, 2);
    add(to, kFirstDay, 2);
    unknown ? add(to, 0, 12) : sizes(to, one);
  }
  void put(std::string_view bytes) {
    file_.write(bytes);
    written_ += bytes.size();
  }

  NumbersSink& file_;
  std::vector<Stored> files_;
  std::uint64_t written_ = 0;
};

// All of an array, in memory.
std::vector<double> values_of(const Array& array, NumbersText& progress) {
  if (!array.source) return array.values;
  std::vector<double> values;
  each_row(*array.source, progress, [&](Index, std::span<const float> row) {
    values.insert(values.end(), row.begin(), row.end());
  });
  return values;
}

}  // namespace

std::vector<NamedArray> named_arrays(const lab::Page& page,
                                     const std::vector<std::string>& figure_ids,
                                     const core::Cancel& cancel) {
  NumbersText progress(cancel);
  std::vector<NamedArray> named;
  double cells = 0;
  const std::vector<figure::Figure> figures = select(page, figure_ids);
  for (const auto& [name, array] : entries_of(figures)) {
    double size = 1;
    for (const Index n : array.shape) size *= static_cast<double>(n);
    cells += size;
    if (cells > static_cast<double>(kMostTextCells)) {
      words::refuse<core::InputError>(N_("\"{}\" brings the numbers to more than the limit of {}: "
                                         "choose a figure, or export it as .npz"),
                                      name, kMostTextCells);
    }
    named.push_back({name, array.shape, values_of(array, progress)});
  }
  return named;
}

void check_npy(const std::vector<figure::Figure>& figures) { chosen(figures); }

void check_npz(const std::vector<figure::Figure>& figures) {
  if (!entries_of(figures).empty()) return;
  words::refuse<core::InputError>(N_("there is no array in these figures"));
}

void write_npy(const std::vector<figure::Figure>& figures, NumbersSink& file) {
  const Arrays arrays = chosen(figures);
  std::vector<Index> shape = arrays[0].shape;
  if (arrays.size() > 1) shape.insert(shape.begin(), static_cast<Index>(arrays.size()));
  file.write(header(std::move(shape)));
  for (const Array& array : arrays) write_array(array, file);
}

void write_npz(const std::vector<figure::Figure>& figures, NumbersSink& file) {
  Zip zip(file);
  for (const auto& [name, array] : entries_of(figures)) {
    zip.begin(name + ".npy");
    zip.write(header(array.shape));
    write_array(array, zip);
    zip.end();
  }
  zip.finish();
}

}  // namespace paper
