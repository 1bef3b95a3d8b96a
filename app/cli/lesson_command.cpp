#include "app/cli/commands.h"
#include "app/cli/shared/output.h"
#include "app/cli/shared/refusals.h"
#include "app/lesson/answers.h"
#include "app/lesson/handout/collected.h"
#include "app/lesson/handout/handout.h"
#include "app/lesson/library.h"
#include "app/lesson/text/check.h"
#include "app/param/reading.h"
#include "app/sweep/film.h"
#include "app/system/atomic_file.h"

namespace cli {
namespace {

using core::InputError;
using lesson::Kind;

// Pages of scenes, each lab's with its memo; trainings are waited for.
class Pages {
 public:
  explicit Pages(words::Language language) : words_(language) {}
  lab::Page of(const session::Session& session) {
    const auto state = lab::find(session.lab).make();
    param::assign(state->describe(), session.values);
    return state->compute({{}, words_, memos_.of(session.lab), {}, 0, &runs_});
  }
  lesson::PageOf function() {
    return [this](const session::Session& session) { return of(session); };
  }

 private:
  words::Words words_;
  lab::Memos memos_;
  worker::Runs runs_{worker::Runs::Options{.patience = worker::Runs::kPatient}};
};

std::string marks_of(const figure::Plot& plot) {
  std::string text;
  for (const Kind kind : {Kind::cell, Kind::bar, Kind::point, Kind::box}) {
    const auto count = lesson::extent(plot, kind);
    if (!count) continue;
    const auto first = lesson::first_index(plot, kind);
    const auto name = [&](core::Index row, core::Index col) {
      const std::string one = fmt::format("{}:{}:{}", kind_name(kind), plot.id, row + first[0]);
      return kind == Kind::cell ? fmt::format("{},{}", one, col + first[1]) : one;
    };
    text += fmt::format("  {} … {}\n", name(0, 0), name((*count)[0] - 1, (*count)[1] - 1));
  }
  const auto lines = lesson::lines_of(plot);
  for (std::size_t k = 0; k < lines.size(); ++k) {
    text += fmt::format("  line:{}:{}  {}\n", plot.id, k, lines[k]->label);
  }
  return text;
}

// Everything that lessons of a lab may name, as the page is with these knobs.
void print_names(const LessonWords& words, words::Language language) {
  ViewWords wanted = words.view;
  wanted.lab = words.lesson;
  View view = make_view(wanted, language);
  const lab::Page page = view.compute(language);
  const words::Words w(language);
  std::string text;
  const param::List list = view.state->list();
  for (const param::Parameter& p : list.items()) {
    if (!p.info.active) continue;
    text += fmt::format("knob:{} = {}  {}\n", p.info.id, param::serialize(p), w(p.info.label));
  }
  for (const lab::Readout& one : page.readouts) {
    text += fmt::format("readout:{} = {}  {}\n", one.id, one.text, one.label);
  }
  for (const figure::Figure& one : page.figures) {
    text += fmt::format("figure:{}  {}\n", one.id, one.title);
    for (const figure::Plot& plot : one.plots) {
      text += fmt::format(" plot:{}  {}\n", plot.id, plot.title) + marks_of(plot);
    }
  }
  print_out(text);
}

bool is_file(const std::string& name) {
  return std::filesystem::path(name).has_parent_path() || lesson::is_lesson_file(name);
}

std::size_t stop_of(const LessonWords& words, const lesson::Lesson& lesson) {
  const auto stop = param::whole<std::size_t>(words.stop);
  if (!stop || *stop < 1 || *stop > lesson.stops.size()) {
    words::refuse<InputError>(N_("--stop: expected a whole number from 1 to {}, got {}"),
                              lesson.stops.size(), in_quotes(words.stop));
  }
  return *stop - 1;
}

// The pictures of a handout in Markdown, which nobody named.
void report_written(const std::vector<std::filesystem::path>& files, const words::Words& w) {
  if (files.empty()) return;
  const std::string first = sys::shown_path(files.front());
  report(files.size() == 1 ? w.format(N_("also written: {}"), first)
                           : w.format(N_("also written: {} to {}"), first,
                                      sys::shown_path(files.back().filename())));
}

// What is looked at has an effect on --names alone; a stop and a look on the window alone.
void refuse_unused(const LessonWords& words) {
  const ViewWords& view = words.view;
  const GivenOption writes{!words.out.empty(), "--out"}, stop{!words.stop.empty(), "--stop"},
      lecture{words.lecture, "--lecture"};
  const GivenOption answers{!words.answers.empty(), "--answers"},
      collect{!words.collect.empty(), "--collect"};
  if (words.names) {
    refuse_with("--names", {{words.check, "--check"}, writes, stop, lecture, answers, collect});
  } else {
    refuse_without("--names", {{!view.set.empty(), "--set"},
                               {!view.preset.empty(), "--preset"},
                               {!view.session.empty(), "--session"},
                               {!view.pick.empty(), "--pick"}});
  }
  if (words.check) refuse_with("--check", {writes, stop, lecture, answers, collect});
  if (collect.first) refuse_with("--collect", {answers});
  if (writes.first) {
    refuse_with("--out", {stop, lecture});
  } else {
    refuse_without("--out", {answers, collect});
  }
}

lesson::AnswersStand answers_stand(const std::string& word) {
  if (word == "none") return lesson::AnswersStand::none;
  if (word.empty() || word == "end") return lesson::AnswersStand::end;
  if (word == "place") return lesson::AnswersStand::place;
  words::refuse<InputError>(N_("--answers: expected none, end or place, got {}"), in_quotes(word));
}

// A handout, or a class's answers on one page.
std::vector<std::filesystem::path> write(const LessonWords& words, const lesson::Lesson& lesson,
                                         const lesson::PageOf& page_of, words::Language language) {
  const bool own = is_file(words.lesson);
  paper::Inputs inputs = own ? lesson_inputs(lesson, words.lesson) : paper::Inputs();
  if (words.collect.empty()) {
    return lesson::write_handout(lesson, page_of, language, words.out, inputs,
                                 answers_stand(words.answers));
  }
  const std::string name =
      own ? std::filesystem::path(words.lesson).filename().string() : words.lesson;
  return lesson::write_collected(lesson, name, lesson::read_class(words.collect), page_of, language,
                                 words.out, inputs);
}

}  // namespace

CLI::App* LessonWords::add_to(CLI::App& program, const words::Words& w) {
  CLI::App* command =
      program.add_subcommand("lesson", w("Open a lesson, or write it as a handout (.pdf, .html, "
                                         ".md) or a film (.mp4, .webm, .gif, .png)"));
  command
      ->add_option("lesson", lesson,
                   w("One of the program's lessons, or a file; with --names the id of a lab"))
      ->required()
      ->check(not_empty(N_("the name of a lesson"), w));
  command->add_option("-o,--out", out, w("The handout or film; its extension sets the format"))
      ->check(not_empty(N_("a file name"), w));
  command->add_option("--stop", stop, w("The stop to open, counted from 1"))
      ->check(not_empty(N_("a number"), w));
  command
      ->add_option(
          "--answers", answers,
          w("Where a handout has its answers: none, end (on a page of their own) or place"))
      ->check(not_empty(N_("none, end or place"), w));
  command
      ->add_option(
          "--collect", collect,
          w("A folder of learners' answers (.csv, .json): writes one page of how many chose "
            "what"))
      ->check(not_empty(N_("a folder"), w));
  command->add_flag("--lecture", lecture,
                    w("Open it as a lecture, full screen (F5 in the window)"));
  command->add_flag("--check", check,
                    w("Check the lesson against the pages it uses, and report what is wrong"));
  command->add_flag("--names", names, w("List every name that a lesson of this lab can use"));
  view.add_to(*command, w);
  command->fallthrough();
  return command;
}

paper::Inputs lesson_inputs(const lesson::Lesson& lesson, const std::filesystem::path& file) {
  paper::Inputs inputs;
  inputs.add(file);
  for (std::size_t k = 0; k < lesson.stops.size(); ++k) {
    for (const bool revealed : {false, true}) inputs.add(lesson::scene(lesson, k, revealed));
  }
  return inputs;
}

bool open_lesson(const LessonWords& words, words::Language language, Wanted& wanted) {
  refuse_unused(words);
  if (words.names) {
    print_names(words, language);
    return false;
  }
  const bool own = is_file(words.lesson);
  const lesson::Lesson lesson =
      own ? lesson::open(words.lesson) : lesson::shipped(words.lesson, language);
  if (!words.stop.empty()) wanted.stop = stop_of(words, lesson);
  if (words.check) {
    Pages pages(language);
    std::vector<lesson::Fault> faults = lesson::faults_of(lesson, pages.function());
    if (faults.empty()) return false;
    const lesson::Fault last = faults.back();
    faults.pop_back();
    for (const lesson::Fault& one : faults) report(words::translated(one, words::Words(language)));
    throw last;
  }
  const bool films = sweep::is_film(words.out);
  if (films && !(words.answers.empty() && words.collect.empty())) {
    words::refuse<InputError>(
        N_("--out: expected a page (.pdf, .html, .md) with --answers or "
           "--collect, got a film"));
  }
  if (!words.out.empty() && !films) {
    Pages pages(language);
    report_written(write(words, lesson, pages.function(), language), words::Words(language));
    return false;
  }
  if (films) {
    if (own) lesson_inputs(lesson, words.lesson).refuse(words.out);
    sweep::check_film(words.out, 0);
    wanted.out = words.out;
  }
  if (own) {
    wanted.file = std::filesystem::absolute(words.lesson).string();
    wanted.own_lesson = lesson;
  } else {
    wanted.lesson = words.lesson;
  }
  return true;
}

}  // namespace cli
