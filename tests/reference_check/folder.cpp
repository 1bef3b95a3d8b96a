#include "folder.h"

#include <cstdio>
#include <exception>

namespace core_check {

namespace {

std::string compared(const core::CaseDifference& found) {
  char text[80];
  std::snprintf(text, sizeof text, "%td values, largest difference %.3g", found.compared,
                found.largest);
  return text;
}

}  // namespace

Result compute_case(const std::string& topic, const ReferenceCase& one, const ReferenceFile& file) {
  if (!one.broken.empty()) return {Outcome::failed, one.broken};
  const Handler* handler = Topic::find(topic, one.name);
  if (!handler) return {Outcome::not_covered, "NOTHING COMPUTES THIS CASE"};
  try {
    const core::CaseDifference found =
        core::compare_values(one.expected, (*handler)(one, file), one.tolerance);
    if (!found.agrees()) return {Outcome::failed, found.message};
    if (found.compared == 0) {
      return {Outcome::failed, "expected at least one value to compare, got none"};
    }
    return {Outcome::passed, compared(found)};
  } catch (const NotCovered& gap) {
    return {Outcome::not_covered, gap.why};
  } catch (const std::exception& error) {
    return {Outcome::failed, error.what()};
  }
}

const ReferenceFile* Folder::file(const std::string& topic) {
  const auto known = files_.find(topic);
  if (known != files_.end()) return &known->second;
  const std::filesystem::path path = path_ / (topic + ".json");
  std::error_code error;
  if (!std::filesystem::exists(path, error)) return nullptr;
  return &files_.emplace(topic, core::read_reference_file(path)).first->second;
}

const Result& Folder::result(const std::string& topic, const ReferenceCase& one) {
  const std::pair key{topic, one.name};
  const auto known = results_.find(key);
  if (known != results_.end()) return known->second;
  const ReferenceFile& in = files_.at(topic);
  const bool said = in.topic == kStatements && one.broken.empty();
  return results_.emplace(key, said ? check_statement(one, *this) : compute_case(in.topic, one, in))
      .first->second;
}

}  // namespace core_check
