// The points that the lab pools: generated, clicked, or read from a file.
#include "app/labs/pooling/model.h"

#include <filesystem>

#include "app/labs/shared/parts.h"
#include "core/io/csv.h"
#include "core/random.h"
#include "core/text/printable.h"

namespace lab::pooling {
namespace {

// What the points depend on: those knobs that their source looks at, and of a file what tells that
// it was written anew.
struct Origin {
  int n = 0;
  double noise = 0;
  int seed = 0;
  param::PointList points = {};
  std::string file = {};
  std::uintmax_t size = 0;
  std::filesystem::file_time_type::rep time = 0;
  bool operator==(const Origin&) const = default;
};

Origin origin_of(const Parameters& p) {
  if (p.generated()) return {.n = p.n, .noise = p.noise, .seed = p.seed};
  if (p.clicked()) return {.points = p.points};
  std::error_code error;
  const std::filesystem::path path(p.file);
  const auto time = std::filesystem::last_write_time(path, error).time_since_epoch().count();
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  return {.file = p.file, .size = error ? 0 : size, .time = time};
}

// Keys and noise have streams of their own: other noise leaves the keys alone.
Data generate(const Origin& from) {
  core::Random keys(core::stream_seed(static_cast<std::uint64_t>(from.seed), 1));
  core::Random noise(core::stream_seed(static_cast<std::uint64_t>(from.seed), 2));
  Data data;
  data.known = true;
  data.x.resize(from.n);
  data.y.resize(from.n);
  for (double& x : data.x) x = kSpan * keys.uniform();
  std::sort(data.x.begin(), data.x.end());
  for (Index i = 0; i < from.n; ++i) {
    data.y(i) = truth(data.x(i)) + from.noise * noise.gaussian();
  }
  return data;
}

// Sorts pairs by x; where[k] becomes the place of the k-th of the sorted among the given.
std::vector<Index> sort_pairs(VectorD& x, VectorD& y) {
  std::vector<Index> order(to_size(x.size()));
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
  for (Index k = 0; k < data.size(); ++k) {
    data.x(k) = points[to_size(k)][0];
    data.y(k) = points[to_size(k)][1];
  }
  data.clicked = sort_pairs(data.x, data.y);
  return data;
}

// The span of queries: all keys, and something where these are all one.
void set_span(Data& data) {
  data.lo = data.x(0);
  data.hi = data.x(data.size() - 1);
  data.closed = true;
  const double room = std::max(0.5, 1e-6 * std::abs(data.lo));
  if (!(data.hi - data.lo > 1e-9 * room)) data.lo -= room, data.hi += room;
}

Data read(const std::string& file, const core::Cancel& cancel) {
  constexpr double kLargest = 1e100;  // squares of differences stay finite
  core::NumberPairs pairs =
      core::read_number_pairs(std::filesystem::path(file), {.rows = kMostRows}, cancel);
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
                                    core::printable(file, 400), largest);
  }
  sort_pairs(data.x, data.y);
  set_span(data);
  return data;
}

Data load(const Origin& from, const Run& run) {
  return from.n > 0          ? generate(from)
         : from.file.empty() ? click(from.points)
                             : read(from.file, run.cancel);
}

}  // namespace

double truth(double x) { return 2 * std::sin(x) + std::pow(x, 0.8); }

DataPointer data_of(const Parameters& p, const Context& context) {
  return context.stage("data", load, origin_of(p));
}

}  // namespace lab::pooling
