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

// Reads the layout's values from such a file, which must hold every parameter by its name, in its
// shape, all finite, and no other tensors; else InputError, which calls the file `name`.
std::vector<float> read_parameters(const Layout& layout, const Safetensors& file,
                                   const std::string& name, const Cancel& cancel = {});

}  // namespace core::model
