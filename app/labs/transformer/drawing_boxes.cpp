// Boxes, pictures and wires.
#include "app/labs/transformer/drawing.h"

namespace lab::transformer::drawing {
namespace {

Node node_at(const Box& at) { return {.x0 = at.x0, .y0 = at.y0, .x1 = at.x1, .y1 = at.y1}; }

}  // namespace

void Drawer::wire(std::vector<At> path, Color color, std::string label, float width) {
  // What is walked back comes from above.
  if (p_.backward) std::reverse(path.begin(), path.end());
  wires_.push_back(
      {.path = std::move(path), .color = color, .width = width, .label = std::move(label)});
}

void Drawer::line(std::vector<At> path, Color color, float width) {
  wires_.push_back({.path = std::move(path), .color = color, .width = width, .arrow = false});
}

Color Drawer::tint(const Tensor& t) const {
  switch (t.part) {
    case Part::queries:
    case Part::query_weight: return {Role::query, 0.16f};
    case Part::keys:
    case Part::key_weight: return {Role::key, 0.16f};
    case Part::values:
    case Part::value_weight: return {Role::value, 0.16f};
    default: return Role::card;
  }
}

Color Drawer::edge(const Tensor& t) const {
  Color c = tint(t);
  if (c.role == Role::card) return Role::line;
  c.alpha = 1;
  return c;
}

std::string Drawer::tooltip(const Tensor& t) const {
  const std::string text = tensor_title(scene_, t) + " · " + t.shape();
  if (!p_.backward) return text;
  return text + "\n" + w_.format("the loss's gradient by it, rms {}", significant(size_of(t), 4));
}

void Drawer::show(const Tensor& t, Index head, Node& node) const {
  node.picture = source_of(t, head);
  node.scale = colors(t);
  node.picked = is_picked(t);
}

void Drawer::head_pictures(const Tensor& t, const Box& in) {
  const auto heads = to_index(t.matrices.size());
  const double gap = 5, wide = (in.x1 - in.x0 - gap * to_double(heads - 1)) / to_double(heads);
  for (Index h = 0; h < heads; ++h) {
    const double x = in.x0 + to_double(h) * (wide + gap);
    Node node = node_at({x, in.y0, x + wide, in.y1});
    node.fill = node.edge = Color(Role::card, 0);
    show(t, h, node);
    node.picked = node.picked && h == scene_.head();
    node.picture_pick = picks(t);
    add_sets(node.picture_pick, "head", h + 1);
    node.tooltip = w_.format("{}, head {}", t.symbol, h + 1);
    nodes_.push_back(std::move(node));
  }
}

void Drawer::small(const Tensor& t, const Box& at) {
  Node node = node_at(at);
  node.title = t.symbol;
  node.note = note(t);
  node.fill = tint(t);
  node.edge = edge(t);
  node.tooltip = tooltip(t);
  node.pick = picks(t);
  if (t.of_heads) {
    node.frame = true;
    nodes_.push_back(std::move(node));
    head_pictures(t, {at.x0 + 6, at.y0 + 5, at.x1 - 6, at.y1 - 26});
    return;
  }
  show(t, 0, node);
  nodes_.push_back(std::move(node));
}

void Drawer::closed(const Tensor& t, std::string title, Color fill, const Box& at) {
  Node node = node_at(at);
  node.title = std::move(title);
  node.note = note(t);
  node.fill = fill;
  node.share = kShare;
  node.bold = true;
  node.pick = opens(t.block);
  node.tooltip = tooltip(t);
  if (!can_open(t.block)) node.pick = picks(t);
  const double inner = at.x0 + kShare * (at.x1 - at.x0) + 2;
  if (t.of_heads) {
    nodes_.push_back(std::move(node));
    head_pictures(t, {inner, at.y0 + 3, at.x1 - 3, at.y1 - 3});
    return;
  }
  show(t, 0, node);
  node.picture_pick = picks(t);
  nodes_.push_back(std::move(node));
}

void Drawer::opened(Block block, const Box& at) {
  Node node = node_at(at);
  node.title = block_title(scene_, block);
  node.pointer_note = w_("click to close");
  node.fill = Color(Role::accent, 0.06f);
  node.edge = Role::accent;
  node.bold = node.frame = true;
  node.pick = opens(block);
  frames_.push_back(std::move(node));
}

void Drawer::token_row(const Column& c, double y0, const Labels& names, std::string tooltip) {
  const auto count = to_index(names->size());
  const double y1 = y0 + 24;
  if (count > kMostTokenBoxes) {
    std::string all;
    for (const std::string& name : *names) all += (all.empty() ? "" : " ") + name;
    Node node{.x0 = c.left, .y0 = y0, .x1 = c.right, .y1 = y1};
    node.title = all;
    node.tooltip = std::move(tooltip);
    nodes_.push_back(std::move(node));
    return;
  }
  const double wide = (c.right - c.left + 4) / to_double(count);
  for (Index k = 0; k < count; ++k) {
    const double x = c.left + to_double(k) * wide;
    Node node{.x0 = x, .y0 = y0, .x1 = x + wide - 4, .y1 = y1};
    node.title = (*names)[to_size(k)];
    node.tooltip = w_.format("{}: {}", tooltip, (*names)[to_size(k)]);
    nodes_.push_back(std::move(node));
  }
}

void Drawer::sign(std::string text, double x, double y) {
  Node node{.x0 = x - 12, .y0 = y - 11, .x1 = x + 12, .y1 = y + 11};
  node.title = std::move(text);
  node.fill = Role::card;
  node.edge = Role::dim;
  node.round = node.bold = true;
  nodes_.push_back(std::move(node));
}

void Drawer::chips(const Column& c, Index count, Index shown, double right) {
  const bool numbered = count <= kMostChips;
  const double room = (c.right - c.left) * 0.42;
  const double wide = std::min(numbered ? 20.0 : 6.0, room / to_double(count));
  for (Index k = 0; k < count; ++k) {
    const double x = right - to_double(count - k) * wide;
    Node node{.x0 = x, .y0 = c.y - 24, .x1 = x + wide - (numbered ? 2 : 0.5), .y1 = c.y - 8};
    if (numbered) node.title = fmt::format("{}", k + 1);
    node.fill = k == shown ? Color(Role::accent, 0.35f) : Color(Role::card);
    node.edge = k == shown ? Role::accent : Role::line;
    node.pick = sets("layer", k + 1);
    node.tooltip = w_.format("show layer {}", k + 1);
    nodes_.push_back(std::move(node));
  }
}

Labels Drawer::likeliest() const {
  const MatrixD shares = tensor(scene_.spot(Block::output), Part::result).of(0);
  return labels(each(shares.rows(), [&](Index i) {
    Index best = 0;
    shares.row(i).maxCoeff(&best);
    return scene_.texts().words[to_size(best)];
  }));
}

}  // namespace lab::transformer::drawing
