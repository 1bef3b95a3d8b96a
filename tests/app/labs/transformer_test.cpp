// The Transformer, opened: a layer by hand, and the drawing with its true numbers.
#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "transformer_rig.h"

namespace transformer_test {

using namespace transformer_rig;

namespace {

MatrixD normed(MatrixD x) {
  for (Index i = 0; i < x.rows(); ++i) {
    const double mean = x.row(i).mean();
    x.row(i).array() -= mean;
    x.row(i) /= std::sqrt(x.row(i).squaredNorm() / double(x.cols()) + 1e-5);
  }
  return x;
}

const figure::Diagram& diagram(const lab::Page& page) {
  return mark_of<figure::Diagram>(plot_of(page, "architecture"), 1);
}

const figure::Diagram::Node* node_of(const lab::Page& page, const std::string& tooltip) {
  for (const auto& node : diagram(page).nodes) {
    if (node.tooltip.find(tooltip) != std::string::npos) return &node;
  }
  return nullptr;
}

}  // namespace

TEST_CASE("a layer worked out by hand, part by part") {
  Made m = made({{"encoder_layers", "2"}, {"decoder_layers", "1"}, {"heads", "2"}});
  const Model model = m.model();
  const Pass& pass = *model.pass;
  const MatrixD x = pass.tokens("encoder.placed");
  const auto times = [&](const MatrixD& in, const std::string& name) {
    return MatrixD(in * pass.parameter("encoder.0." + name + ".weight"));
  };
  const MatrixD Q = times(x, "self.query"), K = times(x, "self.key"), V = times(x, "self.value");
  MatrixD joined(x.rows(), 32);
  for (Index h = 0; h < 2; ++h) {
    MatrixD w = Q.middleCols(16 * h, 16) * K.middleCols(16 * h, 16).transpose() / 4;
    CHECK(difference(w, tensor(spot(model, Block::encoder_self), Part::scores).of(h)) < 1e-12);
    for (Index i = 0; i < w.rows(); ++i) {
      w.row(i) = w.row(i).array().exp();
      w.row(i) /= w.row(i).sum();
    }
    CHECK(difference(w, tensor(spot(model, Block::encoder_self), Part::weights).of(h)) < 1e-12);
    joined.middleCols(16 * h, 16) = w * V.middleCols(16 * h, 16);
  }
  const MatrixD after = normed(x + times(joined, "self.output"));
  CHECK(difference(after, pass.tokens("encoder.0.self.after")) < 1e-11);
  const MatrixD active = times(after, "feed_forward.up").cwiseMax(0);
  CHECK(difference(active, tensor(spot(model, Block::encoder_forward), Part::active).of(0)) <
        1e-11);
  const MatrixD out = normed(after + times(active, "feed_forward.down"));
  CHECK(difference(out, pass.tokens("encoder.0.out")) < 1e-11);
  // The embedding times sqrt(32), and sines and cosines.
  const MatrixD e = tensor(spot(model, Block::encoder_input), Part::embedded).of(0);
  CHECK(difference(e.row(0), std::sqrt(32) * pass.parameter("embedding").row(2)) < 1e-12);
  const MatrixD P = tensor(spot(model, Block::encoder_input), Part::positions).of(0);
  CHECK(P(3, 0) == doctest::Approx(std::sin(3.0)).epsilon(1e-12));
  CHECK(P(3, 5) == doctest::Approx(std::cos(3 / std::pow(10000, 4.0 / 32))).epsilon(1e-12));
}

TEST_CASE("norms before, no norms, no residual connections: what the layer leaves behind") {
  for (const char* norm : {"after", "before", "none"}) {
    for (const char* residual : {"true", "false"}) {
      CAPTURE(norm);
      CAPTURE(residual);
      Made m = made({{"norm", norm}, {"residual", residual}, {"decoder_layers", "2"}});
      const Model model = m.model();
      const Pass& pass = *model.pass;
      for (const Block block :
           {Block::decoder_self_norm, Block::decoder_cross_norm, Block::decoder_forward_norm}) {
        const Spot s = spot(model, block, 1);
        const MatrixD x = pass.tokens(s.stream()), f = pass.tokens(s.made());
        const MatrixD sum = *residual == 't' ? MatrixD(x + f) : f;
        CHECK(difference(pass.tokens(s.prefix() + "sum"), sum) < 1e-12);
        const bool after = std::string(norm) == "after";
        CHECK(difference(pass.tokens(s.left()), after ? normed(sum) : sum) < 1e-9);
        if (std::string(norm) == "before") {
          CHECK(difference(pass.tokens(s.given()), normed(x)) < 1e-9);
        } else {
          CHECK(s.given() == s.stream());
        }
      }
    }
  }
}

TEST_CASE("the mask hides what comes after, and nothing of the encoder's output") {
  Made m = preset("causal");
  const Model model = m.model();
  const Tensor self = tensor(spot(model, Block::decoder_self), Part::weights);
  const Tensor cross = tensor(spot(model, Block::decoder_cross), Part::weights);
  for (Index h = 0; h < 4; ++h) {
    CHECK(self.of(h)(0, 0) == 1);
    for (Index i = 0; i < self.row_count(); ++i) {
      for (Index j = 0; j < self.col_count(); ++j) CHECK(std::isnan(self.of(h)(i, j)) == (j > i));
      CHECK(cross.of(h).row(i).sum() == doctest::Approx(1));
    }
    CHECK(cross.of(h).minCoeff() > 0);
  }
  CHECK(cross.row_count() == 7);
  CHECK(cross.col_count() == 6);
  m.p.row = 2, m.p.col = 5;
  CHECK(says(m.page(), "masked: key 5 comes after query 2"));
}

TEST_CASE("every block opens, and each of its parts is drawn with its true numbers") {
  for (const char* norm : {"after", "before", "none"}) {
    Made m = made({{"norm", norm}, {"encoder_layers", "2"}, {"decoder_layers", "2"}});
    for (const Block block : kDrawn) {
      CAPTURE(std::string(facts(block).id));
      m.p.opened = block;
      m.p.block = block;
      const Model model = m.model();
      const Spot s = spot(model, block);
      const bool opens = s.block != Kind::out;
      const lab::Page page = m.page();
      for (const Part part : parts_of(s)) {
        const Tensor t = tensor(s, part);
        CHECK(t.part == part);
        m.p.part = part;
        const MatrixD large = shown(m.page());
        const MatrixD own = t.of(0);
        REQUIRE(large.rows() == own.rows());
        for (Index k = 0; k < own.size(); ++k) {
          const double a = large.data()[k], b = own.data()[k];
          CHECK((std::isnan(b) ? core::is_masked(float(a)) : a == double(float(b))));
        }
        // Norms that stand alone are not drawn in parts.
        if (!opens || (s.block == Kind::norm && std::string(norm) != "after")) continue;
        CHECK(node_of(page, t.shape()) != nullptr);
      }
    }
  }
}

TEST_CASE("boxes and wires of the drawing lie inside of it, and boxes open and close") {
  for (const Block block : kDrawn) {
    Made m;
    m.p.opened = block;
    const lab::Page page = m.page();
    const figure::Plot plot = plot_of(page, "architecture");
    int closing = 0;
    for (const figure::Diagram& part : marks_of<figure::Diagram>(plot)) {
      for (const auto& node : part.nodes) {
        CHECK(node.x0 < node.x1);
        CHECK(node.y0 < node.y1);
        CHECK(node.x0 >= plot.x.lo);
        CHECK(node.x1 <= plot.x.hi);
        CHECK(node.y0 >= plot.y.lo);
        CHECK(node.y1 <= plot.y.hi);
        closing += node.pick == figure::Assignments{{"opened", "none"}};
      }
      for (const auto& wire : part.wires) {
        for (const auto& place : wire.path) {
          CHECK((place.x >= 0 && place.x <= plot.x.hi && place.y >= 0 && place.y <= plot.y.hi));
        }
      }
    }
    CHECK(closing == (facts(block).kind == Kind::out ? 0 : 1));
  }
}

TEST_CASE("red and green begin at the encoder's output and end at cross-attention") {
  for (const char* opened : {"none", "decoder_cross"}) {
    Made m = made({{"opened", opened}});
    const lab::Page page = m.page();
    const auto* memory = node_of(page, "Encoder's output");
    REQUIRE(memory);
    int found = 0;
    for (const auto& wire : diagram(page).wires) {
      const auto& from = wire.path.front();
      if (from.x != memory->x1 || from.y < memory->y0 || from.y > memory->y1) continue;
      ++found;
      CHECK((wire.color.role == figure::Role::key || wire.color.role == figure::Role::value));
      CHECK(wire.path.back().x > 500);
    }
    CHECK(found == 2);
  }
}

TEST_CASE("without residual connections none is drawn") {
  const auto around = [](const lab::Page& page) {
    int count = 0;
    for (const auto& wire : diagram(page).wires) {
      count += wire.color.role == figure::Role::text && wire.path.size() == 4;
    }
    return count;
  };
  CHECK(around(made({}).page()) == 5);
  CHECK(around(made({{"residual", "false"}}).page()) == 0);
}

TEST_CASE("the whole: widths never change from the embedding to the output") {
  const Model model = preset("whole").model();
  for (const auto& [name, one] : model.pass->trace) {
    if (name.find("out") == std::string::npos || name.find("output") != std::string::npos) continue;
    CHECK(one.shape.back() == 32);
  }
}

TEST_CASE("feed-forward: about half of the numbers are 0 after ReLU") {
  Made m = preset("forward");
  const MatrixD active = shown(m.page());
  const double zeros = double((active.array() == 0).count()) / double(active.size());
  CHECK(zeros > 0.4);
  CHECK(zeros < 0.6);
}

TEST_CASE("a norm is framed while it is explained: else the frame would look like an answer") {
  Made m = preset("norm");
  CHECK(plot_of(m.page(), "norm_layer").selected);
  CHECK_FALSE(plot_of(m.page(), "norm_batch").selected);
  m.set({{"explain", "tensor"}});
  CHECK_FALSE(plot_of(m.page(), "norm_layer").selected);
}

TEST_CASE("what norms do, and batch norm's other tokens") {
  Made m = preset("norm");
  const MatrixD y = shown(m.page());
  for (Index i = 0; i < y.rows(); ++i) {
    CHECK(std::abs(y.row(i).mean()) < 1e-6);
    CHECK(y.row(i).squaredNorm() / 32 == doctest::Approx(1).epsilon(1e-4));
  }
  // Each is drawn beside what it is given, and batch norm over the tokens.
  const auto drawn = [page = m.page()](const char* id) {
    const auto& map = mark_of<figure::Heatmap>(plot_of(page, id));
    MatrixD cells(map.source->rows(), map.source->cols());
    for (Index i = 0; i < cells.rows(); ++i) {
      for (Index j = 0; j < cells.cols(); ++j) cells(i, j) = double(map.source->value(i, j));
    }
    return cells;
  };
  const MatrixD x = drawn("norm_before"), layer = drawn("norm_layer"), rms = drawn("norm_rms"),
                batch = drawn("norm_batch");
  REQUIRE(x.rows() == 6);
  CHECK(difference(layer, normed(x)) < 1e-5);
  for (Index j = 0; j < x.cols(); ++j) CHECK(std::abs(batch.col(j).mean()) < 1e-6);
  for (Index i = 0; i < x.rows(); ++i) {
    CHECK(rms.row(i).squaredNorm() / 32 == doctest::Approx(1).epsilon(1e-3));
  }
}

TEST_CASE("shared keys: matrices shrink and scores stay") {
  Made m = preset("grouped");
  const Model model = m.model();
  const Spot s = spot(model, Block::encoder_self);
  CHECK(tensor(s, Part::key_weight).of(0).cols() == 4);
  CHECK(tensor(s, Part::query_weight).of(0).cols() == 32);
  CHECK(tensor(s, Part::weights).matrices.size() == 8);
}

TEST_CASE("embeddings times sqrt(d_model) come near the size of positions") {
  Made m = preset("scale");
  for (int seed = 0; seed < 10; ++seed) {
    m.set({{"seed", std::to_string(seed)}});
    const lab::Page page = m.page();
    const double ratio = readout(page, "embedding_size") / readout(page, "position_size");
    CHECK(ratio > 0.625);
    CHECK(ratio < 0.745);
  }
  const Model model = m.model();
  CHECK(model.pass->parameter("embedding").cwiseAbs().maxCoeff() < 0.5);
}

TEST_CASE("equal words are equal rows, and every text has its sentence") {
  const Model model = made({}).model();
  const MatrixD e = model.pass->tokens("encoder.embedded");
  CHECK(e.row(0) == e.row(4));  // the
  CHECK(made({{"source", ""}}).page().notes.size() == 1);
  CHECK(made({{"target", ""}}).page().figures.size() == 7);
  std::string many;
  for (int k = 0; k < 40; ++k) many += "word ";
  Made cut = made({{"source", many}});
  CHECK(cut.model().texts->n() == kMostTokens);
  CHECK_FALSE(cut.page().notes.empty());
}

}  // namespace transformer_test
