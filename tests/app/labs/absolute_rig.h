// What tests of this lab share.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "app/labs/absolute/model.h"
#include "app/labs/absolute/page.h"
#include "trying.h"

namespace absolute_rig {

using namespace lab::absolute;
using namespace lab::trying;
using core::Index;
using core::MatrixD;

using Made = Trial<Parameters>;
inline Made preset(std::string_view id) { return lab::trying::preset<Parameters>("absolute", id); }

}  // namespace absolute_rig
