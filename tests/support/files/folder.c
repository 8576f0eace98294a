#include "tests/support/files/folder.h"

#include "base/text.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char *group;

static char *make_in(const char *parent)
{
    char *folder = text_format("%s/gravreel-test-XXXXXX", parent);
    if (mkdtemp(folder))
        return folder;
    free(folder);
    return NULL;
}

char *folder_make(void)
{
    const char *parent = getenv("TMPDIR");
    char *folder = make_in(parent ? parent : "/tmp");
    if (!folder) {
        perror("temporary folder");
        abort();
    }
    return folder;
}

static int remove_one(const char *path, const struct stat *found, int kind, struct FTW *where)
{
    (void)found;
    (void)kind;
    (void)where;
    return remove(path);
}

void folder_remove(char *folder)
{
    nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    free(folder);
}

int folder_set_up(void **state)
{
    (void)state;
    group = make_in("/dev/shm");
    if (!group)
        group = folder_make();
    return 0;
}

int folder_tear_down(void **state)
{
    (void)state;
    folder_remove(group);
    group = NULL;
    return 0;
}

const char *folder_name(void)
{
    return group;
}

const char *folder_path(const char *name)
{
    enum { ROOM = 8 };
    static char paths[ROOM][4096];
    static int next;
    char *path = paths[next++ % ROOM];
    snprintf(path, sizeof paths[0], "%s/%s", group, name);
    return path;
}
