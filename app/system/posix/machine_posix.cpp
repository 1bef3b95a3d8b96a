#include <fmt/format.h>
#include <sys/utsname.h>

#include <fstream>

#include "app/system/machine.h"

namespace sys {
namespace {

// PRETTY_NAME of os-release(5); empty: it says none.
std::string distribution() {
  constexpr std::string_view kKey = "PRETTY_NAME=";
  for (const char* path : {"/etc/os-release", "/usr/lib/os-release"}) {
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
      if (!line.starts_with(kKey)) continue;
      std::string name = line.substr(kKey.size());
      std::erase(name, '"');
      return name;
    }
  }
  return {};
}

}  // namespace

std::string system_name() {
  utsname name{};
  const std::string kernel =
      ::uname(&name) == 0 ? fmt::format("{} {}, {}", name.sysname, name.release, name.machine)
                          : std::string();
  const std::string distributed = distribution();
  return distributed.empty() ? kernel : fmt::format("{}, {}", distributed, kernel);
}

}  // namespace sys
