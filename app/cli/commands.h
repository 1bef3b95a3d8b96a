// The words of each command, which `add_to` declares on the program's command line, and a function
// that does what they say. It throws core::InputError when the words were wrong and any other
// exception when it could not be done.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/shared/compare_words.h"
#include "app/cli/shared/options.h"
#include "app/cli/shared/panel_words.h"
#include "app/cli/shared/paper_words.h"
#include "app/cli/shared/style_words.h"
#include "app/paper/numbers/arrays.h"

namespace cli {

// Those of the program itself, without a command.
struct WindowWords {
  std::string file, control_map;
  LookWords look;
  std::string embed = {};
  const CLI::Option* embed_option = nullptr;  // whether it is given, with nothing behind it, too
  void add_to(CLI::App& program, const words::Words& w);
};
// `commands` are what could have been meant by a word that is no file.
Wanted wanted_window(const WindowWords& words, const std::vector<std::string>& commands,
                     const words::Words& w);

struct LabsWords {
  std::optional<std::string> id;  // of one lab; none: all of them
  bool json = false, names = false;
  ViewWords view;  // of --names
  CLI::App* add_to(CLI::App& program, const words::Words& w);
};
void list_labs(const LabsWords& words);
// What that writes, without the end of the line behind it; JSON on one line.
std::string listed_labs(const LabsWords& words, Kept& kept);

struct ExportWords {
  ViewWords view;
  LookWords look;
  PaperWords paper;
  StyleWords style;
  NumberWords numbers;
  CompareWords compare;
  PanelWords panels;
  std::vector<std::string> figures;
  std::vector<std::string> sweep;  // --sweep, of a page that is touched
  std::string out, format, frames;
  bool no_session = false, tex = false;
  CLI::App* add_to(CLI::App& program, const words::Words& w);
};
void export_figure(const ExportWords& words);
// What that writes, of the words' format.
std::string exported(const ExportWords& words, Kept* kept = nullptr);
// The numbers of the figures.
std::vector<paper::NamedArray> exported_arrays(const ExportWords& words, Kept& kept);

struct SweepWords {
  ViewWords view;
  LookWords look;
  PaperWords paper;
  StyleWords style;
  NumberWords numbers;  // of small multiples
  std::string out, figure;
  std::vector<std::string> param;  // --param
  std::string keys, stops;         // --keys, --stops
  std::string frames, duration, fps, ease, loop, grid;
  CLI::App* add_to(CLI::App& program, const words::Words& w);
};
void write_sweep(const SweepWords& words);

struct LessonWords {
  std::string lesson, out, stop, answers, collect;
  bool check = false, names = false, lecture = false;
  ViewWords view;  // of --names
  CLI::App* add_to(CLI::App& program, const words::Words& w);
};
// A lesson to be opened in the window, or in a film where it has a name, into `wanted`; false: what
// was asked for has been done (--check, --names, a handout).
bool open_lesson(const LessonWords& words, words::Language language, Wanted& wanted);

// The lesson's file and what its scenes read.
paper::Inputs lesson_inputs(const lesson::Lesson& lesson, const std::filesystem::path& file);

// A link to be opened in the window, into `wanted`.
void open_link(const std::string& word, words::Language language, Wanted& wanted);

struct LinkWords {
  ViewWords view;
  std::string lesson, stop, language, base;
  CLI::App* add_to(CLI::App& program, const words::Words& w);
};
// Writes to the standard output the link of a view, or of a lesson's stop.
void write_link(const LinkWords& words, const words::Words& w);

// Calls on the standard input, answers on the standard output, until the input ends; see
// serve/server.h.
struct ServeWords {
  bool stdio = false;
  CLI::App* add_to(CLI::App& program, const words::Words& w);
};
void serve(const words::Words& w);

struct ShotWords {
  ViewWords view;
  LookWords look;
  CompareWords compare;
  std::string out, lesson, stop;
  bool answered = false, start = false, lecture = false;
  CLI::App* add_to(CLI::App& program, const words::Words& w);
};
Wanted wanted_shot(ShotWords words, const words::Words& w);

struct GalleryWords {
  std::string folder, language = "en", handout;
  CLI::App* add_to(CLI::App& program, const words::Words& w);
};
void write_gallery(const GalleryWords& words);

}  // namespace cli
