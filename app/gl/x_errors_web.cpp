#include "app/gl/x_errors.h"

namespace gl {

void outlive_x_errors() {}

}  // namespace gl
