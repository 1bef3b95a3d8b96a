// What the window remembers from one time to the next: how it looks, never what it shows.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string_view>

#include "app/figure/theme.h"
#include "app/lesson/progress.h"
#include "app/state/program.h"
#include "app/words/words.h"

namespace state {

struct Settings {
  figure::ThemeName theme = figure::ThemeName::dark;
  words::Language language = words::Language::en;
  float scale = 0;  // 0: the display's own
  bool captions = true, introduction = true, motion = true, hold_drags = true;
  double speed = 1;        // of playing
  std::size_t memory = 0;  // bytes that may be held; 0: the program's own choice
  bool ask_first = true;   // what is commonly said, before the truth is told
  lesson::Progress lessons = {};
  bool show_start = true;  // the start page, when nothing else is opened
  Recents recent = {};
  LectureLook lecture = {};
  FilmLook film = {};
  // The paper that was exported on last, in points and dots; see paper::PaperOptions.
  double paper_width = 0, paper_height = 0, paper_font = 0, paper_dpi = 0;
  bool paper_title = true, paper_caption = true, paper_parameters = true;
  bool paper_transparent = false, paper_crop = false;
  param::Values paper_style = {};  // its look; see paper::Style
  bool operator==(const Settings&) const = default;
};

// $XDG_CONFIG_HOME/attnscope/settings.json, or the same in ~/.config; empty where there is neither.
std::filesystem::path settings_file();

// Keeps a file that one lab hands to another, a model or its numbers, and says where: in
// $XDG_DATA_HOME/attnscope/models, or the same in ~/.local/share. Its name comes of its bytes, so
// equal files are one.
// Throws sys::IoError, and core::InputError where there is no such folder.
std::filesystem::path keep_file(std::string_view bytes, std::string_view ending);

// {"theme":"light","language":"zh_CN","scale":1.5,"captions":true,"introduction":false,
// "motion":true,"hold_drags":true,"speed":2,"memory":4000000000,"ask_first":true,
// "lecture":{"theme":"light","scale":2,"sentence":true},
// "film":{"width":640,"fps":25,"seconds":0},
// "lessons":{"averaging":{"stop":3,"furthest":5,"done":false,
// "answers":[{"stop":0,"answer":"A level line.","right":true,"time":"2026-11-27 14:05"}]}},
// "show_start":false,
// "recent":[{"file":"/home/ada/a.attn"},{"lesson":"averaging"}],"paper_width":240.9,
// "paper_title":true,"paper_style":{"dashes":"true"}}. What is missing, and a file that is, keeps
// its default; other members are left alone. Throws core::InputError in one sentence where the file
// is something else.
Settings read_settings(const std::filesystem::path& file);
// Makes the folder, too; members of a later version stay in the file. Throws sys::IoError.
void write_settings(const Settings& settings, const std::filesystem::path& file);

// How a model looks; its scale is 0 where that is `own_scale`.
Settings settings_of(const Program& program, float own_scale);
void apply(const Settings& settings, Program& program, float own_scale);
// What `kept` becomes when a person went from `before` to `after`.
Settings remembered(Settings kept, const Settings& before, const Settings& after);

}  // namespace state
