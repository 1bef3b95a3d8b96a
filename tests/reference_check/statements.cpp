#include "statements.h"

#include <exception>

#include "folder.h"
#include "statements_table.h"

namespace core_check {

namespace {

const Statement* find_statement(const std::string& case_name) {
  static const std::vector<Statement> all = parse_statements(kStatementsTable);
  constexpr std::string_view kPrefix = "erratum_";
  if (!case_name.starts_with(kPrefix)) return nullptr;
  for (const Statement& one : all) {
    if (std::string_view(case_name).substr(kPrefix.size()) == one.id) return &one;
  }
  return nullptr;
}

std::string place(const Statement& one) {
  return "asked in " + one.lab + " with preset " + one.preset + ", card " + one.card;
}

// The cases of the folder that the name stands for; NotCovered where there are none.
std::vector<const ReferenceCase*> cases_named(const CaseName& wanted, Folder& folder) {
  std::vector<const ReferenceCase*> found;
  if (const ReferenceFile* file = folder.file(wanted.topic)) {
    for (const ReferenceCase& one : file->cases) {
      if (wanted.is(one.name)) found.push_back(&one);
    }
  }
  if (found.empty()) {
    throw NotCovered{"this folder has no case " + wanted.topic + " " + wanted.name +
                     ", which settles it"};
  }
  return found;
}

Result check_words(const Statement& said) {
  try {
    const std::string fault = card_fault(said.lab, said.preset, said.card);
    if (!fault.empty()) return {Outcome::failed, fault};
    return {Outcome::passed, "a statement of words: " + place(said)};
  } catch (const NotCovered& gap) {
    return {Outcome::not_covered, gap.why};
  }
}

}  // namespace

Result check_statement(const ReferenceCase& one, Folder& folder) {
  const Statement* said = find_statement(one.name);
  if (!said) return {Outcome::not_covered, "statements.csv has no place for it"};
  if (said->cases.empty()) return check_words(*said);
  std::size_t count = 0;
  try {
    for (const CaseName& wanted : said->cases) {
      for (const ReferenceCase* settles : cases_named(wanted, folder)) {
        const Result& result = folder.result(wanted.topic, *settles);
        if (result.outcome == Outcome::passed) {
          ++count;
          continue;
        }
        const bool failed = result.outcome == Outcome::failed;
        return {result.outcome, wanted.topic + " " + settles->name + ", which settles it, " +
                                    (failed ? "failed" : "is not covered")};
      }
    }
  } catch (const NotCovered& gap) {
    return {Outcome::not_covered, gap.why};
  } catch (const std::exception& error) {
    return {Outcome::failed, error.what()};
  }
  return {Outcome::passed,
          std::to_string(count) + (count == 1 ? " case passes, " : " cases pass, ") + place(*said)};
}

}  // namespace core_check
