/* EXR pictures, which scenes and light are read from. */
#include "tests/fuzz/target.h"

#include "base/file.h"
#include "render/video/picture_file.h"
#include "tests/support/sink_fixture.h"

#include <libavutil/frame.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct tags tags;
    if (picture_file_named(".exr")->tags(fuzz_file(data, size), &tags) == STATUS_OK) {
        size_t length = 0;
        for (size_t i = 0; i < tags.count; i++)
            length += strlen(tags.list[i].value);
        fuzz_promise(length <= size, "no more is read than there is");
    }
    tags_free(&tags);
    AVFrame *frame = NULL;
    uint32_t bits;
    if (picture_file_named(".exr")->read(fuzz_file(data, size), &frame, &bits) == STATUS_OK)
        fuzz_promise(frame && (bits == 16 || bits == 32), "what is read is a picture");
    av_frame_free(&frame);
    return 0;
}

void fuzz_seeds(fuzz_take take, void *user)
{
    char *folder = fixture_folder(), text[1000], *bytes;
    const char *path = fixture_path(folder, "picture.exr");
    struct picture picture;
    struct sink_params params = {.exr_bits = 16};
    size_t size;
    uint64_t written;
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    tags_add(&params.tags, "title", "");
    tags_add(&params.tags, "gravreel_scene", text);
    tags_add(&params.tags, "gravreel", "{\"gravreel_seed\":\"1\"}");
    fixture_picture(&picture, PICTURE_RGBAF32, 20, 20);
    memset(picture.data, 0, picture.layout.size);
    if (picture_file_named(path)->write(path, &picture, &params, 0, &written) == STATUS_OK &&
        file_read(path, 1 << 24, &bytes, &size) == STATUS_OK) {
        take(user, bytes, size);
        free(bytes);
    }
    fixture_free(&picture);
    tags_free(&params.tags);
    fixture_remove_folder(folder);
}
