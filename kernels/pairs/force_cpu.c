#include "kernels/pairs/force_cpu.h"

#include "kernels/isa.h"

#include <limits.h>
#include <linux/futex.h>
#include <math.h>
#include <omp.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Number of polls before sleeping: some tens of microseconds, about as long as a meeting of two
 * small blocks. */
enum { LOOKS = 1000 };

static void pause_shortly(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

/* The system compares the value once more before the thread sleeps, and a thread that raises it
 * checks for sleepers afterwards, so no wake-up is lost. */
void tally_wait(struct tally *tally, unsigned value)
{
    for (int look = 0; look < LOOKS; look++) {
        if (atomic_load_explicit(&tally->value, memory_order_acquire) >= value)
            return;
        pause_shortly();
    }
    atomic_fetch_add(&tally->sleepers, 1);
    for (unsigned found; (found = atomic_load(&tally->value)) < value;)
        syscall(SYS_futex, &tally->value, FUTEX_WAIT_PRIVATE, found, NULL, NULL, 0);
    atomic_fetch_sub(&tally->sleepers, 1);
}

void tally_raise(struct tally *tally, unsigned value)
{
    atomic_store(&tally->value, value);
    if (atomic_load(&tally->sleepers) > 0)
        syscall(SYS_futex, &tally->value, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}

/* Blocks are small enough that every thread has one, and large enough that the work per block is
 * small compared with the work per pair. */
enum { BLOCK_MIN = 256, BLOCK_USUAL = 1024, BLOCK_STEP = 128, BLOCKS = 40, BLOCKS_MAX = 512 };

_Static_assert(BLOCK_STEP % FORCE_PAD == 0, "blocks start at whole groups of rows");

struct player {
    struct force_block block;
    struct tally played; /* 1 after within(), then one more per round */
};

struct tournament {
    const struct force_pairs_kernel *kernel;
    struct force_units units;
    size_t blocks, seats; /* seats: blocks, rounded up to even; a block paired with an empty seat
                           * rests */
    atomic_size_t next;
    struct player players[BLOCKS_MAX];
};

static size_t block_size(size_t count)
{
    size_t size = count / BLOCKS < BLOCK_MIN ? BLOCK_MIN : count / BLOCKS;
    size = size > BLOCK_USUAL ? BLOCK_USUAL : size;
    size = count / BLOCKS_MAX < size ? size : count / BLOCKS_MAX + 1;
    return (size + BLOCK_STEP - 1) / BLOCK_STEP * BLOCK_STEP;
}

static struct force_units units_for(float softening)
{
    int power = 0;
    (void)frexpf(softening, &power);
    power = power > 20 ? 20 : power < -20 ? -20 : power;
    float scale = ldexpf(1, -power);
    return (struct force_units){.softening = softening * scale, .scale = scale};
}

static bool is_even(const struct force_block *block)
{
    bool even = block->count % FORCE_PAD == 0;
    for (size_t i = 0; i < block->count; i++)
        even &= block->rows[i][3] == block->rows[0][3];
    return even;
}

static void meet(struct tournament *t, size_t round, size_t table)
{
    size_t turning = t->seats - 1, a = (round + table) % turning;
    size_t b = table ? (round + turning - table) % turning : turning;
    unsigned played = (unsigned)round + 1;
    struct player *one = &t->players[a], *other = &t->players[b];
    if (a >= t->blocks) {
        one = other;
        other = NULL;
    } else if (b >= t->blocks) {
        other = NULL;
    }

    tally_wait(&one->played, played);
    if (other) {
        tally_wait(&other->played, played);
        t->kernel->between(&one->block, &other->block, t->units);
        tally_raise(&other->played, played + 1);
    }
    tally_raise(&one->played, played + 1);
}

/* Tasks are taken in order and wait only for earlier ones, so the earliest unfinished one never
 * waits. */
static void play(struct tournament *t)
{
    size_t tables = t->seats / 2, tasks = t->blocks + (t->seats - 1) * tables;
    for (;;) {
        size_t task = atomic_fetch_add_explicit(&t->next, 1, memory_order_relaxed);
        if (task >= tasks)
            return;
        if (task < t->blocks) {
            struct player *player = &t->players[task];
            player->block.even = is_even(&player->block);
            t->kernel->within(&player->block, t->units);
            tally_raise(&player->played, 1);
        } else {
            meet(t, (task - t->blocks) / tables, (task - t->blocks) % tables);
        }
    }
}

void force_pairs(const struct force_pairs_kernel *kernel, size_t count, const float (*rows)[4],
                 float softening, force_centres centres, double (*out)[3])
{
    size_t size = block_size(count), blocks = (count + size - 1) / size;
    struct tournament t = {
        .kernel = kernel,
        .units = units_for(softening),
        .blocks = blocks,
        .seats = blocks + blocks % 2,
    };
    for (size_t k = 0; k < blocks; k++)
        t.players[k].block = (struct force_block){
            .count = count - k * size < size ? count - k * size : size,
            .rows = rows + k * size,
            .first = k * size,
            .centres = centres,
            .out = out + k * size,
        };

    /* force_cpu_threads() asks for one thread too many, which would only compete with the
     * others. */
    int workers = omp_get_max_threads();
#pragma omp parallel num_threads(force_cpu_threads())
    if (omp_get_thread_num() < workers)
        play(&t);
}

#define WORDS_baseline "baseline"
#define WORDS_neon     "NEON"
#define WORDS_avx2     "AVX2"
#define WORDS_avx512   "AVX-512"
#define LANES_baseline 4
#define LANES_neon     4
#define LANES_avx2     8
#define LANES_avx512   16

#define ENTRY(isa)                                                                                 \
    static const struct force_cpu spline_##isa = {                                                 \
        .name = #isa,                                                                              \
        .doc = WORDS_##isa,                                                                        \
        .lanes = LANES_##isa,                                                                      \
        .usable = cpu_has_##isa,                                                                   \
        .exact = force_exact_spline_##isa,                                                         \
        .quick = force_quick_spline_##isa,                                                         \
        .exact_potential = force_exact_potential_spline_##isa,                                     \
        .in_double = force_double_spline_##isa,                                                    \
        .double_potential = force_double_potential_spline_##isa,                                   \
    };                                                                                             \
    static const struct force_cpu entry_##isa = {                                                  \
        .name = #isa,                                                                              \
        .doc = WORDS_##isa,                                                                        \
        .lanes = LANES_##isa,                                                                      \
        .usable = cpu_has_##isa,                                                                   \
        .fast = force_fast_##isa,                                                                  \
        .fast_potential = force_square_potential_##isa,                                            \
        .exact = force_exact_##isa,                                                                \
        .quick = force_quick_##isa,                                                                \
        .exact_potential = force_exact_potential_##isa,                                            \
        .in_double = force_double_##isa,                                                           \
        .double_potential = force_double_potential_##isa,                                          \
        .spline = &spline_##isa,                                                                   \
    };
EACH_ISA(ENTRY)

#define ROW(isa) &entry_##isa,
const struct force_cpu *const force_cpus[] = {EACH_ISA(ROW) NULL};

const struct force_cpu *force_cpu_find(const char *name)
{
    for (const struct force_cpu *const *f = force_cpus; *f; f++)
        if ((strcmp(name, "auto") == 0 || strcmp(name, (*f)->name) == 0) && (*f)->usable())
            return *f;
    return NULL;
}
