// The points that the lab pools: generated, clicked, or read from a file.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/labs/lab.h"
#include "app/labs/pooling/parameters.h"

namespace lab::pooling {

using core::Index;
using core::VectorD;

struct Data {
  VectorD x, y;                // in rising order of x
  std::vector<Index> clicked;  // of clicked points, where each stands in the order of clicking
  std::string x_name, y_name;  // of a file's header
  bool header = false, decimal_comma = false;  // how the file was read
  double lo = 0, hi = kSpan;                   // the span of queries
  bool known = false;                          // y is truth() and noise

  Index size() const { return x.size(); }
};

// 2 sin x + x^0.8, x >= 0.
double truth(double x);

// The stage "data". Throws core::InputError, which can be told in every language, for a bad file.
std::shared_ptr<const Data> data_of(const Parameters& p, const Context& context);

// Two values are equal when the data are.
std::string data_key(const Parameters& p);

}  // namespace lab::pooling
