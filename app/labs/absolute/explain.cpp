// Why what is picked in the lower half is what it is.
#include "app/labs/absolute/page.h"
#include "app/labs/shared/derivation/sum_parts.h"
#include "core/enum_array.h"

namespace lab::absolute {
namespace {

void say_no_row(const Scene& scene, Derivation& lines) {
  lines.say(scene.w("the picked position has no row in the table"));
}

// --- the map

// The entry of a map that rotates, from its angle.
void explain_rotation(const Scene& scene, const core::TableColumn& to,
                      const core::TableColumn& from, Derivation& lines) {
  const auto& [p, model, w] = scene;
  if (to.i != from.i || to.second != from.second) {
    lines.say(w("two frequencies never mix: exactly 0"));
    return;
  }
  lines.say(to.sine == from.sine ? w("the same kind: cos(kθ)")
            : to.sine            ? w("from cosine to sine: sin(kθ)")
                                 : w("from sine to cosine: -sin(kθ)"));
  if (p.grid() && !model.table->follows_x(to)) {
    lines.say(w("y stays the same: this half is not rotated"));
    return;
  }
  const double theta = model.table->theta(to.i);
  const std::string name = to.sine == from.sine ? "cos" : to.sine ? "sin" : "-sin";
  lines.next(fmt::format("{}(kθ{})", name, to.i))
      .about(fmt::format("{}({} · {})", name, p.offset, significant(theta, 12)))
      .about(fmt::format("{}({})", name, fixed(p.offset * theta, 6)));
}

void explain_shift(const Scene& scene, Derivation& lines) {
  const auto& [p, model, w] = scene;
  const MatrixD& map = model.shift->map;
  const double entry = map(p.map_row, p.map_column);
  const std::string name = entry_name("M", p.map_row, p.map_column);
  if (entry == 0 || entry == 1) {
    lines.picked(name, fmt::format("{}", entry == 1 ? 1 : 0));
  } else {
    lines.about_picked(name, entry, 6);
  }
  if (model.shift->fit) {
    lines.say(w("least squares over all rows of the table"));
  } else {
    explain_rotation(scene, model.table->column(p.map_row), model.table->column(p.map_column),
                     lines);
  }
  if (!scene.has_row()) return;
  lines.say(w.format("its row makes number {} of the moved encoding:", p.map_row))
      .begin(fmt::format("[{}]", p.map_row), "Σ M PE");
  write_sum(lines, products(map.row(p.map_row), scene.row()));
  if (!scene.has_target()) return;
  const double target = model.table->row(scene.target())(p.map_row);
  lines.about(entry_name("PE", scene.target(), p.map_row), target, 6);
}

// --- products and distances

void explain_similarity(const Scene& scene, Derivation& lines) {
  const auto& [p, model, w] = scene;
  const Table& table = *model.table;
  const Index here = model.position;
  const Index other = p.grid() ? Index{p.other_y} * p.grid_width + p.other_x : Index{p.other};
  if (!scene.has_row() || !table.has(other)) return say_no_row(scene, lines);
  const VectorD a = scene.row(), b = table.row(other);
  lines.about_picked(entry_name("s", here, other), a.dot(b), 4);
  if (table.sinusoidal) {
    lines.next("Σ cos((q - p) θ)")
        .begin("q - p", fmt::format("{} - {} = {}", other, here, other - here));
    write_sum(lines, cosines(table.theta, to_double(other - here)));
    lines.say(w("sin a sin b + cos a cos b = cos(a - b): only the distance is left"));
  } else if (p.grid()) {
    lines.next("Σ cos(Δx θ) + Σ cos(Δy θ)");
    std::vector<Part> terms = cosines(table.theta, p.other_x - p.grid_x, " x");
    for (Part& part : cosines(table.theta, p.other_y - p.grid_y, " y")) {
      terms.push_back(std::move(part));
    }
    write_sum(lines, terms);
  } else {
    lines.next("Σ PE(p)[c] PE(q)[c]");
    write_sum(lines, products(a, b));
  }
}

void explain_decay(const Scene& scene, Derivation& lines) {
  const core::ProductDecay& decay = *scene.model.decay;
  const Table& table = scene.table();
  const Index t = scene.p.lag;
  if (t >= decay.mean.size()) return say_no_row(scene, lines);
  lines.about_picked(fmt::format("t = {}", t), decay.mean(t), 4);
  if (decay.exact) {
    lines.next("Σ cos(tθ)");
    write_sum(lines, cosines(table.theta, to_double(t)));
  } else {
    const Index count = table.P.rows() - t;
    lines.say(scene.w.format("the mean of {} pairs, from {:.4f} to {:.4f}:", count, decay.least(t),
                             decay.largest(t)));
    std::vector<Part> terms;
    for (Index k = 0; k < count; ++k) {
      const double product = table.P.row(k).dot(table.P.row(k + t));
      terms.push_back(part(
          kSumDigits, [&](double x) { return x / to_double(count); },
          [&](const std::string& x) { return fmt::format("{}/{} p={}", x, count, k); }, product));
    }
    write_sum(lines, terms);
  }
  lines.line(scene.w("envelope"), {plain("≈ " + fixed(decay.envelope(t), 4)),
                                   dim("  " + scene.w("the largest still to come"))});
}

// √ of a sum of squares that is written with as many digits as the root needs.
void write_root(Derivation& lines, double root, int digits, const std::vector<Part>& squares) {
  const std::string sum = write_sum(lines, squares, digits);
  lines.is("√Σ", "≈ √" + sum).about(short_number(root));
}

void explain_separation(const Scene& scene, Derivation& lines) {
  const auto& [p, model, w] = scene;
  const Table& table = *model.table;
  const Index t = p.lag;
  const bool formula = table.sinusoidal || p.grid();
  if (!formula && t > model.collisions->distance.size()) return say_no_row(scene, lines);
  const double distance = formula ? core::encoding_distance(table.theta, to_double(t))
                                  : model.collisions->distance(t - 1);
  const int digits =
      distance > 0 && distance < 0.1 ? 6 - to_int(2 * std::floor(std::log10(distance))) : 6;
  lines.about_picked(fmt::format("|Δ{}|", t), short_number(distance));
  std::vector<Part> squares;
  if (formula) {
    lines.next("|PE(p+t) - PE(p)|").next("√Σ 4 sin²(tθ/2)");
    for (Index i = 0; i < table.theta.size(); ++i) {
      squares.push_back(part(
          digits, [](double x) { return 4 * std::sin(x) * std::sin(x); },
          [&](const std::string& x) { return fmt::format("4sin²({}) [{}]", x, i); },
          to_double(t) * table.theta(i) / 2));
    }
  } else {
    Index closest = 0;
    while ((table.P.row(closest + t) - table.P.row(closest)).norm() > distance) ++closest;
    lines.say(w.format("of positions {} and {}, the closest {} apart:", closest, closest + t, t))
        .next("√Σ (a - b)²");
    const VectorD delta = table.P.row(closest + t) - table.P.row(closest);
    for (Index k = 0; k < delta.size(); ++k) {
      squares.push_back(part(
          digits, [](double x) { return x * x; },
          [&](const std::string& x) { return fmt::format("({})²  [{}]", x, k); }, delta(k)));
    }
  }
  write_root(lines, distance, digits, squares);
}

// --- words

// One of the four terms as products over the d_k numbers of query and key.
void explain_term(const Scene& scene, Derivation& lines) {
  const auto& [p, model, w] = scene;
  const Pairs& pairs = *model.pairs;
  const bool query_word = p.term == Term::content_content || p.term == Term::content_position;
  const bool key_word = p.term == Term::content_content || p.term == Term::position_content;
  const auto [q, k] = pairs.vectors(p.term, model.query, model.key);
  lines.line(query_word ? (key_word ? "x·x" : "x·p") : (key_word ? "p·x" : "p·p"),
             {plain("= Σ "),
              {query_word ? "(xW_q)" : "(pW_q)", Role::query},
              {key_word ? "(xW_k)" : "(pW_k)", Role::key}});
  write_sum(lines, products(q, k));
}

void explain_score(const Scene& scene, Derivation& lines) {
  const Pairs& pairs = *scene.model.pairs;
  const Index i = scene.model.query, j = scene.model.key;
  const core::AbsoluteTerms& t = pairs.terms;
  lines.about_picked(entry_name("s", i, j), pairs.scores(i, j))
      .next("(x·x + x·p + p·x + p·p) / √d_k");
  const std::string sum = write_sum(lines, {{t.content_content(i, j), "x·x"},
                                            {t.content_position(i, j), "x·p"},
                                            {t.position_content(i, j), "p·x"},
                                            {t.position_position(i, j), "p·p"}});
  lines.is("s", fmt::format("≈ {} / √{}", sum, pairs.d_k())).about(pairs.scores(i, j));
  explain_term(scene, lines);
  lines.say(scene.w.format("weight after the softmax: {:.3f}; words alone: {:.3f}",
                           pairs.weights(i, j), pairs.content_weights(i, j)));
}

void explain_order(const Scene& scene, Derivation& lines) {
  const auto& [p, model, w] = scene;
  const core::MovedTokens& order = *model.order;
  const Index i = model.query, j = model.key;
  const auto weight = [&lines, &words = scene.w](const char* name, double value, Index row,
                                                 Index column) {
    lines.line(entry_name(name, row, column),
               {plain("≈ " + fixed(value, 6)),
                dim("  " + words.format("at places {} and {}", row, column))});
  };
  const double before = order.before(i, j), after = order.after_at_home(i, j);
  weight("w", before, i, j);
  weight("w'", after, order.place(i), order.place(j));
  lines.about_picked("w' - w", after - before, 6)
      .say(w.format("the first output number of \"{}\" before, Σ w x:", scene.word(i)));
  std::vector<Part> terms;
  for (Index k = 0; k < model.pairs->n(); ++k) {
    const double own = order.before(i, k), x = model.pairs->X(k, 0);
    terms.push_back(product_part(own, x, scene.word(k)));
  }
  write_sum(lines, terms);
  lines.say(w.format("after: {}", fixed(order.output_after(i, 0), 4)))
      .say(p.with_position ? w("the words met other positions, so their scores changed")
                           : w("the same words meet: the same scores, elsewhere"));
}

// --- why a cell of the table is what it is, scheme by scheme, down to the inputs

constexpr int kCellDigits = 6;

std::string six(double value) { return fixed(value, kCellDigits); }

std::string cell_name(const Scene& scene) {
  const auto& [p, model, w] = scene;
  if (p.grid()) return fmt::format("PE[{},{}|{}]", p.grid_y, p.grid_x, p.column);
  return fmt::format("PE[{},{}]", model.position, p.column);
}

// A frequency with so many digits that `place` times it is right to the last one printed.
std::string frequency_text(double theta, Index place) {
  const auto of_place = to_int(fmt::formatted_size("{}", place));
  return significant(theta, kCellDigits + 2 + of_place);
}

// The angle without its whole turns, and amplitude times its sine or cosine.
void write_wave(const Scene& scene, double angle, bool sine, double amplitude, Derivation& lines) {
  const double turns = std::floor(angle / kTurn), rest = std::fma(-turns, kTurn, angle);
  if (turns != 0) lines.say(scene.w.format("whole turns taken away: {}", turns));
  lines.begin(scene.w("reduced"), fmt::format("{} - {} · 2π", six(angle), turns))
      .about(fmt::format("{} ≈ {:.1f}°", six(rest), rest * 360 / kTurn));
  const std::string name = sine ? "sin" : "cos", wave = fmt::format("{}({})", name, six(rest));
  const double value = amplitude * (sine ? std::sin(rest) : std::cos(rest));
  if (amplitude == 1) {
    lines.is(name, fmt::format("≈ {} ≈ {}", wave, six(value)));
  } else {
    lines.is("r " + name, fmt::format("≈ {} · {}", six(amplitude), wave)).about(six(value));
  }
}

// θ_i from the base, with the exponent that the rule has.
void write_frequency(const Scene& scene, Index i, Index place, Derivation& lines) {
  const auto& [p, model, w] = scene;
  const double theta = model.table->theta(i);
  const std::string left = fmt::format("θ{}", i);
  if (p.variant == Variant::sinusoidal && p.rule == core::FrequencyRule::tensor2tensor) {
    lines.begin(left, "base^(-i/(d/2-1))")
        .next(fmt::format("{}^(-{}/{})", p.base, i, std::max(1, p.width / 2 - 1)));
  } else {
    const bool half = p.grid() && p.exponent == core::AxisExponent::half_width;
    lines.begin(left, "base^(-2i/d)")
        .next(fmt::format("{}^(-{}/{})", p.base, 2 * i, half ? p.width / 2 : p.width));
  }
  lines.line("", {plain("≈ " + frequency_text(theta, place)), dim("  "),
                  dim(w.format("a turn takes {:.4g} positions", kTurn / theta))});
}

// How i follows from the number of the column: "(7 - 1) / 2", "20 - 16"; nothing where it is that.
std::string worked_index(const Encoding& e, const core::TableColumn& column, Index picked) {
  const bool halved =
      e.variant != Variant::sinusoidal || e.layout == core::SinusoidalLayout::interleaved;
  const Index width = e.grid() ? e.width / 2 : e.width;
  std::string text = fmt::format("{}", picked);
  const auto less = [&text](Index by) { text += fmt::format(" - {}", by); };
  if (column.second) less(width);
  if (!column.sine) less(halved ? 1 : width / 2);
  const bool bare = text.find(' ') == std::string::npos;
  if (halved) return bare ? text + " / 2" : "(" + text + ") / 2";
  return bare ? "" : text;
}

void explain_wave(const Scene& scene, Derivation& lines) {
  const auto& [p, model, w] = scene;
  const core::TableColumn column = model.table->column(p.column);
  const bool x = model.table->follows_x(column);
  const Index place = !p.grid() ? model.position : x ? p.grid_x : p.grid_y;
  if (p.grid()) {
    lines.say(x ? w("this half of the dimensions encodes x")
                : w("this half of the dimensions encodes y"));
  }
  lines.next(fmt::format("{}({} · θ{})", column.sine ? "sin" : "cos",
                         !p.grid() ? "p"
                         : x       ? "x"
                                   : "y",
                         column.i));
  const std::string worked = worked_index(p, column, p.column), i = fmt::format("{}", column.i);
  if (worked.empty()) {
    lines.begin("i", i);
  } else {
    lines.begin("i", worked).next(i);
  }
  write_frequency(scene, column.i, place, lines);
  const double theta = model.table->theta(column.i), angle = to_double(place) * theta;
  lines.is(w("angle"), fmt::format("≈ {} · {}", place, frequency_text(theta, place)))
      .about(six(angle));
  write_wave(scene, angle, column.sine, 1, lines);
}

void explain_learned(const Scene& scene, Derivation& lines) {
  const auto& [p, model, w] = scene;
  const Learned& learned = *model.table->learned;
  int row = p.position;
  if (row >= p.rows) {
    if (p.beyond == core::BeyondTable::zeros) {
      lines.say(w.format("the table ends at {}: this position gets zeros", p.rows - 1));
      return;
    }
    row = p.beyond == core::BeyondTable::wrap ? row % p.rows : p.rows - 1;
    lines.say(w.format("the table ends at {}: this position gets the row of {}", p.rows - 1, row));
  }
  const double before = learned.initial(row, p.column), after = learned.fit.table(row, p.column);
  lines.line("", {plain("= "), dim(w("drawn at the beginning")), plain(" + "), dim(w("learned"))})
      .about(fmt::format("{} + ({})", six(before), six(after - before)))
      .about(six(after));
  lines.say(
      row >= p.seen
          ? w.format("no training text reached position {}: no gradient, nothing learned", row)
          : w.format("the sum of {} steps of gradient descent", learned.fit.loss.size() - 1));
}

void explain_step(const Scene& scene, double t, const VectorD& y, double change,
                  Derivation& lines) {
  const double h = 1.0 / scene.p.substeps;
  const auto k = each(core::step_stages(scene.table().flow->h, scene.p.integrator, t, y, h),
                      [&](const VectorD& stage) { return stage(scene.p.column); });
  lines.say(scene.w.format("the last step, from τ = {:.4g} over {:.4g}:", t, h))
      .begin("s", fmt::format("1/{}", scene.p.substeps));
  for (std::size_t at = 0; at < k.size(); ++at) {
    lines.is(fmt::format("k{}", at + 1), "= h(τ, p) ≈ " + six(k[at]));
  }
  const std::string s = fmt::format("1/{} · ", scene.p.substeps);
  if (k.size() == 4) {
    lines.begin("Δ", "s (k1 + 2 k2 + 2 k3 + k4) / 6")
        .about(fmt::format("{}({} + 2·({}) + 2·({}) + ({})) / 6", s, six(k[0]), six(k[1]),
                           six(k[2]), six(k[3])));
  } else {
    lines.begin("Δ", fmt::format("s k{}", k.size())).about(s + bracketed(six(k.back())));
  }
  lines.about(six(change));
}

void explain_course(const Scene& scene, Derivation& lines) {
  const auto& [p, model, w] = scene;
  const core::FloaterCourse& flow = *model.table->flow;
  if (p.position == 0) {
    lines.say(w("where the course begins: sin 0 or cos 0"));
    return;
  }
  const double h = 1.0 / p.substeps;
  VectorD y = flow.rows.row(p.position - 1).transpose(), last = y;
  // One digit more than their sum.
  const auto term = [](double value) { return fixed(value, kCellDigits + 1); };
  std::vector<Derivation::Term> terms = {
      {term(y(p.column)), fmt::format("PE[{},{}]", p.position - 1, p.column)}};
  double at = 0;
  for (int s = 0; s < p.substeps; ++s) {
    at = p.position - 1.0 + s * h;
    last = y;
    y = core::integrate_step(flow.h, p.integrator, at, y, h);
    terms.push_back({term(y(p.column) - last(p.column)), w.format("step {}", s + 1)});
  }
  lines.next("p(τ) + ∫ h(τ, p) dτ").terms(terms).about(six(y(p.column)));
  explain_step(scene, at, last, y(p.column) - last(p.column), lines);
  const double finer = flow.fine(flow.kFine * p.position, p.column);
  lines.line(w("finer"), {plain("≈ " + six(finer)),
                          dim("  " + w.format("error {:.2g}", scene.cell() - finer))});
}

void explain_turn(const Scene& scene, Derivation& lines) {
  const auto& [p, model, w] = scene;
  const WordWaves& words = *model.table->words;
  const Index word = words.ids[to_size(model.position)], i = p.column / 2;
  const bool sine = p.column % 2 == 0;
  const double r = words.table.amplitude(word, i), omega = words.table.frequency(word, i);
  const double phi = words.table.phase(word, i);
  const std::string omega_text = frequency_text(omega, model.position);
  const auto number = [&lines](const char* name, const std::string& text, const std::string& what) {
    lines.line(name, {plain("≈ " + text), dim("  " + what)});
  };
  lines.next(sine ? "Im r e^(i(ωp + φ))" : "Re r e^(i(ωp + φ))")
      .say(w.format("of the word \"{}\", complex dimension {}:", words.names[to_size(word)], i));
  number("r", six(r), w("amplitude"));
  number("ω", omega_text, w("frequency"));
  number("φ", six(phi), w("phase"));
  const double angle = omega * to_double(model.position) + phi;
  lines.is(w("angle"), fmt::format("≈ {} · {} + ({})", omega_text, model.position, six(phi)))
      .about(six(angle));
  write_wave(scene, angle, sine, r, lines);
}

void explain_cell(const Scene& scene, Derivation& lines) {
  constexpr core::EnumArray<Variant, void (*)(const Scene&, Derivation&)> kVariants{
      {explain_wave, explain_wave, explain_learned, explain_course, explain_turn}};
  const auto& [p, model, w] = scene;
  if (!scene.has_row()) {
    lines.line(cell_name(scene), {{w("does not exist"), Role::bad}})
        .say(w.format("the table has rows 0 to {}; an embedding layer refuses position {}",
                      p.rows - 1, model.position));
    return;
  }
  lines.about_picked(cell_name(scene), six(scene.cell()));
  kVariants[p.variant](scene, lines);
}

}  // namespace

Explanation explain(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const bool apart = p.show == Show::collisions;
  constexpr core::EnumArray<Explain, void (*)(const Scene&, Derivation&)> kWriters{
      {explain_cell, explain_shift, explain_similarity, explain_decay, explain_score,
       explain_order}};
  constexpr core::EnumArray<Explain> kTitles{
      {N_("The picked cell of the table"), N_("The picked entry of the map"),
       N_("The picked product of two encodings"), N_("The product at a distance"),
       N_("The picked score"), N_("The weight of \"{}\" for \"{}\"")}};
  const Explain what = scene.explained();
  Derivation lines(w);
  if (what == Explain::distance && apart) {
    explain_separation(scene, lines);
    return {w("The distance of two encodings"), lines.take()};
  }
  kWriters[what](scene, lines);
  if (what != Explain::order) return {w(kTitles[what]), lines.take()};
  return {w.format(kTitles[what], scene.word(model.key), scene.word(model.query)), lines.take()};
}

}  // namespace lab::absolute
