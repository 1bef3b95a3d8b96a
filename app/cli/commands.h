// One function a command. Each throws core::InputError when the words were wrong and any other
// exception when it could not be done.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "app/cli/compare_words.h"
#include "app/cli/options.h"
#include "app/cli/paper_words.h"

namespace cli {

// One lab, or all of them without an id.
void list_labs(const std::optional<std::string>& id, bool json);

struct ExportWords {
  ViewWords view;
  LookWords look;
  PaperWords paper;
  NumberWords numbers;
  CompareWords compare;
  std::string figure, out;
};
void export_figure(const ExportWords& words);

struct SweepWords {
  ViewWords view;
  LookWords look;
  PaperWords paper;
  NumberWords numbers;  // of small multiples
  std::string out, figure;
  std::vector<std::string> param;  // --param
  std::string keys, stops;         // --keys, --stops
  std::string frames, duration, fps, ease, loop, grid;
};
void write_sweep(const SweepWords& words);

struct LessonWords {
  std::string lesson, out, stop;
  bool check = false, names = false, lecture = false;
  ViewWords view;  // of --names
};
// A lesson to be opened in the window, into `wanted`; empty: what was asked for has been done
// (--check, --names, -o).
bool open_lesson(const LessonWords& words, words::Language language, Wanted& wanted);

// The lesson's file and what its scenes read.
paper::Inputs lesson_inputs(const lesson::Lesson& lesson, const std::filesystem::path& file);

// A link to be opened in the window, into `wanted`.
void open_link(const std::string& word, words::Language language, Wanted& wanted);

struct LinkWords {
  ViewWords view;
  std::string lesson, stop, language, base;
};
// Writes to the standard output the link of a view, or of a lesson's stop.
void write_link(const LinkWords& words, const words::Words& w);

struct GalleryWords {
  std::string folder, language = "en", handout;
};
void write_gallery(const GalleryWords& words);

}  // namespace cli
