// Boxes that are open, and the parts in them.
#include "app/labs/transformer/drawing.h"

namespace lab::transformer::drawing {

void Drawer::inputs(Column& c, Block block) {
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
  const bool adds = p_.positions == Scheme::sinusoidal || p_.positions == Scheme::learned;
  const double row3 = adds ? row2 + kPart + kBetween : row2;
  const Box at{c.left, bottom, c.right, row3 + kPart + kTitle + 16};
  opened(block, at);
  const Box table{x0, row1, half - 8, row1 + kPart}, looked{half + 8, row1, x1, row1 + kPart};
  const Box placed{half + 8, row3, x1, row3 + kPart};
  small(part(block, Part::table), table);
  small(part(block, Part::embedded), looked);
  wire({{table.x1, table.level()}, {looked.x0, looked.level()}});
  if (adds) {
    const Box places{x0, row2, half - 8, row2 + kPart};
    small(part(block, Part::positions), places);
    sign("+", looked.mid(), row2 + kPart / 2);
    wire({{places.x1, places.level()}, {looked.mid() - 12, places.level()}});
    wire({{looked.mid(), looked.y1}, {looked.mid(), row2 + kPart / 2 - 11}});
    wire({{looked.mid(), row2 + kPart / 2 + 11}, {looked.mid(), placed.y0}});
  } else {
    const bool turns = p_.positions == Scheme::complex;
    wire({{looked.mid(), looked.y1}, {looked.mid(), placed.y0}}, Role::dim,
         turns ? w_("each word turns as far as its place") : std::string());
  }
  small(part(block, Part::result), placed);
  leave(c, placed, at);
  c.y = at.y1;
}

void Drawer::leave(const Column& c, const Box& from, const Box& frame) {
  const double level = frame.y1 - kTitle - 6;
  line({{from.mid(), from.y1}, {from.mid(), level}, {c.mid(), level}, {c.mid(), frame.y1}},
       Role::dim);
}

double Drawer::add_and_norm(Column& c, Block block) {
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
  x.matrices = {(p_.backward ? *spot.pass.slopes : spot.pass).tokens(spot.stream())};
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
  const Box sum{x0, row2, x1 - 92, row2 + kPart}, moments{x1 - 78, row2, x1, row2 + kPart};
  const Box normed{x0, row3, x1, row3 + kPart};
  small(part(block, Part::moments), moments);
  wire({{sum.x1, sum.level()}, {moments.x0, moments.level()}});
  small(part(block, Part::sum), sum);
  small(part(block, Part::result), normed);
  wire({{near.mid(), near.y1}, {near.mid(), sum.y0}});
  wire({{far.mid(), far.y1}, {far.mid(), sum.y0}});
  wire({{c.mid(), sum.y1}, {c.mid(), normed.y0}}, Role::dim, w_("each row: - μ, / σ, · γ, + β"));
  line({{c.mid(), normed.y1}, {c.mid(), at.y1}}, Role::dim);
  c.y = at.y1;
  return near.level();
}

Tensor Drawer::made_by(const Spot& norm) const {
  Spot spot = norm;
  spot.block = static_cast<Block>(to_int(norm.block) - 1);
  return scene_.drawn(spot, Part::result);
}

void Drawer::fan(double x, double from, const std::array<double, 3>& to, double end) {
  const Role roles[] = {Role::query, Role::key, Role::value};
  const char* names[] = {"Q", "K", "V"};
  for (std::size_t k = 0; k < 3; ++k) {
    std::vector<At> path{{x, from}, {to[k], from}, {to[k], end}};
    if (to[k] == x) path.erase(path.begin() + 1);
    wire(std::move(path), roles[k], names[k], 2);
  }
}

void Drawer::open_attention(Column& c, const Spot& spot, double base, double bottom) {
  const Block block = spot.block;
  const double pad = 10, x0 = c.left + pad, x1 = c.right - pad, gap = 14;
  const double wide = (x1 - x0 - 2 * gap) / 3;
  // Cross-attention's keys and values come from the left: they stand there.
  const auto column = [&](int k) {
    const double x = x0 + (spot.cross() ? 2 - k : k) * (wide + gap);
    return std::pair{x, x + wide};
  };
  double y = bottom + (spot.cross() ? 48 : kPad);
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
  const Box at{c.left, bottom, c.right, o1 + kTitle + 16};
  opened(block, at);
  constexpr Part kWeights[] = {Part::query_weight, Part::key_weight, Part::value_weight};
  constexpr Part kMade[] = {Part::queries, Part::keys, Part::values};
  constexpr Role kRoles[] = {Role::query, Role::key, Role::value};
  std::array<double, 3> mids{};
  for (int k = 0; k < 3; ++k) {
    const auto [l, r] = column(k);
    mids[to_size(k)] = (l + r) / 2;
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
       spot.causal() ? w_("mask, softmax by row") : w_("softmax by row"));
  const Box joined{x0, h0, x1, h1};
  small(part(block, Part::heads), joined);
  wire({{pair, a1}, {pair, h0}}, Role::dim, w_("· V of each head"));
  wire({{mids[2], q1}, {mids[2], h0}}, Role::value, {}, 2);
  const Box output{x0 + wide + gap, o0, x1, o1}, matrix{x0, o0, x0 + wide, o1};
  small(part(block, Part::output_weight), matrix);
  small(part(block, Part::result), output);
  wire({{matrix.x1, matrix.level()}, {output.x0, output.level()}});
  wire({{output.mid(), h1}, {output.mid(), o0}});
  line({{output.mid(), o1},
        {output.mid(), at.y1 - kTitle - 6},
        {c.mid(), at.y1 - kTitle - 6},
        {c.mid(), at.y1}},
       Role::dim);
  if (spot.cross()) {
    wire({{c.mid(), base}, {c.mid(), bottom + 10}, {mids[0], bottom + 10}, {mids[0], w0}},
         Role::query, {}, 2);
    cross_y_ = {bottom + 20, bottom + 30};
    cross_x_ = {mids[1], mids[2]};
    cross_end_ = w0;
  } else {
    line({{c.mid(), base}, {c.mid(), base + 18}}, Role::dim);
    fan(c.mid(), base + 18, mids, w0);
  }
  c.y = at.y1;
}

void Drawer::forward(Column& c, Block block) {
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
  const Box at{c.left, bottom, c.right, row3 + kPart + kTitle + 16};
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
  leave(c, down, at);
  c.y = at.y1;
}

std::string Drawer::activation_name() const {
  return p_.activation == Activation::relu   ? "ReLU"
         : p_.activation == Activation::gelu ? "GELU"
                                             : "SiLU";
}

void Drawer::prediction(Column& c) {
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
    wire({{c.mid(), logits.y1}, {c.mid(), shares.y0}}, Role::dim, w_("softmax by row"));
    line({{c.mid(), shares.y1}, {c.mid(), at.y1}}, Role::dim);
    c.y = at.y1;
  }
  const double top = c.y + kGap;
  wire({{c.mid(), c.y}, {c.mid(), top}}, Role::dim, shape);
  token_row(c, top, likeliest(), w_("the likeliest next token; nothing was learned"));
  c.y = top + 24;
}

}  // namespace lab::transformer::drawing
