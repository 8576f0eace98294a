#include "cmd/regression/record/record.h"

#include "base/memory.h"
#include "base/splitmix.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void diagnostics_clear(struct diagnostics *d)
{
    d->mass = d->kinetic = d->potential = d->energy = d->virial = NAN;
    for (int c = 0; c < 3; c++)
        d->centre[c] = d->momentum[c] = d->angular_momentum[c] = NAN;
}

static void sketch_clear(double sketch[RECORD_SKETCH])
{
    for (int k = 0; k < RECORD_SKETCH; k++)
        sketch[k] = NAN;
}

void frame_record_clear(struct frame_record *frame, uint64_t number)
{
    *frame = (struct frame_record){
        .frame = number,
        .time = NAN,
        .half_mass = NAN,
        .picture_light = NAN,
        .psnr_y = NAN,
        .psnr_cb = NAN,
        .psnr_cr = NAN,
        .ssim = NAN,
        .bias = NAN,
    };
    for (int c = 0; c < 3; c++)
        frame->light_sum[c] = NAN;
    sketch_clear(frame->sketch);
    diagnostics_clear(&frame->diagnostics);
    for (int o = 0; o < RECORD_OTHERS; o++) {
        struct bodies_record *other = &frame->others[o];
        other->half_mass = NAN;
        sketch_clear(other->sketch);
        diagnostics_clear(&other->diagnostics);
    }
}

bool frame_record_take_diagnostics(struct frame_record *frame, const struct frame_record *known)
{
    if (!*known->state || strcmp(known->state, frame->state) != 0 ||
        isnan(known->diagnostics.energy) || isnan(known->half_mass))
        return false;
    for (int o = 0; o < RECORD_OTHERS; o++)
        if (*frame->others[o].state && isnan(known->others[o].diagnostics.energy))
            return false;
    frame->diagnostics = known->diagnostics;
    frame->half_mass = known->half_mass;
    for (int o = 0; o < RECORD_OTHERS; o++) {
        frame->others[o].diagnostics = known->others[o].diagnostics;
        frame->others[o].half_mass = known->others[o].half_mass;
    }
    return true;
}

enum status record_create(struct record *record, uint64_t first, uint64_t count)
{
    *record = (struct record){.count = count};
    if (count <= SIZE_MAX / sizeof *record->frames)
        record->frames = malloc((size_t)count * sizeof *record->frames);
    if (!record->frames) {
        record->count = 0;
        return status_fail(STATUS_RUNTIME,
                           "the record of %llu frames needs %llu MiB, which do not fit in memory",
                           (unsigned long long)count,
                           (unsigned long long)(count / 1024 * sizeof *record->frames / 1024));
    }
    for (uint64_t i = 0; i < count; i++)
        frame_record_clear(&record->frames[i], first + i);
    return STATUS_OK;
}

void record_set_commit(struct record *record, const char *commit)
{
    free(record->commit);
    record->commit = memory_text(commit && strcmp(commit, "unknown") != 0 ? commit : "");
}

void record_free(struct record *record)
{
    struct container_record *container = &record->container;
    struct platform *platform = &record->platform;
    char *const texts[] = {
        record->program,         record->renderer_class, record->device,
        record->libraries,       platform->physics,      platform->drawing,
        platform->encoder,       platform->muxer,        platform->start,
        record->scene,           record->scene_hash,     record->output_format,
        container->format,       container->codec,       container->profile,
        container->pixel_format, container->range,       container->matrix,
        container->transfer,     container->primaries,   container->chroma_site,
        container->time_base,    record->commit,         record->encoding,
        container->pixel_aspect,
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        free(texts[i]);
    for (int o = 0; o < RECORD_OTHERS; o++)
        free(record->other_panel[o]);
    for (size_t s = 0; s < record->section_count; s++) {
        free(record->sections[s].name);
        free(record->sections[s].text);
    }
    for (uint32_t i = 0; i < record->box_count; i++)
        free(record->boxes[i].name);
    free(container->shown);
    free(record->sections);
    free(record->boxes);
    free(record->shows);
    free(record->frames);
    *record = (struct record){0};
}

struct frame_record *record_frame(const struct record *record, uint64_t frame)
{
    uint64_t low = 0, high = record->count;
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (record->frames[middle].frame < frame)
            low = middle + 1;
        else
            high = middle;
    }
    return low < record->count && record->frames[low].frame == frame ? &record->frames[low] : NULL;
}

/* ---- sections ---- */

static size_t find_section(const struct record *record, const char *name)
{
    size_t s = 0;
    while (s < record->section_count && strcmp(record->sections[s].name, name) != 0)
        s++;
    return s;
}

static void remove_section(struct record *record, size_t s)
{
    free(record->sections[s].name);
    free(record->sections[s].text);
    record->section_count--;
    memmove(&record->sections[s], &record->sections[s + 1],
            (record->section_count - s) * sizeof *record->sections);
}

void record_set_section(struct record *record, const char *name, const char *text)
{
    const size_t s = find_section(record, name);
    char *copy = text ? memory_text(text) : NULL;
    if (s == record->section_count && copy) {
        record->sections = memory_grow(record->sections, s + 1, sizeof *record->sections);
        record->sections[record->section_count++] =
            (struct record_section){memory_text(name), copy};
    } else if (s < record->section_count && copy) {
        free(record->sections[s].text);
        record->sections[s].text = copy;
    } else if (s < record->section_count) {
        remove_section(record, s);
    }
}

const char *record_section(const struct record *record, const char *name)
{
    const size_t s = find_section(record, name);
    return s < record->section_count ? record->sections[s].text : NULL;
}

/* ---- sketches ---- */

/* The bits of neighbouring numbers are independent. */
static uint64_t signs_of(uint64_t number)
{
    return splitmix64((number + 1) * SPLITMIX_STEP);
}

void record_sketch(const double (*position)[3], size_t count, double sketch[RECORD_SKETCH])
{
    double sum[RECORD_SKETCH] = {0};
    for (size_t i = 0; i < count; i++)
        for (size_t c = 0; c < 3; c++) {
            const uint64_t signs = signs_of(3 * (uint64_t)i + c);
            uint64_t bits;
            memcpy(&bits, &position[i][c], sizeof bits);
            for (unsigned k = 0; k < RECORD_SKETCH; k++) {
                const uint64_t signed_bits = bits ^ (signs >> k & 1) << 63;
                double value;
                memcpy(&value, &signed_bits, sizeof value);
                sum[k] += value;
            }
        }
    memcpy(sketch, sum, sizeof sum);
}

double record_distance(const struct record *a, const struct frame_record *in_a,
                       const struct frame_record *in_b)
{
    double squares = 0;
    for (int k = 0; k < RECORD_SKETCH; k++) {
        const double difference = in_a->sketch[k] - in_b->sketch[k];
        squares += difference * difference;
    }
    return a->bodies > 0 ? sqrt(squares / (RECORD_SKETCH * (double)a->bodies)) : NAN;
}
