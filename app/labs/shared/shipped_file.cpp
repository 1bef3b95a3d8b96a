#include "app/labs/shared/shipped_file.h"

#include <span>

#include "app/labs/lab.h"
#include "assets/assets.h"
#include "core/io/large_file.h"
#include "core/system/own_program.h"

namespace lab {

namespace fs = std::filesystem;

fs::path folder_beside(const std::string& name, const char* file) {
  const fs::path program = core::own_program().parent_path();
  const fs::path below = fs::path("share") / "attnscope" / "language" / name;
  for (const fs::path& root : {program, program.parent_path()}) {
    std::error_code unread;
    if (fs::is_regular_file(root / below / file, unread)) return root / below;
  }
  words::refuse<core::InputError>(N_("expected the model {} in {} beside the program, got nothing "
                                     "there: install attnscope whole"),
                                  name, below.generic_string());
}

std::string file_bytes(const fs::path& path) {
  const core::LargeFile file(path);
  std::string bytes(to_size(file.size()), '\0');
  file.read(0, std::as_writable_bytes(std::span(bytes)), {});
  return bytes;
}

std::string shipped_bytes(const std::string& name, const char* file) {
  const std::string inside = "language/" + name + "/" + file;
  if (assets::exists(inside)) return std::string(assets::find(inside));
  return file_bytes(folder_beside(name, file) / file);
}

}  // namespace lab
