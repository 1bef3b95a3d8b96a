#include <cmath>

#include "app/cli/commands.h"
#include "app/cli/shared/output.h"
#include "app/cli/shared/refusals.h"

namespace cli {
namespace {

// About 8 bytes a pixel are held while a window is drawn.
constexpr double kMostShotPixels = 64e6;

// A lesson and the start page have their own scenes.
void refuse_unused(const ShotWords& words) {
  const ViewWords& view = words.view;
  const bool lesson = !words.lesson.empty();
  if (lesson || words.start) {
    refuse_with(words.start ? "--start" : "--lesson", {{lesson && words.start, "--lesson"},
                                                       {!view.lab.empty(), "--lab"},
                                                       {!view.set.empty(), "--set"},
                                                       {!view.preset.empty(), "--preset"},
                                                       {!view.session.empty(), "--session"},
                                                       {!view.pick.empty(), "--pick"},
                                                       {!words.compare.with.empty(), "--compare"}});
  }
  if (!lesson) {
    refuse_without("--lesson", {{!words.stop.empty(), "--stop"}, {words.answered, "--answered"}});
  }
}

}  // namespace

CLI::App* ShotWords::add_to(CLI::App& program, const words::Words& w) {
  CLI::App* command = program.add_subcommand("shot", w("Draw the whole window without a display"));
  command->add_option("-o,--out", out, w("The PNG file"))->required();
  command->add_option("--lab", view.lab, w("The lab's id"))
      ->check(not_empty(N_("the id of a lab"), w));
  command->add_option("--lesson", lesson, w("The lesson to open"))
      ->check(not_empty(N_("the name of a lesson"), w));
  command->add_option("--stop", stop, w("The stop to open, counted from 1"))
      ->check(not_empty(N_("a number"), w));
  command->add_flag("--answered", answered,
                    w("Show the stop after its question has been answered"));
  command->add_flag("--start", start, w("Show the start page instead of a lab"));
  command->add_flag("--lecture", lecture, w("Show the stop as a lecture does"));
  view.add_to(*command, w);
  compare.add_to(*command, w);
  look.add_to(*command, "dark", w);
  return command;
}

Wanted wanted_shot(ShotWords words, const words::Words& w) {
  if (std::filesystem::path(words.out).extension() != ".png") {
    words::refuse<core::InputError>(N_("--out: expected a name that ends in .png, got {}"),
                                    in_quotes(words.out));
  }
  refuse_unused(words);
  if (words.view.lab.empty() && words.view.session.empty()) {
    words.view.lab = lab::opening(lab::all()).id;
  }
  Wanted wanted = words.look.wanted(1);
  // --size is that of the window at scale 1: the picture is as many times as large.
  const auto scaled = [&](int length) {
    return static_cast<int>(std::lround(wanted.scale * static_cast<float>(length)));
  };
  wanted.width = scaled(wanted.width), wanted.height = scaled(wanted.height);
  if (static_cast<double>(wanted.width) * wanted.height > kMostShotPixels) {
    words::refuse<core::InputError>(N_("--size: expected at most {} million pixels, got {}"),
                                    kMostShotPixels / 1e6, in_quotes(words.look.size));
  }
  words.view.as_window = true;
  const View view = make_view(words.view, words.look.lang());
  for (const words::Sentence& note : view.notes) report(note.in(w));
  wanted.session = view.session();
  wanted.given = view.given;
  wanted.session->figure = view.figure;
  wanted.session->holds = words.compare.holds(view);
  paper::Inputs inputs = view.inputs;
  words.compare.add_inputs(inputs);
  inputs.add(*wanted.session);
  inputs.refuse(words.out);
  wanted.out = words.out;
  wanted.start = words.start;
  if (!words.lesson.empty()) {
    LessonWords lesson;
    lesson.lesson = words.lesson;
    lesson.stop = words.stop;
    open_lesson(lesson, words.look.lang(), wanted);
    if (wanted.own_lesson) lesson_inputs(*wanted.own_lesson, words.lesson).refuse(words.out);
    wanted.answered = words.answered;
  }
  wanted.lecture = words.lecture;
  return wanted;
}

}  // namespace cli
