// The words of the code: docs/developer/glossary.csv says which are used, and which are not.
#include <doctest/doctest.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace words_test {

namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

bool is_letter(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// Each with its line, counted from 1.
struct Found {
  std::string text;
  int line;
};
struct Source {
  std::vector<Found> identifiers;
  std::vector<Found> comments;  // each line of one, without its slashes
};

// Where the literal that begins at `at` ends; raw ones too.
std::size_t end_of_literal(const std::string& text, std::size_t at) {
  if (text[at] == '"' && at > 0 && text[at - 1] == 'R') {
    const std::size_t open = text.find('(', at);
    const std::string close = ")" + text.substr(at + 1, open - at - 1) + "\"";
    return text.find(close, open) + close.size();
  }
  for (std::size_t k = at + 1; k < text.size(); ++k) {
    if (text[k] == '\\')
      ++k;
    else if (text[k] == text[at])
      return k + 1;
  }
  return text.size();
}

Source read(const std::string& text) {
  Source source;
  int line = 1;
  for (std::size_t k = 0; k < text.size();) {
    std::size_t end = k + 1;
    const bool includes = text[k] == '#' && text.find("include", k) < text.find('\n', k);
    if (text.compare(k, 2, "//") == 0) {
      end = std::min(text.find('\n', k), text.size());
      source.comments.push_back({text.substr(k + 2, end - k - 2), line});
    } else if (includes) {
      end = std::min(text.find('\n', k), text.size());
    } else if (text[k] == '"' || text[k] == '\'') {
      end = end_of_literal(text, k);
    } else if (is_letter(text[k])) {
      while (end < text.size() &&
             (is_letter(text[end]) ||
              (text[end] == '\'' && std::isdigit(static_cast<unsigned char>(text[k])) != 0)))
        ++end;
      if (std::isdigit(static_cast<unsigned char>(text[k])) == 0) {
        source.identifiers.push_back({text.substr(k, end - k), line});
      }
    }
    for (; k < end; ++k) line += text[k] == '\n';
  }
  return source;
}

// "kMostRows_of" is "k", "most", "rows", "of".
std::vector<std::string> words_of(const std::string& identifier) {
  static const std::regex word("[A-Z]+(?![a-z])|[A-Z]?[a-z]+");
  std::vector<std::string> words;
  for (std::sregex_iterator at(identifier.begin(), identifier.end(), word), end; at != end; ++at) {
    std::string one = at->str();
    for (char& c : one) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    words.push_back(one);
  }
  return words;
}

// One line of a file of comma-separated values without line ends in its cells.
std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '"')
      quoted = !quoted;
    else if (c == ',' && !quoted)
      cells.emplace_back();
    else
      cells.back() += c;
  }
  return cells;
}

std::vector<std::string> split(const std::string& text) {
  std::istringstream in(text);
  return {std::istream_iterator<std::string>(in), {}};
}

struct Refused {
  std::string term;                 // what to say instead
  std::vector<std::string> except;  // identifiers, and files or folders
};
using Glossary = std::multimap<std::string, Refused, std::less<>>;

Glossary read_glossary() {
  std::ifstream file(fs::path(ATTNSCOPE_SOURCE_DIR) / "docs/developer/glossary.csv");
  Glossary glossary;
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    const auto cells = cells_of(line);
    REQUIRE_MESSAGE(cells.size() == 5, line);
    for (const std::string& never : split(cells[2])) {
      glossary.emplace(never, Refused{cells[0], split(cells[3])});
    }
  }
  return glossary;
}

// Why the identifier of this file is refused; empty: it is not.
std::string objection(const Glossary& glossary, const std::string& path,
                      const std::string& identifier) {
  for (const std::string& word : words_of(identifier)) {
    const auto [first, last] = glossary.equal_range(word);
    std::string instead;
    bool refused = first != last;
    for (auto at = first; at != last; ++at) {
      instead += (instead.empty() ? "" : ", or ") + at->second.term;
      for (const std::string& except : at->second.except) {
        if (except == identifier || path.starts_with(except)) refused = false;
      }
    }
    if (refused) return identifier + ": \"" + word + "\" is not used for " + instead;
  }
  return {};
}

}  // namespace

TEST_CASE("identifiers and comments are read") {
  const Source source = read(
      "#include \"turned.h\"\n// Of a thing\nint turned_Q = f(\"told\", 'x', 1'000);  // of it\n"
      "auto kMostHTTPRows = R\"(print)\";\n");
  std::vector<std::string> names;
  for (const Found& one : source.identifiers) names.push_back(one.text);
  CHECK(names == std::vector<std::string>{"int", "turned_Q", "f", "auto", "kMostHTTPRows", "R"});
  CHECK(source.identifiers[1].line == 3);
  REQUIRE(source.comments.size() == 2);
  CHECK(source.comments[0].text == " Of a thing");
  CHECK(words_of("kMostHTTPRows_of2") ==
        std::vector<std::string>{"k", "most", "http", "rows", "of"});
}

TEST_CASE("words that are not used are refused") {
  const Glossary glossary{{"turned", {"rotated", {}}},
                          {"turned", {"transposed", {}}},
                          {"slope", {"gradient", {"core/position/", "slope_of_line"}}}};
  CHECK(objection(glossary, "core/a.h", "turned_Q") ==
        "turned_Q: \"turned\" is not used for rotated, or transposed");
  CHECK(objection(glossary, "core/a.h", "kTurned") != "");
  CHECK(objection(glossary, "core/a.h", "returned") == "");
  CHECK(objection(glossary, "core/a.h", "slope") != "");
  CHECK(objection(glossary, "core/position/alibi.h", "slope") == "");
  CHECK(objection(glossary, "core/a.h", "slope_of_line") == "");
}

TEST_CASE("the table of position schemes has its words for itself") {
  const fs::path root = ATTNSCOPE_SOURCE_DIR;
  const std::regex type(
      "\\b(?:enum class|struct|class) (Scheme|SchemeEntry|PositionForm)\\b *[:{]");
  std::map<std::string, std::set<std::string>> files;  // by type
  for (const char* folder : {"core", "app"}) {
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
      if (entry.path().extension() != ".h" && entry.path().extension() != ".cpp") continue;
      const std::string text = text_of(entry.path());
      for (std::sregex_iterator at(text.begin(), text.end(), type), end; at != end; ++at)
        files[(*at)[1].str()].insert(entry.path().lexically_relative(root).generic_string());
    }
  }
  CHECK(files.size() == 3);
  for (const auto& one : files) {
    for (const std::string& file : one.second)
      CHECK_MESSAGE(
          file == "core/model/positions/scheme.h",
          file << ": expected another name for its type " << one.first
               << ": core::model::" << one.first
               << " has it; what a knob offers is a Variant (docs/developer/glossary.csv)");
  }
}

TEST_CASE("the code speaks the words of its glossary") {
  const Glossary glossary = read_glossary();
  CHECK(glossary.size() > 30);
  const fs::path root = ATTNSCOPE_SOURCE_DIR;
  const std::regex private_comment("^/* ?(Of|It is not what it is) .*");
  std::size_t identifiers = 0, comments = 0;
  for (const char* folder : {"core", "app"}) {
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
      const std::string ending = entry.path().extension().string();
      if (ending != ".h" && ending != ".cpp" && ending != ".inl" && ending != ".inc") continue;
      const std::string path = entry.path().lexically_relative(root).generic_string();
      const Source source = read(text_of(entry.path()));
      std::set<std::string> seen;
      for (const Found& one : source.identifiers) {
        ++identifiers;
        if (!seen.insert(one.text).second) continue;
        const std::string why = objection(glossary, path, one.text);
        CHECK_MESSAGE(why.empty(), path << ":" << one.line << ": " << why);
      }
      for (const std::string& word : words_of(entry.path().stem().string())) {
        CHECK_MESSAGE(objection(glossary, path, word).empty(), path);
      }
      // A comment names its subject first.
      int last = -1;
      for (const Found& one : source.comments) {
        ++comments;
        const bool begins = one.line != last + 1;
        last = one.line;
        CHECK_MESSAGE((!begins || !std::regex_match(one.text, private_comment)),
                      path << ":" << one.line << ":" << one.text);
      }
    }
  }
  CHECK(identifiers > 100000);
  CHECK(comments > 5000);
}

}  // namespace words_test
