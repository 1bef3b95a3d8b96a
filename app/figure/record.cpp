// A drawing as text, for golden tests.
#include <fmt/format.h>

#include <string>

#include "app/figure/layout.h"

namespace figure {
namespace {

std::string of(Rgba c) { return fmt::format("#{:02x}{:02x}{:02x}{:02x}", c.r, c.g, c.b, c.a); }
std::string of(Point p) { return fmt::format("{:.2f},{:.2f}", p.x, p.y); }
std::string of(const Rect& r) {
  return fmt::format("{:.2f},{:.2f} {:.2f}x{:.2f}", r.x, r.y, r.w, r.h);
}
std::string of(const View& v) {
  return fmt::format("[{:.2f},{:.2f})x[{:.2f},{:.2f})", v.x0, v.x1, v.y0, v.y1);
}

struct Recorder {
  std::string operator()(const draw::Fill& f) const {
    return fmt::format("fill {} {} r{:.2f}", of(f.rect), of(f.color), f.radius);
  }
  std::string operator()(const draw::Outline& o) const {
    return fmt::format("outline {} {} w{:.2f} r{:.2f}", of(o.rect), of(o.color), o.width, o.radius);
  }
  std::string operator()(const draw::Path& p) const {
    std::string line =
        fmt::format("path {} w{:.2f}{}{}{}", of(p.color), p.width, p.dashed ? " dashed" : "",
                    p.closed ? " closed" : "", p.filled ? " filled" : "");
    for (const Point& point : p.points) line += fmt::format(" {}", of(point));
    return line;
  }
  std::string operator()(const draw::Curve& c) const {
    return fmt::format("curve {} {} {} {} {} w{:.2f}", of(c.a), of(c.b), of(c.c), of(c.d),
                       of(c.color), c.width);
  }
  std::string operator()(const draw::Disc& d) const {
    return fmt::format("disc {} r{:.2f} {} {} w{:.2f}", of(d.center), d.radius, of(d.color),
                       d.filled ? "filled" : "open", d.width);
  }
  std::string operator()(const draw::Text& t) const {
    return fmt::format("text {} style{} {} align {:.2f},{:.2f} angle {:.2f} \"{}\"", of(t.at),
                       static_cast<int>(t.style), of(t.color), t.align_x, t.align_y, t.angle,
                       t.text);
  }
  std::string operator()(const draw::Cells& c) const {
    return fmt::format("cells {} {} of {}x{} level {} {}", of(c.rect), of(c.shown),
                       c.source->rows(), c.source->cols(), c.level,
                       c.pool == Pool::max ? "max" : "mean");
  }
  std::string operator()(const draw::ColorBar& b) const {
    return fmt::format("colorbar {} {:.2f} to {:.2f}", of(b.rect), b.colors->scale().lo,
                       b.colors->scale().hi);
  }
  std::string operator()(const draw::Clip& c) const { return fmt::format("clip {}", of(c.rect)); }
  std::string operator()(const draw::Unclip&) const { return "unclip"; }
};

}  // namespace

std::string record(const Drawing& drawing) {
  std::string text = fmt::format("bounds {}\n", of(drawing.bounds));
  for (const Primitive& p : drawing.primitives) {
    text += std::visit(Recorder{}, p);
    text += '\n';
  }
  for (const PlotFrame& f : drawing.frames) {
    text += fmt::format("frame {} {} area {} whole {} shows {}{}{}\n", f.id, f.index, of(f.area),
                        of(f.whole), of(f.shown), f.x_log ? " xlog" : "", f.y_log ? " ylog" : "");
  }
  for (const Hit& h : drawing.hits) {
    text += fmt::format("hit {} plot {}", of(h.rect), h.plot);
    if (h.name) text += fmt::format(" name {} rotated {:.6g}", of(h.name->rect), h.name->angle);
    for (const auto& [id, value] : h.click) text += fmt::format(" {}={}", id, value);
    text += h.tooltip.empty() ? "\n" : fmt::format(" \"{}\"\n", h.tooltip);
  }
  for (const Grip& g : drawing.grips) {
    text += fmt::format("grip {} plot {} x={} y={}", of(g.rect), g.plot, g.x_param, g.y_param);
    if (!g.points_param.empty()) text += fmt::format(" {}[{}]", g.points_param, g.point);
    if (!g.text_param.empty()) text += fmt::format(" {}={}…{}", g.text_param, g.before, g.after);
    for (const auto& [id, value] : g.also) text += fmt::format(" {}={}", id, value);
    for (const auto& [id, at] : g.together) text += fmt::format(" {}@{:.6g}", id, at);
    text += '\n';
  }
  return text;
}

}  // namespace figure
