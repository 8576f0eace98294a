/* A picture as the encoder was given it, without loss: every plane's samples less what those before
 * them let expect (the median of left, upper and their plane; Weinberger, Seroussi & Sapiro 2000),
 * deflated. Thread-safe. */
#ifndef CMD_REGRESSION_BASELINE_PICTURES_H
#define CMD_REGRESSION_BASELINE_PICTURES_H

#include "base/status.h"
#include "render/picture/picture.h"

/* The caller frees *data. */
enum status picture_pack(const struct picture *picture, void **data, size_t *size);

/* picture_free frees *out. STATUS_IO when it is not such a picture; STATUS_RUNTIME when memory is
 * short. */
enum status picture_unpack(const void *data, size_t size, struct picture **out);
void picture_free(struct picture **picture); /* accepts a pointer to NULL */

/* A copy in memory of its own, for picture_free. */
enum status picture_copy(const struct picture *picture, struct picture **out);

#endif
