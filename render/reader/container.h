/* Opens the containers that this program writes, and no others: a playlist, for one, could make
 * libav open further files. Thread-safe. */
#ifndef RENDER_READER_CONTAINER_H
#define RENDER_READER_CONTAINER_H

#include "base/status.h"

struct AVFormatContext;

/* With its streams found out. STATUS_IO when the file cannot be read, STATUS_USAGE when it is not a
 * whole film of such a container. Close with avformat_close_input. */
enum status film_container_open(const char *path, struct AVFormatContext **out);

#endif
