package dev.staithe.service.door;

import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Reads what a request carries, up to a limit, without the servlet API's own parameters. */
public final class Body {
  /** Bytes of a body that is too large. */
  private static final long THROWN_AWAY = 8L << 20;

  private Body() {}

  /**
   * Takes what is left of a body that is refused: a client that is still sending when its
   * connection is closed may never see the answer. What is absurdly large is left.
   */
  public static void discard(HttpServletRequest request) throws IOException {
    if (request.getContentLengthLong() > THROWN_AWAY) {
      return;
    }
    InputStream in = request.getInputStream();
    byte[] buffer = new byte[8192];
    long taken = 0;
    for (int read = in.read(buffer); read >= 0 && taken <= THROWN_AWAY; read = in.read(buffer)) {
      taken += read;
    }
  }

  /**
   * The body.
   *
   * @param most bytes
   * @return empty where it is larger
   */
  public static Optional<byte[]> read(HttpServletRequest request, int most) throws IOException {
    byte[] body =
        request.getContentLengthLong() > most
            ? new byte[0]
            : request.getInputStream().readNBytes(most + 1);
    if (request.getContentLengthLong() <= most && body.length <= most) {
      return Optional.of(body);
    }
    discard(request);
    return Optional.empty();
  }

  /**
   * A parameter of the query. That of the servlet API would take the body for a form where a client
   * such as curl says so by default, and swallow it.
   *
   * @return empty where it is missing, told twice, or not URL-encoded
   */
  public static Optional<String> queryParameter(HttpServletRequest request, String name) {
    return parameter(request.getQueryString() == null ? "" : request.getQueryString(), name);
  }

  /** The same of the text of a form. */
  public static Optional<String> parameter(String form, String name) {
    String found = null;
    for (String pair : form.split("&", -1)) {
      int equals = pair.indexOf('=');
      if (equals >= 0 && pair.substring(0, equals).equals(name)) {
        if (found != null) {
          return Optional.empty();
        }
        found = pair.substring(equals + 1);
      }
    }
    try {
      return Optional.ofNullable(found)
          .map(value -> URLDecoder.decode(value, StandardCharsets.UTF_8));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}
