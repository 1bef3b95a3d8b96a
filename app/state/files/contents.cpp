#include "app/state/files/contents.h"

#include <filesystem>

#include "app/paper/file/session_carrier.h"
#include "app/state/desk/desk.h"
#include "app/words/sentence.h"
#include "core/text/printable.h"
#include "core/types.h"

namespace state {

namespace fs = std::filesystem;

std::string ContentsJob::names() const {
  std::string all;
  for (const session::SessionFile& file : files) {
    const fs::path path(file.path);
    const std::string name = (path.has_filename() ? path : path.parent_path()).filename().string();
    all += (all.empty() ? "" : ", ") + core::printable(name);
  }
  return all;
}

Contents::Contents(const Desk& desk, Messages& messages, const words::Words& words,
                   std::function<void()> wake)
    : desk_(desk), messages_(messages), words_(words), reads_(run, std::move(wake)) {}

std::vector<session::SessionFile> Contents::unread(const session::Session& session) const {
  std::vector<session::SessionFile> unread;
  for (const std::string& path : session::files_read(desk_.find(session.lab), session.values)) {
    const auto now = session::fingerprint(path);
    if (now && now->contents.empty()) unread.push_back({path});
  }
  return unread;
}

Contents::Read Contents::run(const ContentsJob& job, const core::Cancel& cancel) {
  Read read{job, {}};
  try {
    for (const session::SessionFile& file : job.files) {
      session::wait_until_settled(file.path, cancel);
      session::fingerprint(file.path, session::kReadAll, cancel);
      if (file.then) read.notes.push_back(session::file_note(file, session::kReadAll, cancel));
    }
  } catch (const core::Cancelled&) {
    read.whole = false;
  }
  return read;
}

Writing Contents::now() const {
  const auto status = reads_.status();
  if (!status.job) return {};
  return {status.job->names(), status.running_s, status.progress};
}

bool Contents::poll() {
  const std::vector<Read> all = reads_.take();
  for (const Read& read : all) take(read);
  return !all.empty();
}

void Contents::take(const Read& read) {
  if (!read.whole) {
    return messages_.say(
        words_.format(N_("Cancelled: sessions identify {} by length and time."), read.job.names()));
  }
  for (const core::Message& note : read.notes) {
    messages_.say(words_.format(N_("The contents were read: {}."), note.in(words_)));
  }
  if (!read.job.saved) return;
  const auto& [path, session, text] = *read.job.saved;
  try {
    // Unless somebody else has written it since.
    if (paper::read_session(path) != text) return;
    paper::save_session(session, path);
    if (!unread(session).empty()) return;  // written to meanwhile
    messages_.say(words_.format(N_("The session {} now identifies {} by its contents."), path,
                                read.job.names()));
  } catch (const std::exception& e) {
    messages_.say(words::translated(e, words_), true);
  }
}

}  // namespace state
