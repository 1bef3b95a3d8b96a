// Boxes, pictures and wires.
#include "app/labs/transformer/drawing.h"

namespace lab::transformer::drawing {
namespace {

constexpr float kShare = 0.36f;  // of a closed box, for its words
constexpr Index kMostTokenBoxes = 12, kMostChips = 12;

// What a closed box shows, and its colour.
struct Look {
  Part part;
  Color fill;
};
Look look_of(Kind kind) {
  switch (kind) {
    case Kind::attention: return {Part::weights, {Role::accent, 0.12f}};
    case Kind::feed_forward: return {Part::active, Color::of_head(9, 0.14f)};
    case Kind::input:
    case Kind::output: return {Part::result, {Role::faint, 0.18f}};
    default: return {Part::result, Role::card};
  }
}

// Norms that stand alone have no parts.
bool can_open(const Spot& spot) {
  if (spot.block == Kind::norm) return spot.norm_after() && spot.adds();
  return spot.block != Kind::out;
}

Assignments picks(const Tensor& t) {
  return sets("block", facts(t.block).id, "part", part_id(t.part), "explain", "tensor");
}

}  // namespace

Node Drawer::node_of(const Tensor& t, const Box& at) const {
  Node node = at.node();
  // Under its name: its sizes, or how large the gradient is.
  node.note = p_.backward ? fmt::format("∂ {}", significant(t.rms(), 2)) : t.sizes();
  node.tooltip = tensor_title(scene_, t) + " · " + t.shape();
  if (p_.backward) {
    node.tooltip += "\n" + w_.format("the loss's gradient by it, rms {}", significant(t.rms(), 4));
  }
  node.pick = picks(t);
  return node;
}

void Drawer::show(const Tensor& t, Index head, Node& node) const {
  node.picture = source_of(t, head);
  node.scale = colors(t);
  node.picked = p_.block == t.block && p_.part == t.part;
}

Node& Drawer::add_with(Node node, const Tensor& t, const Box& in) {
  if (!t.of_heads) {
    show(t, 0, node);
    return add(std::move(node));
  }
  add(std::move(node));
  const auto heads = to_index(t.matrices.size());
  const double gap = 5, wide = (in.x1 - in.x0 - gap * to_double(heads - 1)) / to_double(heads);
  Node* last = nullptr;
  for (Index h = 0; h < heads; ++h) {
    const double x = in.x0 + to_double(h) * (wide + gap);
    Node one = Box{x, in.y0, x + wide, in.y1}.node();
    one.fill = one.edge = Color(Role::card, 0);
    show(t, h, one);
    one.picked = one.picked && h == scene_.head();
    one.picture_pick = picks(t);
    add_sets(one.picture_pick, "head", h + 1);
    one.tooltip = w_.format("{}, head {}", t.symbol, h + 1);
    last = &add(std::move(one));
  }
  return *last;
}

Node& Drawer::small(const Tensor& t, const Box& at) {
  Node node = node_of(t, at);
  node.title = t.symbol;
  const std::optional<Role> role = role_of(t.part);
  node.fill = role ? Color(*role, 0.16f) : Role::card;
  node.edge = role.value_or(Role::line);
  node.frame = t.of_heads;
  return add_with(std::move(node), t, {at.x0 + 6, at.y0 + 5, at.x1 - 6, at.y1 - 32});
}

Box Drawer::small(Block block, Part which, const Box& at) {
  small(scene_.drawn(scene_.spot(block), which), at);
  return at;
}

Box Drawer::closed(Column& c, Block block, double bottom, bool sum) {
  const Spot spot = scene_.spot(block);
  const Look look = look_of(spot.block);
  const Tensor t = scene_.drawn(spot, sum ? Part::sum : look.part);
  const Box at{c.left, bottom, c.right, bottom + kBox};
  Node node = node_of(t, at);
  node.title = sum ? w_("Addition") : block_title(scene_, block);
  node.fill = look.fill;
  node.share = kShare;
  node.bold = true;
  if (!t.of_heads) node.picture_pick = node.pick;
  if (can_open(spot)) node.pick = opens(block);
  add_with(std::move(node), t,
           {at.x0 + kShare * (at.x1 - at.x0) + 2, at.y0 + 3, at.x1 - 3, at.y1 - 3});
  c.y = at.y1;
  return at;
}

void Drawer::close(Column& c, Block block, double bottom, const Box& last, bool straight) {
  const Box at{c.left, bottom, c.right, last.y1 + kTitle + (straight ? 4 : 16)};
  Node node = at.node();
  node.title = block_title(scene_, block);
  node.pointer_note = w_("click to close");
  node.fill = Color(Role::accent, 0.06f);
  node.edge = Role::accent;
  node.bold = node.frame = true;
  node.pick = opens(block);
  add_frame(std::move(node));
  const double level = at.y1 - kTitle - 6;
  Path path{{last.mid(), last.y1}, {last.mid(), level}, {c.mid(), level}};
  if (straight) path = {{c.mid(), last.y1}};
  path.push_back({c.mid(), at.y1});
  line(std::move(path));
  c.y = at.y1;
}

void Drawer::token_row(const Column& c, double y0, const Labels& names,
                       const std::string& tooltip) {
  const auto count = to_index(names->size());
  const auto add_box = [&](double x0, double x1, std::string title, std::string hint) {
    Node node = Box{x0, y0, x1, y0 + kTokens}.node();
    node.title = std::move(title);
    node.tooltip = std::move(hint);
    add(std::move(node));
  };
  if (count > kMostTokenBoxes) {
    return add_box(c.left, c.right, fmt::format("{}", fmt::join(*names, " ")), tooltip);
  }
  const double wide = (c.right - c.left + 4) / to_double(count);
  for (Index k = 0; k < count; ++k) {
    const double x = c.left + to_double(k) * wide;
    const std::string& name = (*names)[to_size(k)];
    add_box(x, x + wide - 4, name, w_.format("{}: {}", tooltip, name));
  }
}

void Drawer::chips(const Column& c, Index count, Index shown, double right) {
  const bool numbered = count <= kMostChips;
  const double room = (c.right - c.left) * 0.42;
  const double wide = std::min(numbered ? 20.0 : 6.0, room / to_double(count));
  for (Index k = 0; k < count; ++k) {
    const double x = right - to_double(count - k) * wide;
    Node node = Box{x, c.y - 24, x + wide - (numbered ? 2 : 0.5), c.y - 8}.node();
    if (numbered) node.title = fmt::format("{}", k + 1);
    node.fill = k == shown ? Color(Role::accent, 0.35f) : Color(Role::card);
    node.edge = k == shown ? Role::accent : Role::line;
    node.pick = sets("layer", k + 1);
    node.tooltip = w_.format("show layer {}", k + 1);
    add(std::move(node));
  }
}

}  // namespace lab::transformer::drawing
