// Styles that have a name: the program's own, and a person's, each a file that can be shared.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/paper/export_figure.h"

namespace paper {

// How large the paper is and what stands on it, with the look of what is drawn.
struct NamedStyle {
  double width = 0, height = 0;  // millimetres; 0: as wide and high as the figures are
  double font = 0;               // points of labels; 0: 9, 8 with a width
  double dpi = 0;                // 0: 300 with a width
  bool titles = true, captions = true, parameters = true, transparent = false, crop = false;
  Style style = {};  // its content is no part of a file
  bool operator==(const NamedStyle&) const = default;
};
param::List describe(NamedStyle& style);

// What of the options goes with a style.
NamedStyle named_style_of(const PaperOptions& options);
void apply(const NamedStyle& style, PaperOptions& options);

// An export's paper and look as a session holds them: what is not as it is by itself.
param::Values paper_values(const PaperOptions& options);
// Sets the look, and the whole paper where the values say anything of it. Throws core::InputError
// for an unknown id and a refused value.
void set(PaperOptions& options, const param::Values& values);

// {"attnscope_style":1,"width":85,"font":8,"captions":false,"font_family":"DejaVu Serif"}: what is
// not as it is by itself.
std::string to_json(const NamedStyle& style);
// Throws core::InputError, in one sentence, for another text, and for a member that no style has.
NamedStyle style_from_json(const std::string& text);

// Names of styles: the program's own, then those that were saved.
std::vector<std::string> style_names();
// How the program's own is called in the reader's language; others as they are.
std::string style_title(const std::string& name, const words::Words& w);
// A name, or a file's path. Throws core::InputError, naming what there is, and IoError.
NamedStyle find_style(const std::string& name_or_file);
// By a name: $XDG_CONFIG_HOME/attnscope/styles/NAME.json; or a path that ends in .json. The path is
// answered. Throws core::InputError for what can be no name, or is one of the program's own.
std::filesystem::path save_style(const std::string& name_or_file, const NamedStyle& style);

}  // namespace paper
