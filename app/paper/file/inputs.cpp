#include "app/paper/file/inputs.h"

#include <system_error>

#include "app/labs/labs.h"
#include "app/paper/file/session_carrier.h"
#include "app/system/atomic_file.h"
#include "core/system/opened_file.h"

namespace paper {
namespace {

namespace fs = std::filesystem;

// Identity of a regular file; links are followed.
bool identify(const fs::path& path, std::pair<std::uint64_t, std::uint64_t>& identity) {
  core::FileIdentity file;
  std::error_code error;
  if (!fs::is_regular_file(path, error) || core::identify(path, file)) return false;
  identity = {file.device, file.node};
  return true;
}

}  // namespace

bool written_here(const fs::path& path) {
  try {
    read_session(path);
    return true;
  } catch (const std::exception&) {
    return false;
  }
}

void Inputs::add_file(const fs::path& path, Named how) {
  Identity identity;
  if (!identify(path, identity)) return;
  const auto [at, is_new] = files_.emplace(identity, how);
  if (!is_new && how == Named::itself) at->second = how;
}

void Inputs::add(const fs::path& path) {
  std::error_code unread;
  if (!fs::is_directory(path, unread)) return add_file(path, Named::itself);
  for (fs::directory_iterator at(path, unread), end; !unread && at != end; at.increment(unread)) {
    add_file(at->path(), Named::by_folder);
  }
}

void Inputs::add(const lab::Lab& lab, const param::Values& values) {
  for (const std::string& path : session::files_read(lab, values)) add(fs::path(path));
}

void Inputs::add(const session::Session& session) {
  const lab::Lab& lab = lab::find(session.lab);
  add(lab, session.values);
  for (const session::Hold& hold : session.holds.all) add(lab, hold.values);
}

void Inputs::refuse_file(const fs::path& out) const {
  Identity identity;
  if (!identify(out, identity)) return;
  const auto found = files_.find(identity);
  if (found == files_.end()) return;
  if (found->second == Named::by_folder && written_here(out)) return;
  words::refuse<core::InputError>(N_("{}: expected a file to write, got one that it is made from"),
                                  sys::shown_path(out));
}

void Inputs::refuse(const fs::path& out) const {
  std::error_code unread;
  if (!fs::is_directory(out, unread)) return refuse_file(out);
  for (fs::directory_iterator at(out, unread), end; !unread && at != end; at.increment(unread)) {
    const std::string name = at->path().filename().string();
    if (name.starts_with("frame-") && name.ends_with(".png")) refuse_file(at->path());
  }
}

}  // namespace paper
