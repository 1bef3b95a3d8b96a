#include "app/cli/cli.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <sstream>
#include <system_error>
#include <type_traits>

#include "app/cli/commands.h"
#include "app/cli/help.h"
#include "app/cli/installed/installed.h"
#include "app/cli/shared/fault.h"
#include "app/cli/shared/output.h"
#include "app/words/sentence.h"
#include "core/system/environment.h"
#include "core/text/printable.h"

namespace cli {
namespace {

constexpr int kDone = 0, kFailed = 1, kWrongWords = 2;

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
    window_.add_to(app_, w_);
    action_ = [this] { return frontend_.open_window(wanted_window(window_, commands(), w_)); };
    act(labs_, [this] { list_labs(labs_); });
    act(export_, [this] { export_figure(export_); });
    act(gallery_, [this] { write_gallery(gallery_); });
    act(shot_, [this] { frontend_.shot(wanted_shot(shot_, w_)); });
    act(sweep_, [this] { write_sweep(sweep_); });
    act(lesson_, [this] { return lesson(); });
    act(link_, [this] { write_link(link_, w_); });
    act(serve_, [this] { serve(w_); });
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
      report(
          w_.format(N_("{}; see attnscope --help"), core::printable(fault(app_, error, w_), 200)));
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

  // The window's own words, which a command after them would not see.
  void refuse_misplaced() const {
    if (app_.get_subcommands().empty()) return;
    // A lesson is opened in the window, whose words these are.
    if (app_.get_subcommands()[0]->get_name() == "lesson" && window_.file.empty()) return;
    for (const CLI::Option* option : app_.get_options()) {
      if (option->count() == 0) continue;
      if (option->get_positional()) {
        words::refuse<core::InputError>(N_("expected a command or a file to open, got {} and {}"),
                                        app_.get_subcommands()[0]->get_name(),
                                        in_quotes(window_.file));
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

  // What is done when this command is the one that was given. Its exit status: what `does` returns.
  template <class Words, class Does>
  void act(Words& words, Does does) {
    act(words.add_to(app_, w_), does);
  }
  template <class Does>
  void act(CLI::App* command, Does does) {
    command->callback([this, does] {
      action_ = [does] {
        if constexpr (std::is_void_v<decltype(does())>) {
          does();
          return kDone;
        } else {
          return does();
        }
      };
    });
  }

  std::vector<std::string> commands() const {
    std::vector<std::string> names;
    for (const CLI::App* command : app_.get_subcommands({})) names.push_back(command->get_name());
    return names;
  }

  int lesson() {
    Wanted wanted = window_.look.wanted(0);
    wanted.control_map = window_.control_map;
    wanted.lecture = lesson_.lecture;
    const words::Language language = wanted.language.value_or(w_.language());
    if (!open_lesson(lesson_, language, wanted)) return kDone;
    if (wanted.out.empty()) return frontend_.open_window(wanted);
    wanted.language = language;
    frontend_.film(wanted);
    return kDone;
  }

  std::vector<desktop::File> files(const std::string& program) const {
    const words::Words english(words::Language::en), chinese(words::Language::zh_CN);
    return installed_files(program, Program(frontend_, english).app_,
                           Program(frontend_, chinese).app_);
  }

  void add_installed() {
    const auto flag = [&](const char* name, std::string_view about,
                          const std::function<void()>& act) {
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
    act(command, [this] {
      desktop::write(std::filesystem::path(prefix_) / "share",
                     files(program_.empty() ? own_program() : program_));
    });
  }

  const Frontend& frontend_;
  const words::Words& w_;  // of what is told
  CLI::App app_{"", "attnscope"};
  std::function<int()> action_;
  WindowWords window_;
  LabsWords labs_;
  ExportWords export_;
  GalleryWords gallery_;
  ShotWords shot_;
  SweepWords sweep_;
  LessonWords lesson_;
  LinkWords link_;
  ServeWords serve_;
  std::string prefix_, program_;  // of desktop-files
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
    report(as_typed(words::translated(error, w), words));
    return kWrongWords;
  } catch (const std::exception& error) {
    report(words::translated(error, w));
    return kFailed;
  }
}

}  // namespace cli
