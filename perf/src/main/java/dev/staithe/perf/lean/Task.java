package dev.staithe.perf.lean;

import java.util.Map;

/**
 * What a lean client is to do: the same request again and again over a number of connections, until
 * a number of requests or a time is reached.
 *
 * @param url where to; {@code {n}} in it becomes a number that no other request of the task has
 * @param method as {@code GET}
 * @param headers of each request besides {@code Host} and {@code Content-Length}; {@code {n}} in a
 *     value as in the URL
 * @param bodyBytes how much content each request carries; negative for none
 * @param connections how many at once, 1 to 10,000; each has one request on the way at a time
 * @param keepAlive whether a connection serves more than one request
 * @param requests how many in all, 0 for as many as the time allows
 * @param seconds how long requests are begun; where {@code requests} is given, the longest
 * @param perSecond requests that arrive in a second, whatever becomes of earlier ones (open model);
 *     0 for a request as soon as the one before is answered (closed model)
 * @param authority the PEM file of trusted authorities
 * @param provider {@code conscrypt} or {@code jdk}: whose TLS
 * @param cipher the only TLS 1.3 cipher suite to offer, empty for the usual list; needs {@code jdk}
 * @param lastLine what the last line of each answer's content must begin with; empty for anything
 * @param status of a good answer; 0 for any from 200 to 299
 */
public record Task(
    String url,
    String method,
    Map<String, String> headers,
    long bodyBytes,
    int connections,
    boolean keepAlive,
    long requests,
    double seconds,
    double perSecond,
    String authority,
    String provider,
    String cipher,
    String lastLine,
    int status)
    implements Assignment {

  /** Whether an answer with that status is as it should be. */
  public boolean wants(int answered) {
    return status == 0 ? answered / 100 == 2 : answered == status;
  }
}
