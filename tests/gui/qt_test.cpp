// tact::gui::qt_loop: signals in, updates out, on the offscreen platform of Qt, which needs no display.
#include "tact/gui/qt.hpp"

#include <QtWidgets/QApplication>
#include <QtWidgets/QLabel>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QPushButton>

#include <memory>
#include <optional>
#include <string>

#include "gui/counter.hpp"

namespace {

using namespace tact;
using namespace gui_tests;
using support::quiet_options;

QApplication& application() {
  static int count = 1;
  static char name[] = "qt";
  static char* names[] = {name, nullptr};
  static QApplication app(count, names);
  return app;
}

template <class Over>
bool run_until(Over over) {
  return wait_until(over, [] { QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents, 1000); });
}

}  // namespace

TEST_CASE("qt: a click reaches an actor of a worker, and its answer the widget", "[gui]") {
  static_cast<void>(application());
  QPushButton button("press");
  QLabel shown_in;
  engine e(quiet_options(2));
  gui::qt_loop loop(e);
  const auto shown =
      loop.shows<label>(shown_in, [](QLabel& l, const text& m) { l.setText(QString::fromStdString(m.value)); });
  loop.sends(
      button, &QPushButton::clicked, [] { return press{}; }, e.create(count_presses(shown)));
  for (int i = 1; i <= 3; ++i) {
    button.click();
    CHECK(run_until([&] { return shown_in.text().toStdString() == std::to_string(i); }));
  }
}

TEST_CASE("qt: a signal's argument makes the message, or none", "[gui]") {
  static_cast<void>(application());
  QLineEdit edit;
  engine e(quiet_options(1));
  gui::qt_loop loop(e);
  std::string seen;
  const auto to = e.create(behavior<label>{[&](auto&, const text& m) { seen += m.value + ";"; }}, on_loop(loop));
  loop.sends(
      edit, &QLineEdit::textChanged,
      [](const QString& s) { return s.isEmpty() ? std::nullopt : std::optional(text{s.toStdString()}); }, to);
  edit.setText("a");
  edit.setText("");
  edit.setText("b");
  CHECK(run_until([&] { return seen == "a;b;"; }));
  CHECK(e.statistics().messages_sent == 2);
}

TEST_CASE("qt: of many updates only the newest waits, if the actor is told so", "[gui]") {
  static_cast<void>(application());
  QLabel shown_in;
  engine e(quiet_options(2));
  gui::qt_loop loop(e);
  int shown_times = 0;
  const auto shown = loop.shows_newest<label>(shown_in, [&](QLabel& l, const text& m) {
    ++shown_times;
    l.setText(QString::fromStdString(m.value));
  });
  for (int i = 1; i <= 1'000; ++i) e.send(shown, text{std::to_string(i)});
  CHECK(run_until([&] { return shown_in.text() == "1000"; }));
  CHECK(shown_times == 1);
}

TEST_CASE("qt: what comes for a widget that has gone is a dead letter; a loop that has gone is sent nothing", "[gui]") {
  static_cast<void>(application());
  QPushButton button("press");
  engine e(quiet_options(1));
  {
    gui::qt_loop loop(e);
    auto gone = std::make_unique<QLabel>();
    const auto shown = loop.shows<label>(*gone, [](QLabel&, const text&) {});
    gone.reset();
    shown | text{"too late"};
    shown | text{"later"};
    CHECK(run_until([&] { return e.statistics().in_flight() == 0; }));
    CHECK(e.statistics().dead_letters == 2);
    CHECK(e.statistics().actors_alive == 0);
    loop.sends(
        button, &QPushButton::clicked, [] { return text{"press"}; }, shown);
  }
  const auto sent = e.statistics().messages_sent;
  button.click();
  CHECK(e.statistics().messages_sent == sent);
}
