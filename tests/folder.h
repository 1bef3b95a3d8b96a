// Temporary folders of tests, which go away with them, and files in them. No other file of the
// tests makes any.
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <stdexcept>
#include <string>

namespace test {

inline std::string read(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline void write(const std::filesystem::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

class Folder {
 public:
  Folder() {
    std::random_device random;
    constexpr int kTries = 100;
    for (int tried = 0; tried < kTries; ++tried) {
      const std::string name = "attnscope-test-" + std::to_string(random());
      path_ = std::filesystem::temp_directory_path() / name;
      if (!std::filesystem::create_directory(path_)) continue;  // it was there
      std::filesystem::permissions(path_, std::filesystem::perms::owner_all);
      return;
    }
    throw std::runtime_error("no temporary folder");
  }
  explicit Folder(const char*) = delete;  // it has no name
  // With copies of another one's files, which may be changed.
  explicit Folder(const std::filesystem::path& like) : Folder() {
    for (const auto& file : std::filesystem::directory_iterator(like)) {
      if (file.is_regular_file()) take(file);
    }
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::permissions(path_, std::filesystem::perms::owner_all, ignored);
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  std::string file(const std::string& name) const { return (path_ / name).string(); }
  // The file's whole name.
  std::string write(const std::string& name, const std::string& bytes) const {
    test::write(path_ / name, bytes);
    return file(name);
  }
  std::string read(const std::string& name) const { return test::read(path_ / name); }
  void remove(const std::string& name) const { std::filesystem::remove(path_ / name); }
  // A copy of that file.
  void take(const std::filesystem::path& from) const {
    const std::filesystem::path to = path_ / from.filename();
    std::filesystem::copy_file(from, to, std::filesystem::copy_options::overwrite_existing);
    std::filesystem::permissions(to, std::filesystem::perms::owner_all);
  }
  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(path_),
                                                  std::filesystem::directory_iterator()));
  }

 private:
  std::filesystem::path path_;
};

}  // namespace test
