#include "core/io/case/reference_case.h"

#include <cmath>
#include <fstream>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/io/case/json_check.h"
#include "core/io/regular_file.h"
#include "core/refuse.h"

namespace core {
namespace {

using Json = nlohmann::ordered_json;

// Deeper than any case is; the file around a case that is deeper can still be used.
constexpr int kDeepest = 32, kDeepestFile = 1000;
// Whole numbers from here on may not survive as doubles.
constexpr double kTooLarge = 9007199254740992.0;

std::optional<double> special_number(const std::string& text) {
  if (text == "NaN") return std::numeric_limits<double>::quiet_NaN();
  if (text == "Infinity") return std::numeric_limits<double>::infinity();
  if (text == "-Infinity") return -std::numeric_limits<double>::infinity();
  return std::nullopt;
}

Index integer_of(const Json& json, const char* what) {
  if (!json.is_number_integer() ||
      (json.is_number_unsigned() &&
       json.get<uint64_t>() > static_cast<uint64_t>(std::numeric_limits<Index>::max()))) {
    refuse(what, "an integer that fits 64 bits", json.type_name());
  }
  return json.get<Index>();
}

const Json& member(const Json& object, const char* key, const char* what) {
  if (!object.is_object()) {
    refuse(what, std::string("an object with a key \"") + key + "\"", object.type_name());
  }
  const auto it = object.find(key);
  if (it == object.end()) refuse(what, std::string("a key \"") + key + "\"", "none of that name");
  return *it;
}

std::string text_of(const Json& json, const char* what) {
  if (!json.is_string()) refuse(what, "a string", json.type_name());
  return json.get<std::string>();
}

double element_of(const Json& json) {
  if (json.is_number()) return json.get<double>();
  if (json.is_boolean()) return json.get<bool>() ? 1 : 0;
  if (json.is_string()) {
    if (const auto special = special_number(json.get<std::string>())) return *special;
    refuse("array", "numbers, \"NaN\", \"Infinity\" or \"-Infinity\"", "another text");
  }
  refuse("array", "numbers", json.type_name());
}

std::vector<double> elements_of(const Json& json) {
  if (!json.is_array()) refuse("array", "a flat list of values", json.type_name());
  std::vector<double> values;
  values.reserve(json.size());
  for (const Json& element : json) values.push_back(element_of(element));
  return values;
}

bool all_integers(const Json& json) {
  for (const Json& element : json) {
    if (!element.is_number_integer() && !element.is_boolean()) return false;
    if (std::fabs(element_of(element)) >= kTooLarge) {
      refuse("array", "whole numbers below 2^53", "a larger one");
    }
  }
  return !json.empty();
}

std::vector<Index> shape_of(const Json& json) {
  if (!json.is_array()) refuse("shape", "a list of sizes", json.type_name());
  std::vector<Index> shape;
  for (const Json& axis : json) shape.push_back(integer_of(axis, "shape"));
  return shape;
}

BoolMatrix bits_of(const std::vector<Index>& shape, const Json& rows) {
  if (shape.size() != 2 || !rows.is_array() || static_cast<Index>(rows.size()) != shape[0]) {
    refuse("boolean matrix", "as many rows as shape " + bracketed(shape) + " has",
           std::to_string(rows.size()));
  }
  // Before any memory is asked for: the shape is only a claim.
  for (const Json& row : rows) {
    const std::string text = text_of(row, "row of a boolean matrix");
    if (static_cast<Index>(text.size()) != shape[1] ||
        text.find_first_not_of("01") != std::string::npos) {
      refuse("row of a boolean matrix", std::to_string(shape[1]) + " digits 0 or 1",
             "\"" + text.substr(0, 40) + "\"");
    }
  }
  if (rows.empty() && (shape[1] < 0 || shape[1] > 65536)) {
    refuse("boolean matrix", "rows for shape " + bracketed(shape), "none");
  }
  BoolMatrix bits(shape[0], shape[1]);
  for (Index i = 0; i < shape[0]; ++i) {
    const std::string text = rows[static_cast<size_t>(i)].get<std::string>();
    for (Index j = 0; j < shape[1]; ++j) bits(i, j) = text[static_cast<size_t>(j)] == '1';
  }
  return bits;
}

CaseValue value_of(const Json& json, int depth);

CaseValue object_of(const Json& json, int depth) {
  const auto shape = json.find("shape");
  if (shape != json.end() && json.contains("data")) {
    return CaseValue::array(shape_of(*shape), elements_of(json["data"]),
                            all_integers(json["data"]));
  }
  if (shape != json.end() && json.contains("re")) {
    return CaseValue::complex(shape_of(*shape), elements_of(json["re"]),
                              elements_of(member(json, "im", "complex array")));
  }
  if (shape != json.end() && json.contains("rows")) {
    return CaseValue(bits_of(shape_of(*shape), json["rows"]));
  }
  CaseValue object = CaseValue::object();
  for (const auto& [key, value] : json.items()) object.set(key, value_of(value, depth + 1));
  return object;
}

CaseValue value_of(const Json& json, int depth) {
  if (depth > kDeepest) {
    refuse("case", "at most " + std::to_string(kDeepest) + " levels of nesting", "more");
  }
  if (json.is_null()) return {};
  if (json.is_boolean()) return CaseValue(json.get<bool>());
  if (json.is_number_integer()) return CaseValue(integer_of(json, "number"));
  if (json.is_number()) return CaseValue(json.get<double>());
  if (json.is_object()) return object_of(json, depth);
  if (json.is_string()) {
    const std::string text = json.get<std::string>();
    const auto special = special_number(text);
    return special ? CaseValue(*special) : CaseValue(text);
  }
  std::vector<CaseValue> items;
  for (const Json& item : json) items.push_back(value_of(item, depth + 1));
  return CaseValue::list(std::move(items));
}

CaseValue object_member(const Json& json, const char* key) {
  CaseValue value = value_of(member(json, key, "case"), 0);
  if (value.kind() != CaseValue::Kind::object) {
    refuse("case", std::string("an object under \"") + key + "\"", value.describe());
  }
  return value;
}

ReferenceCase case_of(const Json& json, size_t position) {
  ReferenceCase one;
  one.name = "case " + std::to_string(position);
  try {
    one.name = text_of(member(json, "name", "case"), "name");
    one.params = object_member(json, "params");
    one.inputs = object_member(json, "inputs");
    one.expected = object_member(json, "expected");
    const CaseValue tolerance = object_member(json, "tolerance");
    one.tolerance = {tolerance.at("atol").as_real(), tolerance.at("rtol").as_real()};
    if (!(one.tolerance.atol >= 0) || !(one.tolerance.rtol >= 0)) {
      refuse("tolerance", "atol and rtol >= 0", "a negative one or NaN");
    }
  } catch (const InputError& error) {
    one.broken = error.what();
  }
  return one;
}

}  // namespace

ReferenceFile parse_reference_file(std::string_view text, const std::string& name) {
  if (const Message fault = json_fault(text, kDeepestFile); !fault.empty()) {
    throw InputError(Message("{}: {}", name, fault));
  }
  try {
    const Json json = Json::parse(text.begin(), text.end());
    ReferenceFile file;
    file.topic = text_of(member(json, "topic", "file"), "topic");
    file.title = text_of(member(json, "title", "file"), "title");
    const Json& cases = member(json, "cases", "file");
    if (!cases.is_array()) refuse("cases", "a list", cases.type_name());
    for (const Json& one : cases) file.cases.push_back(case_of(one, file.cases.size()));
    return file;
  } catch (const InputError& error) {
    throw InputError(name + ": " + error.what());
  } catch (const Json::exception& error) {
    // "[json.exception.parse_error.101] parse error at line 3, column 5: ..."
    const std::string what = error.what();
    const size_t end = what.find("] ");
    throw InputError(name + ": expected JSON, got " +
                     (end == std::string::npos ? what : what.substr(end + 2)));
  }
}

ReferenceFile read_reference_file(const std::filesystem::path& path) {
  std::ifstream stream;
  if (const Message reason = open_regular(path, stream); !reason.empty()) {
    throw InputError(Message(N_("cannot read {}: {}"), path.string(), reason));
  }
  const std::string text(std::istreambuf_iterator<char>(stream), {});
  ReferenceFile file = parse_reference_file(text, path.filename().string());
  file.folder = path.parent_path();
  return file;
}

}  // namespace core
