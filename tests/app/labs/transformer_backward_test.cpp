// The loss walked back through the drawing, and the position schemes of heads.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <string>

#include "app/labs/shared/derivation/number_text.h"
#include "core/model/layer/cross_entropy.h"
#include "core/task/depth/letter_model.h"
#include "transformer_rig.h"

namespace transformer_backward_test {

using namespace transformer_rig;

namespace {

Made made(param::Values values) {
  for (const char* stack : {"encoder_layers", "decoder_layers"}) values.push_back({stack, "2"});
  return lab::trying::made<Parameters>(values);
}

// The loss with other parameters.
double loss_of(const Model& model, const std::vector<double>& values) {
  const Pass& pass = *model.pass;
  core::model::Tape<double> tape;
  tape.begin(values.data(), nullptr, {.differentiates = false});
  const core::model::Sequences source{.length = model.texts->n()},
      target{.length = model.texts->m()};
  const auto memory = pass.model.encode(tape, model.texts->ids.source.data(), source);
  const auto logits =
      pass.model.decode(tape, memory, source, model.texts->ids.target.data(), target);
  return *core::model::cross_entropy(tape, logits, model.texts->ids.next.data(),
                                     double(model.texts->m()))
              .value;
}

std::string name_of(const Spot& s, Part part) {
  switch (part) {
    case Part::query_weight: return s.prefix() + "query.weight";
    case Part::key_weight: return s.prefix() + "key.weight";
    case Part::value_weight: return s.prefix() + "value.weight";
    case Part::output_weight: return s.prefix() + "output.weight";
    case Part::up_weight: return s.prefix() + "up.weight";
    case Part::down_weight: return s.prefix() + "down.weight";
    default: return "embedding";
  }
}

// The value that an explanation begins with, and the sum of the products below it; nothing: none.
std::optional<std::pair<double, double>> worked_out(const lab::Page& page) {
  const auto& all = page.explanation.lines;
  double sum = 0;
  bool any = false;
  for (const auto& line : all) {
    std::string text;
    for (const auto& span : line.right) text += span.text;
    if (text.find(")(") == std::string::npos) continue;
    any = true;
    sum += std::atof(text.c_str() + text.rfind(' '));
  }
  if (!any) return {};
  return std::pair{std::atof(all.front().right.front().text.c_str() + std::string("≈ ").size()),
                   sum};
}

}  // namespace

TEST_CASE("every box's gradient of a parameter is what differences of the loss say") {
  for (const char* norm : {"after", "before", "none"}) {
    for (const char* positions :
         {"sinusoidal", "rotary", "t5", "relative", "urpe", "complex", "floater"}) {
      CAPTURE(norm);
      CAPTURE(positions);
      Made m = made({{"norm", norm}, {"positions", positions}, {"backward", "true"}});
      const Model model = m.model();
      REQUIRE(model.pass->gradients);
      const std::pair<Block, std::vector<Part>> boxes[] = {
          {Block::decoder_input, {Part::table}},
          {Block::encoder_self,
           {Part::query_weight, Part::key_weight, Part::value_weight, Part::output_weight}},
          {Block::decoder_cross, {Part::query_weight, Part::key_weight}},
          {Block::decoder_forward, {Part::up_weight, Part::down_weight}}};
      for (const auto& [block, parts] : boxes) {
        for (const Part part : parts) {
          const Spot s = spot(model, block, block == Block::decoder_input ? 0 : 1);
          const MatrixD slopes = gradient(s, part).of(0), own = tensor(s, part).of(0);
          const Index i = 3, j = 5;
          std::vector<double> values = model.pass->values;
          const auto& own_slot = model.pass->layout.find(name_of(s, part))->slot;
          double* at = values.data() + own_slot.offset + i * own_slot.cols + j;
          REQUIRE(*at == own(i, j));
          constexpr double kStep = 1e-5;
          *at = own(i, j) + kStep;
          const double up = loss_of(model, values);
          *at = own(i, j) - kStep;
          const double down = loss_of(model, values);
          CAPTURE(std::string(part_id(part)));
          CHECK(slopes(i, j) ==
                doctest::Approx((up - down) / (2 * kStep)).epsilon(1e-4).scale(1e-3));
        }
      }
    }
  }
}

TEST_CASE("gradients that the trace does not keep follow from those that it does") {
  for (const char* norm : {"after", "before"}) {
    for (const char* key_heads : {"all", "one"}) {
      Made m = made({{"norm", norm}, {"key_heads", key_heads}, {"backward", "true"}});
      const Model model = m.model();
      const Pass& pass = *model.pass;
      for (const Block block : {Block::encoder_self, Block::decoder_self, Block::decoder_cross}) {
        const Spot s = spot(model, block, 1);
        const Tensor scores = gradient(s, Part::scores);
        const MatrixD keys = tensor(s, Part::keys).of(0),
                      queries = gradient(s, Part::queries).of(0);
        const Index d_k = pass.d_k(), group = pass.heads() / pass.key_heads();
        for (Index h = 0; h < pass.heads(); ++h) {
          MatrixD cells = scores.of(h);
          for (Index k = 0; k < cells.size(); ++k) {
            // What is masked has no gradient.
            const bool masked = std::isnan(cells.data()[k]);
            CHECK(masked == (s.causal() && k % cells.cols() > k / cells.cols()));
            if (masked) cells.data()[k] = 0;
          }
          const MatrixD made =
              cells * keys.middleCols(h / group * d_k, d_k) / std::sqrt(double(d_k));
          CHECK(difference(made, queries.middleCols(h * d_k, d_k)) < 1e-12);
          // Softmax: a row's scores may all rise alike, and nothing changes.
          CHECK(cells.rowwise().sum().cwiseAbs().maxCoeff() < 1e-12);
        }
      }
      // Of mean and deviation: with them the norm's input has all of its gradient.
      if (m.p.norm == NormPlace::after) {
        const Spot s = spot(model, Block::decoder_cross_norm, 1);
        const MatrixD x = pass.tokens(s.before_norm()), moments = tensor(s, Part::moments).of(0);
        const MatrixD slopes = gradient(s, Part::moments).of(0),
                      after = gradient(s, Part::result).of(0);
        const MatrixD gain = pass.parameter(s.norm() + "gain");
        MatrixD all(x.rows(), x.cols());
        for (Index i = 0; i < x.rows(); ++i) {
          const double mean = moments(i, 0), deviation = moments(i, 1);
          for (Index j = 0; j < x.cols(); ++j) {
            all(i, j) = gain(0, j) * after(i, j) / deviation + slopes(i, 0) / double(x.cols()) +
                        slopes(i, 1) * (x(i, j) - mean) / (double(x.cols()) * deviation);
          }
        }
        CHECK(difference(all, gradient(s, Part::sum).of(0)) < 1e-12);
      }
      const Spot out = spot(model, Block::output);
      const MatrixD shares = tensor(out, Part::result).of(0),
                    by = gradient(out, Part::result).of(0);
      MatrixD logits = shares.cwiseProduct(by);
      for (Index i = 0; i < logits.rows(); ++i) {
        logits.row(i) -= shares.row(i) * shares.row(i).dot(by.row(i));
      }
      CHECK(difference(logits, gradient(out, Part::logits).of(0)) < 1e-12);
    }
  }
}

TEST_CASE("walked back, every box has its gradient and its size, and arrows go down") {
  for (const Block block : kDrawn) {
    Made m = made({});
    m.p.opened = m.p.block = block;
    const lab::Page forward = m.page();
    m.p.backward = true;
    const Model model = m.model();
    const lab::Page page = m.page();
    const auto& before = mark_of<figure::Diagram>(plot_of(forward, "architecture"), 1);
    const auto& after = mark_of<figure::Diagram>(plot_of(page, "architecture"), 1);
    REQUIRE(before.nodes.size() == after.nodes.size());
    REQUIRE(before.wires.size() == after.wires.size());
    int kept = 0;
    for (std::size_t k = 0; k < after.wires.size(); ++k) {
      const auto& a = before.wires[k].path;
      const auto& b = after.wires[k].path;
      const bool turned = a.front().x == b.back().x && a.front().y == b.back().y;
      kept += before.wires[k].arrow && !turned;
      CHECK((before.wires[k].arrow || !turned));
    }
    CHECK((kept == 0 || kept == 5));  // the legend's
    for (const Part part : parts_of(spot(model, block))) {
      CAPTURE(std::string(facts(block).id));
      CAPTURE(std::string(part_id(part)));
      m.p.part = part;
      const Tensor t = gradient(spot(model, block), part), own = tensor(spot(model, block), part);
      CHECK(t.row_count() == own.row_count());
      CHECK(t.col_count() == own.col_count());
      const std::string note = fmt::format("∂ {}", lab::significant(t.rms(), 2));
      const bool drawn = std::any_of(after.nodes.begin(), after.nodes.end(),
                                     [&](const auto& node) { return node.note == note; });
      CHECK(drawn);
      // Large, the same numbers.
      const lab::Page large = m.page();
      const auto& map = mark_of<figure::Heatmap>(plot_of(large, "tensor"));
      CHECK(map.source->rows() == t.row_count());
      for (Index i = 0; i < t.row_count(); ++i) {
        for (Index j = 0; j < t.col_count(); ++j) {
          const double one = t.of(0)(i, j);
          if (!std::isnan(one)) CHECK(map.source->value(i, j) == float(one));
        }
      }
    }
  }
}

TEST_CASE("every gradient that is a sum of products is their sum") {
  for (const char* activation : {"relu", "gelu"}) {
    for (const char* key_heads : {"all", "one"}) {
      Made m = made({{"backward", "true"}, {"activation", activation}, {"key_heads", key_heads}});
      int sums = 0;
      for (const Block block : kDrawn) {
        m.p.block = block;
        const Model model = m.model();
        for (const Part part : parts_of(spot(model, block))) {
          m.p.part = part;
          const lab::Page page = m.page();
          CAPTURE(std::string(facts(block).id));
          CAPTURE(std::string(part_id(part)));
          CHECK(page.explanation.lines.size() >= 3);
          const auto found = worked_out(page);
          if (!found || part == Part::scores) continue;
          ++sums;
          CHECK(found->first == doctest::Approx(found->second).epsilon(0.01).scale(0.05));
        }
      }
      CHECK(sums >= 30);
    }
  }
}

TEST_CASE("with norms after each sum the first layers get less of the loss than the last") {
  Made m = preset<Parameters>("transformer", "backward");
  const auto ratio = [&] {
    const Model model = m.model();
    const Spot first = spot(model, Block::decoder_forward_norm, 0);
    const Spot last = spot(model, Block::decoder_forward_norm, 5);
    return gradient(first, Part::sum).rms() / gradient(last, Part::sum).rms();
  };
  const double after = ratio();
  m.set({{"norm", "before"}});
  const double before = ratio();
  MESSAGE("first over last layer, norms after: " << after << ", before: " << before);
  CHECK(after < 1);
  CHECK(before > 1);
}

TEST_CASE("learned biases and keys by distance: weights are the softmax of the drawn scores") {
  for (const char* positions : {"alibi", "t5", "relative"}) {
    CAPTURE(positions);
    Made m = made({{"positions", positions}, {"seed", "5"}});
    const Model model = m.model();
    for (const Block block : {Block::encoder_self, Block::decoder_self, Block::decoder_cross}) {
      const Spot s = spot(model, block, 1);
      const Tensor scores = tensor(s, Part::scores), weights = tensor(s, Part::weights);
      for (Index h = 0; h < model.pass->heads(); ++h) {
        for (Index i = 0; i < scores.row_count(); ++i) {
          double sum = 0;
          for (Index j = 0; j < scores.col_count(); ++j) {
            const double one = scores.of(h)(i, j);
            if (!std::isnan(one)) sum += std::exp(one);
          }
          for (Index j = 0; j < scores.col_count(); ++j) {
            const double one = scores.of(h)(i, j);
            if (std::isnan(one)) continue;
            CHECK(weights.of(h)(i, j) == doctest::Approx(std::exp(one) / sum));
          }
        }
      }
      const bool biased = block != Block::decoder_cross;
      CHECK((model.pass->head(s.prefix() + "bias", 0).size() > 0) == biased);
      m.p.block = block;
      m.p.part = Part::weights;
      CHECK(says(m.page(), "bias") == biased);
    }
  }
  // The learned keys of near distances differ, and so does what is added.
  const Model relative = made({{"positions", "relative"}}).model();
  const MatrixD bias = relative.pass->head("encoder.0.self.bias", 0);
  CHECK(std::abs(bias(2, 1) - bias(2, 3)) > 1e-3);
}

TEST_CASE("a token of the decoder looks at itself, too, and the first at nothing else") {
  const Model model = made({}).model();
  for (Index h = 0; h < model.pass->heads(); ++h) {
    const MatrixD weights = model.pass->head("decoder.0.self.weights", h);
    CHECK(weights(0, 0) == 1);
    CHECK(weights.diagonal().minCoeff() > 0);
  }
}

TEST_CASE("sizes along the depth are those of activations and of the loss's gradients by them") {
  using namespace core::task;  // NOLINT: the box under test
  Made m = lab::trying::made<Parameters>({{"depth", "3"}, {"seed", "4"}});
  const auto all = core::task::stack_sizes(small_form(), 3, 4);
  for (std::size_t v = 0; v < kStackVariants.size(); ++v) {
    const LetterModel model(varied(small_form(), kStackVariants[v]), 3);
    const auto values = model.layout().start<float>(4);
    std::vector<float> slopes(values.size(), 0.0F);
    const LetterWindows windows = draw_windows(letter_text(4000, 4), 4);
    core::model::Trace<float> trace;
    core::model::Tape<float> tape;
    tape.begin(values.data(), slopes.data(), {}, &trace);
    tape.backward(model.loss(tape, windows.ids.data(), windows.next.data(), kLetterBatch,
                             double(kLetterBatch * kLetterWindow)));
    for (int k = 0; k < 3; ++k) {
      const auto& one = trace.at(fmt::format("{}.out", k));
      const auto size = [](const std::vector<float>& x) {
        return double(Eigen::Map<const Eigen::VectorXf>(x.data(), Index(x.size())).norm()) /
               std::sqrt(double(x.size()));
      };
      CHECK(all[v].forward[std::size_t(k) + 1] == doctest::Approx(size(one.values)).epsilon(1e-4));
      CHECK(all[v].backward[std::size_t(k) + 1] ==
            doctest::Approx(size(one.gradients)).epsilon(1e-4));
    }
  }
  const lab::Page page = m.page();
  const auto curves = marks_of<figure::Line>(plot_of(page, "depth_backward"));
  REQUIRE(curves.size() == kStackVariants.size());
  for (std::size_t v = 0; v < kStackVariants.size(); ++v) CHECK(curves[v].y == all[v].backward);
}

TEST_CASE("the decoder's first layer gets less of the gradient with norms after, not before") {
  Trial<Parameters> m = lab::trying::preset<Parameters>("transformer", "backward");
  const auto shares = [&m](const char* norm, Block block) {
    std::vector<double> all;
    for (int seed = 0; seed < 10; ++seed) {
      m.set({{"norm", norm}, {"seed", std::to_string(seed)}});
      const Model model = m.model();
      const auto size = [&](Index layer) {
        const Spot at = spot(model, block, layer);
        return model.pass->gradients->tokens(at.after_norm()).norm();
      };
      all.push_back(size(0) / size(5));
    }
    return all;
  };
  const auto after = shares("after", Block::decoder_forward_norm);
  CHECK(*std::max_element(after.begin(), after.end()) <= 0.415);
  const auto before = shares("before", Block::decoder_forward_norm);
  CHECK(*std::min_element(before.begin(), before.end()) >= 1);
  // The encoder's: more with one seed, less with another.
  const auto encoder = shares("after", Block::encoder_forward_norm);
  CHECK(*std::max_element(encoder.begin(), encoder.end()) > 1.5);
  CHECK(*std::min_element(encoder.begin(), encoder.end()) < 0.7);
}

}  // namespace transformer_backward_test
