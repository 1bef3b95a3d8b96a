#include "core/io/case/case_value.h"

#include <cmath>

#include "core/refuse.h"

namespace core {
namespace {

using Shape = CaseValue::Shape;

// The number of values of a shape; InputError for negative axes and for a count beyond `most`.
Index count_of(const Shape& shape, Index most) {
  Index count = 1;
  for (const Index axis : shape) {
    if (axis < 0) refuse("array", "a shape without negative sizes", bracketed(shape));
    if (axis == 0) return 0;
  }
  for (const Index axis : shape) {
    if (count > most / axis) return most + 1;
    count *= axis;
  }
  return count;
}

// An array without values could claim any number of rows; more than this is nonsense.
constexpr Index kMostEmptyRows = 65536;

void require_count(const Shape& shape, size_t values) {
  const Index came = static_cast<Index>(values);
  for (const Index axis : shape) {
    if (values == 0 && axis > kMostEmptyRows) {
      refuse("array", "values for shape " + bracketed(shape), "none");
    }
  }
  if (count_of(shape, came) != came) {
    refuse("array", "as many values as shape " + bracketed(shape) + " has", std::to_string(values));
  }
}

MatrixD matrix_of(const double* data, Index rows, Index cols) {
  if (rows == 0 || cols == 0) return MatrixD(rows, cols);
  return Eigen::Map<const MatrixD>(data, rows, cols);
}

std::vector<double> values_of(const MatrixD& m) { return {m.data(), m.data() + m.size()}; }

}  // namespace

std::string bracketed(const std::vector<Index>& numbers) {
  std::string text = "[";
  for (const Index number : numbers) {
    if (text.size() > 1) text += ", ";
    text += std::to_string(number);
  }
  return text + "]";
}

CaseValue::CaseValue(const VectorD& values)
    : kind_(Kind::array), shape_{values.size()}, data_(values.begin(), values.end()) {}

CaseValue::CaseValue(const MatrixD& values)
    : kind_(Kind::array), shape_{values.rows(), values.cols()}, data_(values_of(values)) {}

CaseValue::CaseValue(const BoolMatrix& values)
    : kind_(Kind::bits),
      shape_{values.rows(), values.cols()},
      data_(values.data(), values.data() + values.size()) {}

CaseValue CaseValue::list(std::vector<CaseValue> items) {
  CaseValue value;
  value.kind_ = Kind::list;
  value.items_ = std::move(items);
  return value;
}

CaseValue CaseValue::object() {
  CaseValue value;
  value.kind_ = Kind::object;
  return value;
}

CaseValue CaseValue::array(Shape shape, std::vector<double> data, bool integers) {
  require_count(shape, data.size());
  CaseValue value;
  value.kind_ = Kind::array;
  value.integers_ = integers;
  value.shape_ = std::move(shape);
  value.data_ = std::move(data);
  return value;
}

CaseValue CaseValue::complex(Shape shape, std::vector<double> re, std::vector<double> im) {
  require_count(shape, im.size());
  CaseValue value = array(std::move(shape), std::move(re));
  value.kind_ = Kind::complex;
  value.imaginary_ = std::move(im);
  return value;
}

CaseValue CaseValue::stack(const std::vector<CaseValue>& arrays) {
  if (arrays.empty()) return array({0}, {});
  Shape shape{static_cast<Index>(arrays.size())};
  shape.insert(shape.end(), arrays[0].shape().begin(), arrays[0].shape().end());
  std::vector<double> data;
  for (const CaseValue& one : arrays) {
    if (one.shape() != arrays[0].shape()) {
      refuse("stack", "arrays of shape " + bracketed(arrays[0].shape()), one.describe());
    }
    data.insert(data.end(), one.data().begin(), one.data().end());
  }
  return array(std::move(shape), std::move(data));
}

std::string CaseValue::describe() const {
  switch (kind_) {
    case Kind::null: return "null";
    case Kind::boolean: return integer_ ? "true" : "false";
    case Kind::integer: return "the integer " + std::to_string(integer_);
    case Kind::real: return "a number";
    case Kind::text: return "the text \"" + text_ + "\"";
    case Kind::list: return "a list of " + std::to_string(items_.size());
    case Kind::array: return "an array of shape " + bracketed(shape_);
    case Kind::complex: return "a complex array of shape " + bracketed(shape_);
    case Kind::bits: return "a boolean matrix of shape " + bracketed(shape_);
    case Kind::object: return "an object";
  }
  return "nothing";
}

void CaseValue::mismatch(const std::string& expected) const {
  refuse("value", expected, describe());
}

bool CaseValue::as_bool() const {
  require(kind_ == Kind::boolean, "true or false");
  return integer_ != 0;
}

double CaseValue::as_real() const {
  if (kind_ == Kind::integer) return static_cast<double>(integer_);
  require(kind_ == Kind::real, "a number");
  return real_;
}

Index CaseValue::as_index() const {
  require(kind_ == Kind::integer, "an integer");
  return integer_;
}

const std::string& CaseValue::as_text() const {
  require(kind_ == Kind::text, "a string");
  return text_;
}

VectorD CaseValue::as_vector() const {
  if (kind_ == Kind::array && shape_.size() == 1) {
    return Eigen::Map<const VectorD>(data_.data(), shape_[0]);
  }
  require(kind_ == Kind::list, "an array of one axis or a list of numbers");
  VectorD vector(static_cast<Index>(items_.size()));
  for (Index i = 0; i < vector.size(); ++i) vector(i) = items_[static_cast<size_t>(i)].as_real();
  return vector;
}

std::vector<Index> CaseValue::as_indices() const {
  std::vector<Index> indices;
  for (const double number : as_vector()) {
    // Index lists may be written as reals; anything that is not whole is not an index.
    require(std::fabs(number) < 9e15 && number == std::floor(number), "whole numbers");
    indices.push_back(static_cast<Index>(number));
  }
  return indices;
}

MatrixD CaseValue::as_matrix() const {
  require(kind_ == Kind::array && shape_.size() == 2, "an array of two axes");
  return matrix_of(data_.data(), shape_[0], shape_[1]);
}

std::vector<MatrixD> CaseValue::as_matrices() const {
  require(kind_ == Kind::array && shape_.size() == 3, "an array of three axes");
  std::vector<MatrixD> matrices;
  for (Index b = 0; b < shape_[0]; ++b) {
    matrices.push_back(matrix_of(data_.data() + b * shape_[1] * shape_[2], shape_[1], shape_[2]));
  }
  return matrices;
}

BoolMatrix CaseValue::as_bits() const {
  require(kind_ == Kind::bits, "a boolean matrix");
  BoolMatrix bits(shape_[0], shape_[1]);
  for (size_t i = 0; i < data_.size(); ++i) bits.data()[i] = data_[i] != 0;
  return bits;
}

MatrixD CaseValue::as_rows() const {
  if (kind_ == Kind::list) return as_vector().transpose();
  require(kind_ == Kind::array && !shape_.empty(), "an array of one axis or more");
  const Index rows = count_of({shape_.begin(), shape_.end() - 1}, static_cast<Index>(1) << 48);
  return matrix_of(data_.data(), data_.empty() ? 0 : rows, shape_.back());
}

CaseValue CaseValue::like(const MatrixD& rows) const {
  if (kind_ == Kind::list) return array({static_cast<Index>(items_.size())}, values_of(rows));
  return array(shape(), values_of(rows));
}

const Shape& CaseValue::shape() const {
  require(kind_ == Kind::array || kind_ == Kind::complex || kind_ == Kind::bits, "an array");
  return shape_;
}

const std::vector<double>& CaseValue::data() const {
  (void)shape();
  return data_;
}

std::vector<CaseValue> CaseValue::items() const {
  if (kind_ == Kind::list) return items_;
  require(kind_ == Kind::array && !shape_.empty(), "a list or an array");
  std::vector<CaseValue> items;
  const Index size = shape_[0] == 0 ? 0 : static_cast<Index>(data_.size()) / shape_[0];
  for (Index i = 0; i < shape_[0]; ++i) {
    const auto from = data_.begin() + i * size;
    if (shape_.size() > 1) {
      items.push_back(array({shape_.begin() + 1, shape_.end()}, {from, from + size}, integers_));
    } else if (integers_) {
      items.emplace_back(static_cast<Index>(*from));
    } else {
      items.emplace_back(*from);
    }
  }
  return items;
}

const std::vector<CaseValue::Member>& CaseValue::members() const {
  require(kind_ == Kind::object, "an object");
  return members_;
}

const CaseValue* CaseValue::find(std::string_view key) const {
  for (const Member& member : members()) {
    if (member.first == key) return &member.second;
  }
  return nullptr;
}

const CaseValue& CaseValue::at(std::string_view key) const {
  const CaseValue* value = find(key);
  if (value) return *value;
  std::string keys;
  for (const Member& member : members_) keys += (keys.empty() ? "" : ", ") + member.first;
  refuse("case", "a key \"" + std::string(key) + "\"", keys.empty() ? "no keys" : "keys " + keys);
}

void CaseValue::set(std::string key, CaseValue value) {
  require(kind_ == Kind::object, "an object");
  members_.emplace_back(std::move(key), std::move(value));
}

}  // namespace core
