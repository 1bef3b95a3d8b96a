#include "app/state/gallery.h"

#include <algorithm>
#include <utility>

namespace state {

const std::vector<Chosen>& chosen_pictures() {
  static const std::vector<Chosen> all{
      {"pooling", "gaussian", "data"},
      {"scoring", "first_look", "plane", {"field"}},
      {"softmax", "first_look", "melting"},
      {"multi_head", "first_look", "heads", {}, 4},
      {"alignment", "dates", "alignment"},
      {"documents", "reviews", "document", {}, 0, 0.5f},
      {"absolute", "first_look", "table"},
      {"rotary", "first_look", "dials", {}, 4},
      {"relative", "t5_buckets", "matrix"},
      {"extrapolation", "first_look", "cells"},
      {"position_compare", "first_look", "side", {}, 4},
      {"number_line", "tenth", "bits", {}, 0, 0.5f},
      {"position_ids", "first_look", "stairs"},
      {"rope_rounding", "first_look", "phase"},
      {"alibi_rounding", "first_look", "bias"},
      {"low_precision_math", "stops", "run"},
      {"masks", "bigbird", "mask"},
      {"cost", "first_look", "kernels"},
      {"transformer", "whole", "architecture", {}, 0, 0.3f},
      {"translation", "dates", "maps", {}, 3},
      {"gpt_training", "induction", "heads"},
      {"gpt_inside", "induction", "map"},
      {"cache", "first_look", "step", {"keys", "values"}, 2},
      {"decoding", "letters", "tree", {}, 0, 0.45f},
      {"tensors", "model", "heads", {}, 4},
      {"checkpoint", "heads", "heads", {}, 4},
  };
  return all;
}

Chosen chosen_for(const lab::Lab& lab) {
  for (const Chosen& one : chosen_pictures()) {
    if (one.lab == lab.id) return one;
  }
  return {lab.id, lab.presets.empty() ? std::string_view() : lab.presets.front().id, {}};
}

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

std::shared_ptr<const figure::Figure> picture_of(const lab::Page& page, const Chosen& chosen) {
  const auto found = std::find_if(
      page.figures.begin(), page.figures.end(),
      [&](const figure::Figure& one) { return chosen.figure.empty() || one.id == chosen.figure; });
  if (found == page.figures.end()) return nullptr;
  auto picture = std::make_shared<figure::Figure>(*found);
  picture->title.clear(), picture->note.clear(), picture->pointer_note.clear();
  picture->caption.clear(), picture->pointer_caption.clear(), picture->footer.clear();
  if (chosen.columns > 0) picture->columns = chosen.columns;
  if (!chosen.plots.empty()) {
    std::erase_if(picture->plots, [&](const figure::Plot& plot) {
      return std::find(chosen.plots.begin(), chosen.plots.end(), plot.id) == chosen.plots.end();
    });
  }
  if (picture->plots.empty()) return nullptr;
  if (chosen.reduced == 1) {
    for (figure::Plot& plot : picture->plots) strip(plot);
  }
  return picture;
}

Gallery::Gallery(const std::vector<lab::Lab>& labs, std::function<void()> wake)
    : wake_(std::move(wake)) {
  for (const lab::Lab& one : labs)
    pictures_.push_back({&one, chosen_for(one), words::Language::en, nullptr, false});
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
      worker_->add({k, one.lab, one.chosen, language});
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
      if (preset.id == job.chosen.preset) param::assign(state->describe(), preset.values);
    }
    const words::Words words(job.language);
    lab::Memo memo;
    const lab::Page page = state->compute(
        {.cancel = cancel, .words = words, .memo = memo, .publish = {}, .threads = 1});
    made.figure = picture_of(page, job.chosen);
  } catch (const core::Cancelled&) {
    made.cancelled = true;
  } catch (const std::exception&) {
    made.figure = nullptr;
  }
  return made;
}

}  // namespace state
