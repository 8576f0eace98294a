/* Small pictures of known colours and a folder to put films into. */
#pragma once

#include "render/sinks.h"
#include "render/video/codecs.h"

#include <stdbool.h>

enum {
    FIXTURE_WIDTH = 128,
    FIXTURE_HEIGHT = 96,
    FIXTURE_BLOCK = 16, /* colours fill blocks of this size in the rows above FIXTURE_GRADIENT */
    FIXTURE_GRADIENT = 64,
};

/* The colour of a pixel of frame n, 0..1: blocks of eight colours in four brightnesses, below them
 * a grey gradient with a white square that moves with n. */
void fixture_colour(int x, int y, uint64_t n, double rgb[3]);

/* Allocates a picture, unlike the sinks' with rows longer than they need and rubbish behind them.
 */
void fixture_picture(struct picture *picture, enum picture_format format, uint32_t width,
                     uint32_t height);
void fixture_free(struct picture *picture);

/* Draws frame n, alpha from 0 on the left to full on the right; noise makes it incompressible
 * instead. */
void fixture_draw(struct picture *picture, uint64_t n);
void fixture_noise(struct picture *picture, uint64_t n);

/* Draws rgb[height][width][3] of 16 bits, as render/reader gives it; chroma at half size is the
 * mean of the pixels that it covers. */
void fixture_rgb(struct picture *picture, const uint16_t *rgb);

/* 128x96 at 30 frames a second, codec "auto", 2 threads, 8-bit PNG, no tags. */
struct sink_params fixture_params(const char *path);

/* Entries of the registries, NULL for the codec "auto" and the chroma 0; whether a codec opens on
 * this machine. */
const struct codec *fixture_codec(const char *name);
const struct chroma *fixture_chroma(unsigned digits);
bool fixture_codec_opens(const char *name);

/* A new folder under the system's temporary one, and its removal with all that it holds. */
char *fixture_folder(void);
void fixture_remove_folder(char *folder);

/* A test whose state is such a folder. */
int fixture_setup(void **state);
int fixture_teardown(void **state);

/* "FOLDER/NAME", valid for the next four calls. */
const char *fixture_path(const char *folder, const char *name);
int fixture_count_files(const char *folder);

/* Opens, writes `frames` pictures and closes; the first failure. */
enum status fixture_film(const struct sink_params *params, uint64_t frames,
                         void (*draw)(struct picture *, uint64_t));

/* Whether two files hold the same bytes; false when one cannot be read or both are empty. */
bool fixture_same_files(const char *a, const char *b);
