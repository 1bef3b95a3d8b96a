#include "app/cli/cli.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <sstream>
#include <system_error>

#include "app/cli/commands.h"
#include "app/cli/help.h"
#include "app/cli/installed/installed.h"
#include "app/cli/output.h"
#include "app/cli/refusals.h"
#include "app/lesson/library.h"
#include "app/paper/file/session_carrier.h"
#include "app/words/sentence.h"
#include "core/system/environment.h"
#include "core/text/printable.h"

namespace cli {
namespace {

constexpr int kDone = 0, kFailed = 1, kWrongWords = 2;

struct ShotWords {
  ViewWords view;
  LookWords look;
  CompareWords compare;
  std::string out, lesson, stop;
  bool answered = false, start = false, lecture = false;
};

// About 8 bytes a pixel are held while a window is drawn.
constexpr double kMostShotPixels = 64e6;

Wanted wanted_of(const LookWords& look, float scale) {
  Wanted wanted;
  if (!look.theme.empty()) wanted.theme = look.theme_name();
  if (!look.language.empty()) wanted.language = look.lang();
  wanted.scale = look.checked_scale(scale);
  if (!look.size.empty()) {
    const Size size = parse_size(look.size);
    wanted.width = size.width;
    wanted.height = size.height;
  }
  return wanted;
}

// The whole program's words. CLI11 owns the parsing, the callbacks what is done.
class Program {
 public:
  Program(const Frontend& frontend, const words::Words& w) : frontend_(frontend), w_(w) {
    app_.description(w_("attnscope: an oscilloscope for attention"));
    app_.formatter(std::make_shared<Help>(w_));
    app_.set_help_flag("-h,--help", w_("Print this help message and exit"));
    app_.set_version_flag("--version", version_text(),
                          w_("Print the version, what it was built with and the instruction set"));
    app_.require_subcommand(0, 1);
    add_window();
    add_labs();
    add_export();
    add_gallery();
    add_shot();
    add_sweep();
    add_lesson();
    add_link();
    add_installed();
  }

  int run(std::vector<std::string> words) {
    ask_for_help(words);
    std::reverse(words.begin(), words.end());  // as CLI11 wants them
    try {
      app_.parse(words);
    } catch (const CLI::Success& success) {
      std::ostringstream text;
      const int status = app_.exit(success, text, text);
      print_out(text.str());
      return status;
    } catch (const CLI::ParseError& error) {
      report(w_.format(N_("{}; see attnscope --help"), core::printable(fault(error), 200)));
      return kWrongWords;
    }
    refuse_misplaced();
    return action_();
  }

 private:
  // "help" and "help export" mean "--help" and "export --help", as in other programs.
  static void ask_for_help(std::vector<std::string>& words) {
    std::error_code error;
    if (words.empty() || words.front() != "help" || std::filesystem::exists("help", error)) return;
    words.erase(words.begin());
    words.insert(words.begin() + std::min<std::ptrdiff_t>(1, std::ssize(words)), "--help");
  }

  // What is wrong with the words, as far as they are no command's own business.
  std::string fault(const CLI::ParseError& error) const {
    const std::string said = error.what();
    const auto before = [&](std::string_view end) { return said.substr(0, said.find(end)); };
    if (dynamic_cast<const CLI::ExtrasError*>(&error)) {
      return w_.format(N_("expected nothing more, got {}"),
                       fmt::format("{}", fmt::join(app_.remaining(true), " ")));
    }
    if (dynamic_cast<const CLI::RequiredError*>(&error)) {
      return w_.format(N_("expected {}, got nothing"), before(" is required"));
    }
    if (dynamic_cast<const CLI::ArgumentMismatch*>(&error)) {
      const std::string option = before(":");
      if (said.find(": At Most ") != std::string::npos) {  // CLI11's words
        return w_.format(N_("expected {} once, got it twice"), option);
      }
      return w_.format(N_("expected a value of {}, got nothing"), option);
    }
    return said;
  }

  // The window's own words, which a command after them would not see.
  void refuse_misplaced() const {
    if (app_.get_subcommands().empty()) return;
    // A lesson is opened in the window, whose words these are.
    if (app_.get_subcommands()[0]->get_name() == "lesson" && file_.empty()) return;
    for (const CLI::Option* option : app_.get_options()) {
      if (option->count() == 0) continue;
      if (option->get_positional()) {
        words::refuse<core::InputError>(N_("expected a command or a file to open, got {} and {}"),
                                        app_.get_subcommands()[0]->get_name(), in_quotes(file_));
      }
      const CLI::App* command = app_.get_subcommands()[0];
      if (command->get_option_no_throw(option->get_name())) {
        words::refuse<core::InputError>(N_("expected {} after {}, got it before"),
                                        option->get_name(), command->get_name());
      }
      words::refuse<core::InputError>(N_("expected an option of {}, got {}"), command->get_name(),
                                      option->get_name());
    }
  }

  void add_window() {
    app_.add_option(
            "file", file_,
            w_("A session (.attn), an exported figure, a lesson (.md), your own tensors "
               "(.npy .npz .safetensors), the folder of a published model, or a link to a view "
               "('#LAB?KNOB=VALUE', or an address that ends so)"))
        ->check(not_empty(N_("a file name"), w_));
    app_.add_option("--control-map", control_map_,
                    w_("Keep this file up to date with the position of every control, as JSON"))
        ->check(not_empty(N_("a file name"), w_));
    window_look_.language.clear();
    window_look_.add_to(app_, "", w_);
    action_ = [this] {
      Wanted wanted = wanted_of(window_look_, 0);
      std::error_code error;
      wanted.control_map = control_map_;
      if (session::is_link(file_) && !std::filesystem::exists(file_, error)) {
        open_link(file_, w_.language(), wanted);
        return frontend_.open_window(wanted);
      }
      if (!file_.empty() && file_.find_first_of("./") == std::string::npos &&
          !std::filesystem::exists(file_, error)) {
        std::vector<std::string> commands;
        for (const CLI::App* command : app_.get_subcommands({})) {
          commands.push_back(command->get_name());
        }
        words::refuse<core::InputError>(N_("expected one of {} or a file to open, got {}"),
                                        words::listed(commands), in_quotes(file_));
      }
      if (lesson::is_lesson_file(file_)) {
        LessonWords lesson;
        lesson.lesson = file_;
        open_lesson(lesson, w_.language(), wanted);
        return frontend_.open_window(wanted);
      }
      if (!file_.empty()) {
        wanted.session = paper::open_session(file_);
        for (const session::SessionFile& file : wanted.session->files) {
          report(session::file_note(file).in(w_));
        }
      }
      if (file_.empty() || !session::session_opening(file_)) wanted.file = file_;
      if (!control_map_.empty()) {
        paper::Inputs inputs;
        inputs.add(std::filesystem::path(file_));
        if (wanted.session) inputs.add(*wanted.session);
        inputs.refuse(control_map_);
      }
      return frontend_.open_window(wanted);
    };
  }

  void add_labs() {
    CLI::App* command =
        app_.add_subcommand("labs", w_("List every lab, or one, with its parameters"));
    command->add_option("lab", listed_, w_("The lab's id; without it, every lab"));
    command->add_flag("--json", json_, w_("As JSON"));
    command->callback([this] {
      action_ = [this] {
        list_labs(listed_, json_);
        return kDone;
      };
    });
  }

  void add_export() {
    CLI::App* command =
        app_.add_subcommand("export", w_("Write figures (.png .svg .pdf), their numbers (.csv "
                                         ".json .npy .npz) or a trained model "
                                         "(.safetensors)"));
    command->add_option("lab", export_.view.lab, w_("The lab's id"))->required();
    command->add_option("-o,--out", export_.out, w_("The file; its extension sets the format"))
        ->required()
        ->check(not_empty(N_("a file name"), w_));
    command->add_option("--figure", export_.figure, w_("One figure or plot of the page, by id"))
        ->check(not_empty(N_("the id of a figure or plot"), w_));
    export_.view.add_to(*command, w_);
    export_.compare.add_to(*command, w_);
    export_.look.add_to(*command, "light", w_);
    export_.paper.add_to(*command, w_);
    export_.numbers.add_to(*command, w_);
    command->callback([this] {
      action_ = [this] {
        export_figure(export_);
        return kDone;
      };
    });
  }

  void add_gallery() {
    CLI::App* command = app_.add_subcommand(
        "gallery", w_("Write every preset of every lab, with an index page, or write a handout"));
    command->add_option("folder", gallery_.folder, w_("The folder for the pictures"))
        ->check(not_empty(N_("a folder name"), w_));
    command
        ->add_option("--handout", gallery_.handout,
                     w_("A .pdf with a page or two for each lab: question, introduction, formula, "
                        "figures, common statements, sources"))
        ->check(not_empty(N_("a file name"), w_));
    command->add_option("--lang", gallery_.language, w_("en or zh_CN"));
    command->callback([this] {
      action_ = [this] {
        write_gallery(gallery_);
        return kDone;
      };
    });
  }

  void add_shot() {
    CLI::App* command = app_.add_subcommand("shot", w_("Draw the whole window without a display"));
    command->add_option("-o,--out", shot_.out, w_("The PNG file"))->required();
    command->add_option("--lab", shot_.view.lab, w_("The lab's id"))
        ->check(not_empty(N_("the id of a lab"), w_));
    command->add_option("--lesson", shot_.lesson, w_("The lesson to open"))
        ->check(not_empty(N_("the name of a lesson"), w_));
    command->add_option("--stop", shot_.stop, w_("The stop to open, counted from 1"))
        ->check(not_empty(N_("a number"), w_));
    command->add_flag("--answered", shot_.answered,
                      w_("Show the stop after its question has been answered"));
    command->add_flag("--start", shot_.start, w_("Show the start page instead of a lab"));
    command->add_flag("--lecture", shot_.lecture, w_("Show the stop as a lecture does"));
    shot_.view.add_to(*command, w_);
    shot_.compare.add_to(*command, w_);
    shot_.look.add_to(*command, "dark", w_);
    command->callback([this] {
      action_ = [this] {
        if (std::filesystem::path(shot_.out).extension() != ".png") {
          words::refuse<core::InputError>(N_("--out: expected a name that ends in .png, got {}"),
                                          in_quotes(shot_.out));
        }
        refuse_unused_of_shot();
        if (shot_.view.lab.empty()) {
          shot_.view.lab = shot_.view.session.empty() ? lab::opening(lab::all()).id
                                                      : given_session(shot_.view.session).lab;
        }
        Wanted wanted = wanted_of(shot_.look, 1);
        if (static_cast<double>(wanted.width) * wanted.height > kMostShotPixels) {
          words::refuse<core::InputError>(N_("--size: expected at most {} million pixels, got {}"),
                                          kMostShotPixels / 1e6, in_quotes(shot_.look.size));
        }
        shot_.view.as_window = true;
        const View view = make_view(shot_.view, shot_.look.lang());
        for (const words::Sentence& note : view.notes) report(note.in(w_));
        wanted.session = view.session();
        wanted.given = view.given;
        wanted.session->figure = view.figure;
        wanted.session->holds = shot_.compare.holds(view);
        paper::Inputs inputs = view.inputs;
        shot_.compare.add_inputs(inputs);
        inputs.add(*wanted.session);
        inputs.refuse(shot_.out);
        wanted.out = shot_.out;
        wanted.start = shot_.start;
        if (!shot_.lesson.empty()) {
          LessonWords lesson;
          lesson.lesson = shot_.lesson;
          lesson.stop = shot_.stop;
          open_lesson(lesson, shot_.look.lang(), wanted);
          if (wanted.own_lesson) lesson_inputs(*wanted.own_lesson, shot_.lesson).refuse(shot_.out);
          wanted.answered = shot_.answered;
        }
        wanted.lecture = shot_.lecture;
        frontend_.shot(wanted);
        return kDone;
      };
    });
  }

  // A lesson and the start page have their own scenes.
  void refuse_unused_of_shot() const {
    const ViewWords& view = shot_.view;
    const bool lesson = !shot_.lesson.empty();
    if (lesson || shot_.start) {
      refuse_with(shot_.start ? "--start" : "--lesson",
                  {{lesson && shot_.start, "--lesson"},
                   {!view.lab.empty(), "--lab"},
                   {!view.set.empty(), "--set"},
                   {!view.preset.empty(), "--preset"},
                   {!view.session.empty(), "--session"},
                   {!view.pick.empty(), "--pick"},
                   {!shot_.compare.with.empty(), "--compare"}});
    }
    if (!lesson) {
      refuse_without("--lesson", {{!shot_.stop.empty(), "--stop"}, {shot_.answered, "--answered"}});
    }
  }

  void add_sweep() {
    CLI::App* command = app_.add_subcommand(
        "sweep", w_("Sweep knobs: write a film (.gif .png .mp4 .webm, or a folder of frames), or "
                    "small multiples for paper (--grid)"));
    const auto text = [&](const char* name, std::string& value, std::string_view about,
                          std::string_view expected) {
      command->add_option(name, value, w_(about))->check(not_empty(expected, w_));
    };
    command->add_option("lab", sweep_.view.lab, w_("The lab's id"))->required();
    command
        ->add_option("-o,--out", sweep_.out,
                     w_("The file; its extension sets the format: a .png is an animated PNG "
                        "(APNG); a name without one is a folder for frames"))
        ->required()
        ->check(not_empty(N_("a file name"), w_));
    command
        ->add_option("--param", sweep_.param,
                     w_("id=from:to, or more values id=a:b:c: a knob to sweep, on its slider's "
                        "scale; several can be given"))
        ->allow_extra_args(false);
    text("--keys", sweep_.keys, N_("Presets such as a,b,c: the knobs go from one to the next"),
         N_("presets such as a,b"));
    text("--stops", sweep_.stops,
         N_("A lesson, or LESSON:2,4,7: the knobs go from one of its stops in this lab to the "
            "next"),
         N_("the name of a lesson"));
    text("--frames", sweep_.frames, N_("Number of frames from one end to the other"),
         N_("a number"));
    text("--duration", sweep_.duration,
         N_("Time from one end to the other; 4s unless --frames and --fps set it"), N_("a time"));
    text("--fps", sweep_.fps, N_("Frames per second; 25 by default"), N_("a number"));
    text("--ease", sweep_.ease, N_("in-out (starts and stops gently) or linear"),
         N_("linear or in-out"));
    text("--loop", sweep_.loop, N_("once, loop, or back (there and back, the default)"),
         N_("once, loop or back"));
    text("--grid", sweep_.grid,
         N_("ROWSxCOLUMNS: not a film but one figure (.pdf .svg .png, or its numbers) of that many "
            "plots with the same axes; with two knobs, the first changes down the rows, the second "
            "along the columns"),
         N_("ROWSxCOLUMNS"));
    text("--figure", sweep_.figure,
         N_("One figure or plot of the page, by id; with --grid the first by default"),
         N_("the id of a figure or plot"));
    sweep_.view.add_to(*command, w_);
    sweep_.look.add_to(*command, "light", w_);
    sweep_.paper.add_to(*command, w_);
    sweep_.numbers.add_to(*command, w_);
    command->callback([this] {
      action_ = [this] {
        write_sweep(sweep_);
        return kDone;
      };
    });
  }

  void add_lesson() {
    CLI::App* command = app_.add_subcommand(
        "lesson", w_("Open a lesson, or write it as a handout (.pdf, .html, .md)"));
    command
        ->add_option("lesson", lesson_.lesson,
                     w_("One of the program's lessons, or a file; with --names the id of a lab"))
        ->required()
        ->check(not_empty(N_("the name of a lesson"), w_));
    command->add_option("-o,--out", lesson_.out, w_("The handout; its extension sets the format"))
        ->check(not_empty(N_("a file name"), w_));
    command->add_option("--stop", lesson_.stop, w_("The stop to open, counted from 1"))
        ->check(not_empty(N_("a number"), w_));
    command->add_flag("--lecture", lesson_.lecture,
                      w_("Open it as a lecture, full screen (F5 in the window)"));
    command->add_flag("--check", lesson_.check,
                      w_("Check the lesson against the pages it uses, and report what is wrong"));
    command->add_flag("--names", lesson_.names,
                      w_("List every name that a lesson of this lab can use"));
    lesson_.view.add_to(*command, w_);
    command->fallthrough();
    command->callback([this] {
      action_ = [this] {
        Wanted wanted = wanted_of(window_look_, 0);
        wanted.control_map = control_map_;
        wanted.lecture = lesson_.lecture;
        const words::Language language = wanted.language.value_or(w_.language());
        return open_lesson(lesson_, language, wanted) ? frontend_.open_window(wanted) : kDone;
      };
    });
  }

  void add_link() {
    CLI::App* command = app_.add_subcommand(
        "link", w_("Print the link of a view: \"attnscope LINK\" and a browser open it"));
    command->add_option("lab", link_.view.lab, w_("The lab's id; --session has its own"))
        ->check(not_empty(N_("the id of a lab"), w_));
    link_.view.add_to(*command, w_);
    command->add_option("--lesson", link_.lesson, w_("The lesson to open"))
        ->check(not_empty(N_("the name of a lesson"), w_));
    command->add_option("--stop", link_.stop, w_("The stop to open, counted from 1"))
        ->check(not_empty(N_("a number"), w_));
    command
        ->add_option("--base", link_.base,
                     w_("The address of attnscope in a browser, which the link begins with"))
        ->check(not_empty(N_("an address"), w_));
    command->add_option("--lang", link_.language,
                        w_("en or zh_CN: the language that the link opens in"));
    command->callback([this] {
      action_ = [this] {
        write_link(link_, w_);
        return kDone;
      };
    });
  }

  std::vector<desktop::File> files(const std::string& program) const {
    const words::Words english(words::Language::en), chinese(words::Language::zh_CN);
    return installed_files(program, Program(frontend_, english).app_,
                           Program(frontend_, chinese).app_);
  }

  void add_installed() {
    const auto flag = [&](const char* name, std::string_view about, std::function<void()> act) {
      app_.add_flag_callback(
          name,
          [this, act] {
            action_ = [act] {
              act();
              return kDone;
            };
          },
          w_(about));
    };
    flag("--diagnose", N_("Print what a report of a fault needs; nothing personal"),
         [this] { print_out(diagnosis(w_, frontend_.display())); });
    flag("--install-for-me",
         N_("Put the menu's entry, icons, file types, the manual and "
            "completions into the home folder"),
         [this] {
           const std::filesystem::path share = own_share();
           desktop::write(share, files(own_program()));
           desktop::refresh(share);
           print_out(w_(N_("attnscope is in the menu; --remove-for-me takes it out again")) + "\n");
         });
    flag("--remove-for-me", N_("Take out what --install-for-me put there"), [this] {
      const std::filesystem::path share = own_share();
      const std::size_t removed = desktop::remove(share, files(own_program()));
      desktop::refresh(share);
      print_out(w_.format(N_("files removed: {}"), removed) + "\n");
    });
    CLI::App* command = app_.add_subcommand(
        "desktop-files", w_("Write what goes with an installed program: menu entry, icons, file "
                            "types, manual, completions"));
    command->add_option("folder", prefix_, w_("The folder above share, such as /usr/local"))
        ->required()
        ->check(not_empty(N_("the name of a folder"), w_));
    command->add_option("--program", program_, w_("How the entry starts the program"))
        ->check(not_empty(N_("the name of a program"), w_));
    command->callback([this] {
      action_ = [this] {
        desktop::write(std::filesystem::path(prefix_) / "share",
                       files(program_.empty() ? own_program() : program_));
        return kDone;
      };
    });
  }

  const Frontend& frontend_;
  const words::Words& w_;  // of what is told
  CLI::App app_{"", "attnscope"};
  std::function<int()> action_;
  std::string file_, control_map_, prefix_, program_;
  GalleryWords gallery_;
  std::optional<std::string> listed_;  // of labs; empty: all
  bool json_ = false;
  ExportWords export_;
  ShotWords shot_;
  SweepWords sweep_;
  LessonWords lesson_;
  LinkWords link_;
  LookWords window_look_;
};

// The language of this environment's messages; English where it is none of ours.
words::Language language_of_locale() {
  const bool chinese = core::message_locale().starts_with("zh");
  return chinese ? words::Language::zh_CN : words::Language::en;
}

// The language that is asked for, wherever that stands, else the environment's.
words::Words words_of(const std::vector<std::string>& words) {
  constexpr std::string_view kOption = "--lang";
  words::Language language = language_of_locale();
  for (std::size_t k = 0; k < words.size(); ++k) {
    std::string_view id;
    if (words[k] == kOption && k + 1 < words.size()) id = words[k + 1];
    if (words[k].starts_with("--lang=")) id = std::string_view(words[k]).substr(kOption.size() + 1);
    if (id.empty()) continue;
    const bool chinese = id == words::language_id(words::Language::zh_CN);
    language = chinese ? words::Language::zh_CN : words::Language::en;
  }
  return words::Words(language);
}

}  // namespace

int run(const std::vector<std::string>& words, const Frontend& frontend) {
  const words::Words w = words_of(words);
  try {
    return Program(frontend, w).run(words);
  } catch (const core::InputError& error) {
    report(words::translated(error, w));
    return kWrongWords;
  } catch (const std::exception& error) {
    report(words::translated(error, w));
    return kFailed;
  }
}

}  // namespace cli
