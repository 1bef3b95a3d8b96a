#include <sys/stat.h>
#include <unistd.h>

#include "app/system/protection.h"

namespace sys {

words::Sentence protection(const std::filesystem::path& path) {
  struct stat file {};
  if (::stat(path.c_str(), &file) != 0) return {};
  if ((file.st_mode & S_IWUSR) == 0) return words::Sentence(N_("it is write-protected"));
  if (file.st_uid != ::geteuid()) return words::Sentence(N_("it belongs to another user"));
  return {};
}

}  // namespace sys
