/* XXH3 of 128 bits: the published value, the same hash for any division of the bytes, and files. */
#include "tests/support/test.h"

#include "base/file.h"
#include "base/hash.h"
#include "tests/support/files/folder.h"

#include <sys/stat.h>

TEST(parts_hash_as_their_bytes_in_order)
{
    char whole[HASH_TEXT], cut[HASH_TEXT];
    hash_parts(NULL, 0, whole);
    assert_string_equal(whole, "99aa06d3014798d86001c324468d497f"); /* XXH3's own test vector */
    hash_parts(&(struct hash_part){"gravity", 7}, 1, whole);
    hash_parts((struct hash_part[]){{"gra", 3}, {"", 0}, {"vity", 4}}, 3, cut);
    assert_string_equal(cut, whole);
    hash_parts((struct hash_part[]){{"vity", 4}, {"gra", 3}}, 2, cut);
    assert_string_not_equal(cut, whole);
    struct hash_stream *stream = hash_open();
    hash_add(stream, "grav", 4);
    hash_add(stream, "ity", 3);
    hash_end(&stream, cut);
    assert_string_equal(cut, whole);
    assert_null(stream);
    hash_end(&stream, NULL);
}

TEST(a_file_adds_its_bytes_from_an_offset)
{
    static char content[600000]; /* several pieces */
    char want[HASH_TEXT], got[HASH_TEXT];
    for (size_t i = 0; i < sizeof content; i++)
        content[i] = (char)(i * 7 >> 3);
    const char *path = folder_path("film");
    assert_ok(file_write(path, content, sizeof content));
    hash_parts(&(struct hash_part){content + 5, sizeof content - 5}, 1, want);
    struct hash_stream *stream = hash_open();
    uint64_t bytes = 3;
    assert_ok(hash_add_file(stream, path, 5, &bytes));
    hash_end(&stream, got);
    assert_string_equal(got, want);
    assert_int_equal(bytes, 3 + sizeof content - 5);
}

TEST(only_regular_files_have_a_hash)
{
    struct hash_stream *stream = hash_open();
    assert_int_equal(mkfifo(folder_path("pipe"), 0600), 0);
    assert_fails(hash_add_file(stream, folder_path("none"), 0, NULL), STATUS_IO, "none");
    assert_fails(hash_add_file(stream, folder_name(), 0, NULL), STATUS_IO, "directory");
    assert_fails(hash_add_file(stream, folder_path("pipe"), 0, NULL), STATUS_IO, "pipe");
    assert_fails(hash_add_file(stream, "/dev/null", 0, NULL), STATUS_IO, "/dev/null");
    hash_end(&stream, NULL);
}

TESTS(folder_set_up, folder_tear_down)
