/* Films by libav: pictures are encoded and written into a container. */
#pragma once

#include "base/status.h"

#include <stddef.h>

struct codec;

/* Opens and closes the encoder at a small size. STATUS_DEVICE, with the reason, if it does not
 * open. */
enum status video_probe(const struct codec *codec);

/* "libavcodec 59.37.100, libavformat 59.27.100". */
void video_libraries(char *out, size_t size);
