// Why a score, a weight and an output are what they are: down to the entries of the vectors.
#include <fmt/format.h>

#include <cmath>

#include "app/labs/scoring/page.h"
#include "core/attention/scoring.h"

namespace lab::scoring {
namespace {

using figure::Role;
using figure::Span;
using writing::equation, writing::result, writing::say;

constexpr int kDigits = 3;

// "(1.50)(2.50)" as query and key.
std::vector<Span> product(double q, double k, const char* sign, const std::string& value) {
  return {dim(sign),
          {fmt::format("({:.3f})", q), Role::query},
          {fmt::format("({:.3f})", k), Role::key},
          dim(" → "),
          plain(value)};
}

// q.k entry by entry; gives the printed sum back.
std::string write_dot(const VectorD& q, const VectorD& k, Lines& lines) {
  std::vector<double> terms;
  for (Index c = 0; c < q.size(); ++c) terms.push_back(q(c) * k(c));
  const PrintedSum printed = printed_sum(terms, kDigits);
  lines.push_back({"q·k", {plain("= Σ "), {"q", Role::query}, {"k", Role::key}}});
  for (Index c = 0; c < q.size(); ++c) {
    lines.push_back({"", product(q(c), k(c), c == 0 ? "  " : "+ ",
                                 printed.parts[static_cast<std::size_t>(c)])});
  }
  equation(lines, "", "= " + printed.sum);
  return printed.sum;
}

void write_additive(const Scene& scene, const VectorD& q, const VectorD& k, Lines& lines) {
  const auto& p = scene.p;
  equation(lines, "a(q, k)", "= w_v · tanh(q W_q + k W_k)");
  std::vector<double> terms;
  std::vector<writing::Term> written;
  for (Index c = 0; c < 2; ++c) {
    const auto at = static_cast<std::size_t>(c);
    const double from_q = q(0) * p.w_q[at] + q(1) * p.w_q[at + 2];
    const double from_k = k(0) * p.w_k[at] + k(1) * p.w_k[at + 2];
    const double hidden = std::tanh(from_q + from_k);
    equation(lines, fmt::format("(q W_q){}", c + 1),
             fmt::format("= {:.3f}·{:g} + {:.3f}·{:g} = {:.3f}", q(0), p.w_q[at], q(1),
                         p.w_q[at + 2], from_q));
    equation(lines, fmt::format("(k W_k){}", c + 1),
             fmt::format("= {:.3f}·{:g} + {:.3f}·{:g} = {:.3f}", k(0), p.w_k[at], k(1),
                         p.w_k[at + 2], from_k));
    equation(lines, fmt::format("tanh {}", c + 1),
             fmt::format("= tanh({:.3f}) = {:.4f}", from_q + from_k, hidden));
    terms.push_back(p.w_v[at] * hidden);
    written.push_back({"", fmt::format("{:g} · {:.4f}", p.w_v[at], hidden)});
  }
  const PrintedSum printed = printed_sum(terms, kDigits);
  for (std::size_t c = 0; c < written.size(); ++c) written[c].value = printed.parts[c];
  writing::sum(lines, written);
}

void write_bilinear(const Scene& scene, const VectorD& q, const VectorD& k, Lines& lines) {
  const auto& W = scene.p.bilinear;
  const VectorD turned{{q(0) * W[0] + q(1) * W[2], q(0) * W[1] + q(1) * W[3]}};
  equation(lines, "a(q, k)", "= (q W) · k");
  for (Index c = 0; c < 2; ++c) {
    const auto at = static_cast<std::size_t>(c);
    equation(lines, fmt::format("(q W){}", c + 1),
             fmt::format("= {:.3f}·{:g} + {:.3f}·{:g} = {:.3f}", q(0), W[at], q(1), W[at + 2],
                         turned(c)));
  }
  write_dot(turned, k, lines);
}

void write_gaussian(const Scene& scene, const VectorD& q, const VectorD& k, Lines& lines) {
  const double w = scene.p.inverse_width;
  const std::vector<double> squares{(q(0) - k(0)) * (q(0) - k(0)), (q(1) - k(1)) * (q(1) - k(1))};
  const PrintedSum printed = printed_sum(squares, kDigits);
  equation(lines, "a(q, k)", "= -(w |q - k|)² / 2");
  equation(lines, "|q - k|²", "= " + printed.sum);
  writing::sum(lines, {{printed.parts[0], fmt::format("({:.3f} - ({:.3f}))²", q(0), k(0))},
                       {printed.parts[1], fmt::format("({:.3f} - ({:.3f}))²", q(1), k(1))}});
  equation(lines, "", fmt::format("= -{:g}² · {} / 2", w, printed.sum));
}

void explain_score(const Scene& scene, Lines& lines) {
  const auto& p = scene.p;
  const VectorD q = scene.plane().query.row(0), k = scene.plane().keys.row(p.key);
  switch (p.scoring) {
    case Scoring::dot:
      equation(lines, "a(q, k)", "= q·k");
      write_dot(q, k, lines);
      break;
    case Scoring::scaled: {
      equation(lines, "a(q, k)", "= q·k / √d,  d = 2");
      const std::string sum = write_dot(q, k, lines);
      equation(lines, "÷ √2", fmt::format("= {} · {:.4f}", sum, core::attention_scale<double>(2)));
      break;
    }
    case Scoring::additive:
      write_additive(scene, q, k, lines);
      break;
    case Scoring::bilinear:
      write_bilinear(scene, q, k, lines);
      break;
    case Scoring::gaussian:
      write_gaussian(scene, q, k, lines);
      break;
  }
  result(lines, "= " + score_text(scene.answer().scores(p.key)));
}

void explain_output(const Scene& scene, Lines& lines) {
  const Answer& answer = scene.answer();
  const MatrixD& values = scene.plane().values;
  equation(lines, "o", "= Σ p_j v_j");
  for (Index c = 0; c < 2; ++c) {
    std::vector<double> terms;
    std::vector<writing::Term> written;
    for (Index j = 0; j < values.rows(); ++j) terms.push_back(answer.weights(j) * values(j, c));
    const PrintedSum printed = printed_sum(terms, kDigits);
    for (Index j = 0; j < values.rows(); ++j) {
      written.push_back(
          {printed.parts[static_cast<std::size_t>(j)],
           fmt::format("{} · ({:.3f})  v{}", weight_text(answer.weights(j)), values(j, c), j)});
    }
    equation(lines, c == 0 ? "o_x" : "o_y", "= " + printed.sum);
    writing::sum(lines, written, static_cast<std::size_t>(scene.p.key));
  }
  result(lines, fmt::format("= ({:.3f}, {:.3f})", answer.output[0], answer.output[1]));
  say(lines, scene.w("Weights are positive and add up to 1: the output never leaves the polygon "
                     "that the values span."));
}

}  // namespace

Explanation explain_plane(const Scene& scene) {
  const auto& [p, m, w] = scene;
  Explanation out;
  if (m.plane->keys.rows() == 0) {
    out.title = w("No key");
    say(out.lines, w("There is nothing to look at: click into the plane to add a key."));
    return out;
  }
  const std::string name = scene.score_name(p.scoring);
  switch (p.explained) {
    case Explained::score:
      out.title = w.format("The {} score of key {}", name, p.key);
      explain_score(scene, out.lines);
      break;
    case Explained::weight: {
      out.title = w.format("The weight of key {}: {}", p.key, name);
      explain_score(scene, out.lines);
      writing::heading(out.lines, w("Softmax over all keys"));
      WrittenSoftmax written{scene.answer().scores};
      written.picked = p.key;
      written.first = 0;
      written.weight = scene.answer().weights(p.key);
      write_softmax(w, written, out.lines);
      break;
    }
    case Explained::output:
      out.title = w.format("The output: {}", name);
      explain_output(scene, out.lines);
      break;
  }
  return out;
}

}  // namespace lab::scoring
