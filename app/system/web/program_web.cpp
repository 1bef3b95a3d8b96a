#include "app/system/program.h"

namespace sys {

std::filesystem::path find_program(const std::string&) { return {}; }

std::vector<std::string> own_words(int count, char** words) { return {words + 1, words + count}; }

bool run_quietly(const std::string&, std::vector<std::string>) { return false; }

Program::~Program() = default;

std::error_code Program::start(const std::filesystem::path&, std::vector<std::string>,
                               const Temporary&) {
  return std::make_error_code(std::errc::not_supported);
}

bool Program::send(const std::uint8_t*, std::size_t, const core::Cancel&) { return false; }

void Program::end_of_input() {}

std::optional<int> Program::ended() { return -1; }

int Program::wait() { return -1; }

std::string Program::said(std::size_t) const { return {}; }

}  // namespace sys
