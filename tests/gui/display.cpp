#include "gui/display.hpp"

#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <X11/extensions/XTest.h>
#include <X11/keysym.h>
#include <png.h>

#include <cstdlib>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace tact::gui_tests {
namespace {

bool needs_shift(char c) {
  return (c >= 'A' && c <= 'Z') || std::string_view("!@#$%^&*()_+{}|:\"<>?~").find(c) != std::string_view::npos;
}

}  // namespace

display::display() : x_(::XOpenDisplay(nullptr)) {
  if (x_ == nullptr) throw std::runtime_error("no X server: run the test by tests/gui/in_display");
}

display::~display() { ::XCloseDisplay(x_); }

void display::done() { ::XSync(x_, False); }

void display::move(int x, int y) {
  ::XTestFakeMotionEvent(x_, -1, x, y, 0);
  done();
}
void display::press(unsigned button) {
  ::XTestFakeButtonEvent(x_, button, True, 0);
  done();
}
void display::release(unsigned button) {
  ::XTestFakeButtonEvent(x_, button, False, 0);
  done();
}
void display::click(int x, int y) {
  move(x, y);
  press();
  release();
}

void display::stroke(unsigned long symbol, bool with_shift) {
  const KeyCode code = ::XKeysymToKeycode(x_, symbol);
  const KeyCode shift = ::XKeysymToKeycode(x_, XK_Shift_L);
  if (with_shift) ::XTestFakeKeyEvent(x_, shift, True, 0);
  ::XTestFakeKeyEvent(x_, code, True, 0);
  ::XTestFakeKeyEvent(x_, code, False, 0);
  if (with_shift) ::XTestFakeKeyEvent(x_, shift, False, 0);
  done();
}
void display::key(special k) { stroke(static_cast<unsigned long>(k), false); }
void display::type(const std::string& text) {
  for (const char c : text) stroke(static_cast<unsigned char>(c), needs_shift(c));
}

void display::chord(char letter) {
  const KeyCode control = ::XKeysymToKeycode(x_, XK_Control_L);
  ::XTestFakeKeyEvent(x_, control, True, 0);
  stroke(static_cast<unsigned char>(letter), false);
  ::XTestFakeKeyEvent(x_, control, False, 0);
  done();
}

void display::close(int x, int y) {
  const ::Window root = DefaultRootWindow(x_);
  int right = 0, below = 0;
  ::Window there = None;
  ::XTranslateCoordinates(x_, root, root, x, y, &right, &below, &there);
  XEvent event{};
  event.xclient.type = ClientMessage;
  event.xclient.window = there;
  event.xclient.message_type = ::XInternAtom(x_, "WM_PROTOCOLS", False);
  event.xclient.format = 32;
  event.xclient.data.l[0] = static_cast<long>(::XInternAtom(x_, "WM_DELETE_WINDOW", False));
  ::XSendEvent(x_, there, False, NoEventMask, &event);
  done();
}

void display::take_picture(int x, int y, int width, int height, const std::string& name) {
  const char* const folder = std::getenv("TACT_PICTURES");
  if (folder == nullptr) return;
  const auto w = static_cast<unsigned>(width);
  const auto h = static_cast<unsigned>(height);
  XImage* const image = ::XGetImage(x_, DefaultRootWindow(x_), x, y, w, h, AllPlanes, ZPixmap);
  if (image == nullptr) throw std::runtime_error("the X server shows nothing there");
  std::vector<unsigned char> pixels;
  pixels.reserve(std::size_t{3} * w * h);
  for (int row = 0; row < height; ++row) {
    for (int column = 0; column < width; ++column) {
      const unsigned long p = XGetPixel(image, column, row);
      for (const int shift : {16, 8, 0}) pixels.push_back(static_cast<unsigned char>(p >> shift & 0xFF));
    }
  }
  XDestroyImage(image);
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  png.width = w;
  png.height = h;
  png.format = PNG_FORMAT_RGB;
  const std::string path = std::string(folder) + "/" + name + ".png";
  if (::png_image_write_to_file(&png, path.c_str(), 0, pixels.data(), 0, nullptr) == 0) {
    throw std::runtime_error(path + " was not written");
  }
}

std::uint32_t display::color(int x, int y) {
  XImage* const image = ::XGetImage(x_, DefaultRootWindow(x_), x, y, 1, 1, AllPlanes, ZPixmap);
  if (image == nullptr) throw std::runtime_error("the X server shows nothing there");
  const auto pixel = static_cast<std::uint32_t>(XGetPixel(image, 0, 0));
  XDestroyImage(image);
  return pixel & 0xFFFFFFU;
}

}  // namespace tact::gui_tests
