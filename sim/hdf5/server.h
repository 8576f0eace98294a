/* Queries libhdf5 about one file in a process of its own, which may crash or hang without harm.
 *
 * Questions and answers are in shared memory; a byte through a socket announces each. Answers must
 * not be trusted: the file may have taken over the process. */
#pragma once

#include "sim/hdf5/hdf5_table.h"

#include <stdbool.h>
#include <stdint.h>

enum { SERVER_NAME = 256, SERVER_WINDOW = 4 << 20 };

enum question {
    ASK_OPEN,      /* whether libhdf5 can open the file */
    ASK_ATTRIBUTE, /* `attribute` of the object `path` */
    ASK_TABLE,     /* the form of the dataset `path` */
    ASK_ROWS,      /* rows first .. first + rows - 1 of the table asked for last */
    ASK_SOURCE,    /* the first file name of the virtual dataset `path` */
    ASK_MEMBER, /* the name of member `first` of the group `path`, alphabetically; UINT64_MAX: the
                 * last one */
};

enum answer {
    ANSWER_GOOD,
    ANSWER_NONE,      /* it does not exist */
    ANSWER_LINK,      /* it is reached by a link that is not hard */
    ANSWER_EXTERNAL,  /* its numbers are in other files */
    ANSWER_VIRTUAL,   /* likewise, as a virtual dataset */
    ANSWER_FILTER,    /* packed with a filter that this libhdf5 lacks, whose number is in `first` */
    ANSWER_TYPE,      /* not a plain number */
    ANSWER_SHAPE,     /* not one or two dimensions */
    ANSWER_TOO_LARGE, /* chunks or a text beyond the limits */
    ANSWER_BAD,       /* libhdf5 reports an error */
};

struct shared {
    bool started; /* the process runs */
    enum question question;
    char path[SERVER_NAME], name[SERVER_NAME];
    uint64_t first, rows;

    enum answer answer;
    struct hdf5_attribute attribute;
    struct hdf5_table table;
    char last[SERVER_NAME]; /* the latest name */
    unsigned char window[SERVER_WINDOW] __attribute__((aligned(64)));
};

/* Starts the process for the open file `file`, with ASK_OPEN as its first question, and waits for
 * the answer; closing *socket ends it. *socket -1: it ended instead. Returns the memory that both
 * share, which the caller unmaps (munmap), or NULL with errno. Thread-safe. */
struct shared *server_start(int file, int *socket);
