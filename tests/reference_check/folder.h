// A folder of case files: each file is read once, and each case computed once, whoever asks.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <utility>

#include "registry.h"

namespace core_check {

enum class Outcome { passed, failed, not_covered };

struct Result {
  Outcome outcome = Outcome::passed;
  std::string said;  // why, or what was compared
};

// Computes a case and holds it to what it expects.
Result compute_case(const std::string& topic, const ReferenceCase& one, const ReferenceFile& file);

class Folder {
 public:
  explicit Folder(std::filesystem::path path) : path_(std::move(path)) {}

  // TOPIC.json of the folder; null where there is none. Throws core::InputError where it cannot be
  // used.
  const ReferenceFile* file(const std::string& topic);
  const Result& result(const std::string& topic, const ReferenceCase& one);

 private:
  std::filesystem::path path_;
  std::map<std::string, ReferenceFile> files_;
  std::map<std::pair<std::string, std::string>, Result> results_;
};

// The topic whose cases are statements: each is covered where its cases in the other files of the
// folder pass (see statements.csv).
inline constexpr const char* kStatements = "12_seed_errata";
Result check_statement(const ReferenceCase& one, Folder& folder);

// Why the lab's page with this preset has no such card; empty: it has. Where the build has no labs,
// NotCovered.
std::string card_fault(const std::string& lab, const std::string& preset, const std::string& card);

}  // namespace core_check
