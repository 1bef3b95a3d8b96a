// The columns: what stands on what.
#include "app/labs/transformer/drawing.h"

namespace lab::transformer::drawing {

Figure Drawer::figure() {
  Column encoder{false, 40, 452, 22}, decoder{true, 548, 960, 978};
  inputs(encoder, Block::encoder_input);
  inputs(decoder, Block::decoder_input);
  layer(encoder);
  layer(decoder);
  const Box memory = out(encoder, Block::encoder_out);
  out(decoder, Block::decoder_out);
  prediction(decoder);
  remember(memory);
  constexpr double kLegend = 164;
  const double top = std::max(encoder.y, decoder.y), height = top + 6;
  std::vector<Note> notes;
  if (std::abs(decoder.y - encoder.y) > kLegend) {
    notes = legend(encoder.y < decoder.y ? encoder.left : decoder.left, top);
  }
  Figure figure = new_figure("architecture", w_("The Transformer, and what is in it"),
                             {.height = to_float(height) + 56});
  figure.pointer_note = w_("click a box to open it, a picture to see it large");
  figure.caption = w_.format(
      "The encoder at the left reads tokens ({}), the decoder at the right is given others ({}) "
      "and predicts the token after each; arrows go upwards. In each box its tensor of this "
      "forward pass: a row a token, a column a feature; of attention the weights of every head, a "
      "row a query, a column a key. Queries blue, keys red, values green, from where they are "
      "taken. Of each stack one layer is shown, of {} and {}.",
      scene_.texts().n(), scene_.texts().m(), p_.encoder_layers, p_.decoder_layers);
  if (p_.backward) {
    figure.note = w_("the loss walked back");
    figure.pointer_note = w_("a click on a picture shows it large");
    figure.caption = w_.format(
        "The loss of {:.4f} nats propagated back through the same boxes; arrows go downwards, from "
        "the prediction to the embeddings. In each box the gradient of the loss by its tensor, and "
        "after ∂ its root mean square: how much the loss would change by each of its numbers. "
        "Residual connections hand it on unchanged.",
        scene_.pass().loss);
  }
  Plot plot{.id = "architecture", .x = hidden_axis(0, kWide), .y = hidden_axis(0, height)};
  draw_in(plot);
  for (Note& note : notes) plot.add(std::move(note));
  return with(std::move(figure), std::move(plot));
}

// What colours and lines mean, where the shorter column leaves room.
std::vector<Note> Drawer::legend(double left, double top) {
  const std::pair<Color, std::string> lines[] = {
      {Role::query, w_("Q, queries: what each row looks for")},
      {Role::key, w_("K, keys: what each row can be found by")},
      {Role::value, w_("V, values: what is added up")},
      {Role::text, w_("residual connection: goes around a part")},
      {Role::dim, w_("what is passed on")}};
  std::vector<Note> notes;
  double y = top - 16;
  for (const auto& [color, text] : lines) {
    arrow({{left, y}, {left + 44, y}}, color, {}, 2);
    notes.push_back({.x = left + 56, .y = y, .text = text, .color = Role::text});
    y -= 28;
  }
  return notes;
}

std::string Drawer::stream_shape(bool decoder) const {
  const Index rows = decoder ? scene_.texts().m() : scene_.texts().n();
  return fmt::format("{} × d_model = {} × {}", decoder ? "m" : "n", rows, p_.d_model);
}

void Drawer::layer(Column& c) {
  const double bottom = c.y + 14, from = c.y;
  c.y = bottom + 6;
  line({{c.mid(), from}, {c.mid(), c.y}});
  if (c.decoder) {
    sublayer(c, Block::decoder_self, Block::decoder_self_norm);
    sublayer(c, Block::decoder_cross, Block::decoder_cross_norm);
    sublayer(c, Block::decoder_forward, Block::decoder_forward_norm);
  } else {
    sublayer(c, Block::encoder_self, Block::encoder_self_norm);
    sublayer(c, Block::encoder_forward, Block::encoder_forward_norm);
  }
  line({{c.mid(), c.y}, {c.mid(), c.y + 36}});
  c.y += 36;
  layer_frame(c, bottom);
}

void Drawer::layer_frame(const Column& c, double bottom) {
  const Index count = scene_.layers(c.decoder),
              shown = scene_.spot(c.decoder ? Block::decoder_self : Block::encoder_self).layer;
  const double x0 = c.left - 30, x1 = c.right + 30;
  std::vector<Node> frames;
  for (int behind = to_int(std::min<Index>(count - 1, 2)); behind >= 0; --behind) {
    const double off = 4.0 * behind;
    Node node = Box{x0 + off, bottom + off, x1 + off - 8, c.y - 4 + off}.node();
    node.fill = Role::panel;
    if (behind == 0) {
      node.title =
          w_.format(c.decoder ? N_("decoder layer {} of {}") : N_("encoder layer {} of {}"),
                    shown + 1, count);
      node.frame = node.bold = true;
    }
    frames.push_back(std::move(node));
  }
  add_lower_frames(std::move(frames));
  if (count > 1) chips(c, count, shown, x1 - 16);
}

void Drawer::sublayer(Column& c, Block block, Block norm_block) {
  const Spot spot = scene_.spot(norm_block);
  const double branch = c.y + 5;
  if (spot.norm_first()) norm(c, norm_block);
  if (facts(block).kind == Kind::attention) {
    attention(c, block);
  } else {
    forward(c, block);
  }
  const bool joins = spot.norm_after() || spot.adds();
  const double side = joins ? norm(c, norm_block, !spot.norm_after()) : c.y;
  if (!spot.adds()) return;
  // The residual connection, into an open norm or to its side.
  const double inside = open(norm_block) && spot.norm_after() ? 10 : 0;
  wire({{c.mid(), branch},
        {c.outside, branch},
        {c.outside, side},
        {c.decoder ? c.right - inside : c.left + inside, side}},
       Role::text);
}

void Drawer::attention(Column& c, Block block) {
  const Spot spot = scene_.spot(block);
  const double base = c.y, bottom = base + kStem;
  if (open(block)) return open_attention(c, spot);
  const Box at = closed(c, block, bottom);
  if (spot.cross()) {
    wire({{c.mid(), base}, {c.mid(), at.y0}}, Role::query, "Q", 2);
    cross_y_ = {at.level() + 9, at.level() - 9};
    cross_x_ = {at.x0, at.x0};
  } else {
    line({{c.mid(), base}, {c.mid(), base + kFork}});
    fan(c.mid(), base + kFork, {c.mid() - 80, c.mid(), c.mid() + 80}, at.y0);
  }
}

void Drawer::remember(const Box& memory) {
  const double channel[] = {496, 508};
  const Role roles[] = {Role::key, Role::value};
  const char* names[] = {"K", "V"};
  for (std::size_t k = 0; k < 2; ++k) {
    const double from = memory.level() + (k == 0 ? 7 : -7);
    Path path{{memory.x1, from},
              {channel[1 - k], from},
              {channel[1 - k], cross_y_[k]},
              {cross_x_[k], cross_y_[k]}};
    if (cross_end_) path.push_back({cross_x_[k], *cross_end_});
    wire(std::move(path), roles[k], cross_end_ ? "" : names[k], 2);
  }
}

Box Drawer::out(Column& c, Block block) {
  const double bottom = c.next();
  up(c.mid(), c.y, bottom,
     scene_.layers(c.decoder) == 1 ? w_("after 1 layer")
                                   : w_.format("after {} layers", scene_.layers(c.decoder)));
  return closed(c, block, bottom);
}

}  // namespace lab::transformer::drawing

namespace lab::transformer {

Figure drawing_figure(const Scene& scene) { return drawing::Drawer(scene).figure(); }

}  // namespace lab::transformer
