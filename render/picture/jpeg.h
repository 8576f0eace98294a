/* Pictures as JPEG, by libjpeg-turbo. Thread-safe. */
#pragma once

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

/* Encodes rows of red, green, blue and a byte that is ignored, `stride` bytes apart, with chroma at
 * full size from a quality of 90 on. The caller frees *out. STATUS_RUNTIME if libjpeg fails. */
enum status jpeg_encode(const uint8_t *pixels, uint32_t width, uint32_t height, size_t stride,
                        int quality, uint8_t **out, size_t *size);

/* "libjpeg-turbo 2.1.5". */
void jpeg_library(char *out, size_t size);
