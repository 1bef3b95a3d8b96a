// The architecture as one drawing: two columns of boxes, each with what is in it, and what flows
// from box to box. Places are in units that are about a pixel high and nearly as wide.
#include "app/labs/transformer/page.h"

namespace lab::transformer {
namespace {

using figure::Diagram;
using Node = Diagram::Node;
using Wire = Diagram::Wire;
using At = Diagram::Place;

constexpr double kWide = 1000;                            // of the whole drawing
constexpr double kBox = 50, kGap = 30;                    // a closed box; between boxes
constexpr double kStem = 40;                              // under attention, where Q, K and V part
constexpr double kPad = 12, kTitle = 22;                  // inside of frames and open boxes
constexpr double kPart = 54, kHeads = 74, kBetween = 20;  // inside of open boxes
constexpr float kShare = 0.36f;                           // of a closed box, for its words
constexpr Index kMostTokenBoxes = 12;
constexpr int kMostChips = 12;

struct Box {
  double x0, y0, x1, y1;
  double mid() const { return (x0 + x1) / 2; }
  double level() const { return (y0 + y1) / 2; }
};

// One column: the encoder's or the decoder's.
struct Column {
  bool decoder;
  double left, right;
  double outside;  // where lines that go around boxes run
  double y = 0;    // up to where it is drawn
  double mid() const { return (left + right) / 2; }
};

class Drawer {
 public:
  explicit Drawer(const Scene& scene) : scene_(scene), p_(scene.p), w_(scene.w) {}

  Figure figure() {
    Column encoder{false, 44, 470, 24}, decoder{true, 530, 956, 976};
    inputs(encoder, Block::encoder_input);
    inputs(decoder, Block::decoder_input);
    layer(encoder);
    layer(decoder);
    const Box memory = out(encoder, Block::encoder_out);
    out(decoder, Block::decoder_out);
    prediction(decoder);
    remember(memory);
    return finished(std::max(encoder.y, decoder.y) + 6);
  }

 private:
  bool open(Block block) const { return p_.opened == block; }
  Tensor part(Block block, Part which) const { return tensor(scene_.spot(block), which); }
  Assignments opens(Block block) const {
    return sets("opened", block_id(open(block) ? Block::none : block));
  }
  Assignments picks(const Tensor& t) const {
    return sets("block", block_id(t.block), "part", part_id(t.part), "explain", "tensor");
  }
  bool is_picked(const Tensor& t) const { return p_.block == t.block && p_.part == t.part; }

  void wire(std::vector<At> path, Color color = Role::dim, std::string label = {},
            float width = 1.5f) {
    wires_.push_back(
        {.path = std::move(path), .color = color, .width = width, .label = std::move(label)});
  }
  void line(std::vector<At> path, Color color, float width = 1.5f) {
    wires_.push_back({.path = std::move(path), .color = color, .width = width, .arrow = false});
  }

  // --- pictures

  Color tint(const Tensor& t) const {
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
  Color edge(const Tensor& t) const {
    Color c = tint(t);
    if (c.role == Role::card) return Role::line;
    c.alpha = 1;
    return c;
  }

  // The heads of a tensor side by side, the chosen one marked.
  void head_pictures(const Tensor& t, const Box& in) {
    const auto heads = static_cast<Index>(t.matrices.size());
    const double gap = 5, wide = (in.x1 - in.x0 - gap * to_double(heads - 1)) / to_double(heads);
    for (Index h = 0; h < heads; ++h) {
      const double x = in.x0 + to_double(h) * (wide + gap);
      Node node{.x0 = x, .y0 = in.y0, .x1 = x + wide, .y1 = in.y1};
      node.fill = node.edge = Color(Role::card, 0);
      node.picture = source_of(t, h);
      node.scale = colors(t);
      node.picked = is_picked(t) && h == scene_.head();
      node.picture_pick = picks(t);
      add_sets(node.picture_pick, "head", h + 1);
      node.tooltip = w_.format("{}, head {}", t.symbol, h + 1);
      nodes_.push_back(std::move(node));
    }
  }

  // A part of an open box: its symbol and sizes over its picture.
  void small(const Tensor& t, const Box& at) {
    Node node{.x0 = at.x0, .y0 = at.y0, .x1 = at.x1, .y1 = at.y1};
    node.title = t.symbol;
    node.note = t.sizes;
    node.fill = tint(t);
    node.edge = edge(t);
    node.tooltip = tensor_title(scene_, t) + " · " + t.shape();
    node.pick = picks(t);
    if (t.of_heads) {
      node.frame = true;
      nodes_.push_back(std::move(node));
      head_pictures(t, {at.x0 + 6, at.y0 + 5, at.x1 - 6, at.y1 - 22});
      return;
    }
    node.picture = source_of(t, 0);
    node.scale = colors(t);
    node.picked = is_picked(t);
    nodes_.push_back(std::move(node));
  }

  // A closed box: its name at the left, what it holds at the right.
  void closed(const Tensor& t, std::string title, Color fill, const Box& at) {
    Node node{.x0 = at.x0, .y0 = at.y0, .x1 = at.x1, .y1 = at.y1};
    node.title = std::move(title);
    node.note = t.sizes;
    node.fill = fill;
    node.share = kShare;
    node.bold = true;
    node.pick = opens(t.block);
    node.tooltip = tensor_title(scene_, t) + " · " + t.shape();
    if (facts(t.block).kind == Kind::out) node.pick = picks(t);
    const double inner = at.x0 + kShare * (at.x1 - at.x0) + 2;
    if (t.of_heads) {
      nodes_.push_back(std::move(node));
      head_pictures(t, {inner, at.y0 + 3, at.x1 - 3, at.y1 - 3});
      return;
    }
    node.picture = source_of(t, 0);
    node.scale = colors(t);
    node.picked = is_picked(t);
    node.picture_pick = picks(t);
    nodes_.push_back(std::move(node));
  }

  // The frame of an open box, closed by a click.
  void opened(Block block, const Box& at) {
    Node node{.x0 = at.x0, .y0 = at.y0, .x1 = at.x1, .y1 = at.y1};
    node.title = block_title(scene_, block);
    node.note = w_("click to close");
    node.fill = Color(Role::accent, 0.06f);
    node.edge = Role::accent;
    node.bold = node.frame = true;
    node.pick = opens(block);
    frames_.push_back(std::move(node));
  }

  // --- what comes in

  void token_row(const Column& c, double y0, const Labels& names, std::string tooltip) {
    const auto count = static_cast<Index>(names->size());
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
      node.tooltip = tooltip + ": " + (*names)[to_size(k)];
      nodes_.push_back(std::move(node));
    }
  }

  void inputs(Column& c, Block block) {
    const bool decoder = c.decoder;
    token_row(c, 8, decoder ? scene_.texts().target_names : scene_.texts().source_names,
              decoder ? w_("what was written so far, one step late") : w_("what is read"));
    c.y = 8 + 24;
    const double bottom = c.y + kGap;
    const Index count = decoder ? scene_.texts().m() : scene_.texts().n();
    wire({{c.mid(), c.y}, {c.mid(), bottom}}, Role::dim,
         decoder ? w_.format("m = {} tokens", count) : w_.format("n = {} tokens", count));
    if (!open(block)) {
      const Box at{c.left, bottom, c.right, bottom + kBox};
      closed(part(block, Part::result), block_title(scene_, block), kInput, at);
      c.y = at.y1;
      return;
    }
    const double pad = 10, x0 = c.left + pad, x1 = c.right - pad, half = (x0 + x1) / 2;
    const double row1 = bottom + kPad, row2 = row1 + kPart + kBetween;
    const double row3 = row2 + kPart + kBetween;
    const Box at{c.left, bottom, c.right, row3 + kPart + kTitle + 4};
    opened(block, at);
    const Box table{x0, row1, half - 8, row1 + kPart}, looked{half + 8, row1, x1, row1 + kPart};
    const Box placed{half + 8, row3, x1, row3 + kPart};
    small(part(block, Part::table), table);
    small(part(block, Part::embedded), looked);
    wire({{table.x1, table.level()}, {looked.x0, looked.level()}});
    const bool adds = p_.positions == Scheme::sinusoidal || p_.positions == Scheme::learned;
    if (adds) {
      const Box places{x0, row2, half - 8, row2 + kPart};
      small(part(block, Part::positions), places);
      sign("+", looked.mid(), row2 + kPart / 2);
      wire({{places.x1, places.level()}, {looked.mid() - 12, places.level()}});
      wire({{looked.mid(), looked.y1}, {looked.mid(), row2 + kPart / 2 - 11}});
      wire({{looked.mid(), row2 + kPart / 2 + 11}, {looked.mid(), placed.y0}});
    } else {
      wire({{looked.mid(), looked.y1}, {looked.mid(), placed.y0}});
    }
    small(part(block, Part::result), placed);
    line({{placed.mid(), placed.y1},
          {placed.mid(), at.y1 - 12},
          {c.mid(), at.y1 - 12},
          {c.mid(), at.y1}},
         Role::dim);
    c.y = at.y1;
  }

  void sign(std::string text, double x, double y) {
    Node node{.x0 = x - 12, .y0 = y - 11, .x1 = x + 12, .y1 = y + 11};
    node.title = std::move(text);
    node.fill = Role::card;
    node.edge = Role::dim;
    node.round = node.bold = true;
    nodes_.push_back(std::move(node));
  }

  // --- a layer

  std::string stream_shape(bool decoder) const {
    const Index rows = decoder ? scene_.texts().m() : scene_.texts().n();
    return fmt::format("{} × d_model = {} × {}", decoder ? "m" : "n", rows, p_.d_model);
  }

  void layer(Column& c) {
    const double bottom = c.y + 14, from = c.y;
    c.y = bottom + 6;
    line({{c.mid(), from}, {c.mid(), c.y}}, Role::dim);
    if (c.decoder) {
      sublayer(c, Block::decoder_self, Block::decoder_self_norm);
      sublayer(c, Block::decoder_cross, Block::decoder_cross_norm);
      sublayer(c, Block::decoder_forward, Block::decoder_forward_norm);
    } else {
      sublayer(c, Block::encoder_self, Block::encoder_self_norm);
      sublayer(c, Block::encoder_forward, Block::encoder_forward_norm);
    }
    line({{c.mid(), c.y}, {c.mid(), c.y + 36}}, Role::dim);
    c.y += 36;
    layer_frame(c, bottom);
  }

  // Behind the layer that is shown the others, and over it a chip for each.
  void layer_frame(const Column& c, double bottom) {
    const Index count = scene_.layers(c.decoder),
                shown = scene_.spot(c.decoder ? Block::decoder_self : Block::encoder_self).layer;
    const double x0 = c.left - 32, x1 = c.right + 32;
    std::vector<Node> frames;
    for (int behind = static_cast<int>(std::min<Index>(count - 1, 2)); behind >= 0; --behind) {
      const double off = 4.0 * behind;
      Node node{.x0 = x0 + off, .y0 = bottom + off, .x1 = x1 + off - 8, .y1 = c.y - 4 + off};
      node.fill = Role::panel;
      if (behind == 0) {
        node.title =
            w_.format(c.decoder ? N_("decoder layer {} of {}") : N_("encoder layer {} of {}"),
                      shown + 1, count);
        node.frame = node.bold = true;
      }
      frames.push_back(std::move(node));
    }
    frames_.insert(frames_.begin(), frames.begin(), frames.end());
    if (count > 1) chips(c, count, shown, x1 - 16);
  }

  void chips(const Column& c, Index count, Index shown, double right) {
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

  void sublayer(Column& c, Block block, Block norm) {
    const Spot spot = scene_.spot(norm);
    const double branch = c.y + 4;
    double side = c.y;
    if (spot.norm_first()) norm_box(c, norm, w_("Norm"), Part::result);
    if (facts(block).kind == Kind::attention) {
      attention(c, block);
    } else {
      forward(c, block);
    }
    if (spot.norm_after()) {
      side = spot.adds() ? add_and_norm(c, norm) : norm_box(c, norm, w_("Norm"), Part::result);
    } else if (spot.adds()) {
      side = norm_box(c, norm, w_("Add"), Part::sum);
    }
    if (spot.adds()) go_around(c, branch, side, open(norm) && spot.norm_after());
  }

  // The residual line.
  void go_around(const Column& c, double from, double to, bool inside) {
    const double end = c.decoder ? c.right - (inside ? 10 : 0) : c.left + (inside ? 10 : 0);
    wire({{c.mid(), from}, {c.outside, from}, {c.outside, to}, {end, to}}, Role::text, {}, 1.5f);
  }

  // Answers at which height the residual line comes in.
  double norm_box(Column& c, Block block, std::string title, Part which) {
    const double bottom = c.y + kGap;
    wire({{c.mid(), c.y}, {c.mid(), bottom}}, Role::dim, stream_shape(c.decoder));
    const Box at{c.left, bottom, c.right, bottom + kBox};
    Tensor t = part(block, which);
    closed(t, std::move(title), kNorm, at);
    c.y = at.y1;
    return at.level();
  }

  double add_and_norm(Column& c, Block block) {
    if (!open(block)) return norm_box(c, block, w_("Add & norm"), Part::result);
    const double bottom = c.y + kGap, pad = 10;
    const double x0 = c.left + pad, x1 = c.right - pad, half = c.mid();
    const double row1 = bottom + kPad, row2 = row1 + kPart + kBetween;
    const double row3 = row2 + kPart + kBetween;
    const Box at{c.left, bottom, c.right, row3 + kPart + kTitle + 4};
    opened(block, at);
    const Spot spot = scene_.spot(block);
    Tensor f = made_by(spot), x = f;
    f.symbol = "f(x)";
    x.symbol = "x";
    x.matrices = {spot.pass.tokens(spot.stream())};
    // The residual line comes from outside: x stands on its side.
    const Box near{c.decoder ? half + 8 : x0, row1, c.decoder ? x1 : half - 8, row1 + kPart};
    const Box far{c.decoder ? x0 : half + 8, row1, c.decoder ? half - 8 : x1, row1 + kPart};
    small(x, near);
    nodes_.back().picked = false;
    nodes_.back().pick.clear();
    nodes_.back().tooltip = w_("what came up along the residual line");
    small(f, far);
    wire({{c.mid(), c.y}, {c.mid(), bottom - 10}, {far.mid(), bottom - 10}, {far.mid(), far.y0}},
         Role::dim);
    const Box sum{x0, row2, x1, row2 + kPart}, normed{x0, row3, x1, row3 + kPart};
    small(part(block, Part::sum), sum);
    small(part(block, Part::result), normed);
    wire({{near.mid(), near.y1}, {near.mid(), sum.y0}});
    wire({{far.mid(), far.y1}, {far.mid(), sum.y0}});
    wire({{c.mid(), sum.y1}, {c.mid(), normed.y0}}, Role::dim, w_("each row: - μ, / σ, · γ, + β"));
    line({{c.mid(), normed.y1}, {c.mid(), at.y1}}, Role::dim);
    c.y = at.y1;
    return near.level();
  }

  // The output of the part that a norm is around.
  Tensor made_by(const Spot& norm) const {
    Spot spot = norm;
    spot.block = static_cast<Block>(static_cast<int>(norm.block) - 1);
    return tensor(spot, Part::result);
  }

  // --- attention

  void attention(Column& c, Block block) {
    const Spot spot = scene_.spot(block);
    const double base = c.y, bottom = base + kStem;
    if (open(block)) return open_attention(c, spot, base, bottom);
    const Box at{c.left, bottom, c.right, bottom + kBox};
    closed(part(block, Part::weights), block_title(scene_, block), kAttention, at);
    const double stem = base + 18;
    if (spot.cross()) {
      wire({{c.mid(), base}, {c.mid(), at.y0}}, Role::query, "Q", 2);
      cross_y_ = {at.level() + 9, at.level() - 9};
      cross_x_ = {at.x0, at.x0};
    } else {
      line({{c.mid(), base}, {c.mid(), stem}}, Role::dim);
      fan(c.mid(), stem, {c.mid() - 80, c.mid(), c.mid() + 80}, at.y0);
    }
    c.y = at.y1;
  }

  // Blue, red and green from one place to three.
  void fan(double x, double from, const std::array<double, 3>& to, double end) {
    const Role roles[] = {Role::query, Role::key, Role::value};
    const char* names[] = {"Q", "K", "V"};
    for (std::size_t k = 0; k < 3; ++k) {
      std::vector<At> path{{x, from}, {to[k], from}, {to[k], end}};
      if (to[k] == x) path.erase(path.begin() + 1);
      wire(std::move(path), roles[k], names[k], 2);
    }
  }

  void open_attention(Column& c, const Spot& spot, double base, double bottom) {
    const Block block = spot.block;
    const double pad = 10, x0 = c.left + pad, x1 = c.right - pad, gap = 14;
    const double wide = (x1 - x0 - 2 * gap) / 3;
    // Cross-attention's keys and values come from the left: they stand there.
    const auto column = [&](int k) {
      const double x = x0 + (spot.cross() ? 2 - k : k) * (wide + gap);
      return std::pair{x, x + wide};
    };
    double y = bottom + (spot.cross() ? 34 : kPad);
    const auto row = [&](double high) {
      const double at = y;
      y += high + kBetween;
      return std::pair{at, at + high};
    };
    const auto [w0, w1] = row(kPart);
    const auto [q0, q1] = row(kPart);
    const auto [s0, s1] = row(kHeads);
    const auto [a0, a1] = row(kHeads);
    const auto [h0, h1] = row(kPart);
    const auto [o0, o1] = row(kPart);
    const Box at{c.left, bottom, c.right, o1 + kTitle + 4};
    opened(block, at);
    constexpr Part kWeights[] = {Part::query_weight, Part::key_weight, Part::value_weight};
    constexpr Part kMade[] = {Part::queries, Part::keys, Part::values};
    constexpr Role kRoles[] = {Role::query, Role::key, Role::value};
    std::array<double, 3> mids{};
    for (int k = 0; k < 3; ++k) {
      const auto [l, r] = column(k);
      mids[static_cast<std::size_t>(k)] = (l + r) / 2;
      small(part(block, kWeights[k]), {l, w0, r, w1});
      small(part(block, kMade[k]), {l, q0, r, q1});
      wire({{(l + r) / 2, w1}, {(l + r) / 2, q0}}, kRoles[k], {}, 2);
    }
    const double pair0 = std::min(column(0).first, column(1).first);
    const double pair1 = std::max(column(0).second, column(1).second);
    const double pair = (pair0 + pair1) / 2;
    small(part(block, Part::scores), {pair0, s0, pair1, s1});
    small(part(block, Part::weights), {pair0, a0, pair1, a1});
    wire({{mids[0], q1}, {mids[0], s0}}, Role::query, {}, 2);
    wire({{mids[1], q1}, {mids[1], s0}}, Role::key, {}, 2);
    wire({{pair, s1}, {pair, a0}}, Role::dim,
         spot.causal() ? w_("mask, softmax of each row") : w_("softmax of each row"));
    const Box joined{x0, h0, x1, h1};
    small(part(block, Part::heads), joined);
    wire({{pair, a1}, {pair, h0}}, Role::dim, w_("· V of each head"));
    wire({{mids[2], q1}, {mids[2], h0}}, Role::value, {}, 2);
    const Box output{x0 + wide + gap, o0, x1, o1}, matrix{x0, o0, x0 + wide, o1};
    small(part(block, Part::output_weight), matrix);
    small(part(block, Part::result), output);
    wire({{matrix.x1, matrix.level()}, {output.x0, output.level()}});
    wire({{output.mid(), h1}, {output.mid(), o0}});
    line({{output.mid(), o1}, {output.mid(), at.y1 - 10}, {c.mid(), at.y1 - 10}, {c.mid(), at.y1}},
         Role::dim);
    if (spot.cross()) {
      wire({{c.mid(), base}, {c.mid(), bottom + 10}, {mids[0], bottom + 10}, {mids[0], w0}},
           Role::query, {}, 2);
      cross_y_ = {bottom + 18, bottom + 26};
      cross_x_ = {mids[1], mids[2]};
      cross_end_ = w0;
    } else {
      line({{c.mid(), base}, {c.mid(), base + 18}}, Role::dim);
      fan(c.mid(), base + 18, mids, w0);
    }
    c.y = at.y1;
  }

  // The encoder's output on its way to the decoder's keys and values.
  void remember(const Box& memory) {
    const double channel[] = {503, 513};
    const Role roles[] = {Role::key, Role::value};
    const char* names[] = {"K", "V"};
    for (std::size_t k = 0; k < 2; ++k) {
      const double from = memory.level() + (k == 0 ? 7 : -7);
      std::vector<At> path{{memory.x1, from},
                           {channel[1 - k], from},
                           {channel[1 - k], cross_y_[k]},
                           {cross_x_[k], cross_y_[k]}};
      if (cross_end_) path.push_back({cross_x_[k], *cross_end_});
      wire(std::move(path), roles[k], cross_end_ ? "" : names[k], 2);
    }
  }

  // --- feed-forward and what comes out

  void forward(Column& c, Block block) {
    const double bottom = c.y + kGap;
    if (!open(block)) {
      wire({{c.mid(), c.y}, {c.mid(), bottom}}, Role::dim, stream_shape(c.decoder));
      const Box at{c.left, bottom, c.right, bottom + kBox};
      closed(part(block, Part::active), block_title(scene_, block), kForward, at);
      c.y = at.y1;
      return;
    }
    const double x0 = c.left + 10, x1 = c.right - 10, third = x0 + (x1 - x0) / 3;
    const double row1 = bottom + kPad, row2 = row1 + kPart + kBetween;
    const double row3 = row2 + kPart + kBetween;
    const Box at{c.left, bottom, c.right, row3 + kPart + kTitle + 4};
    opened(block, at);
    const Box up_weight{x0, row1, third - 7, row1 + kPart}, up{third + 7, row1, x1, row1 + kPart};
    const Box active{third + 7, row2, x1, row2 + kPart};
    const Box down_weight{x0, row3, third - 7, row3 + kPart};
    const Box down{third + 7, row3, x1, row3 + kPart};
    small(part(block, Part::up_weight), up_weight);
    small(part(block, Part::up), up);
    small(part(block, Part::active), active);
    small(part(block, Part::down_weight), down_weight);
    small(part(block, Part::result), down);
    wire({{c.mid(), c.y}, {c.mid(), bottom - 8}, {up.mid(), bottom - 8}, {up.mid(), up.y0}});
    wire({{up_weight.x1, up.level()}, {up.x0, up.level()}});
    wire({{up.mid(), up.y1}, {up.mid(), active.y0}}, Role::dim, activation_name());
    wire({{active.mid(), active.y1}, {active.mid(), down.y0}});
    wire({{down_weight.x1, down.level()}, {down.x0, down.level()}});
    line({{down.mid(), down.y1}, {down.mid(), at.y1 - 10}, {c.mid(), at.y1 - 10}, {c.mid(), at.y1}},
         Role::dim);
    c.y = at.y1;
  }

  std::string activation_name() const {
    return p_.activation == Activation::relu   ? "ReLU"
           : p_.activation == Activation::gelu ? "GELU"
                                               : "SiLU";
  }

  Box out(Column& c, Block block) {
    const double bottom = c.y + kGap;
    wire({{c.mid(), c.y}, {c.mid(), bottom}}, Role::dim,
         w_.format("after {} layers: {}", scene_.layers(c.decoder), stream_shape(c.decoder)));
    const Box at{c.left, bottom, c.right, bottom + kBox};
    closed(part(block, Part::result), block_title(scene_, block), kNorm, at);
    c.y = at.y1;
    return at;
  }

  void prediction(Column& c) {
    const double bottom = c.y + kGap;
    const std::string shape =
        fmt::format("m × V = {} × {}", scene_.texts().m(), scene_.texts().words.size());
    if (!open(Block::output)) {
      wire({{c.mid(), c.y}, {c.mid(), bottom}}, Role::dim, stream_shape(true));
      const Box at{c.left, bottom, c.right, bottom + kBox};
      closed(part(Block::output, Part::result), block_title(scene_, Block::output), kInput, at);
      c.y = at.y1;
    } else {
      const double x0 = c.left + 10, x1 = c.right - 10;
      const double row1 = bottom + kPad, row2 = row1 + kPart + kBetween;
      const Box at{c.left, bottom, c.right, row2 + kPart + kTitle + 4};
      opened(Block::output, at);
      const Box logits{x0, row1, x1, row1 + kPart}, shares{x0, row2, x1, row2 + kPart};
      small(part(Block::output, Part::logits), logits);
      small(part(Block::output, Part::result), shares);
      wire({{c.mid(), c.y}, {c.mid(), logits.y0}}, Role::dim, stream_shape(true));
      wire({{c.mid(), logits.y1}, {c.mid(), shares.y0}}, Role::dim, w_("softmax of each row"));
      line({{c.mid(), shares.y1}, {c.mid(), at.y1}}, Role::dim);
      c.y = at.y1;
    }
    const double top = c.y + kGap;
    wire({{c.mid(), c.y}, {c.mid(), top}}, Role::dim, shape);
    token_row(c, top, likeliest(), w_("the likeliest next token; nothing was learned"));
    c.y = top + 24;
  }

  Labels likeliest() const {
    const MatrixD shares = part(Block::output, Part::result).of(0);
    std::vector<std::string> names;
    for (Index i = 0; i < shares.rows(); ++i) {
      Index best = 0;
      shares.row(i).maxCoeff(&best);
      names.push_back(scene_.texts().words[to_size(best)]);
    }
    return std::make_shared<const std::vector<std::string>>(std::move(names));
  }

  // --- all of it

  Figure finished(double height) {
    Figure figure = new_figure("architecture", w_("The Transformer, and what is in it"),
                               {.height = static_cast<float>(height) + 56});
    figure.note = w_("click a box to open it, a picture to see it large");
    figure.caption = w_.format(
        "The encoder at the left reads {} tokens, the decoder at the right is given {} and "
        "predicts what follows each; arrows go upwards. In each box its tensor of this forward "
        "pass: a row a token, a column a feature; of attention the weights of every head, a row a "
        "query, a column a key. Queries blue, keys red, values green, from where they are taken. "
        "Of {} and {} layers, one is shown.",
        scene_.texts().n(), scene_.texts().m(), p_.encoder_layers, p_.decoder_layers);
    Plot plot{.id = "architecture", .x = {"", 0, kWide}, .y = {"", 0, height}};
    plot.x.visible = plot.y.visible = false;
    plot.add(Diagram{.nodes = std::move(frames_)});
    plot.add(Diagram{.nodes = std::move(nodes_), .wires = std::move(wires_)});
    return with(std::move(figure), std::move(plot));
  }

  static constexpr int kTint = 0;
  const Color kInput = Color::of_head(4, 0.14f), kNorm = Role::card,
              kAttention = Color(Role::accent, 0.12f), kForward = Color::of_head(2, 0.14f);
  const Scene& scene_;
  const Parameters& p_;
  const Words& w_;
  std::vector<Node> frames_, nodes_;
  std::vector<Wire> wires_;
  // Where cross-attention takes its keys and its values in.
  std::array<double, 2> cross_x_{}, cross_y_{};
  std::optional<double> cross_end_;
};

}  // namespace

Figure drawing_figure(const Scene& scene) { return Drawer(scene).figure(); }

}  // namespace lab::transformer
