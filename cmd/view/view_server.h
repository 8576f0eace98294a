/* The server of `gravreel view`: HTTP on the loopback, by libmicrohttpd, which Debian packages,
 * which needs no other library and brings its own threads. One thread per connection; at most 32
 * connections, 240 answers a second and 128 KiB of fields a request. */
#pragma once

#include "cmd/view/view_motion.h"
#include "cmd/view/view_pictures.h"

#include <signal.h>

struct view_settings {
    struct view_source source;
    const char *name; /* of what the command line names, for the page's title */
    const char *save; /* the path that the page can save to; NULL: none */
    const char *film; /* the film that the page can render; NULL: none */
};

struct server;

/* STATUS_RUNTIME if no port is free. */
enum status server_open(struct server **out, const struct view_settings *settings);
/* Ends connections, a film that is being rendered, which can be resumed, drawing and simulation. A
 * pilot run cannot be stopped: if one goes on, the process ends after a second with exit code 0.
 * Accepts a pointer to NULL. */
void server_close(struct server **server);

/* "http://127.0.0.1:34567/TOKEN/" */
const char *server_address(const struct server *server);
