#include "app/desktop/files.h"

#include <fmt/format.h>

#include "app/desktop/entries.h"
#include "app/desktop/icon.h"
#include "app/paper/file/picture.h"
#include "app/system/atomic_file.h"
#include "app/system/folders.h"
#include "app/system/program.h"
#include "core/system/error.h"

namespace desktop {
namespace {

namespace fs = std::filesystem;

// Pixels a side, of the theme that all others fall back to.
constexpr int kIconSizes[] = {16, 22, 24, 32, 48, 64, 128, 256, 512};

}  // namespace

std::vector<File> files(const std::string& program) {
  std::vector<File> all = {
      {fmt::format("applications/{}.desktop", kId), entry(program)},
      {fmt::format("mime/packages/{}.xml", kId), mime_types()},
      {fmt::format("metainfo/{}.metainfo.xml", kId), metainfo()},
      {fmt::format("icons/hicolor/scalable/apps/{}.svg", kId), paper::picture_svg(icon(512))}};
  for (const int size : kIconSizes) {
    all.push_back({fmt::format("icons/hicolor/{0}x{0}/apps/{1}.png", size, kId),
                   paper::picture_png(
                       icon(size), static_cast<double>(size) / static_cast<double>(kIconUnits))});
  }
  return all;
}

void write(const fs::path& share, const std::vector<File>& files) {
  for (const File& file : files) {
    const fs::path path = share / file.path;
    sys::make_folder(path.parent_path());
    sys::write_atomically(path, file.bytes);
  }
}

std::size_t remove(const fs::path& share, const std::vector<File>& files) {
  std::size_t removed = 0;
  for (const File& file : files) {
    std::error_code error;
    const fs::path path = share / file.path;
    removed += fs::remove(path, error) ? 1 : 0;
    if (error) {
      words::refuse<sys::IoError>(N_("cannot remove {}: {}"), sys::shown_path(path),
                                  core::system_reason(error));
    }
    // Folders of others are not empty and stay.
    for (fs::path folder = path.parent_path(); folder != share && folder != folder.root_path();
         folder = folder.parent_path()) {
      if (!fs::remove(folder, error)) break;
    }
  }
  return removed;
}

void refresh(const fs::path& share) {
  sys::run_quietly("update-desktop-database", {(share / "applications").string()});
  sys::run_quietly("update-mime-database", {(share / "mime").string()});
  sys::run_quietly("gtk-update-icon-cache",
                   {"-q", "-t", "-f", (share / "icons" / "hicolor").string()});
}

}  // namespace desktop
