/* One rank, what launchers leave in the environment, and how a host's processors are divided. What
 * several ranks do: test_mpi.sh. */
#include "tests/support/test.h"

#include "base/ranks/launcher.h"
#include "base/ranks/processors.h"
#include "base/ranks/ranks.h"

#include <string.h>

static const char *const variables[] = {
    "OMPI_COMM_WORLD_SIZE",
    "OMPI_COMM_WORLD_RANK",
    "OMPI_COMM_WORLD_LOCAL_SIZE",
    "OMPI_COMM_WORLD_LOCAL_RANK",
    "PMI_SIZE",
    "PMI_RANK",
    "MPI_LOCALNRANKS",
    "MPI_LOCALRANKID",
    "PMIX_RANK",
    "SLURM_STEP_NUM_TASKS",
    "SLURM_PROCID",
    "SLURM_LOCALID",
    "SLURM_NODEID",
    "SLURM_TASKS_PER_NODE",
    "SLURM_STEP_TASKS_PER_NODE",
    "HYDRA_BOOTSTRAP",
    "GRAVREEL_RANK_PROCESS",
};

static int clear(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
        unsetenv(variables[i]);
    return 0;
}

/* "NAME=VALUE NAME=VALUE" becomes the environment. */
static struct launch launched_by(const char *environment)
{
    struct launch launch;
    char text[512], *rest = text;
    clear(NULL);
    snprintf(text, sizeof text, "%s", environment);
    for (char *word; (word = strtok_r(rest, " ", &rest));) {
        char *value = strchr(word, '=');
        *value = '\0';
        setenv(word, value + 1, 1);
    }
    launch_find(&launch);
    return launch;
}

TEST(an_ordinary_start_is_alone)
{
    assert_int_equal(launched_by("").count, 1);
    assert_ok(ranks_open());
    assert_int_equal(ranks_count(), 1);
    assert_int_equal(ranks_own(), 0);
    assert_int_equal(ranks_local(), 0);
    assert_int_equal(ranks_local_count(), 1);
    assert_string_equal(ranks_name(0), "");
    assert_true(ranks_host(0)[0] != '\0');
    assert_true(ranks_threads(0) >= 1);
    ranks_watch(NULL);
    ranks_close();
    ranks_close();
}

TEST(alone_data_stays_or_is_copied)
{
    char out[] = "gravity", in[16] = "";
    const size_t bytes = sizeof out, none = 0;
    double largest = -3;
    uint64_t sum = 7, number = 0;
    assert_ok(ranks_agree(STATUS_OK));
    assert_int_equal(ranks_agree(status_fail(STATUS_IO, "disk full")), STATUS_IO);
    assert_string_equal(status_text(), "disk full");
    assert_ok(ranks_share(out, bytes, 0));
    assert_ok(ranks_largest(&largest, 1));
    assert_ok(ranks_sum(&sum, 1));
    assert_true(largest == -3 && sum == 7);
    assert_ok(ranks_gather(out, in, &bytes));
    assert_string_equal(in, "gravity");
    assert_ok(ranks_gather(in, in, &bytes));
    assert_ok(ranks_collect("films", 6, in, &(size_t){6}, 0));
    assert_string_equal(in, "films");
    assert_ok(ranks_deal(out, &bytes, in, bytes, 0));
    assert_string_equal(in, "gravity");
    in[0] = '\0';
    assert_ok(ranks_exchange(out, &bytes, in, &bytes));
    assert_string_equal(in, "gravity");
    assert_ok(ranks_exchange(NULL, &none, NULL, &none));
    assert_ok(ranks_swap(&sum, &number));
    assert_int_equal(number, 7);
    assert_int_equal(ranks_traffic().bytes, 0);
    assert_int_equal(ranks_traffic().messages, 0);
}

TEST(lengths_that_differ_are_refused)
{
    char in[4] = "abc";
    const size_t more = 8, less = 4;
    assert_fails(ranks_exchange("1234567", &more, in, &less), STATUS_RUNTIME, "8 4");
    assert_fails(ranks_collect("1234567", more, in, &less, 0), STATUS_RUNTIME, "8 4");
    assert_fails(ranks_deal("1234567", &more, in, less, 0), STATUS_RUNTIME, "8 4");
    assert_string_equal(in, "abc");
}

TEST(launchers_are_known)
{
    static const struct {
        const char *environment, *by;
        int count, own, local, local_count;
        bool connected;
    } cases[] = {
        {"OMPI_COMM_WORLD_SIZE=4 OMPI_COMM_WORLD_RANK=3 OMPI_COMM_WORLD_LOCAL_SIZE=2 "
         "OMPI_COMM_WORLD_LOCAL_RANK=1 PMIX_RANK=3",
         "mpirun", 4, 3, 1, 2, true},
        /* of mpirun in a Slurm job, whose own step has a task per node */
        {"SLURM_STEP_NUM_TASKS=2 SLURM_PROCID=1 OMPI_COMM_WORLD_SIZE=8 OMPI_COMM_WORLD_RANK=0",
         "mpirun", 8, 0, -1, 0, true},
        {"PMI_SIZE=3 PMI_RANK=2 MPI_LOCALNRANKS=3 MPI_LOCALRANKID=2", "mpiexec", 3, 2, 2, 3, true},
        /* local ranks count from 0 */
        {"PMI_SIZE=3 PMI_RANK=2 MPI_LOCALNRANKS=2 MPI_LOCALRANKID=2", "mpiexec", 3, 2, -1, 0, true},
        {"PMI_SIZE=5 PMI_RANK=4 SLURM_STEP_NUM_TASKS=5 SLURM_PROCID=4 SLURM_LOCALID=1 "
         "SLURM_NODEID=1 SLURM_STEP_TASKS_PER_NODE=3,2",
         "srun", 5, 4, 1, 2, true},
        {"PMIX_RANK=7 SLURM_STEP_NUM_TASKS=8 SLURM_PROCID=7 SLURM_LOCALID=3 SLURM_NODEID=1 "
         "SLURM_TASKS_PER_NODE=4(x2)",
         "srun", 8, 7, 3, 4, true},
        {"SLURM_STEP_NUM_TASKS=2 SLURM_PROCID=1", "srun", 2, 1, -1, 0, false},
        {"OMPI_COMM_WORLD_SIZE=1 OMPI_COMM_WORLD_RANK=0", NULL, 1, 0, -1, 0, false},
        {"SLURM_STEP_NUM_TASKS=1 SLURM_PROCID=0 SLURM_NTASKS=4", NULL, 1, 0, -1, 0, false},
        {"OMPI_COMM_WORLD_SIZE=4", NULL, 1, 0, -1, 0, false},
        {"PMI_SIZE=two PMI_RANK=0", NULL, 1, 0, -1, 0, false},
        {"PMI_SIZE=2 PMI_RANK=2", NULL, 1, 0, -1, 0, false},
        /* of a process that a rank has started */
        {"GRAVREEL_RANK_PROCESS=1 OMPI_COMM_WORLD_SIZE=4 OMPI_COMM_WORLD_RANK=3", NULL, 1, 0, -1, 0,
         false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct launch launch = launched_by(cases[i].environment);
        if (launch.count != cases[i].count || launch.own != cases[i].own ||
            launch.local != cases[i].local || launch.local_count != cases[i].local_count ||
            launch.connected != cases[i].connected ||
            strcmp(launch.by ? launch.by : "", cases[i].by ? cases[i].by : "") != 0)
            fail_msg("%s: rank %d of %d by %s, local %d of %d", cases[i].environment, launch.own,
                     launch.count, launch.by ? launch.by : "none", launch.local,
                     launch.local_count);
    }
}

TEST(the_mark_of_a_rank_is_its_own)
{
    assert_false(launch_is_kept());
    launch_keep();
    assert_true(launch_is_kept());
    setenv("PMI_SIZE", "2", 1);
    setenv("PMI_RANK", "1", 1);
    struct launch launch;
    launch_find(&launch);
    assert_int_equal(launch.count, 2);
}

TEST(several_tasks_without_mpi_are_refused)
{
    launched_by("SLURM_STEP_NUM_TASKS=3 SLURM_PROCID=0");
    assert_fails(ranks_open(), STATUS_DEVICE, "3 times srun MPI");
    launched_by("SLURM_STEP_NUM_TASKS=3 SLURM_PROCID=2");
    assert_int_equal(ranks_open(), STATUS_DEVICE);
    assert_string_equal(status_text(), "");
    assert_int_equal(ranks_count(), 1);
}

TEST(slurm_lists_tasks)
{
    static const struct {
        const char *list;
        int node, tasks;
    } cases[] = {
        {"4", 0, 4},       {"4", 1, 0},       {"4(x2),3", 0, 4}, {"4(x2),3", 1, 4},
        {"4(x2),3", 2, 3}, {"4(x2),3", 3, 0}, {"", 0, 0},        {"4(x", 0, 0},
        {"4(x2", 1, 0},    {"x", 0, 0},       {"4,", 1, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (launch_tasks_on(cases[i].list, cases[i].node) != cases[i].tasks)
            fail_msg("%s, node %d: %d", cases[i].list, cases[i].node,
                     launch_tasks_on(cases[i].list, cases[i].node));
}

TEST(processors_are_divided)
{
    static const struct {
        int own, host, local, count;
        struct processors_share want;
    } cases[] = {
        {64, 64, 0, 1, {0, 0, 0}}, /* one rank has all */
        {64, 64, 0, 2, {0, 32, 0}}, {64, 64, 1, 2, {32, 32, 0}},
        {8, 8, 0, 3, {0, 2, 0}},    {8, 8, 1, 3, {2, 3, 0}},
        {8, 8, 2, 3, {5, 3, 0}},    {32, 64, 0, 2, {0, 0, 0}}, /* bound to a socket each */
        {1, 64, 5, 8, {0, 0, 0}},                              /* bound to a core each */
        {32, 64, 0, 4, {0, 0, 16}},                            /* two on each socket */
        {2, 2, 4, 5, {0, 0, 1}},                               /* more ranks than processors */
        {1, 1, 1, 2, {0, 0, 0}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct processors_share got =
            processors_divide(cases[i].own, cases[i].host, cases[i].local, cases[i].count);
        if (got.first != cases[i].want.first || got.count != cases[i].want.count ||
            got.threads != cases[i].want.threads)
            fail_msg("case %zu: %d from %d, %d threads", i, got.count, got.first, got.threads);
    }
}

TESTS_EACH(clear, NULL)
