#include "app/labs/pooling/data.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numeric>

#include "app/words/sentence.h"
#include "core/io/csv.h"
#include "core/random.h"
#include "core/text/printable.h"

namespace lab::pooling {
namespace {

// Keys and noise have streams of their own: other noise leaves the keys alone.
Data generate(const Parameters& p) {
  core::Random keys(core::stream_seed(static_cast<std::uint64_t>(p.seed), 1));
  core::Random noise(core::stream_seed(static_cast<std::uint64_t>(p.seed), 2));
  Data data;
  data.known = true;
  data.x.resize(p.n);
  data.y.resize(p.n);
  for (double& x : data.x) x = kSpan * keys.uniform();
  std::sort(data.x.begin(), data.x.end());
  for (Index i = 0; i < p.n; ++i) data.y(i) = truth(data.x(i)) + p.noise * noise.gaussian();
  return data;
}

// Sorts pairs by x; where[k] becomes the place of the k-th of the sorted among the given.
std::vector<Index> sort_pairs(VectorD& x, VectorD& y) {
  std::vector<Index> order(static_cast<std::size_t>(x.size()));
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return x(a) < x(b); });
  x = VectorD(x(order));
  y = VectorD(y(order));
  return order;
}

Data click(const param::PointList& points) {
  Data data;
  data.x.resize(static_cast<Index>(points.size()));
  data.y.resize(data.x.size());
  for (std::size_t k = 0; k < points.size(); ++k) {
    data.x(static_cast<Index>(k)) = points[k][0];
    data.y(static_cast<Index>(k)) = points[k][1];
  }
  data.clicked = sort_pairs(data.x, data.y);
  return data;
}

// The span of queries: all keys, and something where these are all one.
void set_span(Data& data) {
  data.lo = data.x(0);
  data.hi = data.x(data.size() - 1);
  const double room = std::max(0.5, 1e-6 * std::abs(data.lo));
  if (!(data.hi - data.lo > 1e-9 * room)) data.lo -= room, data.hi += room;
}

Data read(const std::string& path, const core::Cancel& cancel) {
  constexpr double kLargest = 1e100;  // squares of differences stay finite
  core::NumberPairs pairs =
      core::read_number_pairs(std::filesystem::path(path), {.rows = kMostRows}, cancel);
  Data data;
  data.x = std::move(pairs.x);
  data.y = std::move(pairs.y);
  data.x_name = std::move(pairs.x_name);
  data.y_name = std::move(pairs.y_name);
  data.header = pairs.header;
  data.decimal_comma = pairs.decimal_comma;
  const double largest = std::max(data.x.cwiseAbs().maxCoeff(), data.y.cwiseAbs().maxCoeff());
  if (largest > kLargest) {
    words::refuse<core::InputError>(N_("{}: expected numbers from -1e100 to 1e100, got {}"),
                                    core::printable(path, 400), largest);
  }
  sort_pairs(data.x, data.y);
  set_span(data);
  return data;
}

}  // namespace

double truth(double x) { return 2 * std::sin(x) + std::pow(x, 0.8); }

std::string data_key(const Parameters& p) {
  if (p.generated()) return fmt::format("generated {} {} {}", p.n, p.noise, p.seed);
  if (p.clicked()) return "points " + param::print(p.points);
  // A file that was written anew is read anew.
  std::error_code error;
  const std::filesystem::path path(p.file);
  const auto time = std::filesystem::last_write_time(path, error).time_since_epoch().count();
  const auto size = std::filesystem::file_size(path, error);
  return fmt::format("file {} {} {}", time, error ? 0 : size, p.file);
}

std::shared_ptr<const Data> data_of(const Parameters& p, const Context& context) {
  return context.memo.get("data", data_key(p), [&] {
    return p.generated() ? generate(p)
           : p.clicked() ? click(p.points)
                         : read(p.file, context.cancel);
  });
}

}  // namespace lab::pooling
