// Temporary folders of the tests are made in one place each, so that none is left behind.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

namespace temporaries_test {

TEST_CASE("one helper makes the temporary folders of the tests, and they go with it") {
  namespace fs = std::filesystem;
  const fs::path root = fs::path(ATTNSCOPE_SOURCE_DIR) / "tests";
  // Python's own tempfile.TemporaryDirectory goes with its block as test::Folder does.
  constexpr std::string_view kOthers[] = {"temp_directory_path", "mkdtemp", "mkstemp", "\"/tmp/",
                                          "TMPDIR"};
  int read = 0;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    const std::string path = entry.path().lexically_relative(root).generic_string();
    const std::string ending = entry.path().extension().string();
    const bool code = ending == ".h" || ending == ".cpp" || ending == ".py";
    if (!code || path == "folder.h" || path.starts_with("house/")) continue;
    std::ostringstream text;
    text << std::ifstream(entry.path()).rdbuf();
    ++read;
    for (const std::string_view other : kOthers) {
      CHECK_MESSAGE(text.str().find(other) == std::string::npos, path << " has " << other);
    }
  }
  CHECK(read > 400);
}

}  // namespace temporaries_test
