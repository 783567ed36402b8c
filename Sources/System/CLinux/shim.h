// Linux system calls whose macros or variadic forms Swift cannot import.
#pragma once
#include <sys/types.h>
#include <sys/socket.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <pwd.h>
#include <semaphore.h>
#include <signal.h>
#include <spawn.h>
#include <time.h>
#include <unistd.h>

// GNU's own, declared here: with _GNU_SOURCE the types would differ from those of Swift's Glibc module.
int accept4(int, struct sockaddr *, socklen_t *, int);
int pipe2(int[2], int);
int pthread_setname_np(pthread_t, const char *);
ssize_t copy_file_range(int, off_t *, int, off_t *, size_t, unsigned int);
