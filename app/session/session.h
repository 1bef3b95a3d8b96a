// What is needed to see a view again: saved as .attn, and carried inside of every exported figure.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "app/figure/layout.h"
#include "app/labs/lab.h"
#include "app/session/session_files.h"
#include "app/session/strokes.h"

namespace session {

using lab::Lab, lab::Page;
using words::Words;

// How a page's figures are shown: the ids of those that were hidden, and the order of those that
// were moved; the others follow as the page has them.
struct FigureChoices {
  std::vector<std::string> first = {}, hidden = {};
  // Colours of heatmaps by the id of their figure or plot, as paper::Style has them: "vmax" is
  // "0.2".
  std::map<std::string, param::Values> colors = {};
  bool operator==(const FigureChoices&) const = default;
  bool empty() const { return first.empty() && hidden.empty() && colors.empty(); }
};

// Indices of the page's shown figures, in the order shown.
std::vector<std::size_t> shown_figures(const Page& page, const FigureChoices& order);
// Ids of the shown figures. Throws core::InputError where all are hidden.
std::vector<std::string> exported_figures(const Page& page, const FigureChoices& order);

// What a page is compared with: earlier pages, each as the values of every parameter, from which it
// is computed again.
struct Hold {
  std::string name = {};  // empty: what differs names it
  param::Values values = {};
  bool operator==(const Hold&) const = default;
};
struct Holds {
  std::vector<Hold> all = {};
  int compared = -1;  // the one that is drawn; -1: none
  figure::CellsShown cells = figure::CellsShown::split;
  float split = 0.5f;  // where the live part of heatmaps ends, as a share of the width
  bool operator==(const Holds&) const = default;
  const Hold* now() const {
    const bool there = compared >= 0 && compared < static_cast<int>(all.size());
    return there ? &all[static_cast<std::size_t>(compared)] : nullptr;
  }
};
inline constexpr std::size_t kMostHolds = 12;

struct Session {
  std::string lab;
  param::Values values;                 // every parameter
  figure::Views views;                  // zoomed plots
  std::vector<SessionFile> files = {};  // of a session that was read: see file_note
  FigureChoices figures = {};
  std::string figure = {};  // of an export of one figure or plot: its id, to be scrolled to
  Holds holds = {};
  Strokes strokes = {};  // of lectures, whatever lab was shown
  // An exported figure's paper and look, as paper::set takes them; empty: as they are by
  // themselves.
  param::Values paper = {};
  // Compares what is shown; notes, contents of files, where to scroll and paper do not count.
  bool operator==(const Session& other) const {
    return lab == other.lab && values == other.values && views == other.views &&
           figures == other.figures && holds == other.holds && strokes == other.strokes;
  }
};

// Parts of a session that this page does not have, a sentence each: plots that are zoomed, and
// figures that are put first, hidden, coloured, or where the session begins.
std::vector<words::Sentence> unknown_parts(const Session& session, const Page& page);

// {"attnscope":1,"lab":"multi_head","values":{...},"views":{"weights":[x0,x1,y0,y1]},
//  "files":{"file":{"bytes":120,"written":1700000000000000000,"contents":"00112233aabbccdd"}},
//  "figures":{"first":["weights"],"hidden":["links"],"colors":{"weights":{"vmax":"0.2"}}},
//  "figure":"weights",
//  "holds":{"all":[{"name":"one head","values":{...}}],"compared":0,"cells":"split","split":0.5},
//  "paper":{"width":"85","font_family":"DejaVu Serif"},
//  "strokes":[{"place":"averaging 3","figure":"data","ink":0,"points":[[0.1,0.5],[0.9,0.5]]}]}
// `folder` is where the text will lie, empty: the current one. Files are named from there, unless
// they share nothing but the root with it; "files" says what they held, their contents where no
// more than `most` bytes are read for that (see Fingerprint).
std::string to_json(const Session& session, const std::filesystem::path& folder = {},
                    std::uint64_t most = kReadAtOnce);
// Files become whole paths, looked for from `folder`. Throws core::InputError in one sentence when
// it is not such a text, names an unknown lab, parameter or member, or a value is refused. Older
// sessions may lack parameters: these keep their defaults.
Session from_json(const std::string& text, const std::filesystem::path& folder = {});

// The files that a session of these values reads, by their whole paths.
std::vector<std::string> files_read(const Lab& lab, const param::Values& values);

// Opens a person's own numbers, a file or folder that is no session: the first lab of
// Chapter::yours whose first parameter for files takes its ending, with that file, all else at its
// default. None: no lab takes it. Throws core::InputError when it is no file that can be read.
std::optional<Session> session_opening(const std::filesystem::path& path);

// As above, with labs from elsewhere than lab::find; for tests.
using FindLab = std::function<const Lab&(std::string_view id)>;
std::string to_json(const Session& session, const FindLab& find,
                    const std::filesystem::path& folder = {}, std::uint64_t most = kReadAtOnce);
Session from_json(const std::string& text, const FindLab& find,
                  const std::filesystem::path& folder = {});

}  // namespace session
