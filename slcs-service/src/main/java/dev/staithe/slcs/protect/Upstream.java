package dev.staithe.slcs.protect;

import dev.staithe.service.door.Answers;
import dev.staithe.service.door.Body;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Passes admitted requests on to a service behind, and tells it who asks. Headers by which it is
 * told come from here alone: those that a client sends under such a name, however written, and our
 * cookies and tokens, stop here. Thread-safe.
 */
final class Upstream {
  private static final Logger log = LoggerFactory.getLogger(Upstream.class);
  private static final String OURS = "x-staithe-";

  /** Of sessions, and of logins that were begun. */
  private static final Set<String> COOKIES =
      Set.of("staithe-slcs", "__Host-staithe-slcs", "__Host-staithe-slcs-login");

  /** RFC 9110 §7.6.1, and what the client below says by itself. */
  private static final Set<String> STOP =
      Set.of(
          "connection",
          "keep-alive",
          "proxy-connection",
          "proxy-authenticate",
          "proxy-authorization",
          "te",
          "trailer",
          "transfer-encoding",
          "upgrade",
          "host",
          "content-length",
          "expect",
          "forwarded",
          "x-forwarded-for",
          "x-forwarded-host",
          "x-forwarded-proto",
          "x-forwarded-port",
          "x-forwarded-prefix",
          "x-real-ip");

  private final HttpClient client;
  private final Duration timeout;

  /**
   * @param client that follows no redirects
   * @param timeout until the head of an answer
   */
  Upstream(HttpClient client, Duration timeout) {
    this.client = client;
    this.timeout = timeout;
  }

  /** A body that is longer than allowed; carries nothing. */
  private static final class TooLong extends IOException {
    private static final long serialVersionUID = 1;
  }

  void pass(
      ProtectedService service,
      URI to,
      Guest guest,
      HttpServletRequest request,
      HttpServletResponse response)
      throws IOException {
    String raw = request.getRequestURI();
    // As it was sent: what is behind decodes it itself. The part that chose the service is plain.
    if (!service.covers(raw)) {
      Answers.line(response, 404, "there is nothing here");
      return;
    }
    String query = request.getQueryString();
    HttpResponse<InputStream> answer;
    try {
      URI target =
          URI.create(
              to + raw.substring(service.path().length()) + (query == null ? "" : "?" + query));
      var asked = HttpRequest.newBuilder(target).timeout(timeout);
      headers(guest, request, asked);
      asked.method(request.getMethod(), body(request, service.largest()));
      answer = client.send(asked.build(), HttpResponse.BodyHandlers.ofInputStream());
    } catch (IllegalArgumentException e) {
      Answers.line(response, 400, "the request cannot be passed on");
      return;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      Answers.line(response, 503, "the service stops");
      return;
    } catch (IOException | UncheckedIOException e) {
      if (isTooLong(e)) {
        Body.discard(request);
        Answers.line(response, 413, "a message has at most " + service.largest() + " bytes here");
      } else {
        log.warn("the service behind {} does not answer: {}", service.path(), e.toString());
        Answers.line(response, 502, "the service behind this one does not answer");
      }
      return;
    }
    try (InputStream in = answer.body()) {
      response.setStatus(answer.statusCode());
      Set<String> named = named(String.join(",", answer.headers().allValues("connection")));
      answer
          .headers()
          .map()
          .forEach(
              (name, values) -> {
                if (comesBack(name, named)) {
                  values.stream()
                      .filter(value -> !setsOurCookie(name, value))
                      .forEach(value -> response.addHeader(name, value));
                }
              });
      in.transferTo(response.getOutputStream());
    }
  }

  private static void headers(Guest guest, HttpServletRequest request, HttpRequest.Builder to) {
    Set<String> named = named(String.join(",", Collections.list(request.getHeaders("Connection"))));
    for (String name : Collections.list(request.getHeaderNames())) {
      String lower = name.toLowerCase(Locale.ROOT);
      // Programs of the Common Gateway Interface cannot tell a hyphen from an underscore.
      if (STOP.contains(lower)
          || named.contains(lower)
          || lower.replace('_', '-').startsWith(OURS)
          || (lower.equals("authorization") && guest.by() == Protection.SESSION)) {
        continue;
      }
      for (String value : Collections.list(request.getHeaders(name))) {
        if (lower.equals("cookie")) {
          String others = withoutOurs(value);
          if (!others.isEmpty()) {
            to.header(name, others);
          }
        } else {
          to.header(name, value);
        }
      }
    }
    to.header("X-Forwarded-For", request.getRemoteAddr());
    to.header("X-Forwarded-Proto", request.getScheme());
    to.header("X-Staithe-Admitted-By", guest.by().name().toLowerCase(Locale.ROOT));
    if (guest.subject() != null) {
      to.header("X-Staithe-Subject", guest.subject().name());
    }
    if (guest.identity() != null) {
      to.header("X-Staithe-User", encoded(guest.identity().principalName()));
      to.header("X-Staithe-Provider", encoded(guest.identity().provider()));
      guest
          .identity()
          .attributes()
          .forEach(
              (name, values) -> {
                if (name.matches("[A-Za-z0-9-]+")) {
                  to.header(
                      "X-Staithe-Attribute-" + name,
                      values.stream().map(Upstream::encoded).collect(Collectors.joining(";")));
                }
              });
    }
  }

  /** URL-encoded UTF-8: values of attributes hold anything, headers do not. */
  private static String encoded(String value) {
    return URLEncoder.encode(value, StandardCharsets.UTF_8)
        .replace("+", "%20")
        .replace("%40", "@")
        .replace("%3A", ":")
        .replace("%2F", "/");
  }

  private static Set<String> named(String connection) {
    var names = new HashSet<String>();
    for (String name : connection.split(",")) {
      names.add(name.strip().toLowerCase(Locale.ROOT));
    }
    return names;
  }

  private static boolean comesBack(String name, Set<String> named) {
    String lower = name.toLowerCase(Locale.ROOT);
    return !lower.startsWith(":")
        && !named.contains(lower)
        && (lower.equals("content-length") || !STOP.contains(lower));
  }

  private static boolean isOurCookie(String pair) {
    return COOKIES.contains(pair.strip().split("=", 2)[0].strip());
  }

  private static boolean setsOurCookie(String header, String value) {
    return header.equalsIgnoreCase("set-cookie") && isOurCookie(value.split(";", 2)[0]);
  }

  private static String withoutOurs(String cookies) {
    return Arrays.stream(cookies.split(";"))
        .filter(pair -> !isOurCookie(pair))
        .map(String::strip)
        .collect(Collectors.joining("; "));
  }

  private static HttpRequest.BodyPublisher body(HttpServletRequest request, int largest)
      throws IOException {
    long length = request.getContentLengthLong();
    var in = new PushbackInputStream(new Limited(request.getInputStream(), largest));
    // By HTTP/2 no header tells whether a body of unknown length comes.
    int first = in.read();
    if (first < 0) {
      return HttpRequest.BodyPublishers.noBody();
    }
    in.unread(first);
    HttpRequest.BodyPublisher publisher = HttpRequest.BodyPublishers.ofInputStream(() -> in);
    return length < 0 ? publisher : HttpRequest.BodyPublishers.fromPublisher(publisher, length);
  }

  private static boolean isTooLong(Throwable failure) {
    for (Throwable each = failure; each != null; each = each.getCause()) {
      if (each instanceof TooLong) {
        return true;
      }
    }
    return false;
  }

  /** Ends with a failure beyond a number of bytes. */
  private static final class Limited extends FilterInputStream {
    private long left;

    Limited(InputStream in, long most) {
      super(in);
      this.left = most;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
      int read = super.read(buffer, offset, length);
      left -= Math.max(0, read);
      if (left < 0) {
        throw new TooLong();
      }
      return read;
    }
  }
}
