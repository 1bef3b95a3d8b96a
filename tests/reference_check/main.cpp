// reference_check DIR [--topic NAME]: computes every case of the *.json files in DIR and holds it
// to the numbers of an independent implementation. Exit status 0: nothing failed; 1: a case failed,
// or something could not be read; 2: the words were wrong.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <string>
#include <vector>

#include "core/io/reference_case.h"
#include "registry.h"

namespace {

using core_check::NotCovered;
using core_check::Topic;
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

void check(const core::ReferenceCase& one, const core::ReferenceFile& file, Tally& tally) {
  const std::string name = tally.topic + " " + one.name;
  const auto fail = [&](const std::string& why) {
    ++tally.failed;
    std::printf("FAILED       %s: %s\n", name.c_str(), why.c_str());
  };
  const auto skip = [&](const std::string& why) {
    ++tally.not_covered;
    std::printf("not covered  %s: %s\n", name.c_str(), why.c_str());
  };
  if (!one.broken.empty()) return fail(one.broken);
  const core_check::Handler* handler = Topic::find(tally.topic, one.name);
  if (!handler) return skip("NOTHING COMPUTES THIS CASE");
  try {
    const core::CaseDifference found =
        core::compare_values(one.expected, (*handler)(one, file), one.tolerance);
    if (!found.agrees()) return fail(found.message);
    if (found.compared == 0) return fail("expected at least one value to compare, got none");
    ++tally.passed;
    std::printf("passed       %s (%td values, largest difference %.3g)\n", name.c_str(),
                found.compared, found.largest);
  } catch (const NotCovered& gap) {
    skip(gap.why);
  } catch (const std::exception& error) {
    fail(error.what());
  }
}

Tally check_file(const fs::path& path) {
  Tally tally{path.stem().string()};
  try {
    const core::ReferenceFile file = core::read_reference_file(path);
    tally.topic = file.topic;
    for (const core::ReferenceCase& one : file.cases) check(one, file, tally);
    if (file.cases.empty()) {
      throw core::InputError(path.filename().string() + ": expected at least one case, got none");
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
  for (const fs::path& path : case_files(arguments)) tallies.push_back(check_file(path));
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
