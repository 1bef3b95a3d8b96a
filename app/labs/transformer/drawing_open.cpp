// Boxes that are open, and the parts in them.
#include "app/labs/transformer/drawing.h"

namespace lab::transformer::drawing {

void Drawer::inputs(Column& c, Block block) {
  const Texts& texts = scene_.texts();
  token_row(c, kEdge, c.decoder ? texts.target_names : texts.source_names,
            c.decoder ? w_("what was written so far, one step late") : w_("what is read"));
  c.y = kEdge + kTokens;
  const double bottom = c.next();
  up(c.mid(), c.y, bottom,
     c.decoder ? (texts.m() == 1 ? w_("m = 1 token") : w_.format("m = {} tokens", texts.m()))
               : (texts.n() == 1 ? w_("n = 1 token") : w_.format("n = {} tokens", texts.n())));
  if (!open(block)) {
    closed(c, block, bottom);
    return;
  }
  BoxRows rows = c.rows(bottom + kPad);
  const auto halves = [&rows] {
    const Box row = rows.next();
    return row.split(row.mid(), 8);
  };
  const auto [table, looked] = halves();
  small(block, Part::table, table);
  small(block, Part::embedded, looked);
  across(table, looked);
  if (p_.positions == Scheme::sinusoidal || p_.positions == Scheme::learned) {
    const Box positions = small(block, Part::positions, halves().first);
    const double x = looked.mid(), y = positions.level();
    add_sign("+", x, y);
    wire({{positions.x1, y}, {x - 12, y}});
    up(x, looked.y1, y - 11);
    up(x, y + 11, rows.y);
  } else {
    const bool turns = p_.positions == Scheme::complex;
    up(looked.mid(), looked.y1, rows.y,
       turns ? w_("each word turns as far as its place") : std::string());
  }
  close(c, block, bottom, small(block, Part::result, halves().second));
}

double Drawer::norm(Column& c, Block block, bool sum) {
  if (open(block) && scene_.spot(block).norm_after() && scene_.spot(block).adds()) {
    return open_norm(c, block);
  }
  const double bottom = c.next();
  up(c.mid(), c.y, bottom, stream_shape(c.decoder));
  return closed(c, block, bottom, sum).level();
}

double Drawer::open_norm(Column& c, Block block) {
  const double bottom = c.next();
  const Spot spot = scene_.spot(block);
  BoxRows rows = c.rows(bottom + kPad);
  const auto [left, right] = rows.next().split(c.mid(), 8);
  // The residual connection comes from outside: x stands on its side.
  const Box near = c.decoder ? right : left, far = c.decoder ? left : right;
  Tensor f = scene_.drawn(scene_.spot(static_cast<Block>(to_int(block) - 1)), Part::result), x = f;
  f.symbol = "f(x)";
  x.symbol = "x";
  x.matrices = {(p_.backward ? *spot.pass.gradients : spot.pass).tokens(spot.stream())};
  Node& along = small(x, near);
  along.picked = false;
  along.pick.clear();
  along.tooltip = w_("what came up along the residual connection");
  small(f, far);
  wire({{c.mid(), c.y}, {c.mid(), bottom - 10}, {far.mid(), bottom - 10}, {far.mid(), far.y0}});
  const Box row = rows.next();
  const auto [sum, moments] = row.split(row.x1 - 85, 7);
  small(block, Part::moments, moments);
  across(sum, moments);
  small(block, Part::sum, sum);
  const Box normed = small(block, Part::result, rows.next());
  up(near.mid(), near.y1, sum.y0);
  up(far.mid(), far.y1, sum.y0);
  up(c.mid(), sum.y1, normed.y0, w_("each row: - μ, / σ, · γ, + β"));
  close(c, block, bottom, normed, true);
  return near.level();
}

void Drawer::fan(double x, double from, const std::array<double, 3>& to, double end) {
  const Role roles[] = {Role::query, Role::key, Role::value};
  const char* names[] = {"Q", "K", "V"};
  for (std::size_t k = 0; k < 3; ++k) {
    Path path{{x, from}, {to[k], from}, {to[k], end}};
    if (to[k] == x) path.erase(path.begin() + 1);
    wire(std::move(path), roles[k], names[k], 2);
  }
}

void Drawer::open_attention(Column& c, const Spot& spot) {
  const Block block = spot.id;
  const double base = c.y, bottom = base + kStem;
  BoxRows rows = c.rows(bottom + (spot.cross() ? 48 : kPad));
  const Box learned = rows.next(), made = rows.next(), scores = rows.next(kHeads),
            weights = rows.next(kHeads), joined = rows.next(), last = rows.next();
  const double gap = 14, wide = (rows.x1 - rows.x0 - 2 * gap) / 3;
  // Cross-attention's keys and values come from the left: they stand there.
  const auto third = [&](const Box& row, int k) -> Box {
    const double x = row.x0 + (spot.cross() ? 2 - k : k) * (wide + gap);
    return {x, row.y0, x + wide, row.y1};
  };
  constexpr Part kLearned[] = {Part::query_weight, Part::key_weight, Part::value_weight};
  constexpr Part kMade[] = {Part::queries, Part::keys, Part::values};
  constexpr Role kRoles[] = {Role::query, Role::key, Role::value};
  std::array<double, 3> mids{};
  for (int k = 0; k < 3; ++k) {
    const double x = mids[to_size(k)] = small(block, kLearned[k], third(learned, k)).mid();
    small(block, kMade[k], third(made, k));
    wire({{x, learned.y1}, {x, made.y0}}, kRoles[k], {}, 2);
  }
  const auto of_pairs = [&](Part part, const Box& row) {
    const Box a = third(row, 0), b = third(row, 1);
    return small(block, part, {std::min(a.x0, b.x0), row.y0, std::max(a.x1, b.x1), row.y1});
  };
  const double pair = of_pairs(Part::scores, scores).mid();
  of_pairs(Part::weights, weights);
  wire({{mids[0], made.y1}, {mids[0], scores.y0}}, Role::query, {}, 2);
  wire({{mids[1], made.y1}, {mids[1], scores.y0}}, Role::key, {}, 2);
  up(pair, scores.y1, weights.y0,
     spot.causal() ? w_("mask, softmax by row") : w_("softmax by row"));
  small(block, Part::heads, joined);
  up(pair, weights.y1, joined.y0, w_("· V of each head"));
  wire({{mids[2], made.y1}, {mids[2], joined.y0}}, Role::value, {}, 2);
  const Box matrix{last.x0, last.y0, last.x0 + wide, last.y1};
  const Box output{last.x0 + wide + gap, last.y0, last.x1, last.y1};
  small(block, Part::output_weight, matrix);
  small(block, Part::result, output);
  across(matrix, output);
  up(output.mid(), joined.y1, output.y0);
  close(c, block, bottom, output);
  if (spot.cross()) {
    wire({{c.mid(), base}, {c.mid(), bottom + 10}, {mids[0], bottom + 10}, {mids[0], learned.y0}},
         Role::query, {}, 2);
    cross_y_ = {bottom + 20, bottom + 30};
    cross_x_ = {mids[1], mids[2]};
    cross_end_ = learned.y0;
  } else {
    line({{c.mid(), base}, {c.mid(), base + kFork}});
    fan(c.mid(), base + kFork, mids, learned.y0);
  }
}

void Drawer::forward(Column& c, Block block) {
  const double bottom = c.next();
  if (!open(block)) {
    up(c.mid(), c.y, bottom, stream_shape(c.decoder));
    closed(c, block, bottom);
    return;
  }
  BoxRows rows = c.rows(bottom + kPad);
  const auto thirds = [&rows] {
    const Box row = rows.next();
    return row.split(row.x0 + (row.x1 - row.x0) / 3, 7);
  };
  const auto [up_weight, made] = thirds();
  const Box active = thirds().second;
  const auto [down_weight, down] = thirds();
  small(block, Part::up_weight, up_weight);
  small(block, Part::up, made);
  small(block, Part::active, active);
  small(block, Part::down_weight, down_weight);
  small(block, Part::result, down);
  wire({{c.mid(), c.y}, {c.mid(), bottom - 8}, {made.mid(), bottom - 8}, {made.mid(), made.y0}});
  across(up_weight, made);
  up(made.mid(), made.y1, active.y0,
     p_.activation == Activation::relu   ? "ReLU"
     : p_.activation == Activation::gelu ? "GELU"
                                         : "SiLU");
  up(active.mid(), active.y1, down.y0);
  across(down_weight, down);
  close(c, block, bottom, down);
}

void Drawer::prediction(Column& c) {
  const Block block = Block::output;
  const double bottom = c.next();
  if (open(block)) {
    BoxRows rows = c.rows(bottom + kPad);
    const Box logits = small(block, Part::logits, rows.next());
    const Box probabilities = small(block, Part::result, rows.next());
    up(c.mid(), c.y, logits.y0, stream_shape(true));
    up(c.mid(), logits.y1, probabilities.y0, w_("softmax by row"));
    close(c, block, bottom, probabilities, true);
  } else {
    up(c.mid(), c.y, bottom, stream_shape(true));
    closed(c, block, bottom);
  }
  const double top = c.next();
  up(c.mid(), c.y, top,
     fmt::format("m × V = {} × {}", scene_.texts().m(), scene_.texts().words.size()));
  const MatrixD logits = scene_.pass().tokens("decoder.logits");
  const Labels likeliest = labels(each(logits.rows(), [&](Index i) {
    Index best = 0;
    logits.row(i).maxCoeff(&best);
    return scene_.texts().words[to_size(best)];
  }));
  token_row(c, top, likeliest, w_("the likeliest next token; nothing was learned"));
  c.y = top + kTokens;
}

}  // namespace lab::transformer::drawing
