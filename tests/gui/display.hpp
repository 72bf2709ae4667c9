// What a person does at a window, done by a second connection to the X server: moves, clicks, types, and looks.
#pragma once

#include <cstdint>
#include <string>

struct _XDisplay;  // Xlib's macros stay out of here

namespace tact::gui_tests {

// Keys that have no letter, as X numbers them.
enum class special : unsigned long {
  tab = 0xFF09,
  enter = 0xFF0D,
  escape = 0xFF1B,
  backspace = 0xFF08,
  up = 0xFF52,
  down = 0xFF54,
  erase = 0xFFFF
};

// Each call returns when the server has taken it. Thread safety: one thread. Positions are pixels from the upper left
// corner of the screen.
class display {
 public:
  display();  // throws std::runtime_error
  display(const display&) = delete;
  display& operator=(const display&) = delete;
  ~display();

  void move(int x, int y);
  void press(unsigned button = 1);
  void release(unsigned button = 1);
  void click(int x, int y);
  void key(special k);
  // Latin letters, digits, and what else is typed on an American keyboard.
  void type(const std::string& text);
  // With the control key.
  void chord(char letter);
  // Asks the window there to close, as a window manager does.
  void close(int x, int y);
  // Writes that part of the screen to NAME.png in the folder that the environment variable TACT_PICTURES names, if it
  // names one. Throws std::runtime_error.
  void take_picture(int x, int y, int width, int height, const std::string& name);
  // 0xRRGGBB
  [[nodiscard]] std::uint32_t color(int x, int y);

 private:
  void stroke(unsigned long symbol, bool with_shift);
  void done();

  _XDisplay* const x_;
};

}  // namespace tact::gui_tests
