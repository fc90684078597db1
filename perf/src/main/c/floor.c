/*
 * The least that moving bytes costs on a machine: no checks of callers, no log, nothing that a server of files has
 * but the calls that none can do without. For the harness only: it listens on loopback, trusts who asks, and ends
 * with the process that started it.
 *
 *   floor serve DATA HOST.pem KEY.pem HTTP-PORT HTTPS-PORT
 *       GET of a file: read, AES-128-GCM by OpenSSL, write; without TLS sendfile(2). One that is smaller than 4 KiB is
 *       read once, and then a fixed answer. PUT: receive, decrypt, write to a new file. One thread, which serves a
 *       request to its end before it takes the next.
 *   floor pull CA.pem PORT PATH FILE
 *       GET over TLS 1.3 from localhost into a file: receive, decrypt, write. A header may come by standard input.
 *
 * cc -O2 -o floor floor.c -lssl -lcrypto
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PIECE = 256 << 10, HEAD = 16 << 10, SMALL = 4 << 10, EVENTS = 64 };

static char piece[PIECE];

static void die(const char *what) {
  fprintf(stderr, "floor: %s: %s\n", what, strerror(errno));
  exit(1);
}

static void refuse(const char *what) {
  fprintf(stderr, "floor: %s\n", what);
  exit(1);
}

struct connection {
  int socket;
  SSL *tls; /* none without TLS */
  int listens;
  char head[HEAD + 1];
  int got;
};

/* Some bytes, as many as there are; not positive at the end. */
static ssize_t take(struct connection *c, char *into, int room) {
  return c->tls ? SSL_read(c->tls, into, room) : read(c->socket, into, room);
}

static int give(struct connection *c, const char *from, size_t length) {
  while (length > 0) {
    ssize_t n = c->tls ? SSL_write(c->tls, from, length) : write(c->socket, from, length);
    if (n <= 0) return 0;
    from += n;
    length -= n;
  }
  /* Records gather in a buffer, so that many of them go by one call. */
  return !c->tls || BIO_flush(SSL_get_wbio(c->tls)) == 1;
}

static int store(int file, const char *from, size_t length) {
  while (length > 0) {
    ssize_t n = write(file, from, length);
    if (n <= 0) return 0;
    from += n;
    length -= n;
  }
  return 1;
}

/* Receives that many bytes into a file; the first of them may be here already. */
static int receive(struct connection *c, int file, long long length, const char *first, int here) {
  if (here > length) here = length;
  memcpy(piece, first, here);
  size_t held = here;
  length -= here;
  while (length > 0) {
    size_t room = PIECE - held;
    ssize_t n = take(c, piece + held, (long long)room < length ? (long long)room : length);
    if (n <= 0) return 0;
    length -= n;
    held += n;
    if (held == PIECE) {
      if (!store(file, piece, held)) return 0;
      held = 0;
    }
  }
  return store(file, piece, held);
}

static int answer(struct connection *c, const char *status, long long length) {
  char head[128];
  int n = snprintf(head, sizeof head, "HTTP/1.1 %s\r\nContent-Length: %lld\r\n\r\n", status, length);
  return give(c, head, n);
}

static int send_file(struct connection *c, int file, long long length) {
  off_t at = 0;
  if (!c->tls) {
    int on = 1;
    setsockopt(c->socket, IPPROTO_TCP, TCP_CORK, &on, sizeof on);
  }
  if (!answer(c, "200 OK", length)) return 0;
  while (at < length) {
    ssize_t n;
    if (c->tls) {
      n = pread(file, piece, PIECE, at);
      if (n <= 0 || !give(c, piece, n)) return 0;
      at += n;
    } else if ((n = sendfile(c->socket, file, &at, length - at)) <= 0) {
      return 0;
    }
  }
  if (!c->tls) {
    int off = 0;
    setsockopt(c->socket, IPPROTO_TCP, TCP_CORK, &off, sizeof off);
  }
  return 1;
}

/* The last small file that was asked for, as the whole answer. */
static char fixed[SMALL + 128], fixed_name[256];
static int fixed_length;

static int get(struct connection *c, int data, const char *name) {
  if (fixed_length > 0 && strcmp(name, fixed_name) == 0) return give(c, fixed, fixed_length);
  int file = openat(data, name, O_RDONLY | O_NOFOLLOW);
  struct stat about;
  if (file < 0 || fstat(file, &about) != 0 || !S_ISREG(about.st_mode)) {
    if (file >= 0) close(file);
    return answer(c, "404 Not Found", 0);
  }
  int fine;
  if (about.st_size <= SMALL) {
    int head = snprintf(fixed, 128, "HTTP/1.1 200 OK\r\nContent-Length: %lld\r\n\r\n", (long long)about.st_size);
    fine = pread(file, fixed + head, about.st_size, 0) == about.st_size;
    fixed_length = fine ? head + about.st_size : 0;
    strcpy(fixed_name, name);
    fine = fine && give(c, fixed, fixed_length);
  } else {
    fine = send_file(c, file, about.st_size);
  }
  close(file);
  return fine;
}

static int put(struct connection *c, int data, const char *name, long long length, const char *first, int here) {
  int file = openat(data, name, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0644);
  if (file < 0) return 0;
  fixed_length = 0;
  int fine = receive(c, file, length, first, here);
  close(file);
  return fine && answer(c, "201 Created", 0);
}

/* Serves one request that has begun to come; 0 where the connection is at its end. */
static int serve(struct connection *c, int data) {
  char *end;
  do {
    ssize_t n = take(c, c->head + c->got, HEAD - c->got);
    if (n <= 0) return 0;
    c->got += n;
    c->head[c->got] = 0;
    end = strstr(c->head, "\r\n\r\n");
  } while (!end && c->got < HEAD);
  char method[8], path[1024];
  if (!end || sscanf(c->head, "%7s %1023s", method, path) != 2) return 0;
  int length = end + 4 - c->head, here = c->got - length;
  c->got = 0;
  char *name = strrchr(path, '/');
  name = name ? name + 1 : path;
  if (!*name || *name == '.' || strlen(name) >= sizeof fixed_name) return answer(c, "404 Not Found", 0);
  if (strcmp(method, "GET") == 0) return get(c, data, name);
  char *field = strcasestr(c->head, "\r\ncontent-length:");
  if (strcmp(method, "PUT") != 0 || !field || field > end) return 0;
  return put(c, data, name, atoll(field + 17), c->head + length, here);
}

static SSL_CTX *context(const SSL_METHOD *method) {
  SSL_CTX *all = SSL_CTX_new(method);
  if (!all || !SSL_CTX_set_min_proto_version(all, TLS1_3_VERSION) ||
      !SSL_CTX_set_ciphersuites(all, "TLS_AES_128_GCM_SHA256"))
    refuse("this OpenSSL has no TLS_AES_128_GCM_SHA256");
  SSL_CTX_set_num_tickets(all, 0);
  /* Many records by one read. */
  SSL_CTX_set_read_ahead(all, 1);
  SSL_CTX_set_default_read_buffer_len(all, PIECE);
  return all;
}

static int listener(int port) {
  int socket_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), on = 1;
  struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr = {htonl(INADDR_LOOPBACK)}};
  setsockopt(socket_, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (bind(socket_, (struct sockaddr *)&at, sizeof at) != 0 || listen(socket_, 128) != 0) die("cannot listen");
  return socket_;
}

static void watch(int epoll, struct connection *c) {
  struct epoll_event event = {.events = EPOLLIN, .data.ptr = c};
  if (epoll_ctl(epoll, EPOLL_CTL_ADD, c->socket, &event) != 0) die("epoll");
}

static void leave(struct connection *c) {
  if (c->tls) SSL_free(c->tls);
  close(c->socket);
  free(c);
}

/* What OpenSSL has read ahead, nobody tells of again. */
static void converse(struct connection *c, int data) {
  int goes_on;
  do goes_on = serve(c, data);
  while (goes_on && c->tls && SSL_has_pending(c->tls));
  if (!goes_on) leave(c);
}

static void welcome(int epoll, struct connection *listener_, SSL_CTX *tls, int data) {
  int socket_ = accept4(listener_->socket, NULL, NULL, SOCK_CLOEXEC), on = 1;
  struct connection *c = socket_ < 0 ? NULL : calloc(1, sizeof *c);
  if (!c) return;
  /* Who is silent in the middle of a request would stop all others. */
  struct timeval patience = {.tv_sec = 10};
  setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  setsockopt(socket_, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  c->socket = socket_;
  if (listener_->listens == 2) {
    c->tls = SSL_new(tls);
    SSL_set_fd(c->tls, socket_);
    if (SSL_accept(c->tls) != 1) {
      leave(c);
      return;
    }
    BIO *buffer = BIO_new(BIO_f_buffer());
    BIO_set_write_buffer_size(buffer, PIECE + (PIECE >> 4));
    SSL_set0_wbio(c->tls, BIO_push(buffer, BIO_new_socket(socket_, BIO_NOCLOSE)));
  }
  watch(epoll, c);
  /* The request may have come with the end of the handshake. */
  if (c->tls && SSL_has_pending(c->tls)) converse(c, data);
}

static void serve_all(char **words) {
  int data = open(words[0], O_DIRECTORY | O_RDONLY | O_CLOEXEC), epoll = epoll_create1(EPOLL_CLOEXEC);
  if (data < 0) die(words[0]);
  SSL_CTX *tls = context(TLS_server_method());
  if (SSL_CTX_use_certificate_chain_file(tls, words[1]) != 1 ||
      SSL_CTX_use_PrivateKey_file(tls, words[2], SSL_FILETYPE_PEM) != 1)
    refuse("certificate and key cannot be read");
  pid_t starter = getppid();
  for (int i = 1; i <= 2; i++) {
    struct connection *c = calloc(1, sizeof *c);
    c->socket = listener(atoi(words[2 + i]));
    c->listens = i;
    watch(epoll, c);
  }
  /* Its log. */
  fprintf(stderr, "floor: listening at ports %s and %s\n", words[3], words[4]);
  while (getppid() == starter) {
    struct epoll_event ready[EVENTS];
    int many = epoll_wait(epoll, ready, EVENTS, 1000);
    for (int i = 0; i < many; i++) {
      struct connection *c = ready[i].data.ptr;
      if (c->listens) {
        welcome(epoll, c, tls, data);
        continue;
      }
      converse(c, data);
    }
  }
}

static void pull(char **words) {
  char header[4096] = "", request[8192];
  ssize_t typed = isatty(0) ? 0 : read(0, header, sizeof header - 1);
  header[typed < 0 ? 0 : typed] = 0;
  header[strcspn(header, "\r\n")] = 0;
  struct connection c = {.socket = socket(AF_INET, SOCK_STREAM, 0)};
  struct sockaddr_in at = {
      .sin_family = AF_INET, .sin_port = htons(atoi(words[1])), .sin_addr = {htonl(INADDR_LOOPBACK)}};
  if (connect(c.socket, (struct sockaddr *)&at, sizeof at) != 0) die("cannot connect");
  SSL_CTX *tls = context(TLS_client_method());
  SSL_CTX_set_verify(tls, SSL_VERIFY_PEER, NULL);
  if (SSL_CTX_load_verify_locations(tls, words[0], NULL) != 1) refuse("authorities cannot be read");
  c.tls = SSL_new(tls);
  SSL_set_fd(c.tls, c.socket);
  SSL_set1_host(c.tls, "localhost");
  SSL_set_tlsext_host_name(c.tls, "localhost");
  if (SSL_connect(c.tls) != 1) refuse("no TLS 1.3 with that server");
  int n = snprintf(request, sizeof request, "GET %s HTTP/1.1\r\nHost: localhost:%s\r\n%s%sConnection: close\r\n\r\n",
                   words[2], words[1], header, *header ? "\r\n" : "");
  if (n >= (int)sizeof request || SSL_write(c.tls, request, n) != n) refuse("the request cannot be sent");
  char *end = NULL;
  while (!end && c.got < HEAD) {
    ssize_t more = take(&c, c.head + c.got, HEAD - c.got);
    if (more <= 0) refuse("no answer");
    c.got += more;
    c.head[c.got] = 0;
    end = strstr(c.head, "\r\n\r\n");
  }
  char *field = strcasestr(c.head, "\r\ncontent-length:");
  if (!end || !field || field > end || strncmp(c.head + 8, " 200", 4) != 0) refuse("not answered by 200 and a length");
  int file = open(words[3], O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (file < 0) die(words[3]);
  if (!receive(&c, file, atoll(field + 17), end + 4, c.got - (end + 4 - c.head))) refuse("the content ended too early");
  close(file);
}

int main(int count, char **words) {
  signal(SIGPIPE, SIG_IGN);
  if (count == 7 && strcmp(words[1], "serve") == 0) {
    serve_all(words + 2);
  } else if (count == 6 && strcmp(words[1], "pull") == 0) {
    pull(words + 2);
  } else {
    refuse("usage: floor serve DATA CERTIFICATE KEY HTTP-PORT HTTPS-PORT | floor pull CA PORT PATH FILE");
  }
  return 0;
}
