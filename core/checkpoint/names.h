// The tensors of a published model by their names: each one that an architecture asks for is found,
// held against the shape that its configuration says, and counted; the others are told.
#pragma once

#include <initializer_list>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/io/tensor/tensor_file.h"

namespace core::checkpoint {

// A parameter of a model, by its place among those that were declared.
struct Parameter {
  std::size_t at = static_cast<std::size_t>(-1);
  explicit operator bool() const { return at != static_cast<std::size_t>(-1); }
};

// How it is used: y = x W^T with W (rows, cols), so (outputs, inputs), however the file has it.
struct Declared {
  Tensor tensor;
  Index rows = 0, cols = 0;
  bool transposed = false;  // the file has (inputs, outputs)
};

class TensorNames {
 public:
  TensorNames(std::shared_ptr<const TensorFile> file, Message config);

  bool has(const std::string& name) const { return all_.contains(prefix_ + name); }
  // Sets the prefix of all further names: the first of these under which the file has one of the
  // names, or the first of all. Files of one model differ in it.
  void choose_prefix(std::initializer_list<std::string_view> prefixes,
                     std::initializer_list<std::string_view> names);
  void set_prefix(std::string prefix) { prefix_ = std::move(prefix); }
  const std::string& prefix() const { return prefix_; }

  // A matrix of shape (rows, cols), or (cols, rows) where it is transposed; else InputError, which
  // names what came or the nearest names. `because` is said where nothing is there.
  Parameter matrix(const std::string& name, Index rows, Index cols,
                   const Message& because = Message());
  Parameter transposed(const std::string& name, Index rows, Index cols);
  // A row of shape (size).
  Parameter vector(const std::string& name, Index size);
  // A row under the first of several names that the file has.
  Parameter vector_of(std::initializer_list<std::string> names, Index size);

  // Whether the file has the same numbers under this name as the parameter's; the tensor is then
  // not left over. Read up to the first that differs; tensors of two types or shapes are not the
  // same.
  bool repeats(const std::string& name, const Parameter& p, const Cancel& cancel);

  // Tensors whose names end like this are masks or tables that the program computes itself.
  void buffers(std::initializer_list<std::string_view> endings);
  // Tensors whose names end like this are known, and have no effect on what is computed here.
  void without_effect(std::initializer_list<std::string_view> endings);
  // Names of layers begin with the prefix and this and go on with a number below `count`:
  // InputError for a tensor of another.
  void require_layers(std::string_view beginning, Index count) const;

  const std::vector<Declared>& declared() const { return declared_; }
  // The file's name for it.
  const std::string& name_of(const Parameter& p) const { return declared_[p.at].tensor.name; }
  // Tensors that were not asked for, in the order of the file: left over is what is neither of the
  // two.
  enum class Unread { buffers, without_effect, left_over };
  std::vector<std::string> unread(Unread which) const;
  // Those left over that are the bias of a matrix that was asked for.
  std::vector<std::string> unread_biases() const;

 private:
  Parameter declare(const std::string& name, const std::vector<Index>& shape, const Declared& as,
                    const Message& because);
  Unread unread_as(std::string_view name) const;
  Message nearest(const std::string& name) const;

  std::shared_ptr<const TensorFile> file_;
  Message config_;
  std::map<std::string, const Tensor*, std::less<>> all_;
  std::string prefix_;
  std::vector<Declared> declared_;
  std::set<std::string> asked_;
  std::vector<std::pair<std::string, Unread>> endings_;
};

}  // namespace core::checkpoint
