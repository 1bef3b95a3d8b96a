#include "core/cost/power_fit.h"

#include <cmath>
#include <string>
#include <vector>

#include "core/refuse.h"

namespace core {
namespace {

std::vector<double> logarithms(std::span<const double> values) {
  std::vector<double> logs;
  for (const double value : values) {
    if (!(value > 0) || !std::isfinite(value)) {
      refuse("power fit", "positive, finite numbers", std::to_string(value));
    }
    logs.push_back(std::log(value));
  }
  return logs;
}

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

}  // namespace

double PowerFit::at(double x) const { return factor * std::pow(x, exponent); }

std::optional<PowerFit> fit_power(std::span<const double> x, std::span<const double> y) {
  if (x.size() != y.size()) {
    refuse("power fit", "as many y as x",
           std::to_string(x.size()) + " and " + std::to_string(y.size()));
  }
  const std::vector<double> u = logarithms(x), v = logarithms(y);
  PowerFit fit;
  fit.count = static_cast<Index>(u.size());
  if (u.size() < 2) return std::nullopt;
  fit.mean_x = mean(u);
  fit.mean_y = mean(v);
  for (std::size_t k = 0; k < u.size(); ++k) {
    fit.sxx += (u[k] - fit.mean_x) * (u[k] - fit.mean_x);
    fit.sxy += (u[k] - fit.mean_x) * (v[k] - fit.mean_y);
  }
  if (!(fit.sxx > 0)) return std::nullopt;
  fit.exponent = fit.sxy / fit.sxx;
  fit.factor = std::exp(fit.mean_y - fit.exponent * fit.mean_x);
  if (u.size() == 2) return fit;
  double residuals = 0;
  for (std::size_t k = 0; k < u.size(); ++k) {
    const double off = v[k] - fit.mean_y - fit.exponent * (u[k] - fit.mean_x);
    residuals += off * off;
  }
  fit.error = std::sqrt(residuals / static_cast<double>(u.size() - 2) / fit.sxx);
  return fit;
}

}  // namespace core
