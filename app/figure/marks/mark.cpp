#include "app/figure/marks/mark.h"

namespace figure {

Mark::Mark(const Mark& other) = default;
Mark::Mark(Mark&& other) noexcept = default;
Mark& Mark::operator=(const Mark& other) = default;
Mark& Mark::operator=(Mark&& other) noexcept = default;
Mark::~Mark() = default;

}  // namespace figure
