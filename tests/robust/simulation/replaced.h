/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* The functions that the libraries reach in place of libc's: see calls.txt. */
#ifndef TESTS_SIMULATION_REPLACED_H
#define TESTS_SIMULATION_REPLACED_H

#include <dirent.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>

/* threads.c */
int replaced_pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes);
int replaced_pthread_mutex_destroy(pthread_mutex_t *mutex);
int replaced_pthread_mutex_lock(pthread_mutex_t *mutex);
int replaced_pthread_mutex_unlock(pthread_mutex_t *mutex);
int replaced_pthread_condattr_init(pthread_condattr_t *attributes);
int replaced_pthread_condattr_setclock(pthread_condattr_t *attributes, clockid_t clock);
int replaced_pthread_condattr_destroy(pthread_condattr_t *attributes);
int replaced_pthread_cond_init(pthread_cond_t *condition, const pthread_condattr_t *attributes);
int replaced_pthread_cond_destroy(pthread_cond_t *condition);
int replaced_pthread_cond_signal(pthread_cond_t *condition);
int replaced_pthread_cond_broadcast(pthread_cond_t *condition);
int replaced_pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex);
int replaced_pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex,
				    const struct timespec *until);
int replaced_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
			    void *(*start)(void *), void *argument);
int replaced_pthread_join(pthread_t thread, void **result);
pthread_t replaced_pthread_self(void);
int replaced_pthread_equal(pthread_t one, pthread_t other);
int replaced_pthread_sigmask(int how, const sigset_t *set, sigset_t *before);
int replaced_pthread_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void));
void replaced___pthread_register_cancel(__pthread_unwind_buf_t *buffer);
void replaced___pthread_unregister_cancel(__pthread_unwind_buf_t *buffer);
void replaced___pthread_unwind_next(__pthread_unwind_buf_t *buffer) __attribute__((noreturn));
void replaced_pthread_testcancel(void);
int replaced_pthread_setcancelstate(int state, int *before);
int replaced_clock_gettime(clockid_t clock, struct timespec *time);
int replaced_nanosleep(const struct timespec *wanted, struct timespec *left);

/* memory.c */
int replaced_madvise(void *memory, size_t size, int advice);
void *replaced_mmap(void *place, size_t size, int protection, int flags, int fd, off_t offset);
int replaced_munmap(void *memory, size_t size);
void *replaced_malloc(size_t size);
void *replaced_calloc(size_t count, size_t size);
void *replaced_realloc(void *pointer, size_t size);
void replaced_free(void *pointer);

/* files.c */
int replaced_open(const char *path, int flags, ...);
int replaced_close(int fd);
ssize_t replaced_read(int fd, void *buffer, size_t size);
ssize_t replaced_write(int fd, const void *buffer, size_t size);
int replaced_poll(struct pollfd *fds, nfds_t count, int timeout_ms);
int replaced_ioctl(int fd, unsigned long request, ...);
DIR *replaced_opendir(const char *path);
struct dirent *replaced_readdir(DIR *dir);
int replaced_closedir(DIR *dir);
int replaced_eventfd(unsigned value, int flags);
int replaced_eventfd_read(int fd, eventfd_t *value);
int replaced_eventfd_write(int fd, eventfd_t value);
int replaced_timerfd_create(clockid_t clock, int flags);
int replaced_timerfd_settime(int fd, int flags, const struct itimerspec *until,
			     struct itimerspec *before);
int replaced_epoll_create1(int flags);
int replaced_epoll_ctl(int epoll, int operation, int fd, struct epoll_event *event);

int replaced_dup3(int fd, int as, int flags);
int replaced_fstat(int fd, struct stat *status);
int replaced_fstat64(int fd, struct stat64 *status);
int replaced___fxstat(int version, int fd, struct stat *status);
int replaced___fxstat64(int version, int fd, struct stat64 *status);
ssize_t replaced_readlink(const char *path, char *target, size_t size);

/* process.c */
extern char replaced___libc_single_threaded;
pid_t replaced_getpid(void);
void replaced_exit(int status) __attribute__((noreturn));
ssize_t replaced_getrandom(void *buffer, size_t size, unsigned flags);
char *replaced_secure_getenv(const char *name);
int replaced_fprintf(FILE *stream, const char *format, ...) __attribute__((format(printf, 2, 3)));
int replaced_printf(const char *format, ...) __attribute__((format(printf, 1, 2)));
int replaced___fprintf_chk(FILE *stream, int flag, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
int replaced___printf_chk(int flag, const char *format, ...) __attribute__((format(printf, 2, 3)));
int replaced_fputs(const char *text, FILE *stream);
int replaced_fputc(int character, FILE *stream);

#endif
