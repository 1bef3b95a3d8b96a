// Reads every include of the tree and holds it against the house's plan: which box may see which,
// and where the GUI, GL and the other large packages are seen at all.
#include <doctest/doctest.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace {

namespace fs = std::filesystem;
using Names = std::set<std::string, std::less<>>;

// The arrows: what the sources of a box may include besides core and the box itself.
const std::map<std::string, Names, std::less<>> kArrows = {
    {"words", {}},
    {"param", {"words"}},
    {"figure", {}},
    {"labs", {"words", "param", "figure"}},
    {"worker", {"figure", "labs"}},
    {"session", {"words", "param", "figure", "labs"}},
    {"system", {"words"}},
    {"paper", {"words", "param", "figure", "labs", "session", "system"}},
    {"desktop", {"words", "figure", "system", "paper"}},
    {"lesson", {"words", "param", "figure", "labs", "session", "system", "paper"}},
    {"sweep", {"words", "param", "figure", "labs", "session", "system", "paper"}},
    {"state",
     {"words", "param", "figure", "labs", "session", "system", "worker", "paper", "lesson",
      "sweep"}},
    {"gl", {"figure"}},
    {"ui",
     {"words", "param", "figure", "labs", "session", "system", "worker", "paper", "lesson", "sweep",
      "state", "gl", "desktop"}},
    {"cli",
     {"words", "param", "figure", "labs", "session", "system", "worker", "paper", "lesson", "sweep",
      "desktop"}},
    {"main.cpp", {"words", "system", "paper", "lesson", "state", "cli", "ui"}},
};

// Boxes whose sources may read embedded files; labs read the models that travel with the program.
const Names kReadAssets = {"words", "figure", "labs", "paper", "lesson", "gl", "ui", "cli"};

// Where an include that begins so may stand.
struct Place {
  std::string_view begins;
  std::vector<std::string_view> under;
};
const std::vector<Place> kPlaces = {
    {"imgui", {"app/ui/"}},
    {"backends/imgui", {"app/ui/"}},
    {"misc/", {"app/ui/"}},
    {"ft2build", {"app/ui/", "app/paper/"}},
    {"glad/", {"app/gl/"}},
    {"EGL/", {"app/gl/"}},  // contexts without a window
    {"GL/", {"app/gl/"}},
    {"GLES", {"app/gl/"}},
    {"GLFW/", {"app/gl/", "app/ui/"}},
    {"cairo", {"app/paper/"}},
    {"pango", {"app/paper/", "app/system/"}},
    {"fontconfig", {"app/system/"}},
    {"emscripten", {"core/system/", "app/system/", "app/gl/"}},
    {"X11/", {"app/gl/"}},  // its errors would end the program: a window's business
    {"CLI/", {"app/cli/"}},
    {"zlib", {"core/io/", "app/paper/", "app/sweep/"}},
    {"xxhash", {"core/io/"}},
    {"cgif", {"app/sweep/"}},
    {"utf8proc", {"core/text/"}},
    {"onig", {"core/tokenizer/"}},
};

// What is not standard C++, or is there for the system's sake (signals, errno, the environment), is
// seen in these rooms alone: another system is one more source for each "_posix.cpp" of theirs.
constexpr std::string_view kSystemRooms[] = {"app/system/", "core/system/"};
const std::vector<std::string_view> kSystemHeaders = {
    "sys/",        "linux/",     "asm/",       "bits/",     "arpa/",      "net/",       "netinet/",
    "unistd.h",    "fcntl.h",    "dlfcn.h",    "pthread.h", "sched.h",    "signal.h",   "csignal",
    "spawn.h",     "pwd.h",      "grp.h",      "dirent.h",  "poll.h",     "termios.h",  "errno.h",
    "cerrno",      "malloc.h",   "mntent.h",   "ftw.h",     "glob.h",     "wordexp.h",  "syslog.h",
    "syscall.h",   "ucontext.h", "execinfo.h", "locale.h",  "clocale",    "link.h",     "elf.h",
    "semaphore.h", "mqueue.h",   "aio.h",      "utime.h",   "netdb.h",    "langinfo.h", "stdlib.h",
    "stdio.h",     "time.h",     "io.h",       "direct.h",  "process.h",  "conio.h",    "shlobj",
    "shellapi",    "winsock",    "windows.h",  "Windows.h", "winioctl.h", "winternl.h"};
// Calls that standard headers or the compiler have as well.
constexpr std::string_view kSystemCalls[] = {
    "getenv(",  "setenv(",      "std::system(", "popen(",         "fork(",        "posix_spawn",
    "isatty(",  "mkstemp(",     "mkdtemp(",     "tmpnam(",        "tmpfile(",     "localtime",
    "gmtime_r", "std::signal(", "std::raise(",  "aligned_alloc(", "memfd_create", "/proc/"};

// What a compiler says of its system: one source a system instead of choices inside of one.
constexpr std::string_view kSystemNames[] = {"__linux__", "_WIN32",   "_WIN64",
                                             "__APPLE__", "__unix__", "__EMSCRIPTEN__"};

// What opens a file to write it, or moves one: app/system/atomic_file.h and temporary_series.h
// alone do, so that a file is there whole or not at all. Reading (ifstream) is free.
constexpr std::string_view kFileCalls[] = {
    "std::ofstream",    "std::fstream",      "std::basic_ofstream", "fopen(",
    "freopen(",         "fdopen(",           "filesystem::rename(", "fs::rename(",
    "std::rename(",     "create_directory(", "create_directories(", "fs::copy",
    "filesystem::copy", "resize_file("};

bool system_room(std::string_view path) {
  return std::any_of(std::begin(kSystemRooms), std::end(kSystemRooms),
                     [&](std::string_view room) { return path.starts_with(room); });
}

bool system_header(std::string_view include) {
  return std::any_of(kSystemHeaders.begin(), kSystemHeaders.end(), [&](std::string_view header) {
    return header.ends_with('/') ? include.starts_with(header) : include == header;
  });
}

// The first of the calls in a source's code; empty: none.
std::string_view call_in(std::string_view text, std::span<const std::string_view> calls) {
  const auto is_name = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
  };
  for (const std::string_view call : calls) {
    for (std::size_t at = text.find(call); at != text.npos; at = text.find(call, at + 1)) {
      const std::size_t line = text.rfind('\n', at) + 1;
      const bool comment = text.substr(line, at - line).find("//") != text.npos;
      if (!comment && (at == 0 || !is_name(call.front()) || !is_name(text[at - 1]))) return call;
    }
  }
  return {};
}

std::vector<std::string> includes_of(const std::string& text) {
  std::vector<std::string> out;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::size_t at = line.find_first_not_of(" \t");
    if (at == std::string::npos || line[at] != '#') continue;
    at = line.find_first_not_of(" \t", at + 1);
    if (at == std::string::npos || line.compare(at, 7, "include") != 0) continue;
    const std::size_t open = line.find_first_of("<\"", at);
    if (open == std::string::npos) continue;
    const std::size_t close = line.find_first_of(">\"", open + 1);
    if (close != std::string::npos) out.push_back(line.substr(open + 1, close - open - 1));
  }
  return out;
}

// "app/labs/masks/page.cpp" has the parts app, labs, masks, page.cpp.
std::vector<std::string> parts_of(std::string_view path) {
  std::vector<std::string> parts;
  for (const auto& part : fs::path(path)) parts.push_back(part.string());
  return parts;
}

bool placed(std::string_view path, std::string_view include) {
  for (const Place& place : kPlaces) {
    if (!include.starts_with(place.begins)) continue;
    bool here = false;
    for (const std::string_view folder : place.under) here = here || path.starts_with(folder);
    if (!here) return false;
  }
  return true;
}

// Labs never include each other: app/labs/a/... may not see app/labs/b/..., only what all share.
bool other_lab(const std::vector<std::string>& file, const std::vector<std::string>& include) {
  return file.size() >= 4 && file[1] == "labs" && include.size() >= 4 && include[1] == "labs" &&
         file[2] != include[2] && include[2] != "shared";
}

// Why a file of app/ or core/ may not include this; empty when it may.
std::string objection(std::string_view path, std::string_view include) {
  const auto file = parts_of(path), wanted = parts_of(include);
  if (include.find("..") != std::string_view::npos) return "includes are named from the root";
  if (!placed(path, include)) return "this package is not seen here";
  if (system_header(include) && !system_room(path)) {
    return "the system is seen in app/system and core/system alone";
  }
  if (file[0] == "core") {
    return wanted[0] == "app" || wanted[0] == "assets" ? "core sees nothing of the program" : "";
  }
  const std::string& box = file[1];
  const auto arrows = kArrows.find(box);
  if (arrows == kArrows.end()) return "no such box in the plan";
  if (wanted[0] == "assets") {
    return kReadAssets.contains(box) ? "" : "this box reads no embedded files";
  }
  if (wanted[0] != "app" || wanted.size() < 3) return "";
  if (other_lab(file, wanted)) return "labs do not see each other";
  if (wanted[1] == box || arrows->second.contains(wanted[1])) return "";
  return "no arrow from " + box + " to " + wanted[1];
}

struct Source {
  std::string path;
  std::vector<std::string> includes;
  std::string text;
};

std::vector<Source> sources_under(const std::string& folder) {
  const fs::path root = ATTNSCOPE_SOURCE_DIR;
  std::vector<Source> out;
  if (!fs::exists(root / folder)) return out;
  for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
    const fs::path ending = entry.path().extension();
    if (ending != ".h" && ending != ".cpp" && ending != ".hpp" && ending != ".inl") continue;
    std::ostringstream text;
    text << std::ifstream(entry.path()).rdbuf();
    out.push_back({entry.path().lexically_relative(root).generic_string(), includes_of(text.str()),
                   text.str()});
  }
  return out;
}

}  // namespace

TEST_CASE("includes are found however they are written") {
  const auto found = includes_of(
      "#include <imgui.h>\n  #  include\t\"app/gl/window.h\"  // why\n// #include <no.h>\n"
      "#define X\nint include;\n#include MACRO\n");
  REQUIRE(found.size() == 2);
  CHECK(found[0] == "imgui.h");
  CHECK(found[1] == "app/gl/window.h");
}

TEST_CASE("what the plan forbids is objected to, what it allows is not") {
  const struct {
    const char *path, *include;
    bool allowed;
  } cases[] = {
      {"app/ui/frame/shell.cpp", "imgui.h", true},
      {"app/ui/frame/shell.cpp", "backends/imgui_impl_opengl3.h", true},
      {"app/ui/frame/shell.cpp", "GLFW/glfw3.h", true},
      {"app/ui/frame/shell.cpp", "glad/gl.h", false},
      {"app/ui/frame/shell.cpp", "app/cli/cli.h", false},
      {"app/gl/window.cpp", "glad/gl.h", true},
      {"app/gl/window.cpp", "imgui_internal.h", false},
      {"app/gl/window.cpp", "app/labs/lab.h", false},
      {"app/paper/painter.cpp", "cairo.h", true},
      {"app/labs/masks/lab.cpp", "cairo.h", false},
      {"app/labs/masks/lab.cpp", "imgui.h", false},
      {"app/labs/masks/lab.cpp", "app/ui/frame/shell.h", false},
      {"app/labs/masks/lab.cpp", "app/gl/window.h", false},
      {"app/labs/masks/lab.cpp", "app/labs/rotary/lab.h", false},
      {"app/labs/masks/lab.cpp", "app/labs/masks/page.h", true},
      {"app/labs/masks/lab.cpp", "app/labs/shared/parts.h", true},
      {"app/labs/shared/parts.cpp", "app/labs/masks/page.h", false},
      {"app/labs/masks/lab.cpp", "app/labs/lab.h", true},
      {"app/labs/labs.cpp", "app/labs/masks/lab.h", true},
      {"app/labs/masks/lab.cpp", "core/mask/mask.h", true},
      {"app/labs/masks/lab.cpp", "../../ui/shell.h", false},
      {"app/figure/layout.cpp", "app/words/words.h", false},
      {"app/worker/tile_service.h", "app/figure/tile_source.h", true},
      {"app/worker/runs.h", "app/labs/training.h", true},
      {"app/labs/training.h", "app/worker/runs.h", false},
      {"app/worker/tile_service.h", "app/paper/numbers/numbers.h", false},
      {"app/worker/tile_service.cpp", "assets/assets.h", false},
      {"app/cli/cli.cpp", "app/ui/frame/shell.h", false},
      {"app/cli/cli.cpp", "app/gl/window.h", false},
      {"app/main.cpp", "app/ui/frame/shell.h", true},
      {"app/main.cpp", "imgui.h", false},
      {"app/shed/tool.cpp", "vector", false},
      {"core/mask/mask.cpp", "core/types.h", true},
      {"core/mask/mask.cpp", "app/figure/figure.h", false},
      {"core/mask/mask.cpp", "zlib.h", false},
      {"core/io/inflated_bytes.cpp", "zlib.h", true},
      {"core/io/content_hash.cpp", "xxhash.h", true},
      {"core/text/unicode.cpp", "xxhash.h", false},
      {"core/io/npy.cpp", "assets/assets.h", false},
      {"core/text/unicode.cpp", "utf8proc.h", true},
      {"core/tokenizer/steps/pattern.cpp", "oniguruma.h", true},
      {"core/task/sequence/stories.cpp", "utf8proc.h", false},
      {"core/io/large_file.cpp", "sys/stat.h", false},
      {"core/system/opened_file_posix.cpp", "sys/stat.h", true},
      {"core/system/memory_posix.cpp", "app/system/guard.h", false},
      {"app/system/posix/guard_posix.cpp", "csignal", true},
      {"app/system/posix/fonts_posix.cpp", "pango/pangofc-fontmap.h", true},
      {"app/system/atomic_file.cpp", "app/paper/sheet.h", false},
      {"app/paper/export_figure.cpp", "app/system/atomic_file.h", true},
      {"app/paper/export_figure.cpp", "unistd.h", false},
      {"app/labs/masks/lab.cpp", "app/system/atomic_file.h", false},
      {"app/gl/window.cpp", "windows.h", false},
      {"app/gl/windowless_posix.cpp", "EGL/egl.h", true},
      {"app/gl/windowless_windows.cpp", "windows.h", false},
      {"app/system/windows/guard_windows.cpp", "windows.h", true},
  };
  for (const auto& one : cases) {
    CAPTURE(one.path);
    CAPTURE(one.include);
    CHECK(objection(one.path, one.include).empty() == one.allowed);
  }
}

TEST_CASE("calls of the system are found in code, and not in comments or in longer names") {
  CHECK(call_in("auto x = std::getenv(\"HOME\");", kSystemCalls) == "getenv(");
  CHECK(call_in("int f();\nint g = ::fork();", kSystemCalls) == "fork(");
  CHECK(call_in("open(\"/proc/self\")", kSystemCalls) == "/proc/");
  CHECK(call_in("// as getenv(name) has it\nint pitchfork(int);", kSystemCalls) == "");
}

TEST_CASE("nothing but the rooms of the system calls it, and no header of theirs shows its types") {
  CHECK(call_in("#if defined(__linux__)", kSystemNames) == "__linux__");
  int seen = 0;
  for (const char* folder : {"core", "app"}) {
    for (const Source& source : sources_under(folder)) {
      CAPTURE(source.path);
      CHECK(call_in(source.text, kSystemNames) == "");
      if (!system_room(source.path)) {
        CHECK(call_in(source.text, kSystemCalls) == "");
        continue;
      }
      ++seen;
      const bool of_one_system =
          source.path.ends_with("_posix.cpp") || source.path.ends_with("_windows.cpp") ||
          source.path.ends_with("_macos.cpp") || source.path.ends_with("_web.cpp");
      for (const std::string& include : source.includes) {
        CAPTURE(include);
        CHECK((of_one_system || !system_header(include) || include == "cerrno"));
      }
    }
  }
  CHECK(seen > 20);
}

TEST_CASE("files are written whole: nothing but app/system opens one to write, or moves one") {
  CHECK(call_in("std::ofstream out(path);", kFileCalls) == "std::ofstream");
  CHECK(call_in("if (FILE* f = std::fopen(name, \"w\"))", kFileCalls) == "fopen(");
  CHECK(call_in("std::ifstream in(path);  // no std::ofstream", kFileCalls) == "");
  int seen = 0;
  for (const char* folder : {"core", "app"}) {
    for (const Source& source : sources_under(folder)) {
      const bool writes = !call_in(source.text, kFileCalls).empty();
      if (source.path.starts_with("app/system/")) {
        seen += writes ? 1 : 0;
        continue;
      }
      CHECK_MESSAGE(!writes, source.path << " has " << call_in(source.text, kFileCalls)
                                         << "...: files are written by app/system/atomic_file.h");
    }
  }
  CHECK(seen > 0);
}

TEST_CASE("the tree keeps to the plan") {
  int files = 0, glad = 0;
  for (const char* folder : {"core", "app"}) {
    for (const Source& source : sources_under(folder)) {
      ++files;
      for (const std::string& include : source.includes) {
        if (include == "glad/gl.h") ++glad;
        const std::string why = objection(source.path, include);
        CHECK_MESSAGE(why.empty(), source.path << " includes " << include << ": " << why);
      }
    }
  }
  // Were nothing read, nothing would be objected to.
  CHECK(files > 20);
  CHECK(glad > 0);
}
