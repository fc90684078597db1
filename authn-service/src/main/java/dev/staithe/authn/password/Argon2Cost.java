package dev.staithe.authn.password;

/** Parameters of Argon2id (RFC 9106 section 3.1). */
record Argon2Cost(int memoryKiB, int iterations, int parallelism) {
  /** A stored hash may take no more than this: sites use up to 64 MiB. */
  static final int MOST_MEMORY_KIB = 128 * 1024;

  private static final int MOST_ITERATIONS = 32;
  private static final int MOST_PARALLELISM = 8;
  // 64 MiB three times are 192 MiB; 512 MiB of passes take about half a second.
  private static final long MOST_WORK_KIB = 512L * 1024;

  /** Whether a hash with these may be computed: a row of the store could ask for 4 TiB. */
  boolean isBounded() {
    return parallelism >= 1
        && parallelism <= MOST_PARALLELISM
        && iterations >= 1
        && iterations <= MOST_ITERATIONS
        && memoryKiB >= 8 * parallelism
        && memoryKiB <= MOST_MEMORY_KIB
        && work() <= MOST_WORK_KIB;
  }

  /** Memory times passes, in KiB: what the time goes with. */
  long work() {
    return (long) memoryKiB * iterations;
  }
}
