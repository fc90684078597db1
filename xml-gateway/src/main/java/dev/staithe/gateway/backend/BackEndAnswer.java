package dev.staithe.gateway.backend;

import org.jspecify.annotations.Nullable;

/** What came of a request to a back end. */
public sealed interface BackEndAnswer {
  /**
   * It answered.
   *
   * @param status of HTTP
   * @param contentType null where it named none
   * @param body whole; not to be changed
   */
  record Answered(int status, @Nullable String contentType, byte[] body) implements BackEndAnswer {}

  /**
   * It did not, or not in HTTP.
   *
   * @param kind for metrics and the status of the fault
   * @param line for the log; tells nothing of the message
   */
  record Failed(Kind kind, String line) implements BackEndAnswer {}

  /** In which way. */
  enum Kind {
    /** No connection came about: it has not seen the request. */
    DOWN,
    /** The time was up; it may have seen the request. */
    TIMEOUT,
    /** The connection ended early, or what came is not HTTP/1.1. */
    BROKEN,
    /** The answer is larger than allowed. */
    TOO_LARGE,
    /**
     * There is no memory, or no thread, for its answer now, or nobody would know it if it came back
     * as a request; it has seen the request.
     */
    NO_ROOM,
    /** A status or a type that no SOAP service answers with. */
    NO_SOAP
  }
}
