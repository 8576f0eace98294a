/* What the sinks share. */
#ifndef RENDER_SINK_COMMON_H
#define RENDER_SINK_COMMON_H

#include "render/sink/sink.h"

/* STATUS_USAGE, with the nearest size that works, when `format` halves the chroma planes, the width
 * or height is odd and the picture is not to be padded. */
enum status sink_check_even(enum picture_format format, uint32_t width, uint32_t height, bool pad);

/* STATUS_RUNTIME when the picture is not what the sink asked for. */
enum status sink_check_picture(const struct sink *sink, const struct picture *picture,
                               uint32_t width, uint32_t height);

#endif
