/* The manifest of an unfinished film: its content, invalid manifests, and the effect of damage. */
#include "tests/support/test.h"
#include "base/file.h"
#include "base/log.h"
#include "base/text.h"
#include "cmd/film/manifest/manifest.h"
#include "tests/support/films/sink_fixture.h"

#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const struct manifest_plan film = {
    .program = "1.0.0",
    .scene = "camera:\n  azimuth: 30\n  moves:\n    - move: \"orbit \\\"x\\\" \xc3\xa9\"\n",
    .scene_hash = "0123456789abcdef",
    .start = "",
    .codec = "libx264 crf 18",
    .container = "mp4",
    .frames = 100,
    .first = 0,
    .last = 99,
    .segment_length = 30,
    .run = "",
    .run_place = "",
    .run_hash = "",
};

static const char *work_folder(void **state)
{
    return fixture_path(*state, "film.mp4.parts");
}

static void put(const struct manifest *manifest, const char *name, const char *text)
{
    char *path = manifest_path(manifest, name);
    assert_ok(file_write(path, text, strlen(text)));
    free(path);
}

static enum status add_segment(struct manifest *manifest, uint64_t index, uint64_t first,
                               uint64_t count, const char *file)
{
    struct manifest_segment segment = {.index = index, .first = first, .count = count};
    snprintf(segment.file, sizeof segment.file, "%s", file);
    enum status status = manifest_hash_segment(manifest, &segment);
    return status == STATUS_OK ? manifest_add_segment(manifest, &segment) : status;
}

static enum status add_checkpoint(struct manifest *manifest, uint64_t frame, const char *file)
{
    struct manifest_checkpoint checkpoint = {.frame = frame};
    snprintf(checkpoint.file, sizeof checkpoint.file, "%s", file);
    enum status status = manifest_hash_checkpoint(manifest, &checkpoint);
    return status == STATUS_OK ? manifest_add_checkpoint(manifest, &checkpoint) : status;
}

static enum status set_value(struct manifest *manifest, const char *name, double number)
{
    struct manifest_value value = {.value = number};
    snprintf(value.name, sizeof value.name, "%s", name);
    return manifest_set_values(manifest, &value, 1);
}

/* Segments 0, 1 and 3 of four, checkpoints at 0, 30 and 60. */
static struct manifest *filled(const char *folder)
{
    struct manifest *manifest;
    assert_ok(manifest_create(&manifest, folder, &film));
    for (uint64_t index = 0; index < 4; index++) {
        char name[MANIFEST_NAME_MAX], text[64];
        snprintf(text, sizeof text, "this is number %d", (int)index);
        manifest_segment_name(name, index, "mkv");
        put(manifest, name, text);
        if (index != 2)
            assert_ok(add_segment(manifest, index, 30 * index, index == 3 ? 10 : 30, name));
        manifest_checkpoint_name(name, 30 * index);
        put(manifest, name, text + 1);
        if (index < 3)
            assert_ok(add_checkpoint(manifest, 30 * index, name));
    }
    return manifest;
}

TEST(test_round_trip)
{
    const char *folder = work_folder(state);
    assert_false(manifest_exists(folder));
    struct manifest *manifest = filled(folder);
    const double exposure = 0.1 + 0.2, tiny = 4.9e-324;
    double value;
    assert_ok(set_value(manifest, "exposure", 5));
    assert_ok(set_value(manifest, "exposure", exposure));
    assert_ok(set_value(manifest, "tiny", tiny));
    assert_fails(set_value(manifest, "speed", NAN), STATUS_RUNTIME, "speed");
    manifest_close(&manifest);
    manifest_close(&manifest);

    assert_true(manifest_exists(folder));
    assert_ok(manifest_open(&manifest, folder, &film));
    assert_string_equal(manifest->plan.scene, film.scene);
    assert_true(manifest_get_value(manifest, "exposure", &value));
    assert_memory_equal(&value, &exposure, sizeof value);
    assert_true(manifest_get_value(manifest, "tiny", &value) && value == tiny);
    assert_false(manifest_get_value(manifest, "speed", &value));
    assert_true(manifest->segment_count == 3 && manifest->checkpoint_count == 3);
    const struct manifest_segment *segment = &manifest->segments[2];
    assert_true(segment->index == 3 && segment->first == 90 && segment->count == 10);
    assert_string_equal(segment->file, "segment-000003.mkv");
    char hash[HASH_TEXT];
    hash_parts(&(struct hash_part){"this is number 3", 16}, 1, hash);
    assert_string_equal(segment->hash, hash);
    assert_int_equal(segment->bytes, 16);
    assert_string_equal(manifest->checkpoints[1].file, "checkpoint-000030.h5");
    size_t lost = 99;
    assert_ok(manifest_verify(manifest, &lost));
    assert_true(lost == 0 && manifest->segment_count == 3);
    assert_ok(manifest_remove(&manifest));
    assert_null(manifest);
    assert_int_equal(fixture_count_files(*state), 0);
}

TEST(test_gaps)
{
    uint64_t first, count;
    struct manifest *manifest = filled(work_folder(state));
    assert_true(manifest_next_gap(manifest, 0, &first, &count) && first == 60 && count == 30);
    assert_true(manifest_next_gap(manifest, 75, &first, &count) && first == 75 && count == 15);
    assert_false(manifest_next_gap(manifest, 90, &first, &count));
    assert_int_equal(manifest_checkpoint_before(manifest, 89)->frame, 60);
    assert_int_equal(manifest_checkpoint_before(manifest, 59)->frame, 30);
    /* a shorter segment in another's place, then the rest of it */
    assert_ok(add_segment(manifest, 0, 0, 12, "segment-000000.mkv"));
    assert_int_equal(manifest->segment_count, 3);
    assert_true(manifest_next_gap(manifest, 0, &first, &count) && first == 12 && count == 18);
    assert_ok(add_segment(manifest, 0, 12, 18, "segment-000001.mkv"));
    assert_ok(add_segment(manifest, 2, 60, 30, "segment-000002.mkv"));
    assert_false(manifest_next_gap(manifest, 0, &first, &count));
    for (size_t p = 1; p < manifest->segment_count; p++)
        assert_true(manifest->segments[p].first > manifest->segments[p - 1].first);
    manifest->plan.last = 119;
    assert_true(manifest_next_gap(manifest, 0, &first, &count) && first == 100 && count == 20);
    assert_fails(add_segment(manifest, 5, 110, 10, "segment-000005.mkv"), STATUS_IO,
                 "segment-000005.mkv");
    assert_fails(add_segment(manifest, 5, 110, 10, "../x"), STATUS_RUNTIME, "../x");
    assert_int_equal(manifest->segment_count, 5);
    manifest_close(&manifest);
}

/* One checkpoint before the needed one is kept, in case that is damaged. */
TEST(test_spare_checkpoint)
{
    const char *folder = work_folder(state);
    struct manifest *manifest = filled(folder);
    assert_ok(add_checkpoint(manifest, 90, "checkpoint-000090.h5"));
    assert_ok(manifest_drop_checkpoints(manifest));
    static const uint64_t kept[] = {30, 60, 90};
    assert_int_equal(manifest->checkpoint_count, 3);
    for (int c = 0; c < 3; c++)
        assert_int_equal(manifest->checkpoints[c].frame, kept[c]);
    char *first = manifest_path(manifest, "checkpoint-000000.h5");
    char *spare = manifest_path(manifest, "checkpoint-000030.h5");
    assert_false(file_exists(first));
    assert_true(file_exists(spare));
    assert_ok(manifest_drop_checkpoints(manifest));
    assert_int_equal(manifest->checkpoint_count, 3);
    free(first);
    free(spare);
    manifest_close(&manifest);
    assert_ok(manifest_open(&manifest, folder, &film));
    assert_int_equal(manifest->checkpoint_count, 3);
    manifest_close(&manifest);
}

/* The one at the first frame of a range, where another look of it begins. */
TEST(test_first_checkpoint_of_a_range)
{
    struct manifest *manifest = filled(work_folder(state));
    assert_ok(add_segment(manifest, 2, 60, 30, "segment-000002.mkv"));
    assert_ok(add_checkpoint(manifest, 90, "checkpoint-000090.h5"));
    manifest->plan.first = 30;
    manifest->plan.last = 119;
    assert_ok(manifest_drop_checkpoints(manifest));
    assert_int_equal(manifest->checkpoint_count, 3);
    assert_int_equal(manifest->checkpoints[0].frame, 30);
    manifest->plan.first = 0;
    assert_ok(manifest_drop_checkpoints(manifest));
    assert_int_equal(manifest->checkpoint_count, 2);
    assert_int_equal(manifest->checkpoints[0].frame, 60);
    manifest_close(&manifest);
}

TEST(test_lost_files)
{
    const char *folder = work_folder(state);
    uint64_t first, count;
    struct manifest *manifest = filled(folder);
    char *gone = manifest_path(manifest, "checkpoint-000060.h5");
    put(manifest, "segment-000001.mkv", "this is number 2");
    assert_int_equal(unlink(gone), 0);
    free(gone);
    size_t lost;
    log_set_level(LOG_ERROR);
    assert_ok(manifest_verify(manifest, &lost));
    log_set_level(LOG_WARNING);
    assert_int_equal(lost, 2);
    manifest_close(&manifest);
    assert_ok(manifest_open(&manifest, folder, &film));
    assert_true(manifest->segment_count == 2 && manifest->checkpoint_count == 2);
    assert_true(manifest_next_gap(manifest, 0, &first, &count) && first == 30 && count == 60);
    assert_int_equal(manifest_checkpoint_before(manifest, 99)->frame, 30);
    manifest_close(&manifest);
}

static void assert_refused(const char *folder, const struct manifest_plan *plan, const char *part)
{
    struct manifest *manifest;
    assert_fails(manifest_open(&manifest, folder, plan), STATUS_USAGE, part);
    assert_null(manifest);
    assert_contains(status_text(), folder);
    assert_says(status_text(), "start -y");
}

TEST(test_other_runs)
{
    const char *folder = work_folder(state);
    struct manifest *manifest;
    struct manifest_plan plan = film;
    plan.start = "aa";
    assert_ok(manifest_create(&manifest, folder, &plan));
    manifest_close(&manifest);
    assert_ok(manifest_open(&manifest, folder, &film)); /* not examined */
    manifest_close(&manifest);
    struct manifest_plan other[7];
    static const char *const says[] = {
        "camera.azimuth is 30 there and 45 here",
        "hash 0123456789abcdef",
        "gravreel 1.0.0, but this run uses 1.1.0",
        "the bodies file has changed",
        "frames 0..99 of 100",
        "codec libx264 crf 18, but this run uses ffv1",
        "container mp4",
    };
    for (int i = 0; i < 7; i++)
        other[i] = plan;
    other[0].scene = "camera:\n  azimuth: 45\n";
    other[1].scene_hash = "ff";
    other[2].program = "1.1.0";
    other[3].start = "bb";
    other[4].last = 49;
    other[5].codec = "ffv1";
    other[6].container = "mkv";
    for (int i = 0; i < 7; i++)
        assert_refused(folder, &other[i], says[i]);
}

static enum status open_and_close(const char *folder, size_t *segments)
{
    struct manifest *manifest;
    enum status status = manifest_open(&manifest, folder, &film);
    if (status == STATUS_OK)
        *segments = manifest->segment_count;
    manifest_close(&manifest);
    return status;
}

/* Damage to one manifest costs the latest entry; damage to both costs everything, with a message.
 */
TEST(test_damage)
{
    const char *folder = work_folder(state);
    struct manifest *manifest = filled(folder);
    assert_ok(add_segment(manifest, 2, 60, 30, "segment-000002.mkv"));
    char *path = manifest_path(manifest, "manifest.json"),
         *before = manifest_path(manifest, "manifest.previous.json"), *text, *bad;
    manifest_close(&manifest);
    size_t size, segments;
    assert_ok(file_read(path, 1 << 20, &text, &size));
    assert_true((bad = malloc(size + 1)) != NULL);
    log_set_level(LOG_ERROR);
    uint64_t random = 88172645463325252u;
    for (int round = 0; round < 300; round++) {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        memcpy(bad, text, size);
        if (round % 3 > 0)
            bad[random % size] ^= (char)(1 << (random >> 40) % 8);
        assert_ok(file_write(path, bad, round % 3 > 0 ? size : random % size));
        assert_ok(open_and_close(folder, &segments));
        assert_int_equal(segments, 3);
    }
    memcpy(bad, text, size);
    bad[size] = ' ';
    assert_ok(file_write(path, bad, size + 1));
    assert_ok(open_and_close(folder, &segments));
    assert_int_equal(segments, 3);
    assert_int_equal(unlink(path), 0);
    assert_ok(open_and_close(folder, &segments));
    assert_int_equal(segments, 3);
    assert_ok(file_write(path, text, size));
    assert_ok(open_and_close(folder, &segments));
    assert_int_equal(segments, 4);

    static const char *const rubbish[] = {"", "{}", "[[[[", "null", "{\"format\": 1}", "\xff\xfe"};
    for (size_t r = 0; r < sizeof rubbish / sizeof *rubbish; r++) {
        assert_ok(file_write(path, rubbish[r], strlen(rubbish[r])));
        assert_ok(file_write(before, rubbish[r], strlen(rubbish[r])));
        assert_fails(open_and_close(folder, &segments), STATUS_IO, "start -y");
    }
    log_set_level(LOG_WARNING);
    /* which works */
    assert_ok(manifest_create(&manifest, folder, &film));
    assert_int_equal(manifest->segment_count, 0);
    assert_ok(manifest_remove(&manifest));
    assert_int_equal(fixture_count_files(*state), 0);
    free(bad);
    free(text);
    free(path);
    free(before);
}

/* The manifest's text with one more line before `key`, which is searched after `from`, and with a
 * matching checksum. */
static char *sealed_with(const char *text, const char *from, const char *key, const char *line)
{
    const char *at = strstr(strstr(text, from), key), *end = strstr(text, ",\n \"xxh3_128\"");
    char hash[HASH_TEXT];
    char *body = text_format("%.*s%s%.*s", (int)(at - text), text, line, (int)(end - at), at);
    char *plain = text_format("%s\n}", body);
    hash_parts(&(struct hash_part){plain, strlen(plain)}, 1, hash);
    char *sealed = text_format("%s,\n \"xxh3_128\": \"%s\"\n}", body, hash);
    free(body);
    free(plain);
    return sealed;
}

TEST(test_unknown_keys)
{
    static const struct {
        const char *from, *key, *line;
        bool read;
    } cases[] = {
        {"{", "\n \"checkpoints\"", "", true},
        {"{", "\n \"checkpoints\"", "\n \"aaa\": 1,", false},
        {"\"checkpoints\"", "\n   \"bytes\"", "\n   \"aaa\": 1,", false},
        {"\"segments\"", "\n   \"bytes\"", "\n   \"aaa\": 1,", false},
    };
    const char *folder = work_folder(state);
    struct manifest *manifest = filled(folder);
    char *path = manifest_path(manifest, "manifest.json"), *text;
    char *before = manifest_path(manifest, "manifest.previous.json");
    manifest_close(&manifest);
    assert_ok(file_read(path, 1 << 20, &text, NULL));
    assert_int_equal(unlink(before), 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *sealed = sealed_with(text, cases[i].from, cases[i].key, cases[i].line);
        assert_ok(file_write(path, sealed, strlen(sealed)));
        free(sealed);
        if (cases[i].read)
            assert_ok(manifest_open(&manifest, folder, &film));
        else
            assert_fails(manifest_open(&manifest, folder, &film), STATUS_IO, "damaged");
        manifest_close(&manifest);
    }
    free(text);
    free(path);
    free(before);
}

/* Format 1 called segments pieces. Its folder is an error, and is replaced if the user asks for it.
 */
TEST(test_other_format)
{
    static const char hashed[] = "{\n \"format\": 1\n}";
    const char *folder = work_folder(state);
    struct manifest *manifest = filled(folder);
    char hash[HASH_TEXT];
    hash_parts(&(struct hash_part){hashed, strlen(hashed)}, 1, hash);
    char *old = text_format("{\n \"format\": 1,\n \"xxh3_128\": \"%s\"\n}", hash);
    put(manifest, "manifest.json", old);
    put(manifest, "piece-000000.mkv", "this is number 0");
    manifest_close(&manifest);
    assert_refused(folder, &film, "format 1");
    assert_ok(manifest_create(&manifest, folder, &film));
    assert_ok(manifest_remove(&manifest));
    assert_int_equal(fixture_count_files(*state), 0);
    free(old);
}

TEST(test_lock)
{
    const char *folder = work_folder(state);
    struct manifest *manifest, *other;
    char me[64];
    snprintf(me, sizeof me, "process %ld on ", (long)getpid());
    assert_ok(manifest_create(&manifest, folder, &film));
    assert_fails(manifest_open(&other, folder, &film), STATUS_USAGE, me);
    assert_null(other);
    assert_fails(manifest_create(&other, folder, &film), STATUS_USAGE, "another run");
    manifest_close(&manifest);
    /* a killed run holds no lock */
    int ready[2];
    char byte;
    assert_int_equal(pipe(ready), 0);
    pid_t child = fork();
    if (child == 0) {
        if (manifest_open(&other, folder, &film) == STATUS_OK && write(ready[1], "x", 1) == 1)
            pause();
        _exit(1);
    }
    close(ready[1]);
    assert_int_equal(read(ready[0], &byte, 1), 1);
    close(ready[0]);
    assert_fails(manifest_open(&other, folder, &film), STATUS_USAGE, "another run");
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(waitpid(child, NULL, 0), child);
    assert_ok(manifest_open(&manifest, folder, &film));
    manifest_close(&manifest);
    /* one that is about to end is waited for */
    assert_int_equal(pipe(ready), 0);
    child = fork();
    if (child == 0) {
        static const struct timespec while_others_try = {.tv_nsec = 30000000};
        if (manifest_open(&other, folder, &film) == STATUS_OK && write(ready[1], "x", 1) == 1)
            nanosleep(&while_others_try, NULL);
        _exit(1);
    }
    close(ready[1]);
    assert_int_equal(read(ready[0], &byte, 1), 1);
    close(ready[0]);
    assert_ok(manifest_open(&manifest, folder, &film));
    assert_int_equal(waitpid(child, NULL, 0), child);
    /* other people's files stay */
    put(manifest, "notes.txt", "mine");
    log_set_level(LOG_ERROR);
    assert_ok(manifest_remove(&manifest));
    log_set_level(LOG_WARNING);
    assert_int_equal(fixture_count_files(folder), 1);
    assert_fails(manifest_open(&manifest, fixture_path(*state, "none"), &film), STATUS_IO, "none");
}

/* Only files with exactly the program's own names are removed. */
TEST(test_names_of_others)
{
    static const char *const theirs[] = {
        "manifest.txt",
        "manifest.json.bak",
        "manifest.previous.json.old",
        "piece-of-cake.txt",
        "checkpoint-notes.md",
        "checkpoint-000001.h5.bak",
        "checkpoint-1.h5",
        "segment-000001",
        "segment-000001.",
        "segment-000001.mp4.md",
        "segment-00001.mp4",
        "segment-000001-a.mp4",
        "segment-notes.mp4",
        "manifest.json.part.md",
        "segment-000001.Mp4",
        "lock.txt",
        ".part",
        "piece-000001.txt~",
        "pictures-000001.png",
        "pictures-of-us.raw",
    };
    static const char *const ours[] = {
        "segment-000001.mp4",
        "segment-1234567.webm",
        "segment-000001.mkv.gravreel.part",
        "segment-000001.mkv.part",
        "checkpoint-000001.h5",
        "checkpoint-000001.h5.gravreel.part",
        "piece-000001.mkv",
        "pictures-000001.raw",
        "manifest.previous.json",
        "manifest.json.gravreel.part",
    };
    enum { THEIRS = sizeof theirs / sizeof *theirs, OURS = sizeof ours / sizeof *ours };
    const char *folder = work_folder(state);
    struct manifest *manifest;
    assert_ok(manifest_create(&manifest, folder, &film));
    for (size_t i = 0; i < THEIRS; i++)
        put(manifest, theirs[i], "mine");
    for (size_t i = 0; i < OURS; i++)
        put(manifest, ours[i], "old");
    log_set_level(LOG_ERROR);
    assert_ok(manifest_remove(&manifest));
    log_set_level(LOG_WARNING);
    for (size_t i = 0; i < THEIRS; i++) {
        char *path = text_format("%s/%s", folder, theirs[i]);
        if (!file_exists(path))
            fail_msg("'%s' is gone", theirs[i]);
        free(path);
    }
    assert_int_equal(fixture_count_files(folder), THEIRS);
}

/* A file in the way is neither written to nor followed nor removed. */
TEST(test_links_and_files_of_others)
{
    const char *folder = work_folder(state), *elsewhere = fixture_path(*state, "elsewhere");
    struct manifest *manifest;
    char *lock = text_format("%s/lock", folder), *text;
    assert_ok(file_make_folder(elsewhere));
    assert_int_equal(symlink(elsewhere, folder), 0);
    assert_fails(manifest_create(&manifest, folder, &film), STATUS_USAGE, "link");
    assert_int_equal(fixture_count_files(elsewhere), 0);
    assert_int_equal(unlink(folder), 0);
    assert_ok(file_write(folder, "text", 4));
    assert_fails(manifest_create(&manifest, folder, &film), STATUS_USAGE, "folder");
    assert_int_equal(unlink(folder), 0);

    assert_ok(file_make_folder(folder));
    const char *target = fixture_path(*state, "elsewhere/theirs");
    assert_int_equal(symlink(target, lock), 0);
    assert_fails(manifest_create(&manifest, folder, &film), STATUS_USAGE, "link");
    assert_false(file_exists(target));
    assert_int_equal(unlink(lock), 0);
    assert_ok(file_write(lock, "my notes", 8));
    assert_fails(manifest_create(&manifest, folder, &film), STATUS_USAGE, "lock");
    assert_ok(file_read(lock, 100, &text, NULL));
    assert_string_equal(text, "my notes");
    free(text);
    assert_int_equal(fixture_count_files(folder), 1);
    assert_int_equal(unlink(lock), 0);
    assert_ok(manifest_create(&manifest, folder, &film));
    assert_ok(manifest_remove(&manifest));
    free(lock);
}

/* If set: where the previous manifest must be after every rename. */
static const char *watched;
static int gaps, changes;

static void look(void)
{
    if (!watched)
        return;
    changes++;
    gaps += access(watched, F_OK) != 0;
}

/* Replaces the system's function in this program and its libraries. */
int unlink(const char *path)
{
    const int result = (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
    look();
    return result;
}

int link(const char *from, const char *to)
{
    const int result = (int)syscall(SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0);
    look();
    return result;
}

int rename(const char *from, const char *to)
{
    const int result = (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
    look();
    return result;
}

TEST(test_previous_is_never_missing)
{
    const char *folder = work_folder(state);
    struct manifest *manifest = filled(folder);
    char *previous = manifest_path(manifest, "manifest.previous.json"), *before, *after;
    char *present = manifest_path(manifest, "manifest.json");
    for (int i = 0; i < 3; i++) {
        assert_ok(file_read(present, 1 << 20, &before, NULL));
        watched = previous;
        assert_ok(set_value(manifest, "exposure", i));
        watched = NULL;
        assert_ok(file_read(previous, 1 << 20, &after, NULL));
        assert_string_equal(after, before);
        free(before);
        free(after);
    }
    assert_true(changes >= 6);
    assert_int_equal(gaps, 0);
    free(previous);
    free(present);
    assert_ok(manifest_remove(&manifest));
    assert_int_equal(fixture_count_files(*state), 0); /* no temporary name stays */
}

static char *frame_name(void *user, uint64_t frame)
{
    return text_format("%s/%03d.png", (const char *)user, (int)frame);
}

/* Pictures, one file a frame, that are not in the folder. */
TEST(test_pictures)
{
    struct manifest *manifest;
    size_t lost;
    for (int frame = 0; frame < 60; frame++) {
        char *path = frame_name(*state, (uint64_t)frame), text[32];
        snprintf(text, sizeof text, "picture %d", frame);
        assert_ok(file_write(path, text, strlen(text)));
        free(path);
    }
    assert_ok(manifest_create(&manifest, work_folder(state), &film));
    assert_fails(add_segment(manifest, 0, 0, 30, ""), STATUS_RUNTIME, "no files");
    manifest->frame_file = frame_name;
    manifest->user = *state;
    assert_ok(add_segment(manifest, 0, 0, 30, ""));
    assert_ok(add_segment(manifest, 1, 30, 30, ""));
    assert_fails(add_segment(manifest, 2, 60, 30, ""), STATUS_IO, "060.png");
    assert_int_equal(manifest->segments[0].bytes, 10 * 9 + 20 * 10);
    assert_ok(manifest_verify(manifest, &lost));
    assert_int_equal(lost, 0);
    char *path = frame_name(*state, 59);
    assert_ok(file_write(path, "picture 58", 10));
    free(path);
    log_set_level(LOG_ERROR);
    assert_ok(manifest_verify(manifest, &lost));
    log_set_level(LOG_WARNING);
    assert_true(lost == 1 && manifest->segment_count == 1 && manifest->segments[0].first == 0);
    assert_ok(manifest_remove(&manifest));
    assert_int_equal(fixture_count_files(*state), 60);
}

TEST(test_disk_full)
{
    const char *folder = work_folder(state);
    struct manifest *manifest = filled(folder);
    struct rlimit old, small;
    size_t segments;
    int files = fixture_count_files(folder);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    small = (struct rlimit){.rlim_cur = 500, .rlim_max = old.rlim_max};
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    enum status status = add_segment(manifest, 2, 60, 30, "segment-000002.mkv");
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
    assert_int_equal(status, STATUS_IO);
    assert_says(status_text(), "manifest.json");
    manifest_close(&manifest);
    assert_int_equal(fixture_count_files(folder), files);
    assert_ok(open_and_close(folder, &segments));
    assert_int_equal(segments, 3);
}

TESTS_EACH(fixture_setup, fixture_teardown)
