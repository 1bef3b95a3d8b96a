#include "app/sweep/video.h"

#include <fmt/format.h>

#include <chrono>
#include <thread>

#include "app/param/param.h"
#include "app/words/sentence.h"
#include "core/system/error.h"
#include "core/text/printable.h"

namespace sweep {
namespace {

// What makes a film that slides and browsers play. Both kinds want even sides: what that adds has
// the colour of the ground. Players take the colours of BT.709 for granted.
std::vector<std::string> command(bool for_mp4, const FilmFacts& facts, const paper::Pixels& first) {
  const std::string size = fmt::format("{}x{}", first.width, first.height);
  const std::string ground =
      fmt::format("0x{:02x}{:02x}{:02x}", first.rgb[0], first.rgb[1], first.rgb[2]);
  const std::string filter = "pad=ceil(iw/2)*2:ceil(ih/2)*2:0:0:" + ground +
                             ",scale=out_color_matrix=bt709:out_range=tv,format=yuv420p";
  std::vector<std::string> all;
  const auto add = [&](std::initializer_list<std::string> words) { all.insert(all.end(), words); };
  add({"ffmpeg", "-nostdin", "-hide_banner", "-loglevel", "error", "-y"});
  add({"-f", "rawvideo", "-pix_fmt", "rgb24", "-s", size, "-r", fmt::format("{}", facts.fps)});
  add({"-i", "pipe:0", "-vf", filter});
  add({"-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709"});
  add({"-metadata", "title=" + facts.title, "-metadata", "comment=" + facts.comment});
  if (for_mp4) {
    add({"-c:v", "libx264", "-crf", "16", "-preset", "medium", "-f", "mp4"});
  } else {
    add({"-c:v", "libvpx-vp9", "-crf", "20", "-b:v", "0", "-cpu-used", "4", "-row-mt", "1"});
    add({"-f", "webm"});
  }
  return all;
}

}  // namespace

std::filesystem::path ffmpeg_program() { return sys::find_program("ffmpeg"); }

Video::Video(const std::filesystem::path& out, FilmFacts facts)
    : file_(out), facts_(std::move(facts)), mp4_(param::has_ending(out.string(), ".mp4")) {}

void Video::add(const paper::Pixels& frame, const core::Cancel& cancel) {
  if (!ffmpeg_.started()) {
    const std::error_code error =
        ffmpeg_.start(ffmpeg_program(), command(mp4_, facts_, frame), file_.temporary());
    if (error) {
      words::refuse<sys::IoError>(N_("the ffmpeg program could not be started: {}"),
                                  core::system_reason(error));
    }
  }
  if (ffmpeg_.send(frame.rgb.data(), frame.rgb.size(), cancel)) return;
  ffmpeg_.end_of_input();
  fail(ffmpeg_.wait());
}

void Video::fail(int status) const {
  const std::string text = ffmpeg_.said(2000);
  std::string said = core::printable(text.substr(0, text.find('\n')), 300);
  if (said.empty()) said = fmt::format("status {}", status);
  words::refuse<sys::IoError>(N_("the ffmpeg program made no film: {}"), said);
}

void Video::finish(const core::Cancel& cancel) {
  if (!ffmpeg_.started()) return;
  ffmpeg_.end_of_input();
  // It may take a while over the last frames.
  std::optional<int> status;
  while (!(status = ffmpeg_.ended())) {
    cancel.poll();
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  if (*status != 0) fail(*status);
  cancel.poll();
  file_.commit();
}

}  // namespace sweep
