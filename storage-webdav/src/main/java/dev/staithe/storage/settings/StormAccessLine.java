package dev.staithe.storage.settings;

import dev.staithe.service.RequestId;
import dev.staithe.storage.authz.Caller;
import dev.staithe.storage.dav.DavHandler;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/**
 * A line of the access log as StoRM WebDAV writes it, so that what reads the one reads the other:
 *
 * <pre>remote-address local-port "user" time "request id" "method path protocol" status bytes ms
 * </pre>
 *
 * <p>StoRM writes the quoted texts as they came. Here quotation marks, controls and what is no
 * ASCII are percent-encoded, so that no client forges a field or a line.
 */
final class StormAccessLine {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSXXX", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  private StormAccessLine() {}

  /**
   * The line, without its end.
   *
   * @param sent bytes of the response's content
   * @param nanos that the request took
   * @param now when it ended
   */
  static String of(Request request, int status, long sent, long nanos, Instant now) {
    Object caller = request.getAttribute(DavHandler.CALLER);
    return Request.getRemoteAddr(request)
        + ' '
        + Request.getLocalPort(request)
        + " \""
        + safe(caller instanceof Caller known ? known.label() : "-")
        + "\" "
        + TIME.format(now)
        + " \""
        + safe(RequestId.of(request))
        + "\" \""
        + safe(request.getMethod())
        + ' '
        + safe(request.getHttpURI().getPath())
        + ' '
        + request.getConnectionMetaData().getHttpVersion().asString()
        + "\" "
        + status
        + ' '
        + sent
        + ' '
        + TimeUnit.NANOSECONDS.toMillis(nanos);
  }

  private static String safe(@Nullable String text) {
    if (text == null) {
      return "-";
    }
    StringBuilder safe = new StringBuilder(text.length());
    for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
      if (b > ' ' && b < 0x7f && b != '"' && b != '\\') {
        safe.append((char) b);
      } else {
        safe.append(String.format(Locale.ROOT, "%%%02X", b & 0xff));
      }
    }
    return safe.toString();
  }
}
