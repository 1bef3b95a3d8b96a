#include "core/io/tensor/stacked_layers.h"

#include <doctest/doctest.h>

#include "core/io/tensor/safetensors.h"
#include "core/io/tensor/tensor_view.h"
#include "io/made_files.h"

namespace stacked_layers_test {

namespace {

using core::Index;

std::vector<core::Tensor> arrays(const std::vector<std::string>& names, std::vector<Index> shape) {
  static const std::vector<float> numbers{0, 1, 2, 3, 4, 5};
  static const made::Folder folder;  // who looks at an array reads its file
  std::vector<core::FloatTensor> all;
  for (std::size_t k = 0; k < names.size(); ++k)
    all.push_back({names[k], shape, numbers.data() + k});
  const std::string bytes = core::safetensors_bytes(all, core::NumberType::float32, {});
  return core::open_tensors(folder.write(std::to_string(folder.files()) + ".safetensors", bytes))
      ->tensors;
}

std::vector<std::string> stacks(const std::vector<std::string>& names) {
  std::vector<std::string> all;
  for (const auto& one : core::stacked_layers(arrays(names, {1, 2}))) all.push_back(one.name);
  return all;
}

}  // namespace

TEST_CASE("arrays that are named by number are one, in the order of their numbers") {
  const auto all = core::stacked_layers(arrays({"w_1", "w_0", "w_2"}, {2, 2}));
  REQUIRE(all.size() == 1);
  CHECK(all[0].name == "w_*");
  CHECK(all[0].shape == std::vector<Index>{3, 2, 2});
  // w_0 begins with 1, w_1 with 0, w_2 with 2.
  const core::TensorView view(all[0], {.row = 0, .col = 2, .at = {0, 0, 0}});
  CHECK(view.value(0, 0) == 1);
  CHECK(view.value(1, 0) == 0);
  CHECK(view.value(2, 1) == 3);
}

TEST_CASE("numbers go on from one to the next, under a name that is free") {
  CHECK(stacks({"w_0", "w_2"}).empty());
  CHECK(stacks({"w_0"}).empty());
  CHECK(stacks({"w_7", "w_8"}) == std::vector<std::string>{"w_*"});
  CHECK(stacks({"w_0", "w_1", "w_*"}).empty());
  CHECK(stacks({"l.0.a", "l.0.b", "l.1.a", "l.1.b"}) == std::vector<std::string>{"l.*.a", "l.*.b"});
  CHECK(core::stacked_layers(arrays({"w_0", "w_1"}, {2})).empty());
}

}  // namespace stacked_layers_test
