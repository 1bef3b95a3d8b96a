// Events that other parts answer to: one queue. The owner of the window empties it twice a frame:
// after workers' results were taken over, and after all was drawn.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "app/lesson/lesson.h"
#include "app/state/search.h"

namespace state {

struct FileOpened {};  // a session, an exported figure, tensors or a lesson of a person's own
// The paper and the look of the figure that was opened, as a session has them.
struct PaperOpened {
  std::string lab, figure;
  param::Values paper;
};
struct LessonOpened {
  std::string path;
  lesson::Lesson lesson;
};
// The figure or plot that was exported alone into the file that was opened; its page is on screen.
struct FigureOpened {
  std::string id;
};

// A person picked something in a figure: the figure's or the plot's id.
struct Picked {
  std::string id;
};
struct LabRequest {
  std::string lab, preset;  // empty preset: as it was left
};
struct LessonRequest {
  std::string name;
  std::optional<std::size_t> stop = {};  // none: where it was left
};
struct LectureRequest {};  // of the lesson that is open
struct StopRequest {};     // a stop to be added to a lesson in a file
struct AnswersRequest {};  // those of the open lesson, to be written to a file
struct KnobRequest {       // to be brought into view
  std::string id;
};
struct FigureRequest {};  // a figure that is to be seen was brought into view
struct FoundChosen {      // in a search
  Found found;
};
struct FileRequest {};  // to be asked for
struct ExportRequest {
  std::string figure, ending;
};
struct SweepExportRequest {};
struct LinkRequest {};   // of what is shown, to be copied
struct StartRequest {};  // for the start page

using Event = std::variant<FileOpened, PaperOpened, LessonOpened, FigureOpened, Picked, LabRequest,
                           LessonRequest, LectureRequest, StopRequest, AnswersRequest, KnobRequest,
                           FigureRequest, FoundChosen, FileRequest, ExportRequest,
                           SweepExportRequest, LinkRequest, StartRequest>;

class Events {
 public:
  void add(Event event) { events_.push_back(std::move(event)); }
  std::vector<Event> take() { return std::exchange(events_, {}); }

 private:
  std::vector<Event> events_;
};

}  // namespace state
