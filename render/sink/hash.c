#include "render/sink/hash.h"

#include "base/output.h"

#include <stdio.h>
#include <stdlib.h>
#include <xxhash.h>

struct hash_sink {
    struct sink base;
    uint32_t width, height;
    uint64_t first_frame;
    struct output output;
    XXH3_state_t *picture, *all; /* `all` takes the pictures' digests in canonical byte order */
};

static enum status hash_plan(const struct sink_params *params, struct sink_plan *plan)
{
    (void)params;
    *plan = (struct sink_plan){
        .format = PICTURE_RGBA8, .description = "XXH3-128 of each picture", .codec = ""};
    return STATUS_OK;
}

static enum status hash_open(const struct sink_params *params, struct sink **out)
{
    *out = NULL;
    struct hash_sink *hash = calloc(1, sizeof *hash);
    XXH3_state_t *picture = XXH3_createState(), *all = XXH3_createState();
    enum status status;
    if (!hash || !picture || !all || XXH3_128bits_reset(all) != XXH_OK)
        status = status_fail(STATUS_RUNTIME, "no memory left to open the output");
    else
        status = output_open(&hash->output, params->path);
    if (status != STATUS_OK) {
        XXH3_freeState(picture);
        XXH3_freeState(all);
        free(hash);
        return status;
    }
    struct sink_plan plan;
    hash_plan(params, &plan);
    hash->base = (struct sink){.ops = &sink_hash, .format = plan.format};
    snprintf(hash->base.description, sizeof hash->base.description, "%s", plan.description);
    hash->width = params->width;
    hash->height = params->height;
    hash->first_frame = params->first_frame;
    hash->picture = picture;
    hash->all = all;
    *out = &hash->base;
    return STATUS_OK;
}

static bool put_line(struct hash_sink *hash, const char *label, XXH128_hash_t digest)
{
    char line[80];
    int length = snprintf(line, sizeof line, "%s %016llx%016llx\n", label,
                          (unsigned long long)digest.high64, (unsigned long long)digest.low64);
    return output_write(&hash->output, line, (size_t)length);
}

static enum status hash_write(struct sink *sink, const struct picture *picture)
{
    struct hash_sink *hash = (struct hash_sink *)sink;
    enum status status = sink_check_picture(sink, picture, hash->width, hash->height);
    if (status != STATUS_OK)
        return status;
    const struct picture_layout *layout = &picture->layout;
    bool good = XXH3_128bits_reset(hash->picture) == XXH_OK;
    for (uint32_t y = 0; y < layout->plane[0].rows && good; y++)
        good =
            XXH3_128bits_update(hash->picture, picture->data + (size_t)y * layout->plane[0].stride,
                                layout->plane[0].bytes) == XXH_OK;
    XXH128_hash_t digest = XXH3_128bits_digest(hash->picture);
    XXH128_canonical_t canonical;
    XXH128_canonicalFromHash(&canonical, digest);
    if (!good || XXH3_128bits_update(hash->all, &canonical, sizeof canonical) != XXH_OK)
        return status_fail(STATUS_RUNTIME, "picture %llu cannot be hashed",
                           (unsigned long long)sink->frames);

    char label[24];
    snprintf(label, sizeof label, "%llu", (unsigned long long)(hash->first_frame + sink->frames));
    if (!put_line(hash, label, digest))
        return output_failed(&hash->output, sink->frames);
    sink->frames++;
    sink->bytes = hash->output.bytes;
    return STATUS_OK;
}

static enum status hash_close(struct sink **sink, bool keep, uint64_t *frames, uint64_t *bytes)
{
    struct hash_sink *hash = (struct hash_sink *)*sink;
    enum status status = STATUS_OK;
    if (keep)
        put_line(hash, "all", XXH3_128bits_digest(hash->all));
    if (!output_close(&hash->output, keep, true) && keep)
        status = output_failed(&hash->output, hash->base.frames);
    bool kept = keep && status == STATUS_OK;
    if (frames)
        *frames = kept ? hash->base.frames : 0;
    if (bytes)
        *bytes = kept ? hash->output.bytes : 0;
    output_release(&hash->output);
    XXH3_freeState(hash->picture);
    XXH3_freeState(hash->all);
    free(hash);
    *sink = NULL;
    return status;
}

const struct sink_ops sink_hash = {
    .name = "hash",
    .doc = "a text file with the number and the XXH3-128 of each RGBA picture, and one of all",
    .plan = hash_plan,
    .open = hash_open,
    .write = hash_write,
    .close = hash_close,
};
