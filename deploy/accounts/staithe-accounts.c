/*
 * staithe-accounts: opens, makes and removes files as the local account that a storage element names, and does nothing else.
 *
 *   staithe-accounts SOCKET SERVICE-USER LOWEST-UID NAME=FOLDER...
 *
 * It runs as a user of its own, never as root, with the capabilities to change its user and groups and no other: what an
 * account may do to a file is decided by the kernel alone. Only processes of SERVICE-USER are served. A path never leaves its
 * FOLDER, and no link is followed. Each connection has a process of its own, which answers one packet by one packet.
 *
 *   cc -std=gnu11 -O2 -Wall -Wextra -Werror -o staithe-accounts staithe-accounts.c
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <linux/openat2.h>
#include <pwd.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/fsuid.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

/* The words of the protocol; HelperCall.java has the same. Numbers are those of this machine, nothing is padded. */
enum { PROBE, STAT, OPEN, STAGE, PUBLISH, MKDIR, REMOVE, RENAME, LIST, ROOM };
enum { REPLACE = 1, PARENTS = 2, SYNC_NAMES = 4, FOLDER = 8, TIMED = 16 }; /* STAGE with REPLACE: refused where what is there may not be replaced */
enum { NO_ACCOUNT = 10001, LOW_ACCOUNT = 10002, NO_TREE = 10003, MALFORMED = 10004, LOOKUP_FAILED = 10005 };

struct request {
  uint32_t op, flags;
  int64_t number; /* LIST: where to go on; PUBLISH with TIMED: seconds of the time of modification */
};              /* and then, each ended by NUL: tree, account, path, other path */

struct reply {
  int32_t error; /* of errno, or one of the above; 0: it is done */
  uint32_t count;
  int64_t number;
};

struct entry {
  uint32_t mode, links;
  uint64_t inode, size;
  int64_t seconds;
  uint32_t nanos, name; /* how long the name is that follows */
};

#define MOST_TREES 64
#define PACKET 65536
#define MOST_GROUPS 65536

static struct { const char *name; int folder; } trees[MOST_TREES];
static int tree_count;
static uid_t lowest, own_user;
static gid_t own_group;
static pid_t parent;
static gid_t groups[MOST_GROUPS];
static char in[PACKET], out[PACKET];

/* As glibc's setgroups does for all threads of a process: there is one. */
static int as_user(uid_t user, gid_t group, const gid_t *more, int count) {
  if (setgroups((size_t)count, more) != 0)
    return errno;
  setfsgid(group);
  setfsuid(user);
  /* These two tell failures by nothing but what is asked for again. */
  if (setfsgid((gid_t)-1) != (int)group || setfsuid((uid_t)-1) != (int)user)
    return EPERM;
  /* A change of users takes this back. */
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != parent)
    _exit(1);
  return 0;
}

static int as_account(const char *name) {
  int failed = as_user(own_user, own_group, NULL, 0); /* The lookup may read files, too. */
  if (failed)
    return failed;
  errno = 0;
  struct passwd *account = getpwnam(name);
  if (account == NULL)
    return errno == 0 || errno == ENOENT || errno == ESRCH || errno == EBADF || errno == EPERM ? NO_ACCOUNT : LOOKUP_FAILED;
  uid_t user = account->pw_uid;
  gid_t group = account->pw_gid;
  if (user == 0 || user < lowest || group == 0 || user == own_user)
    return LOW_ACCOUNT;
  int count = MOST_GROUPS;
  if (getgrouplist(name, group, groups, &count) < 0)
    return LOOKUP_FAILED;
  return as_user(user, group, groups, count);
}

/* "." is the tree itself; all other paths are names with single slashes between them, none of which is a dot segment. */
static int is_path(const char *path) {
  if (strcmp(path, ".") == 0)
    return 1;
  for (const char *at = path;; at++) {
    size_t length = strcspn(at, "/");
    if (length == 0 || (length == 1 && at[0] == '.') || (length == 2 && at[0] == '.' && at[1] == '.'))
      return 0;
    at += length;
    if (*at == 0)
      return 1;
  }
}

/* A descriptor, or -1 with errno. */
static int below(int folder, const char *path, uint64_t flags) {
  struct open_how how = {.flags = flags | O_CLOEXEC, .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS};
  long descriptor;
  do
    descriptor = syscall(SYS_openat2, folder, path, &how, sizeof how);
  while (descriptor < 0 && (errno == EAGAIN || errno == EINTR));
  return (int)descriptor;
}

/* Holds the folder that a path's last name is in, and cuts the path there; NULL with errno. */
static const char *last_name(int tree, char *path, int *folder) {
  if (strcmp(path, ".") == 0) {
    errno = EBUSY;
    return NULL;
  }
  char *slash = strrchr(path, '/');
  if (slash != NULL)
    *slash = 0;
  *folder = below(tree, slash == NULL ? "." : path, O_PATH | O_DIRECTORY);
  return *folder < 0 ? NULL : slash == NULL ? path : slash + 1;
}

/* Who may not read a folder cannot sync it; what is in it is there all the same. */
static int sync_names(int folder, uint32_t flags) {
  if ((flags & SYNC_NAMES) == 0)
    return 0;
  int readable = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (readable < 0)
    return errno == EACCES ? 0 : errno;
  int failed = fsync(readable) == 0 ? 0 : errno;
  close(readable);
  return failed;
}

static void tell(struct entry *entry, const struct stat *found, size_t name) {
  *entry = (struct entry){found->st_mode, (uint32_t)found->st_nlink, found->st_ino, (uint64_t)found->st_size,
                          found->st_mtim.tv_sec, (uint32_t)found->st_mtim.tv_nsec, (uint32_t)name};
}

/* Appends what a descriptor holds to the answer. */
static int told(int descriptor, size_t *length) {
  struct stat found;
  struct entry entry;
  if (fstat(descriptor, &found) != 0)
    return errno;
  tell(&entry, &found, 0);
  memcpy(out + *length, &entry, sizeof entry);
  *length += sizeof entry;
  return 0;
}

static int stat_of(int tree, const char *path, size_t *length) {
  int found = below(tree, path, O_PATH | O_NOFOLLOW);
  if (found < 0)
    return errno;
  int failed = told(found, length);
  close(found);
  return failed;
}

/* Looked at before it is opened: opening a device or a pipe has effects. */
static int open_file(int tree, const char *path, size_t *length, int *give) {
  int found = below(tree, path, O_PATH | O_NOFOLLOW);
  struct stat status;
  char way[64];
  if (found < 0)
    return errno;
  int failed = fstat(found, &status) != 0 ? errno : S_ISDIR(status.st_mode) ? EISDIR : S_ISREG(status.st_mode) ? 0 : ENOENT;
  if (!failed) {
    snprintf(way, sizeof way, "/proc/self/fd/%d", found);
    *give = open(way, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    failed = *give < 0 ? errno : told(*give, length);
  }
  close(found);
  return failed;
}

/* Whether what has the name is another account's in a folder with the sticky bit, which rename(2) would not let it replace. */
static int is_kept(int folder, const char *name) {
  struct stat around, there;
  uid_t account = (uid_t)setfsuid((uid_t)-1);
  return fstat(folder, &around) == 0 && (around.st_mode & S_ISVTX) && around.st_uid != account &&
         fstatat(folder, name, &there, AT_SYMLINK_NOFOLLOW) == 0 && there.st_uid != account;
}

/* A file without a name, on the file system of the folder that it will be in; it is gone with its last descriptor. */
static int stage(int tree, char *path, uint32_t flags, int *give) {
  int folder;
  const char *name = last_name(tree, path, &folder);
  if (name != NULL && (flags & REPLACE) && is_kept(folder, name)) {
    close(folder);
    return EPERM;
  }
  while (name == NULL && errno == ENOENT && (flags & PARENTS)) {
    char *slash = strrchr(path, '/');
    if (slash != NULL)
      *slash = 0;
    folder = below(tree, slash == NULL ? "." : path, O_PATH | O_DIRECTORY);
    if (folder >= 0)
      name = path;
    else if (slash == NULL)
      break;
  }
  if (name == NULL)
    return errno;
  *give = openat(folder, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
  int failed = *give < 0 ? errno : 0;
  close(folder);
  return failed;
}

static int make_parents(int tree, char *path, uint32_t flags) {
  for (char *slash = strchr(path, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
    *slash = 0;
    int there = below(tree, path, O_PATH | O_DIRECTORY);
    int failed = there >= 0 ? 0 : errno;
    if (failed == ENOENT) {
      char copy[PACKET];
      int folder;
      const char *name = last_name(tree, strcpy(copy, path), &folder);
      failed = name == NULL ? errno : 0;
      if (!failed) {
        failed = mkdirat(folder, name, 0777) == 0 || errno == EEXIST ? sync_names(folder, flags) : errno;
        close(folder);
      }
    }
    if (there >= 0)
      close(there);
    *slash = '/';
    if (failed)
      return failed;
  }
  return 0;
}

/* A name for a moment, which no client sees. */
static int hide(char *hidden, size_t room) {
  uint64_t random;
  if (getrandom(&random, sizeof random, 0) != sizeof random)
    return EIO;
  snprintf(hidden, room, ".staithe.%016llx", (unsigned long long)random);
  return 0;
}

/* Gives a staged file its name; what was there is there until then. */
static int publish(int tree, char *path, const struct request *asked, int file, size_t *length) {
  struct stat status;
  char way[64], hidden[64];
  int folder;
  /* Only what was staged as this account has an owner to be and no name yet. */
  if (file < 0 || fstat(file, &status) != 0 || !S_ISREG(status.st_mode) || status.st_nlink != 0 ||
      status.st_uid != (uid_t)setfsuid((uid_t)-1))
    return MALFORMED;
  struct timespec times[] = {{0, UTIME_OMIT}, {asked->number, 0}};
  if ((asked->flags & TIMED) && futimens(file, times) != 0)
    return errno;
  int failed = asked->flags & PARENTS ? make_parents(tree, path, asked->flags) : 0;
  if (failed)
    return failed;
  const char *name = last_name(tree, path, &folder);
  if (name == NULL)
    return errno;
  snprintf(way, sizeof way, "/proc/self/fd/%d", file);
  failed = linkat(AT_FDCWD, way, folder, name, AT_SYMLINK_FOLLOW) == 0 ? 0 : errno;
  if (failed == EEXIST && (asked->flags & REPLACE)) {
    failed = hide(hidden, sizeof hidden);
    if (!failed && linkat(AT_FDCWD, way, folder, hidden, AT_SYMLINK_FOLLOW) != 0)
      failed = errno;
    else if (!failed && renameat(folder, hidden, folder, name) != 0) {
      failed = errno;
      unlinkat(folder, hidden, 0);
    }
  }
  if (!failed)
    failed = sync_names(folder, asked->flags);
  close(folder);
  return failed ? failed : told(file, length);
}

static int make_folder(int tree, char *path, uint32_t flags, size_t *length) {
  int folder;
  const char *name = last_name(tree, path, &folder);
  if (name == NULL)
    return errno;
  int failed = mkdirat(folder, name, 0777) == 0 ? sync_names(folder, flags) : errno;
  if (!failed)
    failed = stat_of(folder, name, length);
  close(folder);
  return failed;
}

static int remove_name(int tree, char *path, uint32_t flags) {
  int folder;
  const char *name = last_name(tree, path, &folder);
  if (name == NULL)
    return errno;
  int failed = unlinkat(folder, name, flags & FOLDER ? AT_REMOVEDIR : 0) == 0 ? sync_names(folder, flags) : errno;
  close(folder);
  return failed;
}

static int is_one_file(int from, const char *old, int to, const char *name) {
  struct stat one, other;
  return fstatat(from, old, &one, AT_SYMLINK_NOFOLLOW) == 0 && fstatat(to, name, &other, AT_SYMLINK_NOFOLLOW) == 0 &&
         one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

/* rename(2) leaves two names of one file as they are, and says that all is well: the first goes by a third. */
static int rename_link(int from, const char *old, int to, const char *name) {
  char hidden[64];
  int failed = hide(hidden, sizeof hidden);
  if (failed)
    return failed;
  if (renameat(from, old, from, hidden) != 0)
    return errno;
  if (renameat(from, hidden, to, name) != 0) {
    failed = errno; /* The other name is below another mount of the same file system. */
    renameat2(from, hidden, from, old, RENAME_NOREPLACE);
    return failed;
  }
  return unlinkat(from, hidden, 0) == 0 || errno == ENOENT ? 0 : errno;
}

static int rename_to(int tree, char *path, char *other, uint32_t flags) {
  int from, to;
  const char *old = last_name(tree, path, &from);
  if (old == NULL)
    return errno;
  const char *name = last_name(tree, other, &to);
  if (name == NULL) {
    int failed = errno;
    close(from);
    return failed;
  }
  int failed;
  if ((flags & REPLACE) && is_one_file(from, old, to, name))
    failed = rename_link(from, old, to, name);
  else
    failed = renameat2(from, old, to, name, flags & REPLACE ? 0 : RENAME_NOREPLACE) == 0 ? 0 : errno;
  if (!failed)
    failed = sync_names(to, flags);
  if (!failed)
    failed = sync_names(from, flags);
  close(from);
  close(to);
  return failed;
}

/* As many members as go into one packet; only files and folders. */
static int list(int tree, const char *path, struct reply *reply, int64_t from, size_t *length) {
  int folder = below(tree, path, O_RDONLY | O_DIRECTORY);
  if (folder < 0)
    return errno;
  DIR *members = fdopendir(folder);
  if (members == NULL) {
    close(folder);
    return ENOMEM;
  }
  if (from != 0)
    seekdir(members, (long)from);
  reply->number = from;
  int failed = 0;
  struct dirent *member;
  while (errno = 0, (member = readdir(members)) != NULL) {
    size_t name = strlen(member->d_name);
    struct stat found;
    struct entry entry;
    if (*length + sizeof entry + name > PACKET)
      break;
    reply->number = member->d_off;
    if (strcmp(member->d_name, ".") == 0 || strcmp(member->d_name, "..") == 0)
      continue;
    if (fstatat(folder, member->d_name, &found, AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT) != 0) {
      int why = errno;
      /* It has just gone, or is a mount of somebody's own: in a folder that may be searched nothing else is refused. */
      if (why == ENOENT || (why == EACCES && fstatat(folder, ".", &found, 0) == 0))
        continue;
      failed = why;
      break;
    }
    if (!S_ISREG(found.st_mode) && !S_ISDIR(found.st_mode))
      continue;
    tell(&entry, &found, name);
    memcpy(out + *length, &entry, sizeof entry);
    memcpy(out + *length + sizeof entry, member->d_name, name);
    *length += sizeof entry + name;
    reply->count++;
  }
  if (member == NULL) {
    failed = errno;
    reply->number = -1; /* No more. */
  }
  closedir(members);
  return failed;
}

/* Of the file system that it is on. */
static int room(int file, size_t *length) {
  struct statvfs found;
  if (fstatvfs(file, &found) != 0)
    return errno;
  int64_t told[] = {(int64_t)(found.f_bavail * found.f_frsize), (int64_t)((found.f_blocks - found.f_bfree) * found.f_frsize),
                    (int64_t)(found.f_files - found.f_ffree), (int64_t)(found.f_blocks * found.f_frsize)};
  memcpy(out + *length, told, sizeof told);
  *length += sizeof told;
  return 0;
}

static int answer(size_t size, int file, struct reply *reply, size_t *length, int *give) {
  struct request asked;
  char *words[4];
  if (size < sizeof asked || in[size - 1] != 0)
    return MALFORMED;
  memcpy(&asked, in, sizeof asked);
  char *at = in + sizeof asked;
  for (int i = 0; i < 4; i++, at += strlen(at) + 1) {
    if (at >= in + size)
      return MALFORMED;
    words[i] = at;
  }
  if (at != in + size || !is_path(words[2]) || !is_path(words[3]))
    return MALFORMED;
  int tree = -1;
  for (int i = 0; i < tree_count; i++)
    if (strcmp(trees[i].name, words[0]) == 0)
      tree = trees[i].folder;
  if (tree < 0)
    return NO_TREE;
  if (asked.op == PROBE)
    return 0;
  if (asked.op == ROOM)
    return room(tree, length);
  int failed = as_account(words[1]);
  if (failed)
    return failed;
  switch (asked.op) {
  case STAT: return stat_of(tree, words[2], length);
  case OPEN: return open_file(tree, words[2], length, give);
  case STAGE: failed = stage(tree, words[2], asked.flags, give); return failed ? failed : room(*give, length);
  case PUBLISH: return publish(tree, words[2], &asked, file, length);
  case MKDIR: return make_folder(tree, words[2], asked.flags, length);
  case REMOVE: return remove_name(tree, words[2], asked.flags);
  case RENAME: return rename_to(tree, words[2], words[3], asked.flags);
  case LIST: return list(tree, words[2], reply, asked.number, length);
  default: return MALFORMED;
  }
}

/* The size of the next packet and the descriptor that came with it, or -1. */
static ssize_t receive(int connection, int *file) {
  union { struct cmsghdr head; char room[CMSG_SPACE(8 * sizeof(int))]; } control;
  struct iovec bytes = {in, sizeof in};
  struct msghdr message = {.msg_iov = &bytes, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
  ssize_t size;
  do
    size = recvmsg(connection, &message, MSG_CMSG_CLOEXEC);
  while (size < 0 && errno == EINTR);
  if (size <= 0)
    return -1;
  for (struct cmsghdr *head = CMSG_FIRSTHDR(&message); head != NULL; head = CMSG_NXTHDR(&message, head)) {
    if (head->cmsg_level != SOL_SOCKET || head->cmsg_type != SCM_RIGHTS)
      continue;
    for (size_t i = 0; i < (head->cmsg_len - CMSG_LEN(0)) / sizeof(int); i++) {
      int one;
      memcpy(&one, CMSG_DATA(head) + i * sizeof one, sizeof one);
      if (*file >= 0)
        close(*file);
      *file = one;
    }
  }
  return message.msg_flags & (MSG_TRUNC | MSG_CTRUNC) ? -1 : size;
}

static int send_reply(int connection, size_t length, int give) {
  union { struct cmsghdr head; char room[CMSG_SPACE(sizeof(int))]; } control;
  struct iovec bytes = {out, length};
  struct msghdr message = {.msg_iov = &bytes, .msg_iovlen = 1};
  if (give >= 0) {
    memset(&control, 0, sizeof control);
    message.msg_control = &control;
    message.msg_controllen = sizeof control;
    struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(sizeof give);
    memcpy(CMSG_DATA(head), &give, sizeof give);
  }
  return sendmsg(connection, &message, MSG_NOSIGNAL) == (ssize_t)length;
}

static void serve(int connection) {
  for (;;) {
    int file = -1, give = -1;
    struct reply reply = {0};
    size_t length = sizeof reply;
    ssize_t size = receive(connection, &file);
    if (size < 0)
      _exit(0);
    reply.error = answer((size_t)size, file, &reply, &length, &give);
    if (reply.error)
      length = sizeof reply;
    memcpy(out, &reply, sizeof reply);
    int sent = send_reply(connection, length, reply.error ? -1 : give);
    if (file >= 0)
      close(file);
    if (give >= 0)
      close(give);
    if (!sent)
      _exit(0);
  }
}

/* Whatever it was started with: two capabilities, and none that a program it might start would have. */
static void keep_two_capabilities(void) {
  struct __user_cap_header_struct head = {_LINUX_CAPABILITY_VERSION_3, 0};
  struct __user_cap_data_struct data[2] = {{0}};
  data[0].permitted = data[0].effective = 1u << CAP_SETUID | 1u << CAP_SETGID;
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) != 0)
    err(1, "privileges cannot be given up");
  if (syscall(SYS_capset, &head, data) != 0)
    errx(1, "it lacks the capability to change its user and groups (CAP_SETUID, CAP_SETGID)");
}

static uid_t number(const char *text) {
  char *end;
  errno = 0;
  unsigned long value = strtoul(text, &end, 10);
  if (errno != 0 || *text < '0' || *text > '9' || *end != 0 || value < 1 || value > 0x7fffffff)
    errx(2, "LOWEST-UID is a number from 1 on, such as 1000");
  return (uid_t)value;
}

int main(int count, char **words) {
  if (count < 5 || count - 4 > MOST_TREES)
    errx(2, "usage: staithe-accounts SOCKET SERVICE-USER LOWEST-UID NAME=FOLDER...");
  own_user = getuid();
  own_group = getgid();
  if (own_user == 0 || geteuid() != own_user || own_group == 0)
    errx(2, "it runs as a user of its own with two capabilities, not as root: see staithe-accounts.service");
  struct passwd *service = getpwnam(words[2]);
  if (service == NULL || service->pw_uid == own_user)
    errx(2, "SERVICE-USER is the user of the storage element, and not that of this program");
  uid_t served = service->pw_uid;
  lowest = number(words[3]);
  for (int i = 4; i < count; i++) {
    char *equals = strchr(words[i], '=');
    if (equals == NULL || equals == words[i] || equals[1] != '/')
      errx(2, "a tree is told as NAME=FOLDER with an absolute path");
    *equals = 0;
    trees[tree_count].name = words[i];
    trees[tree_count].folder = open(equals + 1, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (trees[tree_count++].folder < 0)
      err(1, "the folder of tree %s", words[i]);
    int itself = below(trees[tree_count - 1].folder, ".", O_PATH | O_DIRECTORY);
    if (itself >= 0)
      close(itself);
    else if (errno == ENOSYS || errno == EPERM) /* By permissions it is EACCES. */
      errx(1, "this kernel or sandbox has no openat2: Linux 5.6, and no RestrictSUIDSGID in the unit");
  }
  keep_two_capabilities();
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(words[1]) >= sizeof address.sun_path)
    errx(2, "the path of SOCKET is too long");
  strcpy(address.sun_path, words[1]);
  unlink(words[1]); /* That of a run that was killed. */
  int door = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
  mode_t mask = umask(0);
  if (door < 0 || bind(door, (struct sockaddr *)&address, sizeof address) != 0 || listen(door, 64) != 0)
    err(1, "the socket");
  umask(mask);
  signal(SIGCHLD, SIG_IGN); /* Nobody asks how they ended. */
  parent = getpid();
  for (;;) {
    int connection = accept4(door, NULL, NULL, SOCK_CLOEXEC);
    struct ucred peer;
    socklen_t size = sizeof peer;
    if (connection < 0) {
      if (errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS)
        sleep(1);
      continue;
    }
    if (getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0)
      warn("who connects");
    else if (peer.uid != served)
      warnx("a process of user %u was turned away", (unsigned)peer.uid);
    else if (fork() == 0) {
      close(door);
      serve(connection);
    }
    close(connection);
  }
}
