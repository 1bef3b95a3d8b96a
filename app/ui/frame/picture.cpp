#include "app/ui/frame/picture.h"

#include <imgui.h>

#include <algorithm>

#include "app/ui/draw/imgui_versions.h"
#include "core/parallel.h"

namespace ui {

namespace {

// Pixels that are worth waking a thread, and parts for each thread, since some have more in them.
constexpr long kWorthAThread = 1 << 15, kPartsAThread = 8;
constexpr int kLeastRows = 8;

// The boxes cut into parts about as large as each other.
std::vector<gl::Box> parts_of(const std::vector<gl::Box>& boxes, int threads) {
  long all = 0;
  for (const gl::Box& box : boxes) all += area(box);
  const long most = std::max(all / (kPartsAThread * threads), kWorthAThread);
  std::vector<gl::Box> parts;
  for (const gl::Box& box : boxes) {
    const auto rows = static_cast<int>(std::max<long>(most / box.width(), kLeastRows));
    for (int y = box.y0; y < box.y1; y += rows) {
      parts.push_back({box.x0, y, box.x1, std::min(y + rows, box.y1)});
    }
  }
  return parts;
}

int pixels(float size, float ratio) { return static_cast<int>(size * ratio); }

}  // namespace

ImGuiSession::ImGuiSession() {
  IMGUI_CHECKVERSION();
  ImGui::CreateContext();
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;
  io.LogFilename = nullptr;
  io.ConfigInputTextCursorBlink = true;
  io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;  // lists of more than 65,536 vertices
  name_keys(io);
}

ImGuiSession::~ImGuiSession() { ImGui::DestroyContext(); }

void update(Shell& shell, std::vector<KeyPress> keys) {
  shell.prepare();
  ImGui::NewFrame();
  shell.frame(std::move(keys));
  ImGui::Render();
}

// Frame -------------------------------------------------------------------------------------------

int Frame::width() {
  const ImDrawData& data = *ImGui::GetDrawData();
  return pixels(data.DisplaySize.x, data.FramebufferScale.x);
}

int Frame::height() {
  const ImDrawData& data = *ImGui::GetDrawData();
  return pixels(data.DisplaySize.y, data.FramebufferScale.y);
}

void Frame::take(const Shell& shell, bool forget) {
  if (forget) plan_.forget();
  plan_.take(*ImGui::GetDrawData(), width(), height(), shell.gui().theme().window,
             static_cast<std::uint64_t>(shell.gui().fonts().version()));
}

// The atlas is built anew when characters are missing or the scale changes.
std::optional<Frame::Letters> Frame::new_letters(const Shell& shell) {
  const long version = shell.gui().fonts().version();
  if (letters_ == version) return std::nullopt;
  letters_ = version;
  unsigned char* coverage = nullptr;
  int width = 0, height = 0;
  ImGui::GetIO().Fonts->GetTexDataAsAlpha8(&coverage, &width, &height);
  return Letters{width, height, coverage};
}

// Picture -----------------------------------------------------------------------------------------

void Picture::draw(const Shell& shell, gl::Raster::Storage storage, bool forget) {
  if (const auto letters = frame_.new_letters(shell)) {
    raster_.set_letters(letters->width, letters->height, letters->coverage);
  }
  const bool undefined = raster_.begin(Frame::width(), Frame::height(), storage);
  frame_.take(shell, undefined || forget);
  const int threads = core::thread_count(0);
  const std::vector<gl::Box> parts = parts_of(drawn(), threads);
  steps_.resize(static_cast<std::size_t>(threads));
  core::parallel_for(std::ssize(parts), threads, [&](core::Index part, int worker) {
    draw_part(parts[static_cast<std::size_t>(part)], steps_[static_cast<std::size_t>(worker)]);
  });
}

void Picture::draw_part(const gl::Box& part, FramePlan::Steps& out) {
  using Kind = FramePlan::Step::Kind;
  const FramePlan& plan = frame_.plan();
  out.steps.clear(), out.indices.clear();
  plan.plan({&part, 1}, out);
  const gl::Raster::Ratio ratio{plan.ratio().x, plan.ratio().y};
  for (const FramePlan::Step& step : out.steps) {
    switch (step.kind) {
      case Kind::fill: raster_.fill(step.box, step.color); break;
      case Kind::triangles:
        raster_.draw(step.box, plan.vertices(),
                     std::span(out.indices).subspan(step.first, step.count), step.ink, ratio);
        break;
      case Kind::cells: raster_.cells(common(step.box, part), *step.cells); break;
    }
  }
}

}  // namespace ui
