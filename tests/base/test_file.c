/* Whole files, folders and paths. */
#include "tests/support/test.h"

#include "base/file.h"
#include "base/text.h"
#include "tests/support/files/folder.h"

#include <string.h>
#include <sys/stat.h>

TEST(files_are_read_up_to_a_limit)
{
    enum { SIZE = 200001 };
    static char content[SIZE];
    memset(content, 'x', SIZE);
    content[7] = '\0';
    char *text, head[4];
    size_t size;
    const char *path = folder_path("long");
    assert_ok(file_write(path, content, SIZE));
    assert_ok(file_read(path, SIZE, &text, &size));
    assert_int_equal(size, SIZE);
    assert_memory_equal(text, content, SIZE);
    assert_int_equal(text[SIZE], '\0');
    free(text);
    assert_fails(file_read(path, SIZE - 1, &text, &size), STATUS_USAGE, "200000");
    assert_null(text);
    assert_fails(file_read(folder_path("none"), 9, &text, NULL), STATUS_IO, "No such file");
    assert_fails(file_read(folder_name(), 9, &text, NULL), STATUS_IO, "directory");
    assert_ok(file_read_head(path, head, 4, &size));
    assert_int_equal(size, 4);
    assert_memory_equal(head, "xxxx", 4);
    assert_ok(file_read_head(folder_name(), head, 4, &size));
    assert_int_equal(size, 0);
    assert_ok(file_read_head("/dev/zero", head, 4, &size));
    assert_int_equal(size, 0);
    assert_fails(file_read_head(folder_path("none"), head, 4, &size), STATUS_IO, "none");
}

static size_t names_in_folder(const char *pattern)
{
    char **names, *path = text_format("%s/%s", folder_name(), pattern);
    const size_t count = file_matches(path, &names);
    assert_int_equal(file_any_matches(path), count > 0);
    for (size_t i = 0; i < count; i++)
        free(names[i]);
    free(names);
    free(path);
    return count;
}

TEST(a_written_file_replaces_the_old_one)
{
    char *text;
    const char *path = folder_path("written");
    for (int shared = 0; shared <= 1; shared++) {
        const char *want = shared ? "shared" : "one";
        assert_ok((shared ? file_write_shared : file_write)(path, want, strlen(want)));
        assert_ok(file_read(path, 99, &text, NULL));
        assert_string_equal(text, want);
        free(text);
        assert_int_equal(names_in_folder("written*"), 1);
    }
    assert_fails(file_write(folder_path("none/a"), "a", 1), STATUS_IO, "none/a");
    assert_fails(file_write("/dev/full", "a", 1), STATUS_IO, "/dev/full space");
    assert_true(file_is_special("/dev/full"));
}

TEST(folders_are_made_with_their_parents)
{
    assert_ok(file_make_folder(folder_path("a/b/c")));
    assert_ok(file_make_folder(folder_path("a/b/c")));
    assert_true(file_exists(folder_path("a/b/c")));
    assert_ok(file_sync_folder(folder_path("a/b")));
    assert_ok(file_write(folder_path("a/file"), "", 0));
    assert_fails(file_make_folder(folder_path("a/file/d")), STATUS_IO, "a/file");
}

TEST(paths_are_told_apart)
{
    assert_ok(file_make_folder(folder_path("p/in")));
    assert_ok(file_write(folder_path("p/in/f"), "", 0));
    assert_int_equal(symlink("p/in", folder_path("way")), 0);
    assert_true(file_is_link(folder_path("way")));
    assert_false(file_is_link(folder_path("p/in")));
    assert_true(file_same(folder_path("way/f"), folder_path("p/../p/in/f")));
    assert_false(file_same(folder_path("p/in/f"), folder_path("p/in")));
    assert_false(file_same(folder_path("none"), folder_path("none")));
    assert_true(file_is_inside(folder_path("way/not/yet"), folder_path("p/in")));
    assert_true(file_is_inside(folder_path("p"), folder_path("p")));
    assert_true(file_is_inside("/x", "/"));
    assert_false(file_is_inside(folder_path("p/inner"), folder_path("p/in")));
    assert_true(file_is_standard("-") && file_is_special("-"));
    assert_false(file_is_special(folder_path("p/in/f")) || file_is_special(folder_path("p")));
    assert_int_equal(mkfifo(folder_path("pipe"), 0600), 0);
    assert_true(file_is_special(folder_path("pipe")));
    char *resolved = file_resolve(folder_path("way/not/yet"));
    char *want = file_resolve(folder_path("p/in")), *joined = text_format("%s/not/yet", want);
    assert_string_equal(resolved, joined);
    free(resolved);
    free(want);
    free(joined);
}

TEST(names_have_a_folder_and_an_extension)
{
    static const char *const names[][3] = {
        {"film.mp4", ".", "mp4"},
        {"/film.MP4", "/", "mp4"},
        {"a/b.c/film", "a/b.c", ""},
        {"a/snap.tar.gz", "a", "gz"},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char *folder = file_folder(names[i][0]);
        assert_string_equal(folder, names[i][1]);
        assert_string_equal(file_extension(names[i][0]), names[i][2]);
        free(folder);
    }
}

TEST(patterns_name_files_in_order)
{
    static const char *const made[] = {"s_010.x", "s_002.x", "s_a.x", "s_%d.x"};
    char **names;
    for (size_t i = 0; i < sizeof made / sizeof *made; i++)
        assert_ok(file_write(folder_path(made[i]), "", 0));
    assert_int_equal(file_matches(folder_path("s_%03d.x"), &names), 2);
    assert_string_equal(names[0], folder_path("s_002.x"));
    assert_string_equal(names[1], folder_path("s_010.x"));
    for (size_t i = 0; i < 2; i++)
        free(names[i]);
    free(names);
    assert_int_equal(names_in_folder("s_*.x"), 4);
    assert_int_equal(names_in_folder("s_%d.x"), 1); /* a file of that very name */
    assert_int_equal(names_in_folder("t_*"), 0);
}

/* The last test: it cannot be undone. */
TEST(what_another_process_writes_is_refused)
{
    const char *path = folder_path("left");
    assert_ok(file_write(path, "a", 1));
    file_leave_writing();
    assert_fails(file_write(path, "b", 1), STATUS_RUNTIME, "left another");
    assert_fails(file_write_shared(path, "b", 1), STATUS_RUNTIME, "left another");
    assert_fails(file_write("/dev/null", "b", 1), STATUS_RUNTIME, "null another");
    char *text;
    assert_ok(file_read(path, 10, &text, NULL));
    assert_string_equal(text, "a");
    free(text);
}

TESTS(folder_set_up, folder_tear_down)
