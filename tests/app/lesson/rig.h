// What tests of lessons share: pages of scenes, and a text that is refused.
#pragma once

#include <doctest/doctest.h>

#include <map>
#include <string>
#include <string_view>

#include "app/labs/labs.h"
#include "app/lesson/follow.h"
#include "app/lesson/lesson.h"
#include "app/lesson/library.h"
#include "app/lesson/text/answer.h"
#include "app/lesson/text/check.h"
#include "app/lesson/text/text.h"
#include "app/worker/runs.h"

namespace rig {

// Pages, each lab's with a memo of its own; trainings are waited for. What one case has seen is not
// computed anew for the next: several walk over all lessons.
class Pages {
 public:
  explicit Pages(words::Language language = words::Language::en) : words_(language) {}

  const lab::Page& of(const session::Session& session) {
    static Seen all;
    std::string key = session.lab + " " + std::string(words::language_id(words_.language()));
    for (const auto& [id, value] : session.values) key += "\n" + id + "=" + value;
    if (const auto found = all.pages.find(key); found != all.pages.end()) return found->second;
    const auto state = lab::find(session.lab).make();
    param::assign(state->describe(), session.values);
    lab::Page page = state->compute({{}, words_, all.memos.of(session.lab), {}, 0, &all.runs});
    return all.pages.emplace(std::move(key), std::move(page)).first->second;
  }
  const words::Words& words() const { return words_; }

 private:
  struct Seen {
    std::map<std::string, lab::Page> pages;
    lab::Memos memos;
    worker::Runs runs{{.patience = worker::Runs::kPatient}};
  };
  words::Words words_;
};

// A page with what is needed to look at it.
struct Seen {
  session::Session session;
  lab::Page page;
  std::set<std::string> picked, moved;
  Seen(Pages& pages, session::Session made_from)
      : session(std::move(made_from)), page(pages.of(session)) {}
  lesson::Sight sight() const {
    return {&page, &lab::find(session.lab), &session.values, &picked, &moved};
  }
};

// The page of a stop once what it waits for is done.
inline Seen done(Pages& pages, const lesson::Stop& stop, const Seen& seen) {
  const lesson::Way way = lesson::way_to(stop, seen.sight());
  Seen then(pages, lesson::after(way, seen.session));
  then.picked = lesson::picked_on(way), then.moved = lesson::moved_on(way);
  return then;
}

inline session::Session session(const std::string& lab, const std::string& settings = "") {
  const auto state = lab::find(lab).make();
  param::assign(state->describe(), param::read_settings(settings));
  return {.lab = lab, .values = param::values(state->describe()), .views = {}};
}

// What a text is refused with; empty: it was taken.
inline std::string fault(const std::string& text) {
  try {
    lesson::check_scenes(lesson::parse(text, "class.md"));
  } catch (const lesson::Fault& error) {
    return error.what();
  }
  return "";
}

// A lesson around the lines of one stop, which begin at line 6.
inline std::string around(const std::string& stop) {
  return "# T\nabout: a\nminutes: 3\nlab: pooling\n## S\n" + stop + "\n";
}

}  // namespace rig
