// Long files that a session reads are told apart by their contents, which are read in the
// background; until then by lengths and times, with a message. Once they are known, a session that
// was saved without them is saved with them, and one that was opened says whether they changed.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/session/session.h"
#include "app/state/messages.h"
#include "app/words/words.h"
#include "app/worker/in_order.h"

namespace state {

class Desk;

// What is being written or read: its name, since when, and the share done. Empty: none.
struct Writing {
  std::string file;
  double running_s = 0;
  float progress = 0;
};

// Files that a session reads, and the session that was saved before their contents were known, with
// the text that it has until then.
struct ContentsJob {
  std::vector<session::SessionFile> files;
  struct Saved {
    std::string path;
    session::Session session;
    std::string text;
  };
  std::optional<Saved> saved = std::nullopt;
  std::string names() const;
};

class Contents {
 public:
  // All outlive it. It does not wait at the end for contents that are still unread.
  Contents(const Desk& desk, Messages& messages, const words::Words& words,
           std::function<void()> wake);
  ~Contents() { reads_.drop(); }

  // The files that a session reads whose contents are not known yet.
  std::vector<session::SessionFile> unread(const session::Session& session) const;
  void read(ContentsJob job) { reads_.add(std::move(job)); }
  bool busy() const { return reads_.busy(); }
  void cancel() { reads_.cancel(); }
  Writing now() const;
  // Takes over what was read. True when something was.
  bool poll();

 private:
  struct Read {
    ContentsJob job;
    std::vector<core::Message> notes;  // of those that were there before
    bool whole = true;                 // false: it was cancelled
  };
  static Read run(const ContentsJob& job, const core::Cancel& cancel);
  void take(const Read& read);

  const Desk& desk_;
  Messages& messages_;
  const words::Words& words_;
  worker::InOrder<ContentsJob, Read> reads_;
};

}  // namespace state
