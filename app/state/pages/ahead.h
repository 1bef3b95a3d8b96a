// Pages made before they are needed: a lecture's next stop is on screen at once.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "app/state/desk/desk.h"
#include "app/state/pages/page_worker.h"

namespace state {

class Ahead {
 public:
  using MakeWorker = std::function<std::unique_ptr<PageWorker>()>;
  // `desk` and `words` outlive it; `worker` is called when the first page is to be made.
  Ahead(const Desk& desk, const words::Words& words, MakeWorker worker)
      : desk_(desk), words_(words), make_worker_(std::move(worker)) {}

  // Pages of these scenes are made beside the page on screen, in this order, and kept until others
  // are asked for; a scene whose page is there is on screen at once when the knobs come to it.
  void make(std::vector<session::Session> scenes);
  // The page of a scene in the language of the window; null: it is not made.
  std::shared_ptr<const Computed> of(const session::Session& scene) const;
  // True while the scene's page is requested and neither made nor impossible.
  bool awaits(const session::Session& scene) const;
  bool busy() const { return busy_; }
  // Takes over a finished page and starts the next.
  void poll();

 private:
  const Desk& desk_;
  const words::Words& words_;
  MakeWorker make_worker_;
  std::vector<session::Session> wanted_, failed_;
  std::vector<std::shared_ptr<const Computed>> made_;
  session::Session asked_;
  bool busy_ = false;
  long taken_ = 0;
  std::unique_ptr<PageWorker> worker_;  // null until pages are made ahead
};

// Whether a page of one is a page of the other.
bool same_scene(const session::Session& one, const session::Session& other);

}  // namespace state
