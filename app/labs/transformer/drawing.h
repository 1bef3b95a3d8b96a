// How the architecture is drawn: two columns of boxes, each with what is in it, and what flows from
// box to box. Places are in units that are about a pixel high and nearly as wide.
#pragma once

#include "app/labs/shared/drawing/block_diagram.h"
#include "app/labs/transformer/page.h"

namespace lab::transformer::drawing {

using Node = BlockDiagram::Node;

inline constexpr double kWide = 1000;             // of the whole drawing
inline constexpr double kBox = 50, kGap = 30;     // a closed box; between boxes
inline constexpr double kTokens = 24, kEdge = 8;  // boxes of tokens; under them
inline constexpr double kStem = 40, kFork = 18;   // under attention, where Q, K and V part
inline constexpr double kPad = 12, kTitle = 22;   // inside of frames and open boxes
inline constexpr double kPart = 58, kHeads = 86, kBetween = 20;  // inside of open boxes

// One column: the encoder's or the decoder's.
struct Column {
  bool decoder;
  double left, right;
  double outside;  // where lines that go around boxes run
  double y = 0;    // up to where it is drawn
  double mid() const { return (left + right) / 2; }
  double next() const { return y + kGap; }  // where the next box begins
  // The parts of an open box, from there on.
  BoxRows rows(double from) const { return {left + 10, right - 10, from, kPart, kBetween}; }
};

class Drawer : BlockDiagram {
 public:
  explicit Drawer(const Scene& scene)
      : BlockDiagram(scene.p.backward), scene_(scene), p_(scene.p), w_(scene.w) {}

  Figure figure();

 private:
  // --- wires

  // Blue, red and green from one place to three.
  void fan(double x, double from, const std::array<double, 3>& to, double end);
  // The encoder's output on its way to the decoder's keys and values.
  void remember(const Box& memory);

  // --- boxes

  bool open(Block block) const { return p_.opened == block; }
  Assignments opens(Block block) const {
    return sets("opened", facts(open(block) ? Block::none : block).id);
  }
  Node node_of(const Tensor& t, const Box& at) const;
  void show(const Tensor& t, Index head, Node& node) const;
  // The box, with the picture in this part of it: of heads side by side, the chosen one marked.
  // Answers with the last node.
  Node& add_with(Node node, const Tensor& t, const Box& in);
  // A part of an open box: its symbol and sizes over its picture.
  Node& small(const Tensor& t, const Box& at);
  Box small(Block block, Part which, const Box& at);
  // A closed box on top of the column: its name at the left, what it holds at the right; of a norm
  // that stands elsewhere the sum alone.
  Box closed(Column& c, Block block, double bottom, bool sum = false);
  // The frame of an open box, closed by a click, and the line that leaves it from its last part.
  void close(Column& c, Block block, double bottom, const Box& last, bool straight = false);
  void token_row(const Column& c, double y0, const Labels& names, const std::string& tooltip);

  // --- what stands in a column, from below

  void inputs(Column& c, Block block);
  void layer(Column& c);
  // Behind the layer that is shown the others, and over it a chip for each.
  void layer_frame(const Column& c, double bottom);
  void chips(const Column& c, Index count, Index shown, double right);
  void sublayer(Column& c, Block block, Block norm);
  void attention(Column& c, Block block);
  void open_attention(Column& c, const Spot& spot);
  void forward(Column& c, Block block);
  // Answers at which height the residual connection comes in.
  double norm(Column& c, Block block, bool sum = false);
  double open_norm(Column& c, Block block);
  Box out(Column& c, Block block);
  void prediction(Column& c);

  std::string stream_shape(bool decoder) const;
  std::vector<Note> legend(double left, double top);

  const Scene& scene_;
  const Parameters& p_;
  const Words& w_;
  // Where cross-attention takes its keys and its values in.
  std::array<double, 2> cross_x_{}, cross_y_{};
  std::optional<double> cross_end_;
};

}  // namespace lab::transformer::drawing
