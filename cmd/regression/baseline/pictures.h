/* Lossless compression of a picture as the encoder was given it. Every sample of a plane is
 * predicted from earlier ones (the median of the left one, the upper one and the gradient;
 * Weinberger, Seroussi & Sapiro 2000), and the residuals are deflated. Thread-safe. */
#pragma once

#include "base/status.h"
#include "render/picture/picture.h"

/* The caller frees *data. */
enum status picture_pack(const struct picture *picture, void **data, size_t *size);

/* picture_free frees *out. Returns STATUS_IO when the data are not such a picture, STATUS_RUNTIME
 * when memory is short. */
enum status picture_unpack(const void *data, size_t size, struct picture **out);
void picture_free(struct picture **picture); /* accepts a pointer to NULL */

/* Makes a copy with its own memory; picture_free frees it. */
enum status picture_copy(const struct picture *picture, struct picture **out);
