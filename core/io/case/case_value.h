// A value of a reference case (tests/reference/README.md gives the format), read from a file or
// computed to be held against one.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/mask/mask.h"
#include "core/types.h"

namespace core {

// Accessors throw InputError with a sentence when the value is of another kind or shape.
class CaseValue {
 public:
  enum class Kind { null, boolean, integer, real, text, list, array, complex, bits, object };
  using Member = std::pair<std::string, CaseValue>;
  using Shape = std::vector<Index>;

  CaseValue() = default;  // null
  CaseValue(bool value) : kind_(Kind::boolean), integer_(value) {}
  CaseValue(double value) : kind_(Kind::real), real_(value) {}
  CaseValue(Index value) : kind_(Kind::integer), integer_(value) {}
  CaseValue(int value) : CaseValue(static_cast<Index>(value)) {}
  CaseValue(std::string value) : kind_(Kind::text), text_(std::move(value)) {}
  CaseValue(const char* value) : CaseValue(std::string(value)) {}
  CaseValue(const VectorD& values);
  CaseValue(const MatrixD& values);
  CaseValue(const BoolMatrix& values);

  static CaseValue list(std::vector<CaseValue> items);
  static CaseValue object();
  // Row-major. The product of the shape must be the number of values, else InputError. `integers`
  // says that the file wrote whole numbers, which are compared exactly.
  static CaseValue array(Shape shape, std::vector<double> data, bool integers = false);
  static CaseValue complex(Shape shape, std::vector<double> re, std::vector<double> im);
  // Arrays of one shape, one after the other along a new first axis: heads, batch entries.
  static CaseValue stack(const std::vector<CaseValue>& arrays);

  Kind kind() const { return kind_; }
  // "an array of shape [2, 3]", "a number", ...
  std::string describe() const;

  bool as_bool() const;
  double as_real() const;  // of an integer too
  Index as_index() const;
  const std::string& as_text() const;
  VectorD as_vector() const;                 // an array of one axis, or a list of numbers
  std::vector<Index> as_indices() const;     // the same, of whole numbers
  MatrixD as_matrix() const;                 // an array of two axes
  std::vector<MatrixD> as_matrices() const;  // an array of three axes, split along the first
  BoolMatrix as_bits() const;                // a boolean matrix
  // An array, or a list of numbers, as the rows along its last axis; and values of such rows back
  // in the shape of this one.
  MatrixD as_rows() const;
  CaseValue like(const MatrixD& rows) const;

  const Shape& shape() const;               // of an array of any kind
  const std::vector<double>& data() const;  // of an array; of a complex one the real parts
  const std::vector<double>& imaginary() const { return imaginary_; }
  bool integers() const { return integers_; }
  // What a list holds, or an array along its first axis.
  std::vector<CaseValue> items() const;

  const std::vector<Member>& members() const;         // of an object, in the file's order
  const CaseValue* find(std::string_view key) const;  // null when an object has no such key
  const CaseValue& at(std::string_view key) const;    // InputError then
  void set(std::string key, CaseValue value);

 private:
  [[noreturn]] void mismatch(const std::string& expected) const;
  void require(bool good, const char* expected) const {
    if (!good) mismatch(expected);
  }

  Kind kind_ = Kind::null;
  bool integers_ = false;
  Index integer_ = 0;
  double real_ = 0;
  std::string text_;
  std::vector<CaseValue> items_;
  std::vector<Member> members_;
  Shape shape_;
  std::vector<double> data_, imaginary_;
};

// "[2, 3]"
std::string bracketed(const std::vector<Index>& numbers);

}  // namespace core
