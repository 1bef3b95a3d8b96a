#include "app/cli/commands.h"
#include "app/cli/shared/output.h"
#include "app/cli/shared/refusals.h"
#include "app/lesson/library.h"
#include "app/paper/file/session_carrier.h"
#include "app/param/reading.h"
#include "core/system/environment.h"

namespace cli {

using core::InputError;

CLI::App* LinkWords::add_to(CLI::App& program, const words::Words& w) {
  CLI::App* command = program.add_subcommand(
      "link", w("Print the link of a view: \"attnscope LINK\" and a browser open it"));
  command->add_option("lab", view.lab, w("The lab's id; --session has its own"))
      ->check(not_empty(N_("the id of a lab"), w));
  view.add_to(*command, w);
  command->add_option("--lesson", lesson, w("The lesson to open"))
      ->check(not_empty(N_("the name of a lesson"), w));
  command->add_option("--stop", stop, w("The stop to open, counted from 1"))
      ->check(not_empty(N_("a number"), w));
  command
      ->add_option("--base", base,
                   w("The address of attnscope in a browser, which the link begins with"))
      ->check(not_empty(N_("an address"), w));
  command->add_option("--lang", language, w("en or zh_CN: the language that the link opens in"));
  return command;
}

session::Session given_session(const std::string& word) {
  std::error_code error;
  if (!session::is_link(word) || std::filesystem::exists(word, error)) {
    return paper::open_session(word);
  }
  session::Link link = session::from_link(word);
  if (link.lesson.empty()) return std::move(link.session);
  const lesson::Lesson& lesson = lesson::linked(link, words::Language::en);
  return link.as_stop ? lesson::scene(lesson, link.stop.value_or(0), false)
                      : std::move(link.session);
}

void open_link(const std::string& word, words::Language language, Wanted& wanted) {
  session::Link link = session::from_link(word);
  if (!wanted.language) wanted.language = link.language;
  if (!link.lesson.empty()) lesson::linked(link, language);
  wanted.lesson = std::move(link.lesson);
  wanted.stop = link.stop;
  if (!link.as_stop) wanted.session = std::move(link.session);
}

void write_link(const LinkWords& words, const words::Words& w) {
  session::Link link;
  if (!words.language.empty()) {
    LookWords look;
    look.language = words.language;
    link.language = look.lang();
  }
  const words::Language language = link.language.value_or(w.language());
  if (!words.lesson.empty()) {
    refuse_with("--lesson", {{!words.view.lab.empty(), "lab"},
                             {!words.view.set.empty(), "--set"},
                             {!words.view.preset.empty(), "--preset"},
                             {!words.view.session.empty(), "--session"},
                             {!words.view.pick.empty(), "--pick"}});
    const lesson::Lesson& lesson = lesson::shipped(words.lesson, language);
    const auto stop = param::whole<std::size_t>(words.stop.empty() ? "1" : words.stop);
    if (!stop || *stop < 1 || *stop > lesson.stops.size()) {
      words::refuse<InputError>(N_("--stop: expected a whole number from 1 to {}, got {}"),
                                lesson.stops.size(), in_quotes(words.stop));
    }
    link.lesson = words.lesson;
    link.stop = *stop - 1;
    link.as_stop = true;
    link.session.lab = lesson::scene(lesson, *link.stop, false).lab;
  } else {
    refuse_without("--lesson", {{!words.stop.empty(), "--stop"}});
    if (words.view.lab.empty() && words.view.session.empty()) {
      words::refuse<InputError>(N_("expected a lab, --session or --lesson, got none of them"));
    }
    const View made = make_view(words.view, language);
    for (const words::Sentence& note : made.notes) report(note.in(w));
    link.session = made.session();
    for (const words::Sentence& one : session::left_behind(link.session)) report(one.in(w));
  }
  const std::string base =
      words.base.empty() ? core::environment("ATTNSCOPE_ADDRESS").value_or("") : words.base;
  print_out(base.substr(0, base.find('#')) + session::to_link(link) + "\n");
}

}  // namespace cli
