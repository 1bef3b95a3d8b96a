#include <cmath>

#include "app/paper/file/selection.h"
#include "app/sweep/make.h"
#include "app/sweep/page_at.h"
#include "app/sweep/steady.h"
#include "app/words/sentence.h"

namespace sweep {
namespace {

using core::InputError;

constexpr double kKeptPictures = 256e6;  // bytes, of frames that come again

// A frame's figures alone, with the axes of all of them.
lab::Page steadied(const lab::Page& page, const std::vector<std::string>& ids,
                   const Steady& steady) {
  lab::Page now;
  now.figures = paper::select(page, ids);
  now.notes = page.notes;
  now.made_up = page.made_up;
  steady.apply(now.figures);
  return now;
}

// Where the frames' knobs stand; equal settings are one.
struct Settings {
  std::vector<param::Values> all;
  std::vector<std::size_t> frames;  // their places in `all`, in the film's order
};

Settings settings_of(const Job& job, int count) {
  Settings settings;
  for (const double place : frame_positions(job.sweep.loop, count)) {
    param::Values values = values_at(job.sweep, *job.lab, place);
    const auto found = std::find(settings.all.begin(), settings.all.end(), values);
    settings.frames.push_back(static_cast<std::size_t>(found - settings.all.begin()));
    if (found == settings.all.end()) settings.all.push_back(std::move(values));
  }
  return settings;
}

// What all frames have in common.
struct Common {
  Steady steady;
  std::shared_ptr<paper::SheetRoom> room = std::make_shared<paper::SheetRoom>();
};

class Maker {
 public:
  Maker(const Job& job, const MakePage& make) : job_(job), pages_(job, make) {}

  // First the axes of all, then with these the room that each takes, then how high they are with
  // it.
  Common common(const Settings& settings, const core::Cancel& cancel,
                const std::function<void(std::size_t)>& done) {
    Common common;
    for (std::size_t k = 0; k < settings.all.size(); ++k) {
      cancel.poll();
      const auto page = pages_.at(settings.all[k]);
      common.steady.add(paper::select(*page, shown_ids(job_, *page)));
      done(k + 1);
    }
    for (const param::Values& values : settings.all) {
      cancel.poll();
      common.room->widen(room(values, common, nullptr));
    }
    // What one frame needs for this and another for that is more than any of them has alone.
    common.room->height = 0;
    float height = 0;
    for (const param::Values& values : settings.all) {
      cancel.poll();
      height = std::max(height, room(values, common, common.room).height);
    }
    common.room->height = height;
    return common;
  }

  paper::Pixels picture(const param::Values& values, const Common& common) {
    const auto page = pages_.at(values);
    paper::PaperOptions options = options_at(job_, values);
    options.room = common.room;
    return paper::render_pixels(steadied(*page, shown_ids(job_, *page), common.steady), {},
                                job_.views, options);
  }

 private:
  paper::SheetRoom room(const param::Values& values, const Common& common,
                        std::shared_ptr<const paper::SheetRoom> least) {
    const auto page = pages_.at(values);
    paper::PaperOptions options = options_at(job_, values);
    options.room = std::move(least);
    return paper::room_of(steadied(*page, shown_ids(job_, *page), common.steady), {}, job_.views,
                          options);
  }

  const Job& job_;
  Pages pages_;
};

}  // namespace

Frames frames_of(Sweep& sweep, int frames, double seconds, double fps) {
  if (frames != 0 && seconds > 0 && fps > 0) {
    words::refuse<InputError>(
        N_("expected at most two of --frames, --duration and --fps, which set the third, got all "
           "three"));
  }
  if (seconds > 0) sweep.seconds = seconds;
  if (frames != 0 && (frames < 2 || frames > kMostFrames)) {
    words::refuse<InputError>(N_("--frames: expected a whole number from 2 to {}, got {}"),
                              kMostFrames, frames);
  }
  Frames all;
  if (fps > 0) all.fps = fps;
  if (frames == 0) {
    const double wanted = std::round(sweep.seconds * all.fps) + 1;
    all.count = static_cast<int>(std::min(wanted, 1e6));
  } else {
    all.count = frames;
    // Few frames keep the time that they have, as far as they are still a film.
    const double lasting = (frames - 1) / sweep.seconds;
    if (seconds > 0) all.fps = lasting;
    if (!(seconds > 0) && !(fps > 0)) all.fps = std::clamp(lasting, kLeastFps, all.fps);
    sweep.seconds = (frames - 1) / all.fps;
  }
  if (all.fps < kLeastFps || all.fps > kMostFps) {
    words::refuse<InputError>(N_("expected {} to {} frames a second, got {}"), kLeastFps, kMostFps,
                              all.fps);
  }
  if (all.count < 2 || all.count > kMostFrames) {
    words::refuse<InputError>(
        N_("expected a duration and frames a second that make 2 to {} frames, got {}"), kMostFrames,
        all.count);
  }
  return all;
}

void make_film(const Job& job, const Frames& frames, const MakePage& make,
               const core::Cancel& cancel, const Report& report) {
  check(job.sweep, *job.lab);
  const Settings settings = settings_of(job, frames.count);
  const auto total = static_cast<double>(settings.frames.size());
  const auto progress = [&](double share) {
    cancel.progress(static_cast<float>(share));
    if (report) report(share * total, static_cast<int>(total));
  };
  const paper::PaperOptions first = options_at(job, settings.all.front());
  const auto film = open_film(job.out, {.title = first.title,
                                        .comment = first.parameters,
                                        .session = session_at(job, settings.all.front()),
                                        .forever = job.sweep.loop != Loop::once,
                                        .fps = frames.fps,
                                        .frames = static_cast<int>(total)});
  Maker maker(job, make);
  const auto computed = static_cast<double>(settings.all.size());
  const core::Cancel quiet = cancel.without_progress();
  const Common common = maker.common(
      settings, quiet, [&](std::size_t k) { progress(0.5 * static_cast<double>(k) / computed); });
  std::map<std::size_t, paper::Pixels> kept;
  double bytes = 0;
  for (std::size_t k = 0; k < settings.frames.size(); ++k) {
    cancel.poll();
    const std::size_t setting = settings.frames[k];
    const auto found = kept.find(setting);
    if (found != kept.end()) {
      film->add(found->second, quiet);
    } else {
      paper::Pixels picture = maker.picture(settings.all[setting], common);
      film->add(picture, quiet);
      const bool again = std::find(settings.frames.begin() + static_cast<std::ptrdiff_t>(k) + 1,
                                   settings.frames.end(), setting) != settings.frames.end();
      bytes += again ? static_cast<double>(picture.rgb.size()) : 0;
      if (again && bytes <= kKeptPictures) kept.emplace(setting, std::move(picture));
    }
    progress(0.5 + 0.5 * static_cast<double>(k + 1) / total);
  }
  film->finish(quiet);
}

}  // namespace sweep
