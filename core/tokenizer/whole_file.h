// Files of tokenizers as texts and as JSON.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "core/types.h"

namespace core::subword {

inline constexpr std::uint64_t kMostTokenizerBytes = std::uint64_t{256} << 20;

// InputError for what is no regular file, or longer.
std::string whole_file(const std::filesystem::path& path, const Cancel& cancel);

// InputError for what is no JSON. Numbers with a point are read as the published library reads
// them: the digits as one whole number, made a double, and that divided by a power of ten. It may
// be off by a bit or two from the nearest double, and decides between equal scores.
nlohmann::json parse_json(std::string_view text);
// Such a number out of its text, which is a number of JSON.
double number_of_digits(std::string_view text);

// What `make` throws begins with the file's name.
template <class Make>
auto named(const std::string& name, Make&& make) {
  try {
    return make();
  } catch (const InputError& error) {
    throw InputError(Message(N_("{}: {}"), name, error.message()));
  }
}

}  // namespace core::subword
