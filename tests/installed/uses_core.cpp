// Weights of one query over two keys, by the core that is installed.
#include <core/attention/softmax.h>

#include <cmath>
#include <cstdio>

int main() {
  const core::VectorD p = core::softmax<double>(core::VectorD{{0.0, std::log(3.0)}});
  std::printf("%.6f %.6f\n", p(0), p(1));
}
