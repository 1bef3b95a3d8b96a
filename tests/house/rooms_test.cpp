// How large rooms, headers, classes and labs are, and that rooms stand on one another.
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

namespace rooms_test {

namespace {

namespace fs = std::filesystem;
using Index = std::ptrdiff_t;

// Lines of C++ of each room of the labs: of every lab, and of "shared".
std::map<std::string, Index> lines_of_labs() {
  const fs::path root = fs::path(ATTNSCOPE_SOURCE_DIR) / "app" / "labs";
  std::map<std::string, Index> lines;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    const fs::path ending = entry.path().extension(),
                   inside = entry.path().lexically_relative(root);
    if ((ending != ".h" && ending != ".cpp") || std::distance(inside.begin(), inside.end()) < 2) {
      continue;
    }
    std::ifstream file(entry.path());
    lines[inside.begin()->string()] +=
        std::count(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>(), '\n');
  }
  return lines;
}

// A lab answers one question: more lines than these are another lab, or belong to core or to
// shared.
constexpr Index kMostLinesOfLab = 2500;
// On average, with what all of them share, so that a new lab brings its own: 26 labs had 60,208
// lines before they shared what they do, and have 2,100 each now.
constexpr Index kMostLinesALab = 2100;

}  // namespace

TEST_CASE("labs stay small") {
  Index all = 0;
  const auto lines = lines_of_labs();
  for (const auto& one : lines) {
    const std::string& lab = one.first;
    const Index count = one.second;
    all += count;
    if (lab == "shared") continue;
    CHECK_MESSAGE(count <= kMostLinesOfLab, lab << " has " << count << " lines");
  }
  const Index labs = static_cast<Index>(lines.size()) - 1, most = labs * kMostLinesALab;
  CHECK_MESSAGE(all <= most, labs << " labs and shared have " << all << " lines, at most " << most
                                  << " (" << kMostLinesALab
                                  << " a lab): move to shared what several labs do");
  // Were nothing read, nothing would be too large.
  CHECK(lines.size() > 20);
  CHECK(lines.contains("shared"));
}

namespace {

// What of a source is code: comments, texts and characters are blanks.
std::string code_of(const std::string& text) {
  std::string code = text;
  enum class In { source, line, block, quote, character } in = In::source;
  for (std::size_t k = 0; k < text.size(); ++k) {
    const char c = text[k], next = k + 1 < text.size() ? text[k + 1] : 0;
    const bool begins_line = in == In::source && c == '/' && next == '/';
    const bool begins_block = in == In::source && c == '/' && next == '*';
    const bool in_word = k > 0 && std::isalnum(static_cast<unsigned char>(text[k - 1]));
    if (begins_line) in = In::line;
    if (begins_block) in = In::block;
    if (in == In::source && c == '"') {
      in = In::quote;
    } else if (in == In::source && c == '\'' && !in_word) {
      in = In::character;
    } else if ((in == In::quote && c == '"') || (in == In::character && c == '\'')) {
      in = In::source;
    } else if (in == In::line && c == '\n') {
      in = In::source;
      continue;
    } else if (in == In::block && c == '*' && next == '/') {
      code[k] = code[k + 1] = ' ';
      in = In::source;
      ++k;
      continue;
    }
    const bool skips = (in == In::quote || in == In::character) && c == '\\';
    if (in != In::source && c != '\n') code[k] = ' ';
    if (skips && k + 1 < text.size()) code[++k] = ' ';
  }
  return code;
}

struct ClassSize {
  std::string name;
  int functions = 0;  // public ones, without constructors, destructors and operators of comparison
  int members = 0;
};

// Every class of the code that hides something; structs whose members are all public are lists of
// settings or results.
std::vector<ClassSize> classes_of(const std::string& code) {
  std::vector<ClassSize> out;
  const std::regex head("(^|\\n) *class (\\w+)( final)?( : [^;{]*)?\\s*\\{");
  for (std::sregex_iterator at(code.begin(), code.end(), head), end; at != end; ++at) {
    ClassSize size{(*at)[2]};
    const auto first = static_cast<std::size_t>(at->position() + at->length());
    bool is_public = false;
    int depth = 0, round = 0;
    std::string statement;
    const auto finish = [&] {
      const std::string said = std::regex_replace(statement, std::regex("\\s+"), " ");
      statement.clear();
      static const std::regex function("(^| |~|&|\\*)(operator\\S+|~?\\w+) ?\\(");
      static const std::regex no_member(
          "^ ?(using|friend|template|enum|struct|class|static|typedef|public|private|explicit)\\b");
      std::smatch match;
      const std::string head_of = said.substr(0, said.find('='));
      if (std::regex_search(head_of, match, function)) {
        const std::string name = match[2];
        const bool counts = name != size.name && name[0] != '~' && !name.starts_with("operator");
        size.functions += is_public && counts;
      } else if (std::regex_search(said, std::regex("\\w")) &&
                 !std::regex_search(said, no_member)) {
        // "bool a = false, b = false": each of them; commas in templates separate no members.
        int angles = 0;
        size.members += 1;
        for (const char c : head_of + said.substr(std::min(said.size(), head_of.size()))) {
          angles += c == '<' || c == '{' || c == '(';
          angles -= c == '>' || c == '}' || c == ')';
          size.members += c == ',' && angles == 0;
        }
      }
    };
    for (std::size_t k = first; k < code.size() && depth >= 0; ++k) {
      const char c = code[k];
      if (c == '{') ++depth;
      if (c == '}') --depth;
      if (depth < 0) break;
      if (depth == 0 && c == '(') ++round;
      if (depth == 0 && c == ')') --round;
      if (depth == 0 && round == 0 && c == ':' && code[k + 1] != ':' && code[k - 1] != ':') {
        if (statement.find("public") != std::string::npos) is_public = true, statement.clear();
        if (statement.find("private") != std::string::npos) is_public = false, statement.clear();
        if (statement.find("protected") != std::string::npos) is_public = false, statement.clear();
        continue;
      }
      const bool body_ends = depth == 0 && c == '}';
      const bool is_body = body_ends && statement.find('(') != std::string::npos &&
                           statement.find('=') == std::string::npos;
      if (depth == 0 && (c == ';' || is_body)) {
        finish();
      } else if (depth == 0 || (depth == 1 && c == '{')) {
        statement += c;
      }
    }
    out.push_back(size);
  }
  return out;
}

std::string text_of(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

// With its place in the tree.
struct Source {
  std::string path, text;
};

// Those of core and app.
std::vector<Source> sources() {
  const fs::path root = ATTNSCOPE_SOURCE_DIR;
  std::vector<Source> all;
  for (const char* folder : {"core", "app"}) {
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
      const std::string ending = entry.path().extension().string();
      if (ending != ".h" && ending != ".cpp" && ending != ".inl") continue;
      all.push_back(
          {entry.path().lexically_relative(root).generic_string(), text_of(entry.path())});
    }
  }
  return all;
}

}  // namespace

TEST_CASE("functions and members of classes are counted") {
  const std::string code = code_of(
      "class One {\n public:\n  One(int a);\n  ~One();\n  int f() const { return 1; }\n"
      "  // void not_this();\n  void g(int x = 3);\n  bool operator==(const One&) const = default;"
      "\n  struct Inner { int x, y; };\n private:\n  void h();\n"
      "  int a_ = 0, b_ = 1;\n  std::map<int, int> c_;\n  std::function<void(int)> d_;\n"
      "  std::array<int, 2> e_{};\n};\n");
  const auto all = classes_of(code);
  REQUIRE(all.size() == 1);
  CHECK(all[0].name == "One");
  CHECK(all[0].functions == 2);
  CHECK(all[0].members >= 4);
}

TEST_CASE("no room is a heap, no header long, no class large") {
  constexpr int kMostFiles = 25, kMostLines = 200, kMostFunctions = 30, kMostMembers = 20;
  int headers = 0, classes = 0;
  std::map<std::string, int> files;
  for (const Source& source : sources()) {
    ++files[fs::path(source.path).parent_path().generic_string()];
    const auto lines = std::count(source.text.begin(), source.text.end(), '\n');
    const bool header = source.path.ends_with(".h");
    headers += header;
    CHECK_MESSAGE((!header || lines <= kMostLines), source.path << " has " << lines << " lines");
    for (const ClassSize& one : classes_of(code_of(source.text))) {
      ++classes;
      CHECK_MESSAGE((one.functions <= kMostFunctions && one.members <= kMostMembers),
                    source.path << ": " << one.name << " has " << one.functions
                                << " public functions and " << one.members << " members");
    }
  }
  for (const auto& room : files) {
    CHECK_MESSAGE(room.second <= kMostFiles,
                  room.first << " has " << room.second << " sources and headers");
  }
  CHECK(headers > 200);
  CHECK(classes > 80);
}

TEST_CASE("at the top lies what a stranger expects there, and nothing that was left") {
  const std::set<std::string> expected{"CHANGELOG.md",
                                       "CITATION.cff",
                                       "CMakeLists.txt",
                                       "CMakePresets.json",
                                       "CONTRIBUTING.md",
                                       "LICENSE",
                                       "README.md",
                                       "app",
                                       "assets",
                                       "build",
                                       "core",
                                       "dev",
                                       "docs",
                                       "packaging",
                                       "python",
                                       "shaders",
                                       "tests",
                                       "tools"};
  for (const auto& entry : fs::directory_iterator(ATTNSCOPE_SOURCE_DIR)) {
    const std::string name = entry.path().filename().string();
    CHECK_MESSAGE((name.starts_with(".") || expected.contains(name)),
                  name << " lies at the top of the tree; is it meant to?");
  }
}

TEST_CASE("a size has 32 bits in a browser: none is shifted by as many") {
  const std::regex shifted("(size_t|ptrdiff_t|long)(\\{1\\}|>\\(1\\)) << (3[2-9]|[4-9][0-9])");
  CHECK(std::regex_search("std::size_t{1} << 32", shifted));
  CHECK(!std::regex_search("std::size_t{1} << 31", shifted));
  for (const Source& source : sources()) {
    CHECK_MESSAGE(!std::regex_search(code_of(source.text), shifted), source.path);
  }
}

TEST_CASE("what a thread holds for itself is not destroyed with it") {
  const std::regex own("thread_local (?!((core::)?PerThread<))");
  CHECK(std::regex_search("thread_local std::string last;", own));
  CHECK(!std::regex_search("static thread_local core::PerThread<int> last;", own));
  for (const Source& source : sources()) {
    CHECK_MESSAGE(!std::regex_search(code_of(source.text), own), source.path);
  }
}

TEST_CASE("no thread waits for an atomic number: libstdc++ 12 may lose the call on Windows") {
  const std::regex lost(
      "condition_variable_any|stop_callback|(counting|binary)_semaphore|std::(latch|barrier)");
  CHECK(std::regex_search("std::condition_variable_any changed;", lost));
  CHECK(!std::regex_search("std::condition_variable changed;", lost));
  for (const Source& source : sources()) {
    if (source.path.starts_with("tests/")) continue;
    CHECK_MESSAGE(!std::regex_search(code_of(source.text), lost), source.path);
  }
}

// Circles ----------------------------------------------------------------------------------------

namespace {

// "core/io", "app/ui/draw", "app/labs". What lies loose in core, the ground of all, is a room of
// its own each: "core/types" for types.h and types.cpp.
std::string room_of(const std::string& path) {
  std::vector<std::string> parts;
  for (const auto& part : fs::path(path)) parts.push_back(part.string());
  const std::size_t depth = parts.size() > 3 && parts[1] == "ui" ? 3 : 2;
  if (parts.size() <= depth) return fs::path(path).replace_extension().generic_string();
  std::string room = parts[0];
  for (std::size_t k = 1; k < depth; ++k) room += "/" + parts[k];
  return room;
}

using Arrows = std::map<std::string, std::map<std::string, std::string>>;  // with an example

// A room of a circle, as "a -> b (file) -> a (file)"; empty: there is none.
std::string circle_from(const Arrows& arrows, const std::string& room) {
  std::map<std::string, std::string> way{{room, room}};
  std::vector<std::string> open{room};
  while (!open.empty()) {
    const std::string here = open.back();
    open.pop_back();
    const auto from = arrows.find(here);
    if (from == arrows.end()) continue;
    for (const auto& [to, example] : from->second) {
      const std::string walked = way[here] + " -> " + to + " (" + example + ")";
      if (to == room) return walked;
      if (way.emplace(to, walked).second) open.push_back(to);
    }
  }
  return {};
}

}  // namespace

TEST_CASE("a circle of rooms is found") {
  const Arrows arrows{{"a", {{"b", "1"}}}, {"b", {{"c", "2"}}}, {"c", {{"b", "3"}}}};
  CHECK(circle_from(arrows, "a").empty());
  CHECK(circle_from(arrows, "b") == "b -> c (2) -> b (3)");
}

TEST_CASE("rooms stand on one another, never in a circle") {
  const std::regex include("#include \"((core|app)/[^\"]+)\"");
  Arrows arrows;
  for (const Source& source : sources()) {
    const std::string room = room_of(source.path);
    for (std::sregex_iterator at(source.text.begin(), source.text.end(), include), end; at != end;
         ++at) {
      const std::string seen = room_of((*at)[1]);
      if (seen != room) arrows[room].emplace(seen, source.path);
    }
  }
  CHECK(arrows.size() > 30);
  for (const auto& [room, seen] : arrows) {
    const std::string circle = circle_from(arrows, room);
    CHECK_MESSAGE(circle.empty(), circle);
  }
}

}  // namespace rooms_test
