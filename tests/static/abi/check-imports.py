#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
"""check-imports.py LIBRARY...

The libraries reach files and devices only through open, close, read, write, poll, ioctl, opendir
and scandir, the symbols that simulators replace with a preload; they change no files, start no
programs, and read the environment by secure_getenv alone. Lists each other call of these kinds
among the undefined symbols and exits 1 if there is one, or if none of the libraries imports what
devices can not be used without.
"""
import re
import sys

import elffile

ALLOWED = {"open", "close", "read", "write", "poll", "ioctl", "opendir", "scandir"}

# Further calls that a library needs:
# - epoll: the monitor of libibumad represents several netlink sockets, which simulators do not have, by one
#   descriptor. libibmad does so for poll loops (libibmad/engine/watch.c), and dup3() replaces the parent's
#   descriptor in the child of a fork.
# - open, write and close by other names: the file of a capture is the kernel's under a simulator, too
#   (libibumad/capture/file.c). Processes that share a capture share a page of memory.
# - fstat: discovery checks that an open file is regular, or the device node that was meant (libibumad/base/sys.c),
#   and libibmad that a descriptor is a device of the kernel, which it can poll beside an eventfd
#   (libibmad/engine/wakeup.c); fstat() fails for descriptors of simulators.
ALLOWED_IN = {"libibumad.so.3": {
    "epoll_create1", "epoll_ctl",
    "openat64", "writev", "syscall", "fcntl64", "fstat64", "fstatat64", "ftruncate64", "renameat",
    "unlinkat", "mmap64",
    "fstat", "__fxstat",
    "__fxstat64", "__fxstatat64",  # fstat64 and fstatat64 in glibc before 2.33
    "openat", "fcntl", "fstatat", "ftruncate",  # in musl
    "__fstat64_time64", "__fstatat64_time64"},  # and with 64 bits of time_t on 32-bit machines
    "libibmad.so.5": {
    "fstat", "fstat64", "__fxstat", "__fxstat64", "__fstat64_time64",
    "dup3", "epoll_create1", "epoll_ctl"}}

# Other functions that open, read, test or wait for files, in all the forms that headers and compilers turn
# the above into: large files, fortified, relative to a directory, cancellation-free.
DENIED = re.compile(r"""
      _*(open|creat|close|read|write|poll|ioctl|scandir|opendir)(64|at|at64|_2|at_2|64_2|at64_2
          |v|v64|v2|v64v2|dir_r|dir64|dir64_r|_nocancel|64_nocancel|_range|from|_time64)?(_chk)?
    | _*(openat2?|open_by_handle_at|pread|pwrite|preadv|pwritev)(64|2|64v2)?(_2|_chk|64_chk)?
    | _*(ppoll|select|pselect|fdelt|epoll|inotify)\w*
    | _*(f|l|x|fx|lx|fxat|fat)?stat(x|at|64|at64|vfs|fs|vfs64|fs64)?(_time64)?
    | _*(fopen|fdopen|freopen|fopencookie|popen|tmpfile|fmemopen)(64)?
    | _*(access|faccessat|euidaccess|eaccess)
    | _*(readlink|readlinkat|realpath|canonicalize_file_name)(_chk)?
    | _*(fcntl|fcntl64|dup|dup2|dup3|lseek|lseek64|fsync|ftruncate\w*|mmap64|sendfile\w*|splice)
    | _*(scandirat|scandirat64|fdopendir|readdir64(_r)?|alphasort64|versionsort64)
    | _*(glob|glob64|wordexp|ftw|nftw|ftw64|nftw64|fts_\w+|syscall)
    | _*(send|sendto|sendmsg|recv|recvfrom|recvmsg|socket\w*|accept\w*|connect)(_chk)?
    | _*(fread|fgets|fscanf|isoc\d+_fscanf|getline|getdelim|getc|fgetc)(_unlocked)?(_chk)?
    | _*(put|set|unset|clear)env | getenv
    | _*(unlink|unlinkat|remove|rename\w*|link|linkat|symlink\w*|mkdir\w*|rmdir|mknod\w*|chdir|fchdir)
    | _*(chmod|fchmod\w*|[fl]?chown\w*|truncate\w*|mkstemp\w*|mkostemp\w*|mktemp|tempnam|tmpnam)
    | _*(system|v?fork|clone|posix_spawnp?|execv?[lpe]*|fexecve|set(re|res|e)?[ug]id|setgroups)
    | _*aio_\w+ | _*io_uring\w* | _*recv_chk | _*recvfrom_chk
""", re.X)

MUST_BE_DENIED = """
    openat open64 open_2 __open_2 __open64_2 __openat_2 openat64 creat fopen fopen64 fdopen
    freopen __read_chk __pread_chk __pread64_chk __poll_chk __ppoll_chk read64 pread pread64
    preadv readv writev pwrite ppoll select pselect __fdelt_chk epoll_wait epoll_create1 stat
    stat64 fstat fstat64 lstat statx __xstat __fxstat64 fstatat access readlink __readlink_chk
    scandir64 scandirat readdir64 fdopendir fcntl fcntl64 dup dup2 syscall __open __close __read
    __write __poll __ioctl_time64 __open_nocancel __read_nocancel realpath __realpath_chk fgets
    getline recvfrom getenv setenv unlink rename mkdir chmod mkstemp system fork execve execl
    setuid
""".split()
MUST_NOT_BE_DENIED = """
    readdir closedir free malloc alphasort qsort fprintf __fprintf_chk fwrite fputs fputc stderr
    vfprintf __vfprintf_chk snprintf __snprintf_chk strtoul getpid memcpy __memcpy_chk
    clock_gettime pthread_mutex_lock __stack_chk_fail __errno_location abort exit perror strerror
    getrandom __cxa_finalize secure_getenv
""".split()


def denied(name):
    return name not in ALLOWED and DENIED.fullmatch(name)


def main(paths):
    confused = [name for name in MUST_BE_DENIED if not denied(name)]
    confused += [name for name in MUST_NOT_BE_DENIED + sorted(ALLOWED) if denied(name)]
    if confused:
        sys.exit("this check no longer knows: " + " ".join(confused))
    if not paths:
        sys.exit(__doc__)

    failed, found = False, set()
    for path in paths:
        names = sorted(symbol.name for symbol in elffile.imports(path))
        found |= ALLOWED & set(names)
        print("%s: %d imports, files through: %s"
              % (path, len(names), " ".join(sorted(ALLOWED & set(names))) or "nothing"))
        besides = ALLOWED_IN.get("".join(elffile.dynamic(path, "SONAME")), set())
        for name in filter(denied, names):
            if name in besides:
                continue
            print("%s: %s would not be seen by a simulator" % (path, name))
            failed = True
    if not {"open", "read", "ioctl"} <= found:
        print("no library imports open, read and ioctl: these are not the libraries")
        failed = True
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
