// A small picture of every lab: a preset worth seeing, really computed, and of its page the figure
// that tells most. Made one after the other on a thread of its own, so that no frame waits.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/figure/layout.h"
#include "app/labs/lab.h"
#include "app/labs/shared/text/picture.h"
#include "app/worker/in_order.h"

namespace state {

class Gallery {
 public:
  struct Picture {
    const lab::Lab* lab = nullptr;
    words::Language language = words::Language::en;
    std::shared_ptr<const figure::Figure> figure;  // null: not made yet, or it could not be
    bool made = false;
  };

  // `labs` outlives it; `wake` is called from the thread after each picture.
  Gallery(const std::vector<lab::Lab>& labs, std::function<void()> wake);
  ~Gallery();
  Gallery(const Gallery&) = delete;
  Gallery& operator=(const Gallery&) = delete;

  // One for each lab, in their order.
  const std::vector<Picture>& pictures() const { return pictures_; }
  // Requests the pictures that are not there in this language. Those of the other are shown
  // meanwhile.
  void want(words::Language language);
  // Stops making pictures until they are requested again.
  void rest();
  // Takes over finished pictures and returns which are new.
  std::vector<std::size_t> poll();
  bool busy() const { return worker_ && worker_->busy(); }

 private:
  struct Job {
    std::size_t at = 0;
    const lab::Lab* lab = nullptr;
    words::Language language = words::Language::en;
  };
  struct Made {
    std::size_t at = 0;
    words::Language language = words::Language::en;
    std::shared_ptr<const figure::Figure> figure;
    bool cancelled = false;
  };
  static Made make(const Job& job, const core::Cancel& cancel);

  using Worker = worker::InOrder<Job, Made>;
  std::vector<Picture> pictures_;
  std::function<void()> wake_;
  std::optional<words::Language> wanted_;
  std::unique_ptr<Worker> worker_;  // once something is wanted
};

// The part of a figure that is shown as a picture, bare of what a small one has no room for. Null
// where the page has no such figure or plots.
std::shared_ptr<const figure::Figure> picture_of(const lab::Page& page, const lab::Picture& wanted);

}  // namespace state
