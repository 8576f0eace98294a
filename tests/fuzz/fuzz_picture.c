/* Still pictures in every format, from which scenes and pixels are read. */
#include "tests/fuzz/target.h"

#include "base/file.h"
#include "render/video/picture_file.h"
#include "tests/support/films/sink_fixture.h"

#include <libavutil/frame.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *path = fuzz_file(data, size);
    const struct picture_file *file = picture_file_of(path);
    if (!file)
        return 0;
    struct tags tags;
    (void)file->tags(path, &tags);
    tags_free(&tags);
    AVFrame *frame = NULL;
    uint32_t bits;
    if (file->read(path, &frame, &bits) == STATUS_OK)
        fuzz_promise(frame && frame->width > 0 && bits > 0 && bits <= 32,
                     "what is read is a picture");
    av_frame_free(&frame);
    return 0;
}

static void seed(const struct picture_file *file, fuzz_take take, void *user)
{
    char *folder = fixture_folder(), name[32], text[1000], *bytes;
    struct sink_params params = fixture_params("");
    struct sink_plan plan = {.format = PICTURE_RGBA8};
    struct picture picture;
    size_t size;
    uint64_t written;
    snprintf(name, sizeof name, "picture.%s", file->name);
    const char *path = fixture_path(folder, name);
    params.output.exr_bits = 16;
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    tags_add(&params.tags, "title", "");
    tags_add(&params.tags, "gravreel_scene", text);
    tags_add(&params.tags, "gravreel", "{\"gravreel_seed\":\"1\"}");
    if (file->plan(&params, &plan) == STATUS_OK) {
        fixture_picture(&picture, plan.format, 20, 20);
        memset(picture.data, 0, picture.layout.size);
        if (file->write(path, &picture, &params, 0, &written) == STATUS_OK &&
            file_read(path, 1 << 24, &bytes, &size) == STATUS_OK) {
            take(user, bytes, size);
            /* without the hash, as other programs write it: the decoder sees damage */
            static const char *const marks[] = {"gvrl", "gravreel_file="};
            for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
                char *mark = memmem(bytes, size, marks[i], strlen(marks[i]));
                if (mark) {
                    *mark = 'x';
                    take(user, bytes, size);
                }
            }
            free(bytes);
        }
        fixture_free(&picture);
    }
    tags_free(&params.tags);
    fixture_remove_folder(folder);
}

void fuzz_seeds(fuzz_take take, void *user)
{
    const struct picture_file *file;
    for (size_t i = 0; (file = choice_at(&picture_file_registry, i)); i++)
        seed(file, take, user);
}
