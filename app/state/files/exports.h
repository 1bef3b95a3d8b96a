// Exports of figures and films. They show the page on screen with the session that made it,
// wherever the knobs stand by now.
#pragma once

#include <chrono>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/state/files/files.h"
#include "app/state/pages/holding.h"
#include "app/worker/in_order.h"

namespace sweep {
struct Sweep;
struct Job;
}  // namespace sweep

namespace state {

class Exports {
 public:
  // All outlive it. An export in progress is finished at the end.
  Exports(const Desk& desk, const Pages& pages, const Holding& holding, Files& files,
          Messages& messages, const Appearance& looks, std::function<void()> wake);

  // Writes one figure, or the whole page when `figure` is empty; the path's ending chooses how. It
  // is done in the background, one export after the other, and a message says how it went. False
  // when there is no page yet. `paper`: its size and what stands on it; null: as the figures stand
  // on the page.
  bool write(const std::string& path, const std::string& figure = "",
             const paper::PaperOptions* paper = nullptr);
  // Writes a film in the same way: .gif, .png, .mp4, .webm or a folder of frames.
  bool write_film(const std::string& path, const sweep::Sweep& sweep, const std::string& figure);
  // The paper that was chosen last with the texts of the page on screen, of which there is one;
  // without its session.
  paper::PaperOptions shown_paper() const { return on_paper(looks_.paper); }
  // Ids of that figure, or of all shown. There is a page; throws core::InputError when all are
  // hidden.
  std::vector<std::string> figures(const std::string& figure) const;
  // About how many bytes of numbers the export has; 0 for pictures.
  double bytes(const std::string& path, const std::string& figure) const;

  bool busy() const { return exports_.busy(); }
  Writing now() const;
  void cancel() { exports_.cancel(); }
  // Waits at most this long for the export in progress and gives up the rest, whose files stay as
  // they were. Returns their paths.
  std::vector<std::string> give_up(std::chrono::milliseconds patience);
  // Takes over what was written. True when something was.
  bool poll();

 private:
  struct Job {
    std::shared_ptr<const Computed> page;
    std::vector<std::string> figures;
    figure::Views views;
    paper::PaperOptions options;
    std::string path;
    std::shared_ptr<const sweep::Job> film = nullptr;  // instead of a page
    std::string unread = {};  // the files that its session tells by length and time
  };
  struct Exported {
    std::string path;
    bool whole = true;           // the page was
    std::exception_ptr failure;  // null when it was written
    std::string unread = {};
  };
  static Exported run(const Job& job, const core::Cancel& cancel);
  static void make_film(const sweep::Job& film, const core::Cancel& cancel);
  void take(const Exported& exported);
  paper::PaperOptions on_paper(paper::PaperOptions paper) const;
  paper::Compared compared_on_paper(lab::State& now, const words::Words& w) const;
  std::string session_for(const std::string& path, const std::string& figure,
                          const paper::PaperOptions& paper) const;

  const Desk& desk_;
  const Pages& pages_;
  const Holding& holding_;
  Files& files_;
  Messages& messages_;
  const Appearance& looks_;
  worker::InOrder<Job, Exported> exports_;
};

}  // namespace state
