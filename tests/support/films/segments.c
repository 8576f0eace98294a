#include "tests/support/test.h"

#include "tests/support/films/decode.h"
#include "tests/support/films/segments.h"

#include "render/video/codecs.h"
#include "tests/support/choose.h"
#include "tests/support/films/sink_fixture.h"

static void make_one(const struct sink_params *params, uint64_t first, uint64_t count)
{
    struct sink *sink;
    assert_ok(sink_open(params, &sink));
    struct picture picture;
    fixture_picture(&picture, sink->format, params->width, params->height);
    for (uint64_t n = first; n < first + count; n++) {
        fixture_draw(&picture, n);
        assert_ok(sink->ops->write(sink, &picture));
    }
    fixture_free(&picture);
    assert_ok(sink->ops->close(&sink, true, NULL, NULL));
}

void segments_make(struct segments *segments, const char *folder, const char *extension,
                   const struct sink_params *params, const uint64_t *lengths)
{
    *segments = (struct segments){0};
    uint64_t first = 0;
    for (size_t s = 0; lengths[s] > 0; s++) {
        assert_true(s < SEGMENTS_MAX);
        snprintf(segments->names[s], sizeof segments->names[s], "%s/%zu.%s", folder, s, extension);
        struct sink_params segment = *params;
        segment.path = segments->names[s];
        make_one(&segment, first, lengths[s]);
        segments->list[s] = (struct join_segment){segments->names[s], lengths[s]};
        segments->count++;
        first += lengths[s];
    }
    snprintf(segments->film, sizeof segments->film, "%s/film.%s", folder, extension);
    segments->params = (struct join_params){.segments = segments->list,
                                            .count = segments->count,
                                            .path = segments->film,
                                            .container = choose(&container_registry, extension),
                                            .fps_num = params->fps_num,
                                            .fps_den = params->fps_den,
                                            .tags = params->tags};
}

static uint64_t hash_frame(const struct decoded *film)
{
    uint64_t hash = 14695981039346656037u;
    for (int plane = 0; plane < 3; plane++) {
        int width = plane ? film->width >> film->chroma_shift_x : film->width;
        int height = plane ? film->height >> film->chroma_shift_y : film->height;
        for (int y = 0; y < height; y++)
            for (int x = 0; x < width; x++)
                hash = (hash ^ (uint64_t)decode_sample(film, plane, x, y)) * 1099511628211u;
    }
    return hash;
}

uint64_t segments_decode(const char *path, uint64_t *hashes, double *times, uint64_t limit)
{
    struct decoded film;
    assert_true(decode_open(&film, path));
    while (decode_next(&film)) {
        if (film.frames > limit)
            continue;
        hashes[film.frames - 1] = hash_frame(&film);
        if (times)
            times[film.frames - 1] = film.time;
    }
    uint64_t frames = film.frames;
    decode_close(&film);
    return frames;
}
