// attnscope sweep: a film of a knob's way, or small multiples for paper.
#include <charconv>
#include <cmath>

#include "app/cli/commands.h"
#include "app/cli/shared/effect.h"
#include "app/cli/shared/output.h"
#include "app/cli/shared/progress.h"
#include "app/cli/shared/refusals.h"
#include "app/lesson/library.h"
#include "app/paper/style/named_style.h"
#include "app/param/reading.h"
#include "app/sweep/make.h"
#include "app/words/sentence.h"

namespace cli {
namespace {

using core::InputError;

// "4s", "2.5 s", "1500ms" or "4" in seconds; 0 where nothing was given.
double parse_duration(const std::string& text) {
  if (text.empty()) return 0;
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  std::string_view unit = param::trimmed(std::string_view(text).substr(
      static_cast<std::size_t>(error == std::errc{} ? end - text.data() : 0)));
  if (unit == "ms") value /= 1000;
  const bool known = unit.empty() || unit == "s" || unit == "ms";
  if (error == std::errc{} && known && value >= sweep::kLeastSeconds &&
      value <= sweep::kMostSeconds) {
    return value;
  }
  words::refuse<InputError>(
      N_("--duration: expected a time from {} to {} s such as 4s or 800ms, got {}"),
      sweep::kLeastSeconds, sweep::kMostSeconds, in_quotes(text));
}

int parse_frames(const std::string& text) {
  if (text.empty()) return 0;
  const auto count = param::whole<int>(text);
  if (count && *count >= 2 && *count <= sweep::kMostFrames) return *count;
  words::refuse<InputError>(N_("--frames: expected a whole number from 2 to {}, got {}"),
                            sweep::kMostFrames, in_quotes(text));
}

double parse_fps(const std::string& text) {
  if (text.empty()) return 0;
  const auto fps = param::whole<double>(text);
  if (fps && *fps >= sweep::kLeastFps && *fps <= sweep::kMostFps) return *fps;
  words::refuse<InputError>(N_("--fps: expected a number from {} to {}, got {}"), sweep::kLeastFps,
                            sweep::kMostFps, in_quotes(text));
}

std::vector<std::string> in_commas(std::string_view text) {
  std::vector<std::string> all;
  for (bool more = true; more;) {
    more = text.find(',') != std::string_view::npos;
    all.emplace_back(param::trimmed(param::taken_to(',', text)));
  }
  return all;
}

// Each of the presets whole.
std::vector<param::Values> presets(const lab::Lab& lab, const std::string& names) {
  std::vector<param::Values> all;
  std::vector<std::string> known;
  for (const lab::Preset& preset : lab.presets) known.emplace_back(preset.id);
  for (const std::string& name : in_commas(names)) {
    const auto at = std::find(known.begin(), known.end(), name) - known.begin();
    if (static_cast<std::size_t>(at) == known.size()) {
      words::refuse<InputError>(N_("--keys: expected presets of {}, got {}"), words::listed(known),
                                in_quotes(name));
    }
    const auto state = lab.make();
    param::assign(state->describe(), lab.presets[static_cast<std::size_t>(at)].values);
    all.push_back(param::values(state->describe()));
  }
  return all;
}

// The scenes of a lesson's stops in this lab, all or those that are counted: "rope" or "rope:2,4".
std::vector<param::Values> stops(const lab::Lab& lab, const std::string& text,
                                 words::Language language) {
  const std::size_t colon = text.rfind(':');
  const std::string name = text.substr(0, colon);
  const lesson::Lesson lesson =
      lesson::is_lesson_file(name) ? lesson::open(name) : lesson::shipped(name, language);
  std::vector<std::size_t> wanted;
  if (colon != std::string::npos) {
    for (const std::string& one : in_commas(std::string_view(text).substr(colon + 1))) {
      const auto number = param::whole<int>(one);
      if (!number || *number < 1 || static_cast<std::size_t>(*number) > lesson.stops.size()) {
        words::refuse<InputError>(N_("--stops: expected stops from 1 to {}, got {}"),
                                  lesson.stops.size(), in_quotes(one));
      }
      wanted.push_back(static_cast<std::size_t>(*number) - 1);
    }
  }
  for (std::size_t k = 0; colon == std::string::npos && k < lesson.stops.size(); ++k) {
    wanted.push_back(k);
  }
  std::vector<param::Values> all;
  for (const std::size_t k : wanted) {
    const session::Session scene = lesson::scene(lesson, k, true);
    if (scene.lab == lab.id) {
      if (all.empty() || all.back() != scene.values) all.push_back(scene.values);
    } else if (colon != std::string::npos) {
      words::refuse<InputError>(N_("--stops: expected stops of the lab {}, got stop {} of {}"),
                                lab.id, k + 1, scene.lab);
    }
  }
  if (all.size() > 1) return all;
  words::refuse<InputError>(N_("--stops: expected a lesson with at least two stops that set the "
                               "knobs of {} differently, got {}"),
                            lab.id, in_quotes(text));
}

sweep::Sweep sweep_of(const SweepWords& words, const View& view) {
  const int ways =
      (words.param.empty() ? 0 : 1) + (words.keys.empty() ? 0 : 1) + (words.stops.empty() ? 0 : 1);
  if (ways != 1) {
    words::refuse<InputError>(
        N_("sweep: expected one of --param, --keys and --stops, which say what moves, got {}"),
        ways);
  }
  sweep::Sweep sweep;
  if (!words.keys.empty()) sweep = sweep::through(*view.lab, presets(*view.lab, words.keys));
  if (!words.stops.empty()) {
    sweep = sweep::through(*view.lab, stops(*view.lab, words.stops, words.look.lang()));
  }
  if (!words.param.empty()) sweep.base = view.session().values;
  for (const std::string& one : words.param) sweep.tracks.push_back(sweep::parse_track(one));
  // Small multiples stand evenly unless they are asked not to.
  const bool grid = !words.grid.empty();
  sweep.ease = words.ease.empty() ? (grid ? sweep::Ease::linear : sweep::Ease::in_out)
                                  : sweep::parse_ease(words.ease);
  sweep.loop = words.loop.empty() ? sweep::Loop::back : sweep::parse_loop(words.loop);
  return sweep;
}

// Presets and stops bring all their values along.
void refuse_unused(const SweepWords& words) {
  if (words.keys.empty() && words.stops.empty()) return;
  refuse_with(words.keys.empty() ? "--stops" : "--keys", {{!words.view.set.empty(), "--set"},
                                                          {!words.view.preset.empty(), "--preset"},
                                                          {!words.view.pick.empty(), "--pick"}});
}

// Files may be among what moves, as presets and stops have them.
void refuse_inputs(const SweepWords& words, const sweep::Job& job, const View& view) {
  paper::Inputs inputs = view.inputs;
  inputs.add(view.session());
  inputs.add(*job.lab, job.sweep.base);
  std::size_t keys = 0;
  for (const sweep::Track& track : job.sweep.tracks) keys = std::max(keys, track.keys.size());
  for (std::size_t k = 0; k < keys; ++k) {
    const double place = keys > 1 ? static_cast<double>(k) / static_cast<double>(keys - 1) : 0;
    inputs.add(*job.lab, sweep::values_at(job.sweep, *job.lab, place));
  }
  inputs.add(std::filesystem::path(words.stops.substr(0, words.stops.rfind(':'))));
  inputs.refuse(words.out);
  if (words.numbers.json) {
    inputs.refuse(std::filesystem::path(words.out).replace_extension(".json"));
  }
}

// Somewhere on the way from end to end.
void require_effect_on_way(const sweep::Job& job, const View& view) {
  if (view.given.empty()) return;
  std::vector<std::unique_ptr<lab::State>> states;
  std::vector<const lab::State*> all;
  constexpr int kPlaces = 16;
  for (int k = 0; k <= kPlaces; ++k) {
    states.push_back(job.lab->make());
    param::assign(states.back()->describe(),
                  sweep::values_at(job.sweep, *job.lab, static_cast<double>(k) / kPlaces));
    all.push_back(states.back().get());
  }
  require_effect(all, view.given);
}

// A film lies on a screen: what is of paper alone has no meaning.
void refuse_paper(const SweepWords& words) {
  const PaperWords& paper = words.paper;
  refuse_without("--grid", {{!paper.dpi.empty(), "--dpi"},
                            {paper.transparent, "--transparent"},
                            {paper.crop, "--crop"},
                            {paper.outlines, "--outlines"},
                            {!words.style.style.empty(), "--style"},
                            {!words.style.save_style.empty(), "--save-style"}});
}

// How the session says that a figure looks, then the style, then the other options.
void set_paper(const SweepWords& words, const View& view, paper::PaperOptions& options) {
  paper::set(options, paper::look_of(view.paper, false));
  words.style.begin(options);
  words.paper.apply(options, !words.look.size.empty() || !words.look.scale.empty());
  words.style.apply(options);
}

}  // namespace

CLI::App* SweepWords::add_to(CLI::App& program, const words::Words& w) {
  CLI::App* command = program.add_subcommand(
      "sweep", w("Sweep knobs: write a film (.gif .png .mp4 .webm, or a folder of frames), or "
                 "small multiples for paper (--grid)"));
  const auto text = [&](const char* name, std::string& value, std::string_view about,
                        std::string_view expected) {
    command->add_option(name, value, w(about))->check(not_empty(expected, w));
  };
  command->add_option("lab", view.lab, w("The lab's id; --session has its own"));
  command
      ->add_option("-o,--out", out,
                   w("The file; its extension sets the format: a .png is an animated PNG "
                     "(APNG); a name without one is a folder for frames"))
      ->required()
      ->check(not_empty(N_("a file name"), w));
  command
      ->add_option("--param", param,
                   w("id=from:to, or more values id=a:b:c: a knob to sweep, on its slider's "
                     "scale; several can be given"))
      ->allow_extra_args(false);
  text("--keys", keys, N_("Presets such as a,b,c: the knobs go from one to the next"),
       N_("presets such as a,b"));
  text("--stops", stops,
       N_("A lesson, or LESSON:2,4,7: the knobs go from one of its stops in this lab to the "
          "next"),
       N_("the name of a lesson"));
  text("--frames", frames, N_("Number of frames from one end to the other"), N_("a number"));
  text("--duration", duration,
       N_("Time from one end to the other; 4s unless --frames and --fps set it"), N_("a time"));
  text("--fps", fps, N_("Frames per second; 25 by default"), N_("a number"));
  text("--ease", ease, N_("in-out (starts and stops gently) or linear"), N_("linear or in-out"));
  text("--loop", loop, N_("once, loop, or back (there and back, the default)"),
       N_("once, loop or back"));
  text("--grid", grid,
       N_("ROWSxCOLUMNS: not a film but one figure (.pdf .svg .png, or its numbers) of that many "
          "plots with the same axes; with two knobs, the first changes down the rows, the second "
          "along the columns"),
       N_("ROWSxCOLUMNS"));
  text("--figure", figure,
       N_("One figure or plot of the page, by id; with --grid the first by default"),
       N_("the id of a figure or plot"));
  view.add_to(*command, w);
  look.add_to(*command, "light", w);
  paper.add_to(*command, w);
  style.add_to(*command, w);
  numbers.add_to(*command, w);
  return command;
}

void write_sweep(const SweepWords& words) {
  sweep::Job job;
  job.options.theme = words.look.theme_name();
  job.options.language = words.look.lang();
  job.options.scale = words.look.checked_scale(1);
  if (!words.look.size.empty()) {
    const Size size = parse_size(words.look.size, SizeOf::figures);
    job.options.width = size.width;
    job.options.height = size.height;
  }
  job.options.left_out = std::make_shared<std::vector<std::string>>();
  job.options.comments = words.numbers.comments;
  job.options.bom = words.numbers.bom;
  job.options.json_beside = words.numbers.json;
  job.out = words.out;
  job.figure = words.figure;
  refuse_unused(words);
  ViewWords asked = words.view;
  asked.moves = true;
  View view = make_view(asked, job.options.language);
  set_paper(words, view, job.options);
  job.lab = view.lab;
  job.views = view.views;
  job.order = view.figures;
  job.sweep = sweep_of(words, view);
  sweep::check(job.sweep, *job.lab);
  require_effect_on_way(job, view);
  refuse_inputs(words, job, view);
  const words::Words w(job.options.language);
  for (const words::Sentence& note : view.notes) report(note.in(w));
  bool first = true;
  const sweep::MakePage make = [&](const param::Values& values) {
    param::assign(view.state->describe(), values);
    lab::Page page = view.compute(job.options.language);
    if (std::exchange(first, false)) view.report_unknown_parts(page, w);
    return page;
  };
  Progress progress(N_("sweep: {} of {} frames"), w);
  const auto reported = [&](double done, int frames) { progress(done, frames); };
  if (!words.grid.empty()) {
    refuse_with("--grid", {{!words.frames.empty(), "--frames"},
                           {!words.duration.empty(), "--duration"},
                           {!words.fps.empty(), "--fps"},
                           {!words.loop.empty(), "--loop"}});
    paper::check_ending(job.out);
    const std::string style = words.style.first_given();
    if (!style.empty() && !paper::is_picture(job.out)) require_picture(style, words.out);
    sweep::make_grid(job, sweep::parse_grid(words.grid), make, {}, reported);
    report_left_out(job.options);
    return words.style.save(job.options, w);
  }
  refuse_paper(words);
  const sweep::Frames frames = sweep::frames_of(
      job.sweep, parse_frames(words.frames), parse_duration(words.duration), parse_fps(words.fps));
  sweep::make_film(job, frames, make, {}, reported);
}

}  // namespace cli
