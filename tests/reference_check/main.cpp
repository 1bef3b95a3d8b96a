// reference_check DIR [--topic NAME]: computes every case of the *.json files in DIR and holds it
// to the numbers of an independent implementation; a statement (12_seed_errata) to the cases that
// settle it, wherever in DIR they lie. Exit status 0: nothing failed; 1: a case failed,
// or something could not be read; 2: the words were wrong.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <string>
#include <vector>

#include "core/io/case/reference_case.h"
#include "folder.h"

namespace {

using core_check::Folder, core_check::Outcome, core_check::Result;
namespace fs = std::filesystem;

constexpr const char* kUsage = "reference_check DIR [--topic NAME]";

struct Arguments {
  fs::path folder;
  std::string topic;  // empty: all
};

struct Tally {
  std::string topic;
  int passed = 0, failed = 0, not_covered = 0;
};

// A file or folder that cannot be used.
struct Unusable {
  std::string sentence;
};

bool parse_arguments(int argc, char** argv, Arguments& arguments) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  for (size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "--topic" && i + 1 < words.size() && arguments.topic.empty()) {
      arguments.topic = words[++i];
    } else if (!words[i].starts_with("-") && arguments.folder.empty()) {
      arguments.folder = words[i];
    } else {
      return false;
    }
  }
  return !arguments.folder.empty();
}

std::vector<fs::path> case_files(const Arguments& arguments) {
  std::error_code error;
  std::vector<fs::path> files;
  for (fs::directory_iterator it(arguments.folder, error), end; !error && it != end;
       it.increment(error)) {
    const fs::path& path = it->path();
    if (path.extension() != ".json" || path.stem() == "index") continue;
    if (arguments.topic.empty() || path.stem() == arguments.topic) files.push_back(path);
  }
  if (error) {
    throw Unusable{arguments.folder.string() + ": expected a folder of case files, got \"" +
                   error.message() + "\""};
  }
  if (files.empty()) {
    const std::string wanted = arguments.topic.empty() ? "*.json" : arguments.topic + ".json";
    throw Unusable{arguments.folder.string() + ": expected case files " + wanted + ", found none"};
  }
  std::sort(files.begin(), files.end());
  return files;
}

void check(const core::ReferenceCase& one, const std::string& topic, Folder& folder, Tally& tally) {
  const Result& result = folder.result(topic, one);
  const std::string name = tally.topic + " " + one.name;
  const char *said = result.said.c_str(), *whose = name.c_str();
  switch (result.outcome) {
    case Outcome::passed:
      ++tally.passed;
      std::printf("passed       %s (%s)\n", whose, said);
      break;
    case Outcome::failed:
      ++tally.failed;
      std::printf("FAILED       %s: %s\n", whose, said);
      break;
    case Outcome::not_covered:
      ++tally.not_covered;
      std::printf("not covered  %s: %s\n", whose, said);
  }
}

Tally check_file(const std::string& topic, Folder& folder) {
  Tally tally{topic};
  try {
    const core::ReferenceFile* file = folder.file(topic);
    if (!file) throw core::InputError(topic + ".json: expected a file, got none");
    tally.topic = file->topic;
    for (const core::ReferenceCase& one : file->cases) check(one, topic, folder, tally);
    if (file->cases.empty()) {
      throw core::InputError(topic + ".json: expected at least one case, got none");
    }
  } catch (const std::exception& error) {
    ++tally.failed;
    std::printf("FAILED       %s\n", error.what());
  }
  return tally;
}

int run(const Arguments& arguments) {
  std::vector<Tally> tallies;
  Tally total{"total"};
  Folder folder(arguments.folder);
  for (const fs::path& path : case_files(arguments)) {
    tallies.push_back(check_file(path.stem().string(), folder));
  }
  for (const Tally& tally : tallies) {
    total.passed += tally.passed;
    total.failed += tally.failed;
    total.not_covered += tally.not_covered;
  }
  tallies.push_back(total);
  std::printf("\n%-32s %7s %7s %12s\n", "topic", "passed", "failed", "not covered");
  for (const Tally& tally : tallies) {
    std::printf("%-32s %7d %7d %12d\n", tally.topic.c_str(), tally.passed, tally.failed,
                tally.not_covered);
  }
  std::printf("\n%d passed, %d failed\n", total.passed, total.failed);
  if (total.not_covered > 0) {
    std::printf("%d not covered: nothing computes these cases.\n", total.not_covered);
  }
  return total.failed == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  Arguments arguments;
  if (!parse_arguments(argc, argv, arguments)) {
    std::fprintf(stderr, "expected %s, got %d words that do not fit\n", kUsage, argc - 1);
    return 2;
  }
  try {
    return run(arguments);
  } catch (const Unusable& unusable) {
    std::fprintf(stderr, "%s\n", unusable.sentence.c_str());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
  }
  return 1;
}
