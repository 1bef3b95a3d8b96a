#include "app/labs/shared/drawing/bit_rows.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "app/labs/lab.h"
#include "core/precision/rounding.h"

namespace lab {
namespace {

using core::Code, core::Fields, core::Format, figure::Boxes, figure::Color, figure::Note,
    figure::Role, figure::TextStyle;

constexpr double kGap = 0.5;  // between fields, in boxes
constexpr int kWide = 52;     // mantissa bits of the exact rows: a double's

// The same exponents with a mantissa that keeps every bit.
Format wide(Format format) {
  format.mantissa_bits = kWide;
  format.subnormals = true;
  return format;
}

// Nothing where the exponent does not fit.
std::optional<Fields> exact_fields(const Format& format, double value) {
  const Format all = wide(format);
  const Code code = core::encode(all, value);
  if (core::number_of(all, code) != value) return std::nullopt;
  return core::fields_of(all, code);
}

// Where the fields begin along x, one box being 1 wide.
struct Places {
  double exponent, mantissa, dropped, end;
  Places(const Format& format, int count) {
    exponent = 1 + kGap;
    mantissa = exponent + format.exponent_bits + kGap;
    dropped = mantissa + format.mantissa_bits + (format.mantissa_bits > 0 ? kGap : 0);
    end = dropped + count;
  }
};

class Drawn {
 public:
  Drawn(figure::Plot& plot, const Format& format, int dropped, const words::Words& w)
      : plot_(plot), format_(format), dropped_(dropped), places_(format, dropped), w_(w) {}

  const Places& places() const { return places_; }

  void row(const BitRow& row, double y) {
    const Color ink = row.marked ? Color(Role::accent) : Color(Role::text);
    note(-kGap, y, row.lead, ink, TextStyle::mono_bold, 1);
    const bool more = !row.rounded && dropped_bits(format_, row.value, kWide) > dropped_;
    note(places_.end + kGap, y, (more ? "… " : "") + row.result, ink, TextStyle::mono, -1);
    if (row.rounded) {
      const Fields fields = core::fields_of(format_, core::encode(format_, row.value));
      bits(row, y, fields.negative, fields.exponent, fields.mantissa);
      return;
    }
    const std::optional<Fields> fields = exact_fields(format_, row.value);
    if (!fields) {
      note(0, y, w_("its exponent exceeds the largest one"), Role::dim, TextStyle::label, -1);
      return;
    }
    const int t = format_.mantissa_bits;
    bits(row, y, fields->negative, fields->exponent, fields->mantissa >> (kWide - t));
    const Code below = fields->mantissa & ((Code{1} << (kWide - t)) - 1);
    for (int k = 0; k < dropped_; ++k) {
      const Code bit = below >> (kWide - t - 1 - k) & 1;
      box(row, places_.dropped + k, y, bit != 0, Role::dim);
    }
  }

  void names(double y) {
    const int t = format_.mantissa_bits;
    note(0.5, y, w_("sign"), Role::key, TextStyle::small, 0);
    note(places_.exponent + format_.exponent_bits / 2.0, y, w_("exponent"), Role::value,
         TextStyle::small, 0);
    if (t > 0) {
      note(places_.mantissa + t / 2.0, y, w_("mantissa"), Role::query, TextStyle::small, 0);
    }
    if (dropped_ > 0) {
      note(places_.dropped, y, w_("rounded away"), Role::dim, TextStyle::small, -1);
    }
  }

  void finish() { plot_.marks.emplace_back(std::move(boxes_)); }

 private:
  void note(double x, double y, std::string text, Color color, TextStyle style, int align) {
    if (!text.empty()) {
      plot_.marks.emplace_back(Note{x, y, std::move(text), color, style, align});
    }
  }

  void box(const BitRow& row, double x, double y, bool set, Color color) {
    Boxes::Box box;
    box.x0 = x, box.x1 = x + 1;
    box.y0 = y - 0.36, box.y1 = y + 0.36;
    box.text = std::string(1, set ? '1' : '0');
    color.alpha = set ? 0.9f : 0.16f;
    box.fill = color;
    box.pick = row.pick;
    boxes_.boxes.push_back(std::move(box));
  }

  void bits(const BitRow& row, double y, bool negative, Code exponent, Code mantissa) {
    box(row, 0, y, negative, Role::key);
    for (int k = 0; k < format_.exponent_bits; ++k) {
      box(row, places_.exponent + k, y, (exponent >> (format_.exponent_bits - 1 - k) & 1) != 0,
          Role::value);
    }
    for (int k = 0; k < format_.mantissa_bits; ++k) {
      box(row, places_.mantissa + k, y, (mantissa >> (format_.mantissa_bits - 1 - k) & 1) != 0,
          Role::query);
    }
  }

  figure::Plot& plot_;
  const Format& format_;
  int dropped_;
  Places places_;
  const words::Words& w_;
  Boxes boxes_;
};

}  // namespace

int dropped_bits(const Format& format, double value, int most) {
  const std::optional<Fields> fields = exact_fields(format, value);
  if (!fields || fields->mantissa == 0) return 0;
  const int used = kWide - std::countr_zero(fields->mantissa);
  return std::clamp(used - format.mantissa_bits, 0, most);
}

figure::Plot bit_plot(std::string id, const Format& format, const std::vector<BitRow>& rows,
                      int dropped, const words::Words& w) {
  figure::Plot plot{.id = std::move(id)};
  Drawn drawn(plot, format, dropped, w);
  const auto count = to_double(rows.size());
  for (std::size_t r = 0; r < rows.size(); ++r) {
    drawn.row(rows[r], count - to_double(r) - 0.5);
  }
  drawn.names(-0.25);
  drawn.finish();
  // Room for the words on both sides, more of it beside few boxes.
  const double end = drawn.places().end, room = std::max(4.0, 0.22 * end);
  plot.x.lo = -room;
  plot.x.hi = end + room;
  plot.x.visible = plot.y.visible = false;
  plot.y.lo = -0.6;
  plot.y.hi = count;
  return plot;
}

}  // namespace lab
