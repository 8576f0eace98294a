/* Asks libhdf5 about one file in a process of its own, which may crash or hang without harm.
 *
 * Questions and answers are in memory that both share; a byte each way through a socket says that
 * one is there. What is answered is not to be believed: the process may have been taken over by the
 * file. */
#ifndef SIM_HDF5_SERVER_H
#define SIM_HDF5_SERVER_H

#include "sim/hdf5/kinds.h"

#include <stdint.h>
#include <sys/types.h>

enum { SERVER_NAME = 256, SERVER_WINDOW = 4 << 20 };

enum question {
    ASK_OPEN,      /* whether libhdf5 opens the file */
    ASK_ATTRIBUTE, /* `attribute` of the object `path` */
    ASK_TABLE,     /* what the dataset `path` is */
    ASK_ROWS,      /* rows first .. first + rows - 1 of the table that was asked for last */
    ASK_SOURCE, /* the name of the first file that the virtual dataset `path` is put together from
                 */
    ASK_MEMBER, /* the name of member number `first` of the group `path`, by name; UINT64_MAX: of
                   the last one */
};

enum answer {
    ANSWER_GOOD,
    ANSWER_NONE,      /* there is no such thing */
    ANSWER_LINK,      /* it is reached by a link that is not a hard one */
    ANSWER_EXTERNAL,  /* its numbers are in other files */
    ANSWER_VIRTUAL,   /* the same, as a virtual dataset */
    ANSWER_FILTER,    /* packed with a filter that this libhdf5 has not */
    ANSWER_TYPE,      /* of a type that is no plain number */
    ANSWER_SHAPE,     /* not one or two dimensions */
    ANSWER_TOO_LARGE, /* chunks or a text beyond the limits */
    ANSWER_BAD,       /* libhdf5 reports an error */
};

struct shared {
    enum question question;
    char path[SERVER_NAME], name[SERVER_NAME];
    uint64_t first, rows;

    enum answer answer;
    struct hdf5_attribute attribute;
    struct hdf5_table table;
    char last[SERVER_NAME]; /* the name that was asked for */
    unsigned char window[SERVER_WINDOW] __attribute__((aligned(64)));
};

/* Starts the process, which reads the file that `file` is open on; *socket is the other end, whose
 * closing ends it. -1 with errno. */
pid_t server_start(struct shared *shared, int file, int *socket);

#endif
