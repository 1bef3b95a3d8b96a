#include "app/labs/shared/derivation/recurrent_derivation.h"

namespace lab {
namespace {

using core::model::Cell;

constexpr std::size_t kMostTerms = 6;

double sigma(double x) { return 1 / (1 + std::exp(-x)); }

double inner(const std::vector<double>& x, const Matrix& weight, Index column) {
  double sum = 0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    sum += x[k] * to_double(weight(to_index(k), column));
  }
  return sum;
}

struct GateFacts {
  std::string_view letter, name;
};
const GateFacts& facts(Cell cell, Index gate) {
  static constexpr GateFacts kGru[] = {
      {"r", N_("reset gate")}, {"z", N_("update gate")}, {"n", N_("candidate")}};
  static constexpr GateFacts kLstm[] = {{"i", N_("input gate")},
                                        {"f", N_("forget gate")},
                                        {"g", N_("candidate")},
                                        {"o", N_("output gate")}};
  return cell == Cell::gru ? kGru[gate] : kLstm[gate];
}
constexpr Index kReset = 0, kUpdate = 1, kCandidate = 2;           // of a GRU
constexpr Index kInput = 0, kForget = 1, kInner = 2, kOutput = 3;  // of an LSTM

// One state on its way into words.
class Explainer {
 public:
  Explainer(const StateNumber& number, const Words& w, Derivation& lines)
      : s_(number), w_(w), lines_(lines), gates_(number.gates()) {}

  void explain() {
    if (s_.cell == Cell::gru) {
      gru();
    } else {
      lstm();
    }
  }

 private:
  double gate(Index k) const { return gates_[to_size(k)]; }
  std::string named(const std::string& letter) const {
    return fmt::format("{}[{}]", letter, s_.unit);
  }
  std::string before() const { return s_.state + "'"; }
  static std::string four(double value) { return bracketed(fixed(value, 4)); }

  // The products of a gate with what is read and with the state before, as they are printed.
  std::pair<std::string, std::string> products(Index k) {
    const std::string letter(facts(s_.cell, k).letter);
    const auto written = [&](const std::string& from, const std::vector<double>& numbers,
                             const Matrix& weight, const char* matrix, auto term_name) {
      Product product{.left = numbers,
                      .right = weight.col(k * s_.hidden() + s_.unit),
                      .left_color = Role::key,
                      .right_color = Role::text,
                      .most = kMostTerms,
                      .first = kMostTerms,
                      .left_name = from,
                      .right_name = fmt::format("{}_{}", matrix, letter),
                      .term_name = term_name};
      return lines_.product(fmt::format("{}·{}", from, product.right_name), product);
    };
    const std::string of_x = written(s_.read, s_.x, s_.input_weight, "W", s_.term_name);
    const std::string of_before =
        written(before(), s_.before, s_.state_weight, "U",
                [name = before()](std::size_t j) { return fmt::format("{}[{}]", name, j); });
    return {of_x, of_before};
  }

  void heading(Index k) {
    lines_.heading(w_.format("{}: {}", facts(s_.cell, k).letter, w_(facts(s_.cell, k).name)));
  }
  // A gate that is sigma of its sum, or the candidate of an LSTM, which is tanh.
  void plain_gate(Index k, bool tanh) {
    heading(k);
    const std::string letter(facts(s_.cell, k).letter);
    lines_.begin(letter, fmt::format("{0}({2}·W_{1} + {3}·U_{1} + b_{1})", tanh ? "tanh" : "σ",
                                     letter, s_.read, before()));
    const auto [x, h] = products(k);
    const std::string sum = fmt::format("{} + {} + {}", bracketed(x), bracketed(h), bias(k));
    lines_.about_picked(
        letter, tanh ? fmt::format("tanh({})", sum) : fmt::format("1 / (1 + exp(-({})))", sum));
    lines_.about_result(gate(k), 4);
  }
  std::string bias(Index k) const { return bracketed(fixed(s_.bias(k), 4)); }
  double own_bias(const Matrix& of, Index k) const {
    return to_double(of(0, k * s_.hidden() + s_.unit));
  }

  void gru() {
    const double old = s_.before[to_size(s_.unit)], n = gate(kCandidate), z = gate(kUpdate);
    lines_.about_picked(named(s_.state), s_.value(), 4);
    lines_.next(fmt::format("n + z·({} - n)", named(before())));
    lines_.about(
        fmt::format("{} + {}·({} - {})", four(n), four(z), four(old), bracketed(fixed(n, 4))));
    plain_gate(kUpdate, false);
    heading(kCandidate);
    lines_.begin("n", fmt::format("tanh({}·W_n + b_n + r·({}·U_n + b'_n))", s_.read, before()));
    const auto [x, h] = products(kCandidate);
    lines_.about_picked("n",
                        fmt::format("tanh({} + {} + {}·({} + {}))", bracketed(x),
                                    four(own_bias(s_.input_bias, kCandidate)), four(gate(kReset)),
                                    bracketed(h), four(own_bias(s_.state_bias, kCandidate))));
    lines_.about_result(n, 4);
    plain_gate(kReset, false);
    lines_.say(w_(
        "A gate lies between closed and open: z keeps the state, r lets it enter the candidate."));
  }

  void lstm() {
    const double old = s_.cells_before[to_size(s_.unit)], c = s_.cell_state();
    lines_.about_picked(named(s_.state), s_.value(), 4);
    lines_.next("o·tanh(cell)");
    lines_.about(fmt::format("{}·tanh({})", four(gate(kOutput)), fixed(c, 4)));
    lines_.begin(named("cell"), fmt::format("f·{} + i·g", named("cell'")));
    lines_.about(fmt::format("{}·{} + {}·{}", four(gate(kForget)), four(old), four(gate(kInput)),
                             four(gate(kInner))));
    lines_.about(c, 4);
    for (const Index k : {kOutput, kForget, kInput}) plain_gate(k, false);
    plain_gate(kInner, true);
    lines_.say(
        w_("The cell is carried from token to token through the forget gate; cell' is the previous "
           "one."));
  }

  const StateNumber& s_;
  const Words& w_;
  Derivation& lines_;
  std::vector<double> gates_;
};

}  // namespace

double StateNumber::of_x(Index k) const { return inner(x, input_weight, k * hidden() + unit); }
double StateNumber::of_before(Index k) const {
  return inner(before, state_weight, k * hidden() + unit);
}
double StateNumber::bias(Index k) const {
  return to_double(input_bias(0, k * hidden() + unit)) +
         to_double(state_bias(0, k * hidden() + unit));
}

std::vector<double> StateNumber::gates() const {
  const auto all = [&](Index k) { return of_x(k) + of_before(k) + bias(k); };
  if (cell == Cell::lstm) {
    return {sigma(all(kInput)), sigma(all(kForget)), std::tanh(all(kInner)), sigma(all(kOutput))};
  }
  const Index at = kCandidate * hidden() + unit;
  const double r = sigma(all(kReset));
  const double again = of_before(kCandidate) + to_double(state_bias(0, at));
  return {r, sigma(all(kUpdate)),
          std::tanh(of_x(kCandidate) + to_double(input_bias(0, at)) + r * again)};
}

double StateNumber::cell_state() const {
  const std::vector<double> g = gates();
  return g[kForget] * cells_before[to_size(unit)] + g[kInput] * g[kInner];
}

double StateNumber::value() const {
  const std::vector<double> g = gates();
  if (cell == Cell::lstm) return g[kOutput] * std::tanh(cell_state());
  return g[kCandidate] + g[kUpdate] * (before[to_size(unit)] - g[kCandidate]);
}

StateNumber state_number(const core::model::Layout& layout, const float* values,
                         const std::string& scope, Cell cell) {
  const auto matrix = [&](const char* name) { return parameter_of(layout, values, scope + name); };
  StateNumber number;
  number.cell = cell;
  number.input_weight = matrix("input.weight");
  number.input_bias = matrix("input.bias");
  number.state_weight = matrix("state.weight");
  number.state_bias = matrix("state.bias");
  return number;
}

void explain_state_number(const StateNumber& number, const Words& w, Derivation& lines) {
  Explainer(number, w, lines).explain();
}

}  // namespace lab
