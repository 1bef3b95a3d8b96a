#include "app/lesson/own.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "app/labs/labs.h"
#include "app/lesson/files.h"
#include "app/lesson/library.h"
#include "app/lesson/text/check.h"
#include "app/param/reading.h"
#include "app/system/atomic_file.h"
#include "app/words/sentence.h"
#include "core/io/regular_file.h"
#include "core/text/printable.h"

namespace lesson {
namespace {

namespace fs = std::filesystem;

constexpr int kMinutesAStop = 2;

// One line of text that is not empty.
std::string on_one_line(std::string_view text, const words::Sentence& what) {
  std::string line(param::trimmed(text));
  std::replace(line.begin(), line.end(), '\n', ' ');
  if (line.empty()) {
    words::refuse<core::InputError>(N_("expected {}, got nothing"), what);
  }
  return line;
}

bool can_stand(std::string_view value) {
  const bool blank_ends = value.starts_with(' ') || value.ends_with(' ') || value.ends_with('|');
  return value.find('\n') == value.npos && value.find(" | ") == value.npos && !blank_ends &&
         value.find("<!--") == value.npos;
}

std::string read_whole(const fs::path& file) {
  std::ifstream in;
  if (const words::Sentence reason = core::open_regular(file, in); !reason.empty()) {
    words::refuse<core::InputError>(N_("cannot read {}: {}"), core::printable(file.string(), 400),
                                    reason);
  }
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

std::string head_of(const fs::path& file, std::string_view lab, const words::Words& words) {
  return fmt::format("# {}\nabout: {}\nminutes: {}\nlab: {}\n", file.stem().string(),
                     words("Stops added from within the program."), kMinutesAStop, lab);
}

// What was typed reads as a title and a sentence, not as something else of a lesson.
void check_words(const NewStop& stop, const Stop& read, std::size_t before, std::size_t after) {
  const bool asked = read.question.has_value() == !stop.statement.empty();
  if (after == before + 1 && read.text.size() == 1 && read.notes.empty() && !read.wait &&
      read.checks.empty() && asked) {
    return;
  }
  words::refuse<core::InputError>(N_("expected a sentence that does not begin with a lesson's own "
                                     "words and signs (set:, ?, -, >, #), got \"{}\""),
                                  core::printable(stop.sentence, 80));
}

}  // namespace

std::string stop_text(const NewStop& stop, const session::Session& scene) {
  std::string text =
      fmt::format("## {}\nlab: {}\n",
                  on_one_line(stop.title, words::Sentence(N_("a title of the stop"))), scene.lab);
  const auto first = lab::find(scene.lab).make();
  const param::Values begun = param::values(first->describe());
  for (const auto& [id, value] : scene.values) {
    const bool as_begun =
        std::find(begun.begin(), begun.end(), std::pair(id, value)) != begun.end();
    if (as_begun) continue;
    if (!can_stand(value)) {
      words::refuse<core::InputError>(N_("the value of {} cannot be written in a lesson: expected "
                                         "one line without a bar between two spaces, got \"{}\""),
                                      id, core::printable(value, 60));
    }
    text += fmt::format("set: {}={}\n", id, value);
  }
  if (!stop.figure.empty()) {
    text += fmt::format("show: figure:{}{}\n", stop.figure, stop.alone ? " alone" : "");
  }
  text += "\n" + on_one_line(stop.sentence, words::Sentence(N_("a sentence"))) + "\n";
  if (stop.statement.empty()) return text;
  return text + fmt::format("\n? {}\nanswer: {}\nwhy: {}\n",
                            on_one_line(stop.statement, words::Sentence(N_("a statement"))),
                            stop.truth ? "true" : "false",
                            on_one_line(stop.why, words::Sentence(N_("a reason"))));
}

Grown with_stop(const fs::path& file, const NewStop& stop, const Sight& sight,
                const words::Words& words) {
  if (!is_lesson_file(file)) {
    words::refuse<core::InputError>(N_("expected a name that ends in .md, got \"{}\""),
                                    core::printable(file.filename().string()));
  }
  const fs::path folder = folder_of(file);
  const session::Session scene{
      std::string(sight.lab->id), with_named_files(sight.lab->id, *sight.knobs, folder), {}};
  const std::string added = stop_text(stop, scene);
  std::error_code error;
  const bool there = fs::exists(file, error);
  std::string text = there ? read_whole(file) : head_of(file, scene.lab, words);
  const std::string name = file.filename().string();
  const std::size_t before = there ? parse(text, name).stops.size() : 0;
  if (!text.ends_with('\n')) text += '\n';
  Grown grown{text + "\n" + added, {}};
  grown.lesson = parse(grown.text, name);
  find_files(grown.lesson, folder);
  check_words(stop, grown.lesson.stops.back(), before, grown.lesson.stops.size());
  check_scenes(grown.lesson);
  check_page(grown.lesson, grown.lesson.stops.size() - 1, sight, false);
  return grown;
}

Lesson add_stop(const fs::path& file, const NewStop& stop, const Sight& sight,
                const words::Words& words) {
  Grown grown = with_stop(file, stop, sight, words);
  sys::write_atomically(file, grown.text);
  return std::move(grown.lesson);
}

}  // namespace lesson
