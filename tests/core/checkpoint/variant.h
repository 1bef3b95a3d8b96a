// Copies of the small published models of tests/reference, changed in one place.
#pragma once

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "core/checkpoint/checkpoint.h"
#include "folder.h"

namespace checkpoint_test {

inline std::filesystem::path reference(const std::string& name) {
  return std::filesystem::path(ATTNSCOPE_SOURCE_DIR) / "tests/reference/checkpoints" / name;
}

inline std::shared_ptr<const core::checkpoint::Model> opened(const std::string& name) {
  return core::checkpoint::open_model(reference(name));
}

class Variant : public test::Folder {
 public:
  explicit Variant(const std::string& name) : Folder(reference(name)) {}

  // The first `from` of config.json, which it has, becomes `to`.
  Variant& config(const std::string& from, const std::string& to) {
    write("config.json", changed(read("config.json"), from, to));
    return *this;
  }
  // The same of the header of model.safetensors; data stay where they are.
  Variant& header(const std::string& from, const std::string& to) {
    const std::string all = read("model.safetensors");
    std::uint64_t size = 0;
    for (std::size_t k = 8; k-- > 0;) size = size << 8 | static_cast<unsigned char>(all[k]);
    const std::string text = changed(all.substr(8, size), from, to);
    std::string length;
    for (std::size_t k = 0; k < 8; ++k)
      length += static_cast<char>(std::uint64_t{text.size()} >> (8 * k) & 0xff);
    write("model.safetensors", length + text + all.substr(8 + size));
    return *this;
  }

  // Why it is refused, without the folder before a file's name.
  std::string why_not() const {
    try {
      core::checkpoint::open_model(path());
    } catch (const core::InputError& error) {
      std::string why = error.what();
      const std::string before = (path() / "").string();
      for (std::size_t at; (at = why.find(before)) != why.npos;) why.erase(at, before.size());
      CHECK(why.find('\n') == why.npos);
      return why;
    }
    return "nothing was refused";
  }

 private:
  static std::string changed(std::string text, const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    REQUIRE_MESSAGE(at != text.npos, from);
    return text.replace(at, from.size(), to);
  }
};

// Why the input is refused.
inline std::string why_not(const core::checkpoint::Model& model,
                           const core::checkpoint::Input& input) {
  try {
    model.forward<float>(input);
  } catch (const core::InputError& error) {
    return error.what();
  }
  return "nothing was refused";
}

}  // namespace checkpoint_test
