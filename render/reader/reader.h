/* Reads a film's pictures back: a film in a container that this program writes, a sequence of PNG
 * files given by its pattern ("frames/%06d.png", "frames/####.png"), or one PNG file.
 *
 * Pictures are given as RGB of 16 bits a channel, native byte order, full range, rows from the top,
 * whatever the source holds: 8-bit RGB comes as v * 257. Y'CbCr is converted by the matrix and
 * range that the film names (Rec. ITU-R BT.709-6, BT.601-7, BT.2020-2), BT.709 at limited range
 * when it names none; chroma at half size is interpolated linearly from where its samples lie.
 * Alpha is left out. Used by one thread at a time. */
#ifndef RENDER_READER_READER_H
#define RENDER_READER_READER_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

struct film_reader;

struct film_reader_info {
    uint32_t width, height;
    uint32_t fps_num, fps_den; /* 0/0: not known, as for PNG files */
    uint64_t first, frames;    /* frames first .. first + frames - 1; a sequence has its files'
                                  numbers, all else begins at 0 */
    uint32_t bits;             /* a sample of the source */
    bool is_video;             /* not PNG */
};

/* STATUS_IO when nothing can be read there; STATUS_USAGE when it is neither film nor PNG, or holds
 * no picture. A film is scanned to its end, without being decoded, so that frames can be counted
 * and found. A sequence may have gaps: its missing files fail when they are read. */
enum status film_reader_open(struct film_reader **out, const char *path);
void film_reader_close(struct film_reader **reader); /* accepts a pointer to NULL */

/* Valid while the reader is open. */
const struct film_reader_info *film_reader_info(const struct film_reader *reader);

/* Seconds after the first frame at which the frame is shown; negative: not known. */
double film_reader_time(const struct film_reader *reader, uint64_t frame);

/* Reads one frame into rgb[height][width][3], exactly the one asked for. Reading forwards costs no
 * more than decoding once. STATUS_IO for what cannot be read or decoded. */
enum status film_reader_read(struct film_reader *reader, uint64_t frame, uint16_t *rgb);

/* Reads the frame behind the one read last, at first the first. *frame is its number; *more is
 * false, and nothing is read, behind the last one. */
enum status film_reader_next(struct film_reader *reader, uint16_t *rgb, uint64_t *frame,
                             bool *more);

#endif
