/* What a film was made with and on. */
#ifndef CMD_RECORD_PLATFORM_H
#define CMD_RECORD_PLATFORM_H

#include "cmd/film/film.h"
#include "cmd/record/record.h"
#include "render/sink/sink.h"

/* Fills in platform, renderer_class, device and libraries. */
void platform_describe(struct record *record, const struct film *film,
                       const struct sink_plan *plan);

/* "llvmpipe-256" for "llvmpipe (LLVM 15.0.6, 256 bits)", "nvidia", "radeonsi", ...; for what is not
 * known the first word, in lower case. The caller frees it. */
char *platform_renderer_class(const char *renderer);

#endif
