// The numbers behind figures, whole (whatever part is zoomed to) and in full precision: a float is
// printed with the fewest digits that read back as the same float.
//
// .json {"figures":[{"id","title","caption","axes":[{"plot","axis","label","lo","hi","scale"}],
//         "plots":[{"id","title","x":{"label","lo","hi","scale","labels"},"y":{...},"marks":[
//           {"type":"heatmap","shape":[rows,cols],"data":[[...]],"label"},
//           {"type":"line","label","x":[...],"y":[...]}, {"type":"bars","values":[...]},
//           {"type":"band","x","lo","hi"}, {"type":"points","x","y"},
//           {"type":"rule","vertical","at","label"}, {"type":"note","x","y","text"},
//           {"type":"links","left":[...],"right":[...],"links":[{"from","to","weight"}]},
//           {"type":"table","columns":[...],"rows":[[...]],"numbers":{"memory (bytes)":[...]}},
//           {"type":"diagram","nodes":[{"title","note","at":[x0,y0,x1,y1],"shape","data"}],
//            "wires":[{"label","x":[...],"y":[...]}]}]}]}],
//        "readouts":{id:{"label","value","text"}},"notes":["..."],
//        "statements":[{"id","said","verdict","truth","source","preset","figure"}],
//        "session":{...} or null}
//       Of what is commonly said the verdict is "wrong", "half" or "holds"; preset and figure,
//       where they are given, settle it. A masked cell is null; "NaN", "Infinity" and "-Infinity"
//       are strings, since JSON has no such numbers. "labels" is null where cells are only counted.
// .csv  RFC 4180 (lines end with CR LF), one rectangular table in long form, whatever the language.
//       Its columns are, as far as anything fills them, in this order: figure (of several), plot,
//       mark (what is drawn: heatmap, line, band, bars, points, links, arrows, box, point,
//       interval, table), series, row, row_label, column, column_label, x, y, x2, y2, value, text,
//       x_axis and y_axis (the names of the axes with their units). Rows and columns are counted
//       from 0, a heatmap's have x and y too where its axes are no cells; a band is y to y2, a link
//       goes from row to column, boxes and arrows from x, y to x2, y2. A cell of a table is a
//       record; a number that cells tell as people read it ("= 537 M") is one more, with its
//       English name and unit for the column_label and no column. Masked cells are empty; the lines
//       of a table's cell are parted by " / ", and any other end of a line is "⏎".
// .npy  version 1.0, '<f4', C order: a heatmap [rows, cols]; a figure whose plots are all heatmaps
//       of one shape [plots, rows, cols]; bars [n]; lines or points [k, 2, n]; bands [k, 3, n];
//       links [n, 3] from, to, weight; arrows [n, 4]. A masked cell is a NaN. Written in blocks of
//       rows.
// .npz  every array of the figures by the plot's id; where a plot has several, plot.heatmap,
//       plot.bars, plot.lines and so on. Not compressed.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/labs/lab.h"

namespace paper {

struct NumbersOptions {
  bool comments = false;          // a .csv: title, captions and parameters in lines of "#"
  bool bom = false;               // a .csv: begins with UTF-8's mark, which a Chinese Excel needs
  std::string title, parameters;  // for the comments
};

// `out` ends in .json, .csv, .npy or .npz; `session` is a JSON text or empty. Throws
// core::InputError when the ids are unknown, when an .npy would have to hold more than one array or
// more than kMostArrayBytes, or a heatmap of more than kMostTextCells would become text; IoError
// when the file cannot be written or, said before its first byte, the disk has less room than it
// takes; core::Cancelled when that was asked. The old file stays then.
void export_numbers(const lab::Page& page, const std::vector<std::string>& figure_ids,
                    const std::string& session, const std::filesystem::path& out,
                    const core::Cancel& cancel = {}, const NumbersOptions& options = {});

// About how many bytes the export takes, nearly all of them cells of heatmaps: exactly for .npy,
// after a sample of the cells for text. 0 for the endings of pictures.
double estimated_bytes(const lab::Page& page, const std::vector<std::string>& figure_ids,
                       const std::filesystem::path& out);

// One figure as .csv for the clipboard: tabs instead of commas, as spreadsheets take it.
struct CopiedNumbers {
  std::string text;
  std::vector<std::string> left_out;  // plots whose heatmaps have more than kMostCopiedCells
};
CopiedNumbers copied_numbers(const figure::Figure& figure);

inline constexpr core::Index kMostCopiedCells = core::Index{1} << 22;
inline constexpr core::Index kMostTextCells = core::Index{1} << 26;  // of one heatmap
inline constexpr double kMostArrayBytes = 64e9;                      // of an .npy
inline constexpr double kMostArchiveBytes = 4e9;                     // of an .npz, a plain zip

}  // namespace paper
