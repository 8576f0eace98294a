/* Describes what a film was made with and on. */
#pragma once

#include "cmd/film/film.h"
#include "cmd/film/job/target.h"
#include "cmd/regression/record/record.h"

/* Fills in platform, renderer_class, device, libraries and encoding. The encoder's text also names
 * the GPU or the processor where the bits depend on it: with a GPU encoder, and if the scene does
 * not set output.deterministic. */
void platform_describe(struct record *record, const struct film *film, const struct target *target);

/* Returns "llvmpipe-256" for "llvmpipe (LLVM 15.0.6, 256 bits)", "nvidia", "radeonsi", ...; for an
 * unknown renderer its first word, in lower case. The caller frees it. */
char *platform_renderer_class(const char *renderer);
