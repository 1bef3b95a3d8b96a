#include <sys/stat.h>

#include "core/system/error.h"
#include "core/system/opened_file.h"

namespace core {
namespace {

FileIdentity identity_of(const struct stat& status) {
  return {static_cast<std::uint64_t>(status.st_dev), static_cast<std::uint64_t>(status.st_ino),
          static_cast<std::uint64_t>(status.st_size), status.st_mtim.tv_sec,
          status.st_mtim.tv_nsec};
}

}  // namespace

std::error_code identify(const std::filesystem::path& path, FileIdentity& identity) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return last_error();
  identity = identity_of(status);
  return {};
}

std::error_code OpenedFile::identify(FileIdentity& identity) const {
  struct stat status {};
  if (::fstat(static_cast<int>(handle_), &status) != 0) return last_error();
  identity = identity_of(status);
  return {};
}

}  // namespace core
