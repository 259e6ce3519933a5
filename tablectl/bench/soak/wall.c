/* The wall clock of one process, so many nanoseconds ahead of the machine's: see wall.py.
 *
 * Loaded with LD_PRELOAD. Only CLOCK_REALTIME is changed, in the three ways in which a program asks for it; the number of
 * nanoseconds lies in a file that the process maps, so that a step of the clock is seen at the next look at it.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define SECOND 1000000000LL

static const volatile long long nothing = 0;
static const volatile long long *ahead = &nothing;
static int (*ask)(clockid_t, struct timespec *);

__attribute__((constructor)) static void begin(void)
{
    const char *path = getenv("TABLECTL_SOAK_WALL");
    int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (file >= 0) {
        void *there = mmap(NULL, sizeof *ahead, PROT_READ, MAP_SHARED, file, 0);
        if (there != MAP_FAILED)
            ahead = there;
        close(file);
    }
}

int clock_gettime(clockid_t clock, struct timespec *t)
{
    if (!ask)
        ask = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    int failed = ask(clock, t);
    if (!failed && clock == CLOCK_REALTIME) {
        long long now = t->tv_sec * SECOND + t->tv_nsec + *ahead;
        t->tv_sec = now / SECOND;
        t->tv_nsec = now % SECOND;
    }
    return failed;
}

int gettimeofday(struct timeval *restrict t, void *restrict zone)
{
    struct timespec now;
    (void)zone;
    if (clock_gettime(CLOCK_REALTIME, &now))
        return -1;
    t->tv_sec = now.tv_sec;
    t->tv_usec = now.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *t)
{
    struct timespec now = {0};
    clock_gettime(CLOCK_REALTIME, &now);
    if (t)
        *t = now.tv_sec;
    return now.tv_sec;
}
