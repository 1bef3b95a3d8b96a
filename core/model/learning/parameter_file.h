// A model's parameters as a .safetensors file, by their names.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/io/tensor/safetensors.h"
#include "core/model/learning/layout.h"

namespace core::model {

// values: those of the layout. float16 halves the file.
std::string parameter_bytes(const Layout& layout, const float* values, NumberType type,
                            const std::map<std::string, std::string>& metadata);

// The layout's values out of such a file: every parameter by its name, in its shape, and no other
// tensors, all finite; else InputError, which calls the file `name`.
std::vector<float> read_parameters(const Layout& layout, const Safetensors& file,
                                   const std::string& name, const Cancel& cancel = {});

}  // namespace core::model
