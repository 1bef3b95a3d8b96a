// The pages that are held, each computed once from its values and kept as it is.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "app/state/pages/computed.h"
#include "app/worker/in_order.h"

namespace state {

class HeldPages {
 public:
  explicit HeldPages(std::function<void()> wake) : wake_(std::move(wake)) {}
  ~HeldPages();
  HeldPages(const HeldPages&) = delete;
  HeldPages& operator=(const HeldPages&) = delete;

  // What a page is known by.
  struct Key {
    std::string lab;
    param::Values values;
    words::Language language = words::Language::en;
    std::map<std::string, param::Values> colors = {};  // of its figures, as sessions have them
    bool operator==(const Key&) const = default;
  };

  // A page that is there already.
  void keep(std::shared_ptr<const Computed> page);
  // The page; null while it is made, which begins with the first question, and where it cannot be.
  std::shared_ptr<const Computed> get(const Key& key, const lab::Lab& lab);
  // Why it cannot be made; empty: it is there, or may come.
  core::Message fault(const Key& key) const;
  // Forgets all but these and the few that were held last, for whoever takes a drop back.
  void retain(const std::vector<Key>& held);

  // Takes over what was made. True when something was.
  bool poll();
  bool busy() const { return worker_ && worker_->busy(); }
  // How many pages were computed so far; for tests.
  int computed() const { return computed_; }

 private:
  struct Entry {
    Key key;
    std::shared_ptr<const Computed> page;
    core::Message fault = {};
    bool asked = false;
  };
  struct Job {
    Key key;
    std::shared_ptr<const lab::State> state;
  };
  struct Made {
    Key key;
    std::shared_ptr<const Computed> page;
    core::Message fault = {};
  };
  static Key key_of(const Computed& page) {
    return {page.made_from.lab, page.made_from.values, page.language,
            page.made_from.figures.colors};
  }
  Entry* find(const Key& key);
  void begin();

  std::function<void()> wake_;
  std::vector<Entry> entries_;  // the newest at the end
  int computed_ = 0;
  using Worker = worker::InOrder<Job, Made>;
  std::unique_ptr<Worker> worker_;  // none before a page has to be made
};

}  // namespace state
