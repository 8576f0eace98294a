#include "cmd/film/turn/paths.h"

#include "base/memory.h"
#include "sim/playback/playback.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- arithmetic shared by both directions ---- */

static double velocity_step(const struct paths *paths, double tolerance, uint32_t from, uint32_t to)
{
    const double all = fabs(paths->time[paths->frames - 1] - paths->time[0]);
    const double half = 0.5 * fabs(paths->time[to] - paths->time[from]);
    const double least = all > 0 ? 1e-6 * all : 1; /* time may stand still */
    return 3 * tolerance / (half > least ? half : least);
}

static void widen(const struct path_row *row, double position[3], double velocity[3])
{
    for (int i = 0; i < 3; i++) {
        position[i] = (double)row->position[i];
        velocity[i] = (double)row->velocity[i];
    }
}

static void interpolate(const struct paths *paths, uint32_t from, uint32_t to, uint32_t at,
                        const struct path_row *a, const struct path_row *b, double position[3],
                        double velocity[3])
{
    const double span = paths->time[to] - paths->time[from];
    if (span == 0) {
        widen(a, position, velocity);
        return;
    }
    const struct hermite by = hermite_at((paths->time[at] - paths->time[from]) / span, span);
    for (int i = 0; i < 3; i++) {
        double out[3];
        hermite_move(&by, (double)a->position[i], (double)b->position[i], (double)a->velocity[i],
                     (double)b->velocity[i], out);
        position[i] = out[0];
        velocity[i] = out[1];
    }
}

/* ---- coding ---- */

struct stream {
    uint8_t *bytes;
    size_t size, room;
};

struct coder {
    const struct paths *paths;
    double tolerance;
    const struct path_row *rows; /* of the body */
    struct stream streams[PATH_LEVELS][PATH_STREAMS];
    uint64_t moments;
};

static void put_byte(struct stream *stream, unsigned byte)
{
    if (stream->size == stream->room) {
        stream->room = stream->room ? 2 * stream->room : 4096;
        stream->bytes = memory_grow(stream->bytes, stream->room, 1);
    }
    stream->bytes[stream->size++] = (uint8_t)byte;
}

static void put_number(struct stream *stream, int64_t number)
{
    uint64_t rest = (uint64_t)number << 1 ^ (uint64_t)(number >> 63);
    for (; rest >= 128; rest >>= 7)
        put_byte(stream, (unsigned)(rest & 127) | 128);
    put_byte(stream, (unsigned)rest);
}

/* Codes one number; returns what decoding gives. */
static float code_number(struct stream *stream, double step, double expected, float value)
{
    const double steps = round(((double)value - expected) / step);
    const int64_t number = isfinite(steps) && fabs(steps) < 1e15 ? (int64_t)steps : 0;
    put_number(stream, number);
    return (float)(expected + (double)number * step);
}

static struct path_row code_moment(struct coder *coder, int level, double step, double speed_step,
                                   const double position[3], const double velocity[3],
                                   const struct path_row *row)
{
    struct path_row decoded;
    for (int i = 0; i < 3; i++) {
        decoded.position[i] =
            code_number(&coder->streams[level][1 + i], step, position[i], row->position[i]);
        decoded.velocity[i] =
            code_number(&coder->streams[level][4 + i], speed_step, velocity[i], row->velocity[i]);
    }
    coder->moments++;
    return decoded;
}

static bool errs(const struct coder *coder, uint32_t from, uint32_t to, const struct path_row *a,
                 const struct path_row *b)
{
    const double most = coder->tolerance * coder->tolerance;
    for (uint32_t at = from + 1; at < to; at++) {
        double position[3], velocity[3], square = 0;
        interpolate(coder->paths, from, to, at, a, b, position, velocity);
        for (int i = 0; i < 3; i++) {
            const double apart = position[i] - (double)coder->rows[at].position[i];
            square += apart * apart;
        }
        if (!(square <= most))
            return true;
    }
    return false;
}

static void code_between(struct coder *coder, int level, uint32_t from, uint32_t to,
                         const struct path_row *a, const struct path_row *b)
{
    if (to - from < 2)
        return;
    const bool divided = level + 1 < PATH_LEVELS && errs(coder, from, to, a, b);
    put_byte(&coder->streams[level][0], divided);
    if (!divided)
        return;
    const uint32_t middle = from + (to - from) / 2;
    double position[3], velocity[3];
    interpolate(coder->paths, from, to, middle, a, b, position, velocity);
    const struct path_row row = code_moment(coder, level + 1, coder->tolerance,
                                            velocity_step(coder->paths, coder->tolerance, from, to),
                                            position, velocity, &coder->rows[middle]);
    code_between(coder, level + 1, from, middle, a, &row);
    code_between(coder, level + 1, middle, to, &row, b);
}

static void code_body(struct coder *coder)
{
    const struct paths *paths = coder->paths;
    const uint32_t last = paths->frames - 1;
    const double zero[3] = {0}, speed_step = velocity_step(paths, coder->tolerance, 0, last);
    const struct path_row a =
        code_moment(coder, 0, coder->tolerance, speed_step, zero, zero, &coder->rows[0]);
    if (last == 0)
        return;
    double position[3], velocity[3];
    widen(&a, position, velocity);
    const struct path_row b =
        code_moment(coder, 0, coder->tolerance, speed_step, position, velocity, &coder->rows[last]);
    code_between(coder, 0, 0, last, &a, &b);
}

void paths_code(const struct paths *paths, double tolerance, struct path_streams *out)
{
    struct coder coder = {.paths = paths, .tolerance = tolerance};
    *out = (struct path_streams){0};
    for (size_t body = 0; body < paths->bodies; body++) {
        coder.rows = paths->rows + body * paths->frames;
        code_body(&coder);
    }
    for (int l = 0; l < PATH_LEVELS; l++)
        for (int s = 0; s < PATH_STREAMS; s++)
            out->size += coder.streams[l][s].size;
    out->bytes = memory_new(out->size + 1, 1);
    out->moments = coder.moments;
    size_t at = 0;
    for (int l = 0; l < PATH_LEVELS; l++)
        for (int s = 0; s < PATH_STREAMS; s++) {
            const struct stream *stream = &coder.streams[l][s];
            out->length[l][s] = (uint32_t)stream->size;
            if (stream->size > 0)
                memcpy(out->bytes + at, stream->bytes, stream->size);
            at += stream->size;
            free(stream->bytes);
        }
}

void path_streams_free(struct path_streams *streams)
{
    free(streams->bytes);
    *streams = (struct path_streams){0};
}

/* ---- decoding ---- */

struct reading {
    const uint8_t *at, *end;
};

struct decoder {
    const struct paths *paths;
    double tolerance;
    struct reading streams[PATH_LEVELS][PATH_STREAMS];
    struct path_row *rows; /* of the body */
    bool broken;           /* a stream has ended too early */
};

static unsigned take_byte(struct decoder *decoder, struct reading *stream)
{
    if (stream->at < stream->end)
        return *stream->at++;
    decoder->broken = true;
    return 0;
}

static double take_number(struct decoder *decoder, struct reading *stream)
{
    uint64_t rest = 0;
    unsigned byte;
    int shift = 0;
    do {
        byte = take_byte(decoder, stream);
        rest |= shift < 64 ? (uint64_t)(byte & 127) << shift : 0;
        shift += 7;
    } while (byte & 128);
    return (double)(int64_t)(rest >> 1 ^ -(rest & 1));
}

static struct path_row take_moment(struct decoder *decoder, int level, double step,
                                   double speed_step, const double position[3],
                                   const double velocity[3])
{
    struct path_row row;
    struct reading *streams = decoder->streams[level];
    for (int i = 0; i < 3; i++) {
        row.position[i] = (float)(position[i] + take_number(decoder, &streams[1 + i]) * step);
        row.velocity[i] = (float)(velocity[i] + take_number(decoder, &streams[4 + i]) * speed_step);
    }
    return row;
}

static void decode_between(struct decoder *decoder, int level, uint32_t from, uint32_t to,
                           const struct path_row *a, const struct path_row *b)
{
    double position[3], velocity[3];
    if (to - from < 2)
        return;
    if (!take_byte(decoder, &decoder->streams[level][0])) {
        for (uint32_t at = from + 1; at < to; at++) {
            interpolate(decoder->paths, from, to, at, a, b, position, velocity);
            for (int i = 0; i < 3; i++) {
                decoder->rows[at].position[i] = (float)position[i];
                decoder->rows[at].velocity[i] = (float)velocity[i];
            }
        }
        return;
    }
    if (level + 1 >= PATH_LEVELS) {
        decoder->broken = true;
        return;
    }
    const uint32_t middle = from + (to - from) / 2;
    interpolate(decoder->paths, from, to, middle, a, b, position, velocity);
    const struct path_row row = take_moment(
        decoder, level + 1, decoder->tolerance,
        velocity_step(decoder->paths, decoder->tolerance, from, to), position, velocity);
    decoder->rows[middle] = row;
    decode_between(decoder, level + 1, from, middle, a, &row);
    decode_between(decoder, level + 1, middle, to, &row, b);
}

static void decode_body(struct decoder *decoder)
{
    const struct paths *paths = decoder->paths;
    const uint32_t last = paths->frames - 1;
    const double zero[3] = {0}, speed_step = velocity_step(paths, decoder->tolerance, 0, last);
    const struct path_row a = take_moment(decoder, 0, decoder->tolerance, speed_step, zero, zero);
    decoder->rows[0] = a;
    if (last == 0)
        return;
    double position[3], velocity[3];
    widen(&a, position, velocity);
    const struct path_row b =
        take_moment(decoder, 0, decoder->tolerance, speed_step, position, velocity);
    decoder->rows[last] = b;
    decode_between(decoder, 0, 0, last, &a, &b);
}

enum status paths_decode(const struct paths *paths, double tolerance,
                         const struct path_streams *streams,
                         void (*take)(void *user, size_t body, const struct path_row *rows),
                         void *user)
{
    struct decoder decoder = {.paths = paths,
                              .tolerance = tolerance,
                              .rows = memory_new(paths->frames, sizeof *decoder.rows)};
    const uint8_t *at = streams->bytes, *end = at + streams->size;
    for (int l = 0; l < PATH_LEVELS; l++)
        for (int s = 0; s < PATH_STREAMS; s++) {
            const size_t left = (size_t)(end - at), length = streams->length[l][s];
            decoder.streams[l][s] = (struct reading){at, at + (length < left ? length : left)};
            at = decoder.streams[l][s].end;
        }
    for (size_t body = 0; body < paths->bodies; body++) {
        decode_body(&decoder);
        take(user, body, decoder.rows);
    }
    free(decoder.rows);
    bool rest = at != end;
    for (int l = 0; l < PATH_LEVELS; l++)
        for (int s = 0; s < PATH_STREAMS; s++)
            rest |= decoder.streams[l][s].at != decoder.streams[l][s].end;
    return decoder.broken || rest
               ? status_fail(STATUS_IO, "the coded paths of %zu bodies are damaged", paths->bodies)
               : STATUS_OK;
}
