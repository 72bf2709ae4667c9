#include "channel_map.hpp"

#include <ebur128.h>

#include <algorithm>
#include <cstddef>

namespace loudness {
namespace {

using positions = std::vector<int>;

constexpr int front_left = SF_CHANNEL_MAP_LEFT;
constexpr int front_right = SF_CHANNEL_MAP_RIGHT;
constexpr int front_center = SF_CHANNEL_MAP_CENTER;
constexpr int bass = SF_CHANNEL_MAP_LFE;
constexpr int rear_left = SF_CHANNEL_MAP_REAR_LEFT;
constexpr int rear_right = SF_CHANNEL_MAP_REAR_RIGHT;
constexpr int rear_center = SF_CHANNEL_MAP_REAR_CENTER;
constexpr int side_left = SF_CHANNEL_MAP_SIDE_LEFT;
constexpr int side_right = SF_CHANNEL_MAP_SIDE_RIGHT;

// Vorbis and Opus have the centre between left and right, and the bass last.
positions vorbis_order(int channels) {
  switch (channels) {
    case 3:
      return {front_left, front_center, front_right};
    case 5:
      return {front_left, front_center, front_right, rear_left, rear_right};
    case 6:
      return {front_left, front_center, front_right, rear_left, rear_right, bass};
    case 7:
      return {front_left, front_center, front_right, side_left, side_right, rear_center, bass};
    case 8:
      return {front_left, front_center, front_right, side_left, side_right, rear_left, rear_right, bass};
    default:
      return {};
  }
}

// WAV and FLAC.
positions wave_order(int channels) {
  switch (channels) {
    case 3:
      return {front_left, front_right, front_center};
    case 4:
      return {front_left, front_right, rear_left, rear_right};
    case 5:
      return {front_left, front_right, front_center, rear_left, rear_right};
    case 6:
      return {front_left, front_right, front_center, bass, rear_left, rear_right};
    case 7:
      return {front_left, front_right, front_center, bass, rear_center, side_left, side_right};
    case 8:
      return {front_left, front_right, front_center, bass, rear_left, rear_right, side_left, side_right};
    default:
      return {};
  }
}

positions customary_order(const SF_INFO& info) {
  const bool ogg = (info.format & SF_FORMAT_TYPEMASK) == SF_FORMAT_OGG;
  if (ogg && info.channels != 4) return vorbis_order(info.channels);
  return wave_order(info.channels);
}

positions positions_of(SNDFILE* file, const SF_INFO& info) {
  positions own(static_cast<std::size_t>(info.channels));
  const int bytes = static_cast<int>(own.size() * sizeof(int));
  if (sf_command(file, SFC_GET_CHANNEL_MAP_INFO, own.data(), bytes) == SF_TRUE) return own;
  return customary_order(info);
}

// With side loudspeakers beside them the rear ones stand further back, where BS.1770 gives no extra weight.
int type_of(int position, bool has_sides) {
  switch (position) {
    case SF_CHANNEL_MAP_LFE:
      return EBUR128_UNUSED;
    case SF_CHANNEL_MAP_RIGHT:
    case SF_CHANNEL_MAP_FRONT_RIGHT:
      return EBUR128_RIGHT;
    case SF_CHANNEL_MAP_CENTER:
    case SF_CHANNEL_MAP_FRONT_CENTER:
      return EBUR128_CENTER;
    case SF_CHANNEL_MAP_REAR_LEFT:
      return has_sides ? EBUR128_Mp135 : EBUR128_LEFT_SURROUND;
    case SF_CHANNEL_MAP_REAR_RIGHT:
      return has_sides ? EBUR128_Mm135 : EBUR128_RIGHT_SURROUND;
    case SF_CHANNEL_MAP_REAR_CENTER:
      return EBUR128_Mp180;
    case SF_CHANNEL_MAP_SIDE_LEFT:
      return EBUR128_Mp090;
    case SF_CHANNEL_MAP_SIDE_RIGHT:
      return EBUR128_Mm090;
    default:
      return EBUR128_LEFT;  // weight 1, as everything else has
  }
}

}  // namespace

std::vector<int> channel_map(SNDFILE* file, const SF_INFO& info) {
  const positions known = positions_of(file, info);
  std::vector<int> types(static_cast<std::size_t>(info.channels), EBUR128_LEFT);
  const bool has_sides = std::find(known.begin(), known.end(), side_left) != known.end();
  std::transform(known.begin(), known.end(), types.begin(),
                 [has_sides](int position) { return type_of(position, has_sides); });
  return types;
}

}  // namespace loudness
