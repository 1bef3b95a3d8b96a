#include "app/state/actions.h"

#include "app/words/words.h"

namespace state {

const std::vector<Action>& actions() {
  static const std::vector<Action> all{
      {"start", N_("Start page"), {}, N_("home, routes, gallery, recent files")},
      {"open", N_("Open a session, a figure, a lesson, tensors or a model…"), "Ctrl O",
       N_("file, load")},
      {"save", N_("Save the session…"), "Ctrl S", N_("file, keep")},
      {"undo", N_("Undo"), "Ctrl Z"},
      {"redo", N_("Redo"), "Ctrl Shift Z"},
      {"export", N_("Export the page…"), "Ctrl E", N_("paper, picture, PDF, SVG, PNG, print")},
      {"export_now", N_("Export the page as PDF at once"), "Ctrl Shift E"},
      {"export_numbers", N_("Export the numbers…"), {}, N_("CSV, JSON, NPY, table, array")},
      {"copy", N_("Copy the values of the first figure"), {}, N_("clipboard, numbers")},
      {"copy_link", N_("Copy a link to this view"), {}, N_("clipboard, share, address, URL")},
      {"theme", N_("Dark or light theme"), "Ctrl T", N_("colours, projector")},
      {"language", N_("Language: English or Chinese (中文)"), "Ctrl L"},
      {"larger", N_("Larger"), "Ctrl +", N_("scale, zoom, size of type")},
      {"smaller", N_("Smaller"), "Ctrl −", N_("scale, zoom, size of type")},
      {"scale_100", N_("Scale 100 %"), "Ctrl 0", N_("scale, zoom, size of type")},
      {"scale_200", N_("Scale 200 %"), {}, N_("scale, zoom, size of type, projector")},
      {"hold", N_("Hold the page, to compare with it"), "H", N_("ghost, difference")},
      {"sweep", N_("Sweep a knob"), "M", N_("animation, film, GIF, play")},
      {"lecture", N_("Lecture: figures full screen"), "F5",
       N_("full screen, projector, present, slides")},
      {"add_stop", N_("Add a stop to a lesson…"), {}, N_("own lesson, write")},
      {"captions", N_("Show or hide captions"), "C"},
      {"introduction", N_("Show or hide the introduction")},
      {"motion", N_("Turn motion on or off"), {}, N_("animation")},
      {"ask_first", N_("Ask before telling, or tell at once"), {}, N_("true or false, statements")},
      {"alone", N_("The first figure alone, or the whole page"), "F", N_("full screen")},
      {"all_figures", N_("Show all figures"), {}, N_("hidden, order")},
      {"defaults", N_("Reset all knobs of this lab"), {}, N_("reset")},
      {"unpin", N_("Unpin"), "Escape", N_("picked, chosen")},
      {"lab_before", N_("Previous lab"), "Page Up"},
      {"lab_after", N_("Next lab"), "Page Down"},
      {"panel", N_("Show or hide the knobs"), {}, N_("panel, right side")},
      {"lessons", N_("Lessons"), {}, N_("course, list of lessons")},
      {"leave_lesson", N_("Leave the lesson"), "Escape"},
      {"search", N_("Search"), "Ctrl F", N_("find")},
      {"help", N_("Help"), "F1", N_("keys, shortcuts, manual")},
      {"quit", N_("Quit"), "Ctrl Q", N_("close, end")},
  };
  return all;
}

}  // namespace state
