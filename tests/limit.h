/* When a test is taken for hung.
 *
 * Nothing is judged by this limit and no test comes near it, however much else the machine does: it
 * ends what would never end. Parts of a test that can tell more about a hang than its end (a child
 * process, a wait for a count) give up at half of it. CTest's own limit is above it. */
#ifndef PS_TESTS_LIMIT_H
#define PS_TESTS_LIMIT_H

enum { LIMIT_S = 1500, PART_LIMIT_S = LIMIT_S / 2 }; /* for alarm(): SIGALRM ends a hang */

#endif
