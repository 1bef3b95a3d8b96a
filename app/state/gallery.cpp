#include "app/state/gallery.h"

#include <algorithm>
#include <utility>

namespace state {

namespace {

// Numbers, names and handles are for who can read and touch them.
void strip(figure::Plot& plot) {
  plot.thumbnail = true;
  plot.selected = false;
  plot.title.clear(), plot.note.clear(), plot.pointer_note.clear(), plot.lead.clear();
  for (figure::Mark& mark : plot.marks) {
    if (auto* map = std::get_if<figure::Heatmap>(&mark)) map->pinned.reset();
  }
}

}  // namespace

std::shared_ptr<const figure::Figure> picture_of(const lab::Page& page,
                                                 const lab::Picture& wanted) {
  const std::string_view id = wanted.start_figure();
  const auto found =
      std::find_if(page.figures.begin(), page.figures.end(),
                   [&](const figure::Figure& one) { return id.empty() || one.id == id; });
  if (found == page.figures.end()) return nullptr;
  auto picture = std::make_shared<figure::Figure>(*found);
  picture->title.clear(), picture->note.clear(), picture->pointer_note.clear();
  picture->caption.clear(), picture->pointer_caption.clear(), picture->footer.clear();
  if (wanted.columns > 0) picture->columns = wanted.columns;
  if (!wanted.plots.empty()) {
    std::erase_if(picture->plots, [&](const figure::Plot& plot) {
      return std::find(wanted.plots.begin(), wanted.plots.end(), plot.id) == wanted.plots.end();
    });
  }
  if (picture->plots.empty()) return nullptr;
  if (wanted.reduced == 1) {
    for (figure::Plot& plot : picture->plots) strip(plot);
  }
  return picture;
}

Gallery::Gallery(const std::vector<lab::Lab>& labs, std::function<void()> wake)
    : wake_(std::move(wake)) {
  for (const lab::Lab& one : labs) pictures_.push_back({&one, words::Language::en, nullptr, false});
}

Gallery::~Gallery() { rest(); }

void Gallery::want(words::Language language) {
  if (wanted_ == language) return;
  rest();
  wanted_ = language;
  if (!worker_) worker_ = std::make_unique<Worker>(make, wake_);
  for (std::size_t k = 0; k < pictures_.size(); ++k) {
    const Picture& one = pictures_[k];
    if (!one.made || one.language != language) {
      worker_->add({k, one.lab, language});
    }
  }
}

void Gallery::rest() {
  wanted_.reset();
  if (worker_) worker_->drop();
}

std::vector<std::size_t> Gallery::poll() {
  std::vector<std::size_t> fresh;
  if (!worker_) return fresh;
  for (Made& made : worker_->take()) {
    if (made.cancelled) continue;
    Picture& picture = pictures_[made.at];
    picture.made = true;
    picture.language = made.language;
    picture.figure = std::move(made.figure);
    fresh.push_back(made.at);
  }
  return fresh;
}

// On one thread: the others are the window's. A preset that cannot be shown is told by its lab.
Gallery::Made Gallery::make(const Job& job, const core::Cancel& cancel) {
  Made made{job.at, job.language, nullptr, false};
  try {
    cancel.poll();
    const auto state = job.lab->make();
    for (const lab::Preset& preset : job.lab->presets) {
      if (preset.id == lab::picture_of(job.lab->id).preset)
        param::assign(state->describe(), preset.values);
    }
    const words::Words words(job.language);
    lab::Memo memo;
    const lab::Page page = state->compute(
        {.cancel = cancel, .words = words, .memo = memo, .publish = {}, .threads = 1});
    made.figure = picture_of(page, lab::picture_of(job.lab->id));
  } catch (const core::Cancelled&) {
    made.cancelled = true;
  } catch (const std::exception&) {
    made.figure = nullptr;
  }
  return made;
}

}  // namespace state
