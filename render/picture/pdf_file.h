/* One PDF file of a page with a picture, for print, written whole or not at all. Thread-safe. */
#pragma once

#include "base/tag.h"
#include "render/picture/picture.h"

enum { PDF_PIXELS_PER_INCH = 300 };

/* STATUS_USAGE for a picture that such a file cannot contain. */
enum status pdf_file_check(enum picture_alpha alpha);

/* Writes a picture of PICTURE_RGBA8, without loss, PDF_PIXELS_PER_INCH on the page. Of the tags the
 * title, the program, the time of creation and, as keywords, the packed ones are kept; without a
 * time of creation the same picture gives the same bytes. *bytes is the file's size. */
enum status pdf_file_write(const char *name, const struct picture *picture, const struct tags *tags,
                           uint64_t *bytes);
