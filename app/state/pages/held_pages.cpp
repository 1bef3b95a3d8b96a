#include "app/state/pages/held_pages.h"

#include <algorithm>
#include <chrono>

#include "app/labs/memo.h"
#include "app/paper/style/colors.h"

namespace state {

namespace {

constexpr std::size_t kKeptBesides = 4;  // pages that nobody holds any more

}  // namespace

HeldPages::~HeldPages() {
  if (worker_) worker_->drop();
}

HeldPages::Entry* HeldPages::find(const Key& key) {
  const auto found = std::find_if(entries_.begin(), entries_.end(),
                                  [&](const Entry& entry) { return entry.key == key; });
  return found == entries_.end() ? nullptr : &*found;
}

void HeldPages::keep(std::shared_ptr<const Computed> page) {
  const Key key = key_of(*page);
  if (Entry* entry = find(key)) {
    entry->page = std::move(page);
    entry->fault = {};
  } else {
    entries_.push_back({key, std::move(page)});
  }
}

// The pages have memos of their own: what the knobs ask for does not lose what it has kept. What
// is trained for them is trained here, whole, and disturbs no run.
void HeldPages::begin() {
  if (worker_) return;
  auto memos = std::make_shared<lab::Memos>();
  auto work = [memos](const Job& job, const core::Cancel& cancel) -> Made {
    const auto began = std::chrono::steady_clock::now();
    try {
      const words::Words words(job.key.language);
      lab::Page page =
          job.state->compute({.cancel = cancel, .words = words, .memo = memos->of(job.key.lab)});
      if (!page.fault.empty()) return {job.key, nullptr, page.fault};
      paper::recolor(page, job.key.colors, words);
      const std::chrono::duration<double, std::milli> took =
          std::chrono::steady_clock::now() - began;
      const session::Session session{.lab = job.key.lab,
                                     .values = job.key.values,
                                     .views = {},
                                     .figures = {.colors = job.key.colors}};
      return {job.key, std::make_shared<const Computed>(
                           Computed{session, job.key.language, std::move(page), took.count()})};
    } catch (const core::Cancelled&) {
      return {job.key, nullptr};
    } catch (...) {
      return {job.key, nullptr, core::caught()};
    }
  };
  worker_ = std::make_unique<Worker>(std::move(work), wake_);
}

std::shared_ptr<const Computed> HeldPages::get(const Key& key, const lab::Lab& lab) {
  Entry* entry = find(key);
  if (!entry) {
    entries_.push_back({key, nullptr});
    entry = &entries_.back();
  }
  if (entry->page || entry->asked || !entry->fault.empty()) return entry->page;
  entry->asked = true;
  std::shared_ptr<lab::State> state = lab.make();
  try {
    param::assign(state->describe(), key.values);
  } catch (...) {
    entry->fault = core::caught();
    return nullptr;
  }
  begin();
  ++computed_;
  worker_->add({key, std::move(state)});
  return nullptr;
}

core::Message HeldPages::fault(const Key& key) const {
  for (const Entry& entry : entries_) {
    if (entry.key == key) return entry.fault;
  }
  return {};
}

void HeldPages::retain(const std::vector<Key>& held) {
  const auto is_held = [&](const Entry& entry) {
    return std::find(held.begin(), held.end(), entry.key) != held.end();
  };
  auto besides = static_cast<std::size_t>(
      std::count_if(entries_.begin(), entries_.end(), [&](auto& one) { return !is_held(one); }));
  std::erase_if(entries_, [&](const Entry& entry) {
    if (is_held(entry) || besides <= kKeptBesides) return false;
    --besides;
    return true;
  });
}

bool HeldPages::poll() {
  if (!worker_) return false;
  bool any = false;
  for (Made& made : worker_->take()) {
    any = true;
    Entry* entry = find(made.key);
    if (!entry) continue;
    entry->asked = false;
    entry->page = std::move(made.page);
    entry->fault = std::move(made.fault);
  }
  return any;
}

}  // namespace state
