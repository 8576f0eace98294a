/* What players show and play besides a film's pictures. */
#include "tests/support/test.h"

#include "base/file.h"
#include "base/text.h"
#include "render/reader/played.h"
#include "tests/support/films/remux.h"
#include "tests/support/films/sink_fixture.h"

#include <stdlib.h>
#include <string.h>

static const char *make(void **state, const char *name)
{
    const char *path = fixture_path(*state, name);
    struct sink_params params = fixture_params(path);
    assert_ok(fixture_film(&params, 4, fixture_draw));
    return path;
}

static void field_is(const char *path, const char *name, const char *value)
{
    struct played played;
    assert_ok(played_read(path, &played));
    const char *found = played_field(&played, name);
    if (!value != !found || (value && strcmp(value, found) != 0))
        fail_msg("%s is '%s' instead of '%s'", name, found ? found : "none",
                 value ? value : "none");
    played_free(&played);
}

TEST(plain_films_are_shown_as_they_are)
{
    static const char *const names[] = {"a.mp4", "a.mov", "a.mkv"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct played played;
        assert_ok(played_read(make(state, names[i]), &played));
        assert_int_equal(played.field_count, 1);
        assert_string_equal(played_field(&played, PLAYED_ASPECT), "1:1");
        assert_int_equal(played.stream_count, 0);
        assert_true(played.begins == 0);
        played_free(&played);
    }
}

/* Rows of the matrix of a track header: [a b u], [c d v]. */
TEST(turns_and_mirrors_are_told)
{
    static const struct {
        const char matrix[21], *says;
    } cases[] = {
        {"\0\0\0\0\0\1\0\0\0\0\0\0\xff\xff\0\0\0\0\0\0", "90 degrees clockwise"},
        {"\xff\xff\0\0\0\0\0\0\0\0\0\0\0\0\0\0\xff\xff\0\0", "180 degrees clockwise"},
        {"\0\0\0\0\xff\xff\0\0\0\0\0\0\0\1\0\0\0\0\0\0", "270 degrees clockwise"},
        {"\xff\xff\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\1\0\0", "mirrored"},
        {"\0\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0\xff\xff\0\0", "mirrored, then 180 degrees clockwise"},
        {"\0\2\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\1\0\0", "by the matrix 131072 0 0 65536 0 0"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *path = make(state, "a.mp4");
        field_is(path, "rotation", NULL);
        patch_file(path, "tkhd", 44, cases[i].matrix, 20);
        field_is(path, "rotation", cases[i].says);
    }
}

TEST(speed_and_tracks_that_are_off_are_told)
{
    const char *path = make(state, "a.mp4");
    patch_file(path, "mvhd", 24, "\0\0\x80", 3);
    field_is(path, "playback speed", "0.5");
    path = make(state, "a.mp4");
    patch_file(path, "tkhd", 7, "\2", 1);
    field_is(path, "tracks that are switched off", "pictures");
}

TEST(size_to_show_is_told)
{
    const char *path = make(state, "a.mp4");
    field_is(path, "size to show", NULL);
    patch_file(path, "tkhd", 80, "\1\0\0\0", 4); /* twice as wide */
    field_is(path, "size to show", "256x96");
}

/* Players follow the coded pictures where the container is silent. */
TEST(what_the_coded_pictures_say_is_told)
{
    static const struct {
        const char *filter, *name, *says;
    } cases[] = {
        {"h264_metadata=rotate=90:display_orientation=insert", "rotation",
         "270 degrees clockwise, in the stream"},
        {"h264_metadata=sample_aspect_ratio=2/1", PLAYED_ASPECT " in the stream", "2:1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *path = make(state, "a.mp4");
        char *other = text_format("%s.mp4", path);
        field_is(path, cases[i].name, NULL);
        remux(path, other, &(struct remux){.filter = cases[i].filter});
        field_is(other, cases[i].name, cases[i].says);
        free(other);
    }
}

TEST(repeats_of_a_gif_are_told)
{
    static const char head[] = "GIF89a\1\0\1\0\x80\0\0" /* a pixel, two colours */
                               "abcdef",
                      loop[] = "\x21\xff\x0bNETSCAPE2.0\3\1\0\0\0";
    static const char *const says[] = {"forever", "once", "3 times more"};
    const char *path = fixture_path(*state, "a.gif");
    for (int i = 0; i < 3; i++) {
        char bytes[sizeof head + sizeof loop] = "";
        struct boxed boxed;
        memcpy(bytes, head, sizeof head - 1);
        memcpy(bytes + sizeof head - 1, loop, sizeof loop);
        bytes[sizeof head - 1 + 16] = i == 2 ? 3 : 0;
        if (i == 1)
            bytes[sizeof head - 1] = 0x2c; /* a picture */
        assert_ok(file_write(path, bytes, sizeof bytes));
        boxed_read(path, &boxed);
        assert_string_equal(boxed.loop, says[i]);
    }
}

static void crop_is(const char *path, const char *bytes, size_t size, const char *says)
{
    struct boxed boxed;
    assert_ok(file_write(path, bytes, size));
    boxed_read(path, &boxed);
    assert_string_equal(boxed.crop, says);
    for (size_t cut = 0; cut < size; cut++) { /* damaged files say nothing, or the same */
        assert_ok(file_write(path, bytes, cut));
        boxed_read(path, &boxed);
    }
}

/* Fields that libav does not read: a clean aperture, and Matroska's PixelCrop. */
TEST(crops_are_told)
{
    static const char matroska[] =
        "\x1a\x45\xdf\xa3\x80"                             /* the header, empty */
        "\x18\x53\x80\x67\x01\xff\xff\xff\xff\xff\xff\xff" /* a segment of unknown size */
        "\x16\x54\xae\x6b\x92\xae\x90"                     /* tracks, a track */
        "\x83\x81\x01\xe0\x8b\x54\xcc\x81\x08\x54\xaa\x82\x00\x04\xb0\x80"; /* left 8, bottom 4 */
    char boxes[4 * 8 + 8 + 12 + 8 + 8 + 8 + 8 + 78 + 40 + 64] = {0};
    size_t size = 0, opened[8], depth = 0;
#define OPEN(name) (opened[depth++] = size, memcpy(boxes + size + 4, name, 4), size += 8)
#define CLOSE()                                                                                    \
    (depth--, boxes[opened[depth] + 3] = (char)(size - opened[depth]),                             \
     boxes[opened[depth] + 2] = (char)((size - opened[depth]) >> 8))
    OPEN("ftyp");
    CLOSE();
    OPEN("moov");
    OPEN("trak");
    OPEN("mdia");
    OPEN("hdlr");
    memcpy(boxes + size + 8, "vide", 4);
    size += 12;
    CLOSE();
    OPEN("minf");
    OPEN("stbl");
    OPEN("stsd");
    size += 8;
    OPEN("avc1");
    size += 78;
    OPEN("clap");
    for (size_t i = 0; i < 8; i++)
        boxes[size + 4 * i + 3] = (char)(i == 0 ? 100 : i == 2 ? 60 : i == 4 ? 3 : i % 2);
    size += 32;
    for (int i = 0; i < 7; i++)
        CLOSE();
    CLOSE();
    const char *path = fixture_path(*state, "film");
    crop_is(path, boxes, size, "100x60 pixels, +3 +0 from the centre");
    crop_is(path, matroska, sizeof matroska - 1,
            "8 pixels from the left, 0 right, 0 top, 4 bottom");
}

static struct played_stream sound(const char *packets)
{
    struct played_stream stream = {.count = strlen(packets)};
    stream.hash = calloc(stream.count + 1, sizeof *stream.hash);
    for (uint64_t i = 0; i < stream.count; i++)
        stream.hash[i][0] = packets[i];
    return stream;
}

static bool same(const char *a, const char *b)
{
    const struct played_stream one = sound(a), other = sound(b);
    const bool found = played_same_packets(&one, &other);
    free(one.hash);
    free(other.hash);
    return found;
}

TEST(two_packets_at_an_end_may_be_missing)
{
    assert_true(same("abcdef", "abcdef") && same("", "") && same("abcdef", "cdef"));
    assert_true(same("abcdef", "abcd") && same("cdef", "abcdef") && same("abcdef", "bcdefg"));
    assert_false(same("abcdef", "defgh") || same("abcdef", "abc") || same("abcdef", "abxdef"));
    assert_false(same("abcdef", "acbdef") || same("abcdef", "") || same("abcdef", "abcde1"));
}

TESTS_EACH(fixture_setup, fixture_teardown)
