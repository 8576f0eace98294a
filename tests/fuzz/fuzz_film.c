/* Films: inspected packet by packet as by verify, and read frame by frame as by compare. */
#include "tests/fuzz/target.h"

#include "base/file.h"
#include "base/tag.h"
#include "render/inspect/inspect.h"
#include "render/reader/reader.h"
#include "render/reader/stream.h"
#include "tests/support/films/sink_fixture.h"

#include <stdlib.h>

enum { PIXELS_MAX = 1 << 20, FRAMES_MAX = 32 };

static void read_frames(const char *path)
{
    struct reader *reader;
    if (reader_open(&reader, path) != STATUS_OK)
        return;
    const struct reader_info *info = reader_info(reader);
    const uint64_t pixels = (uint64_t)info->width * info->height;
    uint16_t *rgb = pixels <= PIXELS_MAX ? malloc(pixels * 3 * sizeof *rgb) : NULL;
    const uint64_t frames = info->frames < FRAMES_MAX ? info->frames : FRAMES_MAX;
    enum status status = STATUS_OK;
    for (uint64_t i = 0; rgb && i < frames && status == STATUS_OK; i++)
        status = reader_read(reader, info->first + i, rgb);
    free(rgb);
    reader_close(&reader);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *path = fuzz_file(data, size);
    struct inspection film;
    struct film_info info;
    if (!film_info_is_film(path)) /* PNG files use other code */
        return 0;
    if (inspect_film(&film, path, NULL) == STATUS_OK) {
        fuzz_promise(film.count > 0 && film.frames, "a film that is looked at has frames");
        for (uint64_t i = 1; i < film.count; i++)
            fuzz_promise(film.frames[i - 1].shown <= film.frames[i].shown,
                         "frames are in the order of showing");
    }
    inspection_free(&film);
    if (film_info_read(path, &info) == STATUS_OK)
        film_info_free(&info);
    read_frames(path);
    return 0;
}

void fuzz_seeds(fuzz_take take, void *user)
{
    static const char *const kinds[][2] = {
        {"h264", "film.mp4"}, {"ffv1", "film.mkv"}, {"vp9", "film.webm"}, {"rawvideo", "film.y4m"}};
    char *folder = fixture_folder();
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        struct sink_params params = fixture_params(fixture_path(folder, kinds[i][1]));
        struct tags tags = {0};
        char *bytes;
        size_t size;
        tags_add(&tags, "gravreel_scene", "look:\n");
        params.output.codec = fixture_codec(kinds[i][0]);
        params.width = params.height = 32;
        params.tags = tags;
        if (fixture_codec_opens(kinds[i][0]) &&
            fixture_film(&params, 5, fixture_draw) == STATUS_OK &&
            file_read(params.path, 1 << 24, &bytes, &size) == STATUS_OK) {
            take(user, bytes, size);
            free(bytes);
        }
        tags_free(&tags);
    }
    fixture_remove_folder(folder);
}
