// How the architecture is drawn: two columns of boxes, each with what is in it, and what flows from
// box to box. Places are in units that are about a pixel high and nearly as wide.
#pragma once

#include "app/labs/transformer/page.h"

namespace lab::transformer::drawing {

using figure::Diagram;
using Node = Diagram::Node;
using Wire = Diagram::Wire;
using At = Diagram::Place;

inline constexpr double kWide = 1000;            // of the whole drawing
inline constexpr double kBox = 50, kGap = 30;    // a closed box; between boxes
inline constexpr double kStem = 40;              // under attention, where Q, K and V part
inline constexpr double kPad = 12, kTitle = 22;  // inside of frames and open boxes
inline constexpr double kPart = 54, kHeads = 78, kBetween = 20;  // inside of open boxes
inline constexpr float kShare = 0.36f;                           // of a closed box, for its words
inline constexpr Index kMostTokenBoxes = 12;
inline constexpr int kMostChips = 12;
inline constexpr double kLegend = 124;

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

  Figure figure();

 private:
  bool open(Block block) const { return p_.opened == block; }
  // Norms that stand alone have no parts.
  bool can_open(Block block) const {
    const Spot spot = scene_.spot(block);
    if (spot.info().kind == Kind::norm) return spot.norm_after() && spot.adds();
    return spot.info().kind != Kind::out;
  }
  Tensor part(Block block, Part which) const { return scene_.drawn(scene_.spot(block), which); }
  Assignments opens(Block block) const {
    return sets("opened", block_id(open(block) ? Block::none : block));
  }
  Assignments picks(const Tensor& t) const {
    return sets("block", block_id(t.block), "part", part_id(t.part), "explain", "tensor");
  }
  bool is_picked(const Tensor& t) const { return p_.block == t.block && p_.part == t.part; }

  void wire(std::vector<At> path, Color color = Role::dim, std::string label = {},
            float width = 1.5f);
  void line(std::vector<At> path, Color color, float width = 1.5f);
  // Out of an open box, from the last of its parts.
  void leave(const Column& c, const Box& from, const Box& frame);
  std::string tooltip(const Tensor& t) const;

  // Under its name: its sizes, or how large the gradient is.
  std::string note(const Tensor& t) const {
    return p_.backward ? fmt::format("∂ {}", significant(size_of(t), 2)) : t.sizes;
  }

  // --- pictures

  Color tint(const Tensor& t) const;
  Color edge(const Tensor& t) const;

  void show(const Tensor& t, Index head, Node& node) const;
  // The heads of a tensor side by side, the chosen one marked.
  void head_pictures(const Tensor& t, const Box& in);

  // A part of an open box: its symbol and sizes over its picture.
  void small(const Tensor& t, const Box& at);

  // A closed box: its name at the left, what it holds at the right.
  void closed(const Tensor& t, std::string title, Color fill, const Box& at);

  // The frame of an open box, closed by a click.
  void opened(Block block, const Box& at);

  // --- what comes in

  void token_row(const Column& c, double y0, const Labels& names, std::string tooltip);

  void inputs(Column& c, Block block);

  void sign(std::string text, double x, double y);

  // --- a layer

  std::string stream_shape(bool decoder) const;

  void layer(Column& c);

  // Behind the layer that is shown the others, and over it a chip for each.
  void layer_frame(const Column& c, double bottom);

  void chips(const Column& c, Index count, Index shown, double right);

  void sublayer(Column& c, Block block, Block norm);

  // The residual line.
  void go_around(const Column& c, double from, double to, bool inside);

  // Answers at which height the residual line comes in.
  double norm_box(Column& c, Block block, std::string title, Part which);

  double add_and_norm(Column& c, Block block);

  // The output of the part that a norm is around.
  Tensor made_by(const Spot& norm) const;

  // --- attention

  void attention(Column& c, Block block);

  // Blue, red and green from one place to three.
  void fan(double x, double from, const std::array<double, 3>& to, double end);

  void open_attention(Column& c, const Spot& spot, double base, double bottom);

  // The encoder's output on its way to the decoder's keys and values.
  void remember(const Box& memory);

  // --- feed-forward and what comes out

  void forward(Column& c, Block block);

  std::string activation_name() const;

  Box out(Column& c, Block block);

  void prediction(Column& c);

  Labels likeliest() const;

  // --- all of it

  void legend(double left, double top);
  Figure finished(double height);
  const Color kInput = Color(Role::faint, 0.18f), kNorm = Role::card,
              kAttention = Color(Role::accent, 0.12f), kForward = Color::of_head(9, 0.14f);
  const Scene& scene_;
  const Parameters& p_;
  const Words& w_;
  std::vector<Node> frames_, nodes_;
  std::vector<Wire> wires_;
  std::vector<Note> legend_;
  // Where cross-attention takes its keys and its values in.
  std::array<double, 2> cross_x_{}, cross_y_{};
  std::optional<double> cross_end_;
};

}  // namespace lab::transformer::drawing
