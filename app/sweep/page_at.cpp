#include "app/sweep/page_at.h"

#include "app/paper/file/session_carrier.h"
#include "app/words/sentence.h"

namespace sweep {
namespace {

constexpr double kKept = 256e6;  // bytes

// About what a page holds: its heatmaps, of which some are computed when they are asked for.
double bytes_of(const lab::Page& page) {
  double bytes = 1e5;
  for (const figure::Figure& figure : page.figures) {
    for (const figure::Plot& plot : figure.plots) {
      for (const figure::Mark& mark : plot.marks) {
        const auto* map = std::get_if<figure::Heatmap>(&mark);
        if (!map || !map->source) continue;
        bytes +=
            8 * static_cast<double>(map->source->rows()) * static_cast<double>(map->source->cols());
      }
    }
  }
  return bytes;
}

}  // namespace

std::vector<std::string> shown_ids(const Job& job, const lab::Page& page) {
  if (!job.figure.empty()) return {job.figure};
  return session::exported_figures(page, job.order);
}

paper::PaperOptions options_at(const Job& job, const param::Values& values) {
  const words::Words w(job.options.language);
  paper::PaperOptions options = job.options;
  options.title = w(job.lab->title);
  options.above = caption(job.sweep, *job.lab, values, w);
  const auto state = job.lab->make();
  param::assign(state->describe(), values);
  param::List list = state->list();
  for (param::Parameter& p : list.items()) {
    for (const Track& track : job.sweep.tracks) {
      if (track.id == p.info.id && why_not(p).empty()) p.info.active = false;
    }
  }
  options.parameters = paper::parameter_line(list, w);
  return options;
}

std::string session_at(const Job& job, const param::Values& values) {
  const session::Session session{
      std::string(job.lab->id), values, job.views, {}, job.order, job.figure};
  const session::FindLab find = [&](std::string_view) -> const lab::Lab& { return *job.lab; };
  return session::to_json(session, find, paper::folder_of(job.out), session::kReadByCommand);
}

std::shared_ptr<const lab::Page> Pages::at(const param::Values& values) {
  for (const auto& [made_of, page] : kept_) {
    if (made_of == values) return page;
  }
  std::shared_ptr<const lab::Page> page;
  try {
    page = std::make_shared<const lab::Page>(make_(values));
  } catch (const core::InputError& error) {
    const words::Words w(job_.options.language);
    words::refuse<core::InputError>(N_("at {}: {}"), caption(job_.sweep, *job_.lab, values, w),
                                    words::translated(error, w));
  }
  const double bytes = bytes_of(*page);
  if (bytes_ + bytes <= kKept) {
    kept_.emplace_back(values, page);
    bytes_ += bytes;
  }
  return page;
}

}  // namespace sweep
