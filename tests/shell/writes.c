/* Below SQLite: what one process does to the files of one folder, written down in order; see power_cut.py.
 *
 * Loaded with LD_PRELOAD. TABLECTL_DISK is the folder, TABLECTL_DISK_LOG the log. A record is its kind, a file's number, an
 * offset, a length (little-endian: 1, 8, 8, 4 bytes), then so many bytes:
 *   W wrote   T cut to that size   S fsync or fdatasync came back   D the same of the folder
 *   N a name that was not there was opened   R renamed (two paths, a zero between)   U unlinked
 *   F fsync or fdatasync failed (EIO): the first after a file TABLECTL_DISK_FAIL is there, which goes with it
 * While a file TABLECTL_DISK_STALL is there, fsync does not come back; while TABLECTL_DISK_READONLY is there, nothing of
 * the folder is written or opened for writing: as a kernel does it that takes a failing card out of service (EROFS).
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static const char *folder, *stall, *readonly, *fail;
static int out = -1;

__attribute__((constructor)) static void begin(void)
{
    const char *log = getenv("TABLECTL_DISK_LOG");
    folder = getenv("TABLECTL_DISK");
    stall = getenv("TABLECTL_DISK_STALL");
    readonly = getenv("TABLECTL_DISK_READONLY");
    fail = getenv("TABLECTL_DISK_FAIL");
    if (folder && log)
        out = syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

static int ours(const char *path)
{
    size_t length = folder ? strlen(folder) : 0;
    return length && !strncmp(path, folder, length) && (path[length] == '/' || !path[length]);
}

static int named(int file, char *path, size_t room)
{
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, room - 1);
    path[length > 0 ? length : 0] = 0;
    return ours(path);
}

static int refused(const char *path)
{
    if (!readonly || !ours(path) || syscall(SYS_faccessat, AT_FDCWD, readonly, F_OK))
        return 0;
    errno = EROFS;
    return 1;
}

static int refused_file(int file)
{
    char path[4096];
    return readonly && named(file, path, sizeof path) && refused(path);
}

static void tell(char kind, int file, uint64_t offset, const void *data, uint32_t length)
{
    struct stat what;
    uint64_t number = file >= 0 && !fstat(file, &what) ? what.st_ino : 0;
    struct __attribute__((packed)) { char kind; uint64_t number, offset; uint32_t length; } head = {
        kind, number, offset, length };
    struct iovec both[2] = {{&head, sizeof head}, {(void *)data, length}};
    pthread_mutex_lock(&guard);
    if (syscall(SYS_writev, out, both, 2) != (long)(sizeof head + length))
        abort();
    pthread_mutex_unlock(&guard);
}

#define REAL(name) \
    static __typeof__(&name) real; \
    if (!real) \
        real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

static ssize_t wrote(int file, const void *data, ssize_t done, off_t offset)
{
    char path[4096];
    if (out >= 0 && done > 0 && named(file, path, sizeof path))
        tell('W', file, offset, data, done);
    return done;
}

ssize_t pwrite(int file, const void *data, size_t size, off_t offset)
{
    REAL(pwrite);
    if (refused_file(file))
        return -1;
    return wrote(file, data, real(file, data, size, offset), offset);
}

ssize_t pwrite64(int file, const void *data, size_t size, off_t offset) { return pwrite(file, data, size, offset); }

ssize_t write(int file, const void *data, size_t size)
{
    REAL(write);
    off_t offset = out >= 0 ? lseek(file, 0, SEEK_CUR) : 0;
    return wrote(file, data, real(file, data, size), offset < 0 ? 0 : offset);
}

int ftruncate(int file, off_t size)
{
    REAL(ftruncate);
    char path[4096];
    if (refused_file(file))
        return -1;
    int failed = real(file, size);
    if (out >= 0 && !failed && named(file, path, sizeof path))
        tell('T', file, size, "", 0);
    return failed;
}

int ftruncate64(int file, off_t size) { return ftruncate(file, size); }

static int waited(int file, int failed)
{
    char path[4096];
    struct stat what;
    struct timespec look = {0, 1000000};
    if (failed || !named(file, path, sizeof path))
        return failed;
    while (stall && !syscall(SYS_faccessat, AT_FDCWD, stall, F_OK))
        nanosleep(&look, NULL);
    if (out >= 0 && !fstat(file, &what))
        tell(S_ISDIR(what.st_mode) ? 'D' : 'S', file, 0, "", 0);
    return failed;
}

static int fails(int file)
{
    char path[4096];
    if (!fail || !named(file, path, sizeof path) || syscall(SYS_unlinkat, AT_FDCWD, fail, 0))
        return 0;
    tell('F', file, 0, "", 0);
    errno = EIO;
    return 1;
}

int fsync(int file)
{
    REAL(fsync);
    if (fails(file))
        return -1;
    return waited(file, real(file));
}

int fdatasync(int file)
{
    REAL(fdatasync);
    if (fails(file))
        return -1;
    return waited(file, real(file));
}

static int opened(const char *path, int flags, int mode)
{
    if ((flags & (O_CREAT | O_WRONLY | O_RDWR)) && refused(path))
        return -1;
    int fresh = out >= 0 && (flags & O_CREAT) && ours(path) && syscall(SYS_faccessat, AT_FDCWD, path, F_OK);
    int file = syscall(SYS_openat, AT_FDCWD, path, flags | O_LARGEFILE, mode);
    if (file >= 0 && fresh)
        tell('N', file, 0, path, strlen(path));
    if (file >= 0 && !fresh && out >= 0 && (flags & O_TRUNC) && ours(path))
        tell('T', file, 0, "", 0);
    return file;
}

int open(const char *path, int flags, ...)
{
    va_list more;
    va_start(more, flags);
    int mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, int) : 0;
    va_end(more);
    return opened(path, flags, mode);
}

int open64(const char *path, int flags, ...)
{
    va_list more;
    va_start(more, flags);
    int mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, int) : 0;
    va_end(more);
    return opened(path, flags, mode);
}

int rename(const char *from, const char *to)
{
    REAL(rename);
    int failed = real(from, to);
    if (out >= 0 && !failed && ours(to)) {
        char both[8192];
        int length = snprintf(both, sizeof both, "%s%c%s", from, 0, to);
        tell('R', -1, 0, both, length);
    }
    return failed;
}

int unlink(const char *path)
{
    REAL(unlink);
    int failed = real(path);
    if (out >= 0 && !failed && ours(path))
        tell('U', -1, 0, path, strlen(path));
    return failed;
}
