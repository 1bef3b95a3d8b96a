#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "app/paper/numbers/number_formats.h"
#include "app/words/sentence.h"
#include "core/io/case/json_check.h"

namespace paper {
namespace {

using nlohmann::json;

std::string json_text(const std::string& text) {
  return json(text).dump(-1, ' ', false, json::error_handler_t::replace);
}

template <class Number>
std::string number(Number value) {
  std::string text = exact(value);
  return std::isfinite(value) ? text : fmt::format("\"{}\"", text);
}

// Writes JSON as it goes, so that a large heatmap never stands in memory as text.
class JsonWriter {
 public:
  explicit JsonWriter(NumbersSink& file) : file_(file) {}

  void raw(std::string_view text) { file_.write(text); }
  // Starts a member or an element: a comma unless it is the first since `open`.
  void next() {
    if (!first_) raw(",");
    first_ = false;
  }
  void open(std::string_view bracket) {
    raw(bracket);
    first_ = true;
  }
  void close(std::string_view bracket) {
    raw(bracket);
    first_ = false;
  }
  void key(const std::string& name) {
    next();
    raw(json_text(name) + ":");
  }
  void text(const std::string& name, const std::string& value) {
    key(name);
    raw(json_text(value));
  }
  void value(const std::string& name, double v) {
    key(name);
    raw(number(v));
  }
  void list(const std::string& name, const std::vector<double>& values) {
    key(name);
    open("[");
    for (const double v : values) next(), raw(number(v));
    close("]");
  }
  void labels(const std::string& name, const figure::Labels& labels) {
    key(name);
    if (!labels) return raw("null");
    open("[");
    for (const std::string& label : *labels) next(), raw(json_text(label));
    close("]");
  }

  NumbersSink& file() const { return file_; }

 private:
  NumbersSink& file_;
  bool first_ = true;
};

class PageWriter {
 public:
  explicit PageWriter(NumbersSink& file) : out_(file) {}

  void figures(const std::vector<figure::Figure>& figures) {
    out_.key("figures");
    out_.open("[");
    for (const figure::Figure& figure : figures) {
      out_.raw(&figure == figures.data() ? "\n" : ",\n");
      one(figure);
    }
    out_.close("]");
  }

  void operator()(const figure::Heatmap& map) {
    type("heatmap");
    shape(map.source.get());
    out_.text("label", map.bar_label);
    data(map.source.get());
  }
  void operator()(const figure::Line& line) {
    type("line");
    out_.text("label", line.label);
    out_.list("x", line.x);
    out_.list("y", line.y);
  }
  void operator()(const figure::Band& band) {
    type("band");
    out_.list("x", band.x);
    out_.list("lo", band.lo);
    out_.list("hi", band.hi);
  }
  void operator()(const figure::Bars& bars) {
    type("bars");
    out_.list("values", bars.values);
  }
  void operator()(const figure::Points& points) {
    type("points");
    out_.list("x", points.x);
    out_.list("y", points.y);
  }
  void operator()(const figure::Rule& rule) {
    type("rule");
    out_.key("vertical");
    out_.raw(rule.vertical ? "true" : "false");
    out_.value("at", rule.at);
    out_.text("label", rule.label);
  }
  void operator()(const figure::Note& note) {
    type("note");
    out_.value("x", note.x);
    out_.value("y", note.y);
    out_.text("text", note.text);
  }
  void operator()(const figure::Links& links) {
    type("links");
    out_.labels("left", links.left);
    out_.labels("right", links.right);
    out_.key("links");
    out_.open("[");
    for (const figure::Links::Link& link : links.links) {
      out_.next();
      out_.raw(fmt::format("{{\"from\":{},\"to\":{},\"weight\":{}}}", link.from, link.to,
                           number(link.weight)));
    }
    out_.close("]");
  }
  void operator()(const figure::Arrows& arrows) {
    type("arrows");
    out_.text("label", arrows.label);
    out_.key("arrows");
    out_.open("[");
    for (const figure::Arrows::Arrow& a : arrows.arrows) {
      out_.next();
      out_.raw(
          fmt::format("[{},{},{},{}]", number(a.x0), number(a.y0), number(a.x1), number(a.y1)));
    }
    out_.close("]");
  }
  void operator()(const figure::Handle& handle) {
    type("handle");
    out_.value("x", handle.x);
    out_.value("y", handle.y);
    out_.text("label", handle.label);
  }
  void operator()(const figure::Interval& interval) {
    type("interval");
    out_.value("from", interval.from);
    out_.value("to", interval.to);
    out_.value("y", interval.y);
    out_.text("label", interval.label);
  }
  void operator()(const figure::Boxes& boxes) {
    type("boxes");
    out_.key("boxes");
    out_.open("[");
    for (const figure::Boxes::Box& box : boxes.boxes) {
      out_.next();
      out_.open("{");
      out_.text("text", box.text);
      out_.value("x0", box.x0);
      out_.value("y0", box.y0);
      out_.value("x1", box.x1);
      out_.value("y1", box.y1);
      if (box.value) out_.value("value", *box.value);
      out_.close("}");
    }
    out_.close("]");
    if (!boxes.value_name.empty()) out_.text("value_name", boxes.value_name);
  }
  void operator()(const figure::Diagram& diagram) {
    type("diagram");
    out_.key("nodes");
    out_.open("[");
    for (const figure::Diagram::Node& node : diagram.nodes) {
      out_.next();
      out_.open("{");
      out_.text("title", node.title);
      out_.text("note", node.note);
      out_.list("at", {node.x0, node.y0, node.x1, node.y1});
      if (!node.numbers.empty()) {
        out_.key("numbers");
        out_.open("{");
        for (const auto& [name, value] : node.numbers) out_.value(name, value);
        out_.close("}");
      }
      if (node.picture) {
        shape(node.picture.get());
        data(node.picture.get());
      }
      out_.close("}");
    }
    out_.close("]");
    out_.key("wires");
    out_.open("[");
    for (const figure::Diagram::Wire& wire : diagram.wires) {
      out_.next();
      out_.open("{");
      out_.text("label", wire.label);
      std::vector<double> x, y;
      for (const auto& place : wire.path) x.push_back(place.x), y.push_back(place.y);
      out_.list("x", x);
      out_.list("y", y);
      out_.close("}");
    }
    out_.close("]");
  }
  void operator()(const figure::Table& table) {
    type("table");
    out_.key("columns");
    out_.open("[");
    for (const figure::Table::Column& column : table.columns) {
      out_.next();
      out_.raw(json_text(column.title));
    }
    out_.close("]");
    out_.key("rows");
    out_.open("[");
    for (const auto& row : table.rows) {
      out_.next();
      out_.open("[");
      for (const figure::Table::Cell& cell : row) {
        std::string text;
        for (const figure::Span& span : cell) {
          if (!text.empty()) text += '\n';
          text += span.text;
        }
        out_.next();
        out_.raw(json_text(text));
      }
      out_.close("]");
    }
    out_.close("]");
    if (table.numbers.empty()) return;
    out_.key("numbers");
    out_.open("{");
    for (const figure::Table::Quantity& one : table.numbers) out_.list(one.name, one.values);
    out_.close("}");
  }

  JsonWriter& out() { return out_; }

 private:
  void type(const std::string& name) { out_.text("type", name); }

  void shape(const figure::TileSource* source) {
    out_.key("shape");
    out_.raw(fmt::format("[{},{}]", source ? source->rows() : 0, source ? source->cols() : 0));
  }
  void data(const figure::TileSource* source) {
    out_.key("data");
    out_.open("[");
    if (source) {
      each_row(*source, out_.file(), [&](core::Index row, std::span<const float> values) {
        std::string line = row == 0 ? "\n[" : ",\n[";
        for (const float& v : values) {
          if (&v != values.data()) line += ',';
          line += core::is_masked(v) ? std::string("null") : number(v);
        }
        out_.raw(line += ']');
      });
    }
    out_.close("]");
  }

  void range(const figure::Axis& axis) {
    out_.text("label", axis.label);
    out_.value("lo", axis.lo);
    out_.value("hi", axis.hi);
    out_.text("scale", axis.scale == figure::AxisScale::log ? "log" : "linear");
  }
  void axis(const std::string& name, const figure::Axis& axis) {
    out_.key(name);
    out_.open("{");
    range(axis);
    out_.labels("labels", axis.labels);
    out_.close("}");
  }

  void axes(const figure::Figure& figure) {
    out_.key("axes");
    out_.open("[");
    for (const figure::Plot& plot : figure.plots) {
      for (const bool is_x : {true, false}) {
        out_.next();
        out_.open("{");
        out_.text("plot", plot.id);
        out_.text("axis", is_x ? "x" : "y");
        range(is_x ? plot.x : plot.y);
        out_.close("}");
      }
    }
    out_.close("]");
  }

  void one(const figure::Figure& figure) {
    out_.open("{");
    out_.text("id", figure.id);
    out_.text("title", figure.title);
    out_.text("caption", figure.caption);
    axes(figure);
    out_.key("plots");
    out_.open("[");
    for (const figure::Plot& plot : figure.plots) {
      out_.raw(&plot == figure.plots.data() ? "\n" : ",\n");
      one(plot);
    }
    out_.close("]");
    out_.close("}");
  }

  void one(const figure::Plot& plot) {
    out_.open("{");
    out_.text("id", plot.id);
    out_.text("title", plot.title);
    axis("x", plot.x);
    axis("y", plot.y);
    out_.key("marks");
    out_.open("[");
    for (const figure::Mark& mark : plot.marks) {
      out_.next();
      out_.open("{");
      std::visit(*this, mark);
      out_.close("}");
    }
    out_.close("]");
    out_.close("}");
  }

  JsonWriter out_;
};

void write_readouts(const std::vector<lab::Readout>& readouts, JsonWriter& out) {
  out.key("readouts");
  out.open("{");
  for (const lab::Readout& readout : readouts) {
    out.key(readout.id);
    out.open("{");
    out.text("label", readout.label);
    out.value("value", readout.value);
    out.text("text", readout.text);
    out.close("}");
  }
  out.close("}");
}

std::string verdict_word(lab::Card::Verdict verdict) {
  switch (verdict) {
    case lab::Card::Verdict::wrong: return "wrong";
    case lab::Card::Verdict::half: return "half";
    case lab::Card::Verdict::holds: break;
  }
  return "holds";
}

void write_statements(const std::vector<lab::Card>& statements, JsonWriter& out) {
  out.key("statements");
  out.open("[");
  for (const lab::Card& one : statements) {
    out.next();
    out.open("{");
    out.text("id", one.id);
    out.text("said", one.said);
    out.text("verdict", verdict_word(one.verdict));
    out.text("truth", one.truth);
    out.text("source", one.source);
    out.text("preset", one.settled.preset);
    out.text("figure", one.settled.figure);
    out.close("}");
  }
  out.close("]");
}

}  // namespace

void write_json(const std::vector<figure::Figure>& figures,
                const std::vector<lab::Readout>& readouts, const std::vector<std::string>& notes,
                const std::vector<lab::Card>& statements, const std::string& session,
                NumbersSink& file) {
  if (const core::Message fault = session.empty() ? core::Message() : core::json_fault(session);
      !fault.empty()) {
    words::refuse<core::InputError>(N_("the session to be exported cannot be used: {}"), fault);
  }
  PageWriter page(file);
  JsonWriter& out = page.out();
  out.open("{");
  page.figures(figures);
  out.raw(",\n");
  out.open("");
  write_readouts(readouts, out);
  out.raw(",\n");
  out.open("");
  out.key("notes");
  out.open("[");
  for (const std::string& note : notes) out.next(), out.raw(json_text(note));
  out.close("]");
  out.raw(",\n");
  out.open("");
  write_statements(statements, out);
  out.raw(",\n");
  out.open("");
  out.key("session");
  out.raw(session.empty() ? "null" : session);
  out.close("}\n");
}

}  // namespace paper
