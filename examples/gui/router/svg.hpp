// Saves the picture as an SVG file, each time that it changes.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include <tact/tact.hpp>

#include "picture.hpp"

namespace router {

std::string_view colour_name(int colour) noexcept;  // of CSS
std::string to_svg(const picture& p, int width, int height);

// Writes the file anew with each picture; blocking, for it waits for the disk.
class saver : public tact::actor<saver, picture_ptr> {
 public:
  // `tells` gets what went wrong, and an empty text when all is well again. It is called on the actor's thread.
  saver(std::filesystem::path file, int width, int height, std::function<void(const std::string&)> tells)
      : file_(std::move(file)), width_(width), height_(height), tells_(std::move(tells)) {}
  void receive(tact::self<saver>& self, const picture_ptr& m);

 private:
  std::filesystem::path file_;
  int width_;
  int height_;
  std::function<void(const std::string&)> tells_;
};

}  // namespace router
