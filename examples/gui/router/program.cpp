#include "program.hpp"

#include <string>
#include <utility>

#include "intake.hpp"

namespace router {
namespace {

// Of pictures that are to be saved only the newest waits.
constexpr tact::mailbox_limit newest_only{.messages = 1, .when_full = tact::when_full::drop_oldest};

}  // namespace

program::program(tact::engine& engine, tact::gui::fltk_loop& loop, const program_options& options)
    : window(width, height), engine_(engine) {
  const auto display = loop.shows_newest<frame>(window, [](paint_window& w, const frame& m) { w.show_page(m); });
  notices_ = loop.shows<notice>(window, [](paint_window& w, const notice& m) { w.show_notice(m); });
  const auto watcher = engine.spawn<router::watcher>();
  actors = make_graph(engine, width, height, {display, make_saver(options.save), watcher});
  watched.watch(watcher, loop.shows<traffic>(watched, [](graph_window& w, const traffic& m) { w.show_traffic(m); }));
  if (options.play) {
    play(engine, options.play, actors.dispatcher, options.pace);
    return;
  }
  auto intake = make_intake(actors.dispatcher, make_recorder(options.record));
  window.send_events(engine.create(std::move(intake), tact::named("intake")));
}

tact::ref<picture_ptr> program::make_saver(const std::filesystem::path& file) const {
  if (file.empty()) return {};
  return engine_.spawn<saver>(tact::blocking, newest_only, file, width, height,
                              [to = notices_](const std::string& text) { to | notice{text}; });
}

tact::ref<event_ptr> program::make_recorder(const std::filesystem::path& file) const {
  if (file.empty()) return {};
  return engine_.spawn<recorder>(tact::blocking, file, [to = notices_](const std::string& text) { to | notice{text}; });
}

}  // namespace router
