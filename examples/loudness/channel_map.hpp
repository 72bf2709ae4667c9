// Which loudspeaker a channel of a sound file belongs to: the sides and the back weigh more, the bass channel nothing.
#pragma once

#include <sndfile.h>

#include <vector>

namespace loudness {

// One libebur128 channel type per channel, from the file's own map or else from its format's customary order.
std::vector<int> channel_map(SNDFILE* file, const SF_INFO& info);

}  // namespace loudness
