#include "app/labs/decoding/grown_tree.h"

#include "app/labs/shared/parts.h"
#include "core/attention/softmax.h"

namespace lab::decoding {
namespace {

class Grower {
 public:
  Grower(Index shown, const NextLogs& next, Model& model)
      : shown_(shown), next_(next), model_(model), tree_(model.tree) {}

  void grow() {
    add_search();
    for (const Text& text : model_.texts) {
      // The best of the beam, the first of the samples.
      if (text.number == 0) add_text(text);
    }
    add_children();
    stand_in_columns();
  }

 private:
  // With all before it.
  Index node_of(const Ids& path) {
    if (path.empty()) return -1;
    if (const auto known = places_.find(path); known != places_.end()) return known->second;
    Ids before(path.begin(), path.end() - 1);
    const Index parent = node_of(before);
    Node node{.parent = parent, .token = path.back(), .path = path};
    node.log_probability = next_(before)(path.back());
    node.sum = node.log_probability + (parent < 0 ? 0 : tree_.nodes[to_size(parent)].sum);
    tree_.nodes.push_back(std::move(node));
    return places_[path] = to_index(tree_.nodes.size()) - 1;
  }

  void add_search() {
    const auto& branches = model_.beam->branches;
    std::map<Index, Index> drawn;  // by parent
    for (std::size_t k = 0; k < branches.size(); ++k) {
      const BeamBranch& branch = branches[k];
      const bool fell = branch.outcome == BeamBranch::Outcome::outscored;
      if (++drawn[branch.parent] > shown_ && fell && branch.decided == branch.length) {
        ++model_.left_out;
        continue;
      }
      Node& node = tree_.nodes[to_size(node_of(model_.beam->tokens(to_index(k))))];
      node.branch = to_index(k);
      node.log_probability = branch.log_probability;
      node.sum = branch.sum;
    }
  }

  void add_text(const Text& text) {
    for (Ids path; path.size() < text.ids.size();) {
      path.push_back(text.ids[path.size()]);
      tree_.nodes[to_size(node_of(path))].on[to_size(text.way)] = true;
    }
  }

  // After every token of the branch that is looked at: what else there would have been.
  void add_children() {
    for (std::size_t count = 0; count <= model_.at.size(); ++count) {
      const Ids before(model_.at.begin(), model_.at.begin() + static_cast<std::ptrdiff_t>(count));
      const VectorD& logs = next_(before);
      for (const std::int32_t id : core::decode::likeliest(logs, shown_)) {
        if (!std::isfinite(logs(id))) break;
        Ids path = before;
        path.push_back(id);
        node_of(path);
      }
    }
  }

  // Children by their parents, the likeliest first.
  void stand_in_columns() {
    std::map<Index, std::vector<Index>> children;
    for (std::size_t k = 0; k < tree_.nodes.size(); ++k) {
      children[tree_.nodes[k].parent].push_back(to_index(k));
    }
    for (auto& [parent, all] : children) {
      std::stable_sort(all.begin(), all.end(), [&](Index a, Index b) {
        const Node &x = tree_.nodes[to_size(a)], &y = tree_.nodes[to_size(b)];
        return x.log_probability != y.log_probability ? x.log_probability > y.log_probability
                                                      : x.token < y.token;
      });
    }
    for (std::vector<Index> column = children[-1]; !column.empty();) {
      std::vector<Index> after;
      for (const Index k : column) {
        const auto& own = children[k];
        after.insert(after.end(), own.begin(), own.end());
      }
      tree_.columns.push_back(std::exchange(column, std::move(after)));
    }
  }

  Index shown_;
  const NextLogs& next_;
  Model& model_;
  Tree& tree_;
  std::map<Ids, Index> places_;
};

}  // namespace

const VectorD& NextLogs::operator()(const Ids& written) const {
  const auto known = known_.find(written);
  if (known != known_.end()) return known->second;
  const Ids text = source_.text(written);
  cancel_.poll();
  const Distribution own = source_.next(text, cancel_);
  const VectorD logits =
      filters_.empty() ? own.logits : core::decode::filtered(own, filters_, text).after().logits;
  return known_[written] = core::log_softmax<double>(logits);
}

void grow_tree(Index shown, const NextLogs& next, Model& model) {
  Grower(shown, next, model).grow();
}

Index Tree::find(const Ids& path) const {
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    if (nodes[k].path == path) return to_index(k);
  }
  return -1;
}

}  // namespace lab::decoding
