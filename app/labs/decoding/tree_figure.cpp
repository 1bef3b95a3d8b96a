// The tree: every branch that was looked at, what became of it, and which way took it.
#include "app/labs/decoding/page.h"
#include "app/labs/shared/drawing/block_diagram.h"

namespace lab::decoding {
namespace {

constexpr double kNodeHigh = 36, kNodeGap = 5, kFamilyGap = 9, kHead = 30, kWide = 1000;
constexpr double kNodeShare = 0.66;  // of a column, the rest is for wires
constexpr float kCardAround = 104;   // title and footer, pixels

// Where a node stands.
struct Spot {
  double x0, x1, y;  // y: its middle, downwards
  Box box() const { return {x0, -y - kNodeHigh / 2, x1, -y + kNodeHigh / 2}; }
};

class TreeDrawer {
 public:
  explicit TreeDrawer(const Scene& scene)
      : scene_(scene),
        tree_(scene.model.tree),
        columns_(std::max(tree_.columns.size(), to_size(scene.model.steps))),
        pitch_(kWide / to_double(columns_ + 1)) {}

  Plot plot() {
    place();
    for (std::size_t k = 0; k < tree_.nodes.size(); ++k) {
      wires(tree_.nodes[k], spots_[k]);
      diagram_.add(node(k));
    }
    root();
    heads();
    Plot plot{.id = "tree"};
    plot.x = {.lo = 0, .hi = kWide, .visible = false};
    plot.y = {.lo = -height_, .hi = 0, .visible = false};
    diagram_.draw_in(plot);
    return plot;
  }
  double height() const { return height_; }

 private:
  double left(std::size_t column) const { return to_double(column) * pitch_ + 4; }

  // Columns hang around one level: the middle of the tallest.
  void place() {
    spots_.resize(tree_.nodes.size());
    std::vector<double> heights;
    for (std::size_t c = 0; c < tree_.columns.size(); ++c) {
      double y = 0;
      Index parent = -2;
      for (const Index k : tree_.columns[c]) {
        const Index own = tree_.nodes[to_size(k)].parent;
        if (parent != -2) y += own == parent ? kNodeGap : kNodeGap + kFamilyGap;
        parent = own;
        const double x = left(c + 1);
        spots_[to_size(k)] = {x, x + kNodeShare * pitch_, y + kNodeHigh / 2};
        y += kNodeHigh;
      }
      heights.push_back(y);
      tallest_ = std::max(tallest_, y);
    }
    for (std::size_t c = 0; c < tree_.columns.size(); ++c) {
      for (const Index k : tree_.columns[c]) {
        spots_[to_size(k)].y += kHead + (tallest_ - heights[c]) / 2;
      }
    }
    height_ = kHead + std::max(tallest_, kNodeHigh) + 6;
  }

  Spot root_spot() const {
    return {4, 4 + kNodeShare * pitch_, kHead + std::max(tallest_, kNodeHigh) / 2};
  }

  // One for each way that goes through it, side by side.
  void wires(const Node& node, const Spot& to) {
    const Spot from = node.parent < 0 ? root_spot() : spots_[to_size(node.parent)];
    std::vector<Color> colors;
    for (std::size_t way = 0; way < kWays; ++way) {
      if (node.on[way]) colors.push_back(way_color(static_cast<Way>(way)));
    }
    const bool bare = colors.empty(), kept = node.branch >= 0 && !fell(node);
    if (bare) colors.push_back(Color(Role::dim, kept ? 1.0f : 0.6f));
    const double bend = from.x1 + 0.3 * (to.x0 - from.x1);
    for (std::size_t k = 0; k < colors.size(); ++k) {
      const double off = 3.4 * (to_double(k) - to_double(colors.size() - 1) / 2);
      diagram_.line({{from.x1, -from.y - off}, {bend, -from.y - off}, {to.x0, -to.y - off}},
                    colors[k], kept ? 2.4f : 1.0f, bare && node.branch < 0);
    }
  }

  bool fell(const Node& node) const {
    return branch(node) && branch(node)->outcome == BeamBranch::Outcome::outscored;
  }
  const BeamBranch* branch(const Node& node) const {
    return node.branch < 0 ? nullptr : &scene_.model.beam->branches[to_size(node.branch)];
  }

  Color fill(const Node& node) const {
    const BeamBranch* of = branch(node);
    if (!of) return Role::panel;
    if (fell(node)) return Color(Role::dim, 0.06f);
    return way_color(Way::beam, of->outcome == BeamBranch::Outcome::grown ? 0.2f : 0.4f);
  }

  std::string mark(const Node& node) const {
    const BeamBranch* of = branch(node);
    if (fell(node)) return fmt::format(" ✕{}", of->decided);
    return of && of->outcome == BeamBranch::Outcome::finished ? " ■" : "";
  }

  BlockDiagram::Node node(std::size_t k) const {
    const Node& of = tree_.nodes[k];
    const Words& w = scene_.w;
    BlockDiagram::Node node = spots_[k].box().node();
    const double p = std::exp(of.log_probability);
    node.title = scene_.token(of.token) + mark(of);
    const std::string share = p < 0.1 ? significant(p, 2) : fixed(p, 2);
    node.note = columns_ > 5 ? fixed(of.sum, 2) : fmt::format("{} · {}", share, fixed(of.sum, 2));
    const BeamBranch* searched = branch(of);
    const Index parent = of.parent < 0 ? to_index(tree_.nodes.size()) : of.parent;
    const double score = searched ? searched->score : std::numeric_limits<double>::quiet_NaN();
    node.numbers = {{"step", of.path.size()}, {"parent", parent + 1},
                    {"probability", p},       {"log_probability", of.log_probability},
                    {"sum", of.sum},          {"score", score}};
    node.fill = fill(of);
    node.edge = of.branch < 0 ? Role::faint : fell(of) ? Role::line : Role::dim;
    node.bold = std::any_of(of.on.begin(), of.on.end(), [](bool on) { return on; });
    node.marked = of.path == scene_.model.taken;
    node.pick = sets("taken", scene_.source().knob(of.path), "explain", "branch");
    node.tooltip = w.format("{}: log p = {}, sum {}", scene_.text(of.path),
                            fixed(of.log_probability, 4), fixed(of.sum, 4));
    if (searched) {
      node.tooltip = w.format("{}; {}", node.tooltip, w.format("score {}", fixed(score, 4)));
    }
    node.tooltip +=
        "\n" + (searched ? outcome_text(scene_, *searched) : w("The search never reached it."));
    return node;
  }

  void root() {
    const Ids& prompt = scene_.source().prompt;
    BlockDiagram::Node node = root_spot().box().node();
    node.title = prompt.empty() ? scene_.w("start") : "… " + scene_.token(prompt.back());
    node.note = prompt.size() < 2 ? "" : scene_.w.format("{} tokens", prompt.size());
    node.bold = true;
    node.marked = scene_.model.taken.empty();
    node.pick = sets("taken", "", "explain", "probability");
    node.tooltip = prompt.empty() ? scene_.w("Nothing is written yet") : scene_.shortened(prompt);
    diagram_.add(std::move(node));
  }

  // A head over each step: a click lets all ways write so many tokens.
  void heads() {
    const auto head = [&](std::size_t column, std::string title, Index steps, std::string tip,
                          bool pressed = false) {
      const double x = left(column);
      BlockDiagram::Node node = Box{x, -22, x + kNodeShare * pitch_, -2}.node();
      node.title = std::move(title);
      if (pressed) node.pointer_note = node.title;
      node.fill = Color(Role::panel, 0.0f);
      node.edge = Role::line;
      node.marked = steps == scene_.model.steps && steps == scene_.p.steps;
      node.pick = sets("steps", steps);
      node.tooltip = std::move(tip);
      diagram_.add(std::move(node));
    };
    const Words& w = scene_.w;
    for (std::size_t c = 1; c <= columns_; ++c) {
      const auto steps = to_index(c);
      if (steps > kMostSteps) break;
      head(c, w.format(columns_ > 8 ? N_("{}") : N_("step {}"), steps), steps,
           w.format("steps: {}", steps));
    }
    const Index more = scene_.model.steps + 1;
    if (more <= std::min<Index>(kMostSteps, scene_.source().room)) {
      head(0, w("one more step"), more, w.format("steps: {}", more), true);
    }
  }

  const Scene& scene_;
  const Tree& tree_;
  std::size_t columns_;
  double pitch_;
  double tallest_ = 0, height_ = 0;
  std::vector<Spot> spots_;
  BlockDiagram diagram_;
};

}  // namespace

std::string outcome_text(const Scene& scene, const BeamBranch& branch) {
  const Words& w = scene.w;
  const BeamTree& beam = *scene.model.beam;
  switch (branch.outcome) {
    case BeamBranch::Outcome::grown:
      return w.format("It was one of the {} best and was extended at step {}.", scene.p.width,
                      branch.decided);
    case BeamBranch::Outcome::open: return w("It is in the last beam, unfinished.");
    case BeamBranch::Outcome::finished:
      return w.format("It ended at step {} and stayed in the beam.", branch.decided);
    case BeamBranch::Outcome::outscored: break;
  }
  const std::vector<Index>& kept = beam.beams[to_size(branch.decided - 1)];
  const BeamBranch& last = beam.branches[to_size(kept.back())];
  const bool scores = scene.p.by_scores();
  return w.format(
      scores ? N_("It was dropped at step {}. Others with better scores: {}, the last of them {}.")
             : N_("It was dropped at step {}. Others with larger sums: {}, the last of them {}."),
      branch.decided, kept.size(), fixed(scores ? last.score : last.sum, 4));
}

Figure tree_figure(const Scene& scene) {
  const Words& w = scene.w;
  TreeDrawer drawer(scene);
  Plot plot = drawer.plot();
  Figure figure = new_figure("tree", w("The tree of possible texts"),
                             {.height = kCardAround + to_float(drawer.height())});
  figure.note = w.format("beam of {}, steps: {}", scene.p.width, scene.model.steps);
  figure.caption =
      w("Each box is a token; under it, where there is room, its probability and the sum of "
        "log-probabilities up to it, with many steps the sum alone. Filled, at a thick line: it "
        "was in the beam; ✕ with a number, at a thin line: it was dropped at that step; ■: it "
        "ended the text; dashed: the search never went there.");
  figure.pointer_caption =
      w("Click a box to take that branch: the bars of probabilities then show what would follow.");
  if (scene.model.left_out > 0) {
    figure.caption =
        w.format("{} {}", figure.caption,
                 w.format("{} less likely branches that were dropped at once are not drawn.",
                          scene.model.left_out));
  }
  for (const Way way : {Way::greedy, Way::beam, Way::exact, Way::sample, Way::own}) {
    if (!scene.model.text_of(way)) continue;
    figure.footer.push_back(
        {"━ " + way_name(way, w) + "   ", way_color(way), figure::TextStyle::label});
  }
  figure.plays = "steps";
  return with(std::move(figure), std::move(plot));
}

}  // namespace lab::decoding
