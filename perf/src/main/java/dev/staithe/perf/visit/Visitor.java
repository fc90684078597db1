package dev.staithe.perf.visit;

import java.io.IOException;

/** One user of a {@link VisitDriver} with its connections. For one thread. */
interface Visitor extends AutoCloseable {
  /** Takes how long a step took. */
  interface Steps {
    void took(String step, long nanos);
  }

  /** Makes what visits find; not measured. */
  void prepare() throws IOException;

  /**
   * A visit.
   *
   * @param due when it was to begin, as {@link System#nanoTime}
   * @return nanoseconds of it that count as waiting for the service
   */
  long visit(long due) throws IOException;

  /** Forgets everything after a failure, so that the next visit is a fresh one. */
  void forget() throws IOException;

  /** Puts in order what visits have left; not measured, and whatever fails is left as it is. */
  void tidyUp();

  /** The negotiated protocol and cipher suite, empty without TLS. */
  String cipher();

  @Override
  void close();
}
