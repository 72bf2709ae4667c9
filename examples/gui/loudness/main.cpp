// loudness_window: measures the sound files in a folder by EBU R128, and shows them in a window while it does.
#include <FL/Fl.H>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

#include "archive.hpp"
#include "window.hpp"
#include "window_engine.hpp"

namespace {

constexpr const char* help = R"(usage: loudness_window [--store FILE] [FOLDER]

Measures the sound files in a folder and in those inside it by EBU R128, and shows
them in a window: integrated loudness (LUFS), loudness range (LU), true peak (dBTP)
and duration. A click on the head of a column sorts by it, a second one turns the
order round. The file that is selected is shown over its time. Files and folders may
be dropped onto the window.

With tact-store the results are kept, in FILE or in ~/.local/share/loudness, and what
has not changed is not measured again; "Kept" shows all of them, also of files that
are gone.
)";

bool asks_for_help(std::string_view argument) { return argument == "--help" || argument == "-h"; }

struct arguments {
  std::filesystem::path store{};  // empty: the usual place, if there is a store
  const char* folder = nullptr;
  bool is_wrong = false;
  bool help = false;
};

arguments parse(int argc, char** argv) {
  arguments asked;
  for (int i = 1; i < argc; ++i) {
    const std::string_view text = argv[i];
    if (asks_for_help(text)) {
      asked.help = true;
    } else if (text == "--store" && i + 1 < argc && argv[i + 1][0] != '\0') {
      asked.store = argv[++i];
    } else if (text.starts_with('-') || asked.folder != nullptr) {
      asked.is_wrong = true;
    } else {
      asked.folder = argv[i];
    }
  }
  return asked;
}

// As the XDG base directories say. Empty: there is no home.
std::filesystem::path usual_store() {
  const char* const data = std::getenv("XDG_DATA_HOME");
  const char* const home = std::getenv("HOME");
  if (data == nullptr && home == nullptr) return {};
  const std::filesystem::path folder =
      (data != nullptr ? std::filesystem::path(data) : std::filesystem::path(home) / ".local/share") / "loudness";
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  return folder / "results.store";
}

// The store that was asked for, or none: `why` says it.
std::shared_ptr<loudness::archive> opened(tact::engine& engine, const arguments& asked, std::string& why) {
  try {
    const std::filesystem::path file = asked.store.empty() ? usual_store() : asked.store;
    if (!file.empty()) return loudness::open_archive(engine, file, loudness::archive_use::keep);
  } catch (const std::runtime_error& error) {
    why = std::string("results are not kept: ") + error.what();
  }
  return nullptr;
}

}  // namespace

int main(int argc, char** argv) {
  const arguments asked = parse(argc, argv);
  if (asked.is_wrong || asked.help) {
    std::fputs(help, asked.is_wrong ? stderr : stdout);
    return asked.is_wrong ? 2 : 0;
  }
  if (!tact::gui::has_display()) return 1;
  Fl::scheme("gtk+");
  Fl::option(Fl::OPTION_FNFC_USES_GTK, false);  // its loop would keep that of this program from running
  const loudness::window_engine engine;
  tact::gui::fltk_loop loop(*engine);
  std::string why_not_kept;
  const auto kept = opened(*engine, asked, why_not_kept);
  loudness::window window(*engine, loop, kept);
  if (asked.folder != nullptr) window.open(asked.folder);
  if (!why_not_kept.empty()) {
    std::fprintf(stderr, "loudness_window: %s\n", why_not_kept.c_str());
    window.show(loudness::notice{why_not_kept, true});
  }
  window.show();
  return loop.run();
}
