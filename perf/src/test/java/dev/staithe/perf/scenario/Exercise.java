package dev.staithe.perf.scenario;

import java.util.Locale;

/** A kind of request that the simulations make. */
enum Exercise {
  /** PUT of a file, each user over its own. */
  UPLOAD(20),
  /** GET of a file. */
  DOWNLOAD(40),
  /** GET of one range of a file at a random offset (RFC 9110 section 14.2). */
  RANGE(20),
  /** PROPFIND with {@code Depth: 1} of a folder (RFC 4918 section 9.1). */
  LISTING(10),
  /** COPY with {@code Source}: the measured server fetches from the second one. */
  PULL(5),
  /** COPY with {@code Destination}: the measured server sends to the second one. */
  PUSH(5);

  private final int share;

  Exercise(int share) {
    this.share = share;
  }

  /** Its part of a mix for which nobody has said otherwise, any unit. */
  int share() {
    return share;
  }

  /** Whether it takes two servers. */
  boolean takesTwo() {
    return this == PULL || this == PUSH;
  }

  /** The name in settings and reports. */
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
