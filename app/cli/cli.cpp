#include "app/cli/cli.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>

#include "app/cli/commands.h"
#include "app/page/session_carrier.h"

namespace cli {
namespace {

constexpr int kDone = 0, kFailed = 1, kWrongWords = 2;

struct ShotWords {
  ViewWords view;
  LookWords look;
  std::string out;
};

Wanted wanted_of(const LookWords& look) {
  Wanted wanted;
  wanted.theme = look.theme_name();
  wanted.language = look.lang();
  wanted.scale = look.checked_scale();
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
  explicit Program(const Frontend& frontend) : frontend_(frontend) {
    app_.set_version_flag("--version", ATTNSCOPE_VERSION);
    app_.require_subcommand(0, 1);
    add_window();
    add_labs();
    add_export();
    add_gallery();
    add_shot();
  }

  int run(std::vector<std::string> words) {
    std::reverse(words.begin(), words.end());  // as CLI11 wants them
    try {
      app_.parse(words);
    } catch (const CLI::Success& success) {
      return app_.exit(success);
    } catch (const CLI::ParseError& error) {
      fmt::print(stderr, "attnscope: {}; see attnscope --help\n", error.what());
      return kWrongWords;
    }
    return action_();
  }

 private:
  void add_window() {
    app_.add_option("file", file_, "A session (.attn) or an exported figure to open");
    app_.add_option("--control-map", control_map_,
                    "Keep this file up to date: where every control is, as JSON");
    window_look_.add_to(app_, "dark");
    window_look_.scale = 0;
    action_ = [this] {
      Wanted wanted = wanted_of(window_look_);
      wanted.control_map = control_map_;
      if (!file_.empty() && file_.find_first_of("./") == std::string::npos &&
          !std::filesystem::exists(file_)) {
        throw core::InputError(fmt::format(
            "expected labs, export, gallery, shot or a file to open, got \"{}\"", file_));
      }
      if (!file_.empty()) wanted.session = lab::from_json(page::read_session(file_));
      wanted.file = file_;
      return frontend_.open_window(wanted);
    };
  }

  void add_labs() {
    CLI::App* command = app_.add_subcommand("labs", "List every lab with its parameters");
    command->add_flag("--json", json_, "As JSON");
    command->callback([this] {
      action_ = [this] {
        list_labs(json_);
        return kDone;
      };
    });
  }

  void add_export() {
    CLI::App* command = app_.add_subcommand(
        "export", "Write figures (.png .svg .pdf) or their numbers (.csv .json .npy)");
    command->add_option("lab", export_.view.lab, "The lab's id")->required();
    command->add_option("-o,--out", export_.out, "The file; its ending chooses the format")
        ->required();
    command->add_option("--figure", export_.figure, "One figure or plot of the page, by id");
    export_.view.add_to(*command);
    export_.look.add_to(*command, "light");
    command->callback([this] {
      action_ = [this] {
        export_figure(export_);
        return kDone;
      };
    });
  }

  void add_gallery() {
    CLI::App* command =
        app_.add_subcommand("gallery", "Write every lab's every preset with an index page");
    command->add_option("folder", gallery_, "Where to")->required();
    command->callback([this] {
      action_ = [this] {
        write_gallery(gallery_);
        return kDone;
      };
    });
  }

  void add_shot() {
    CLI::App* command = app_.add_subcommand("shot", "Draw the whole window without a display");
    command->add_option("-o,--out", shot_.out, "The PNG file")->required();
    command->add_option("--lab", shot_.view.lab, "The lab's id");
    shot_.view.add_to(*command);
    shot_.look.add_to(*command, "dark");
    command->callback([this] {
      action_ = [this] {
        if (std::filesystem::path(shot_.out).extension() != ".png") {
          throw core::InputError(
              fmt::format("--out: expected a name that ends in .png, got \"{}\"", shot_.out));
        }
        if (shot_.view.lab.empty()) shot_.view.lab = lab::opening(lab::all()).id;
        Wanted wanted = wanted_of(shot_.look);
        wanted.session = make_view(shot_.view).session();
        wanted.out = shot_.out;
        frontend_.shot(wanted);
        return kDone;
      };
    });
  }

  const Frontend& frontend_;
  CLI::App app_{"attnscope: an oscilloscope for attention", "attnscope"};
  std::function<int()> action_;
  std::string file_, control_map_, gallery_;
  bool json_ = false;
  ExportWords export_;
  ShotWords shot_;
  LookWords window_look_;
};

}  // namespace

int run(const std::vector<std::string>& words, const Frontend& frontend) {
  try {
    return Program(frontend).run(words);
  } catch (const core::InputError& error) {
    fmt::print(stderr, "attnscope: {}\n", error.what());
    return kWrongWords;
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "attnscope: expected a size that fits in memory, got one that does not\n");
    return kFailed;
  } catch (const std::exception& error) {
    fmt::print(stderr, "attnscope: {}\n", error.what());
    return kFailed;
  }
}

}  // namespace cli
