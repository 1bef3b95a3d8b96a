// A person's files: sessions and exported figures, saved and opened, and what labs read.
#pragma once

#include <exception>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/lesson/lesson.h"
#include "app/state/desk/knobs.h"
#include "app/state/events.h"
#include "app/state/files/contents.h"
#include "app/state/files/recents.h"
#include "app/state/pages/pages.h"
#include "app/worker/in_order.h"

namespace state {

class Files {
 public:
  // All outlive it.
  Files(Desk& desk, Knobs& knobs, const Pages& pages, Messages& messages, Events& events,
        const words::Words& words, const std::function<void()>& wake);

  // Saves the session to a file that ends in .attn. False, with a message, when it could not be
  // done.
  bool save(const std::string& path);
  // Reads a session, an exported figure's, or a lesson, in the background; a message says how it
  // went, and an event that it is there.
  void open(const std::string& path) { opens_.add(path); }
  bool opening() const { return opens_.busy(); }
  void restore(const session::Session& session);  // throws core::InputError
  // Says that the session now shown came from this file.
  void opened_from(const std::string& path);
  // What the session that was restored last names and its page does not have, in sentences.
  const std::vector<std::string>& unknown_parts() const { return unknown_parts_; }
  // The file that was saved or opened last; empty: none.
  std::string own() const { return own_ ? own_->path : std::string(); }
  // Knobs have been turned since, or figures hidden or moved, in the lab of that file.
  bool unsaved() const;

  // Sets the first file parameter of the lab shown that has an effect and whose endings fit. False
  // when there is none: then the path is something else's.
  bool take(const std::string& path);
  bool set(const std::string& knob, const std::string& path);

  Recents& recents() { return recents_; }
  const Recents& recents() const { return recents_; }
  void note(const std::string& path);  // as opened last
  Contents& contents() { return contents_; }
  const Contents& contents() const { return contents_; }
  // Throws core::InputError where the output is a file of the page on screen, of what is held, or
  // the lesson that was opened.
  void refuse_inputs(const std::string& path) const;

  // Takes over what was opened and read. True when something was.
  bool poll();

 private:
  struct Opened {
    std::string path;
    std::optional<session::Session> session;
    std::optional<lesson::Lesson> lesson;
    std::exception_ptr failure;  // null when it was read
  };
  // The session's own file, and what it held when it was saved or opened.
  struct Own {
    std::string path;
    session::Session session;
  };
  static Opened run(const std::string& path);
  void take(const Opened& opened);
  void report_restored();

  Desk& desk_;
  Knobs& knobs_;
  const Pages& pages_;
  Messages& messages_;
  Events& events_;
  const words::Words& words_;
  std::optional<Own> own_;
  std::string lesson_;  // the file of the lesson that was opened last
  Recents recents_;
  std::optional<session::Session> restored_;  // until its page is there
  std::vector<std::string> unknown_parts_;
  worker::InOrder<std::string, Opened> opens_;
  Contents contents_;
};

}  // namespace state
