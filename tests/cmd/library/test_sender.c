/* A film's buffer: the simulation goes on while the program is behind, until 128 MiB are unsent,
 * and nothing is lost. The receiver is a pipe that this test reads. */
#include "tests/support/test.h"

#include "cmd/library/gravreel.h"
#include "tests/support/files/folder.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>

enum { N = 200000, FRAME = 24 * N, FRAMES = 27, MORE = 40 }; /* 4.8 MB each, 129.6 MB, 192 MB */

static double numbers[3 * N];

/* Opens both ends of a pipe, so that neither waits for the other. */
static struct gravreel_film *open_pipe(int *reads)
{
    const char *path = folder_path("pipe");
    unlink(path);
    assert_int_equal(mkfifo(path, 0600), 0);
    *reads = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    assert_true(*reads >= 0);
    struct gravreel_film *film = gravreel_open_stream(path);
    assert_int_equal(fcntl(*reads, F_SETFL, 0), 0);
    return film;
}

static int hand_over(struct gravreel_film *film, int frame)
{
    const struct gravreel_array pos = {.name = "pos", .type = GRAVREEL_F8, .data = numbers};
    numbers[0] = frame;
    numbers[3 * N - 1] = -frame;
    return gravreel_frame(film, frame, N, &pos, 1);
}

static void read_all(FILE *from, char *to, size_t size)
{
    assert_int_equal(fread(to, 1, size, from), size);
}

/* Reads frames first .. last, and checks that they are whole. */
static void read_frames(FILE *from, int first, int last)
{
    char line[256];
    double *found = malloc(FRAME);
    for (int frame = first; frame <= last; frame++) {
        assert_non_null(fgets(line, sizeof line, from));
        assert_non_null(strstr(line, "\"bodies\": 200000"));
        read_all(from, (char *)found, FRAME);
        numbers[0] = frame;
        numbers[3 * N - 1] = -frame;
        assert_memory_equal(found, numbers, FRAME);
    }
    free(found);
}

TEST(a_simulation_goes_on_while_nothing_is_read)
{
    int reads;
    char line[256];
    for (int i = 0; i < 3 * N; i++)
        numbers[i] = i;
    struct gravreel_film *film = open_pipe(&reads);
    for (int frame = 0; frame < FRAMES; frame++) /* would never end if a call waited */
        assert_int_equal(hand_over(film, frame), 0);
    FILE *from = fdopen(reads, "rb");
    assert_non_null(fgets(line, sizeof line, from));
    read_frames(from, 0, FRAMES - 1);
    for (int frame = FRAMES; frame < FRAMES + MORE; frame++) { /* round the ring once more */
        assert_int_equal(hand_over(film, frame), 0);
        if (frame >= FRAMES + 20)
            read_frames(from, frame - 20, frame - 20);
    }
    read_frames(from, FRAMES + MORE - 20, FRAMES + MORE - 1);
    assert_int_equal(gravreel_close(film), 0);
    assert_int_equal(fgetc(from), EOF);
    fclose(from);
}

static void *close_later(void *reads)
{
    char some[4096];
    for (int i = 0; i < 100; i++)
        (void)!read(*(int *)reads, some, sizeof some);
    close(*(int *)reads);
    return NULL;
}

/* More than the buffer, so that the simulation waits for a receiver that goes away. */
TEST(a_receiver_that_goes_away)
{
    int reads, code = 0;
    pthread_t thread;
    struct gravreel_film *film = open_pipe(&reads);
    assert_int_equal(pthread_create(&thread, NULL, close_later, &reads), 0);
    for (int frame = 0; frame < 2 * FRAMES && code == 0; frame++)
        code = hand_over(film, frame);
    pthread_join(thread, NULL);
    assert_int_equal(code, 1);
    assert_sentence(gravreel_error(), "cannot hand over a frame Broken");
    assert_int_equal(hand_over(film, 99), 1);
    assert_int_equal(gravreel_close(film), 1);
}

TESTS(folder_set_up, folder_tear_down)
