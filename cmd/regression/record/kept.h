/* Pictures on their way into the encoder, kept until the film is read back. */
#ifndef CMD_REGRESSION_RECORD_KEPT_H
#define CMD_REGRESSION_RECORD_KEPT_H

#include "render/picture/picture.h"

/* Small copies of the pictures that were encoded. */
struct kept_pictures {
    struct picture_layout layout;
    uint8_t **data; /* [record's frames]: layout.size bytes; NULL: not kept */
};

#endif
