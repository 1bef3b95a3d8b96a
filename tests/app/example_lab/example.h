// What the lab can be set to, and what it computes. Its own tests include this header: they find
// describe, make_model and compute by the type of the parameters (tests/app/labs/trying.h).
#pragma once

#include "app/labs/lab.h"

namespace lab::example {

struct Parameters {
  double first = 1, second = 0, temperature = 1;
  int key = 1;
};
void describe(Parameters& p, param::List& list);

struct Model {
  VectorD scores, weights;
};
Model make_model(const Parameters& p, const Context& context);

Page compute(const Parameters& p, const Context& context);

// As app/labs/labs.cpp declares it of each lab of list.inc.
Lab lab();

}  // namespace lab::example
