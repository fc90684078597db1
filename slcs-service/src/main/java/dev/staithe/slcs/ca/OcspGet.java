package dev.staithe.slcs.ca;

import dev.staithe.pki.ca.OcspAnswer;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.Locale;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Answers {@code GET /ocsp/BASE64} (RFC 6960 appendix A.1, RFC 5019 §5), which caches may keep. It
 * stands in front of the servlets: the request is in the path, slashes and all, and what they think
 * of such paths is right for everything else. Thread-safe.
 */
public final class OcspGet extends Handler.Wrapper {
  static final String REQUEST_TYPE = "application/ocsp-request";
  static final String ANSWER_TYPE = "application/ocsp-response";

  private static final String PREFIX = "/ocsp/";

  /** RFC 5019 §5: longer requests are sent by POST. */
  private static final int LONGEST_PATH = 1024;

  private static final DateTimeFormatter HTTP_DATE =
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  private final CertificateAuthority authority;
  private final Clock clock;

  /** In front of that handler. */
  public OcspGet(Handler servlets, CertificateAuthority authority, Clock clock) {
    super(servlets);
    this.authority = authority;
    this.clock = clock;
  }

  /** As headers have it (RFC 9110 §5.6.7). */
  static String httpDate(Instant time) {
    return HTTP_DATE.format(time);
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) throws Exception {
    String path = request.getHttpURI().getPath();
    if (path == null || !path.startsWith(PREFIX) || !HttpMethod.GET.is(request.getMethod())) {
      return super.handle(request, response, callback);
    }
    OcspAnswer answer = authority.status(asked(path.substring(PREFIX.length())));
    var headers = response.getHeaders();
    headers.put(HttpHeader.CONTENT_TYPE, ANSWER_TYPE);
    Instant goodUntil = answer.goodUntil();
    if (goodUntil == null) {
      headers.put(HttpHeader.CACHE_CONTROL, "no-store");
    } else {
      Instant now = clock.instant();
      long age = Math.max(0, Duration.between(now, goodUntil).toSeconds());
      headers.put(
          HttpHeader.CACHE_CONTROL, "max-age=" + age + ", public, no-transform, must-revalidate");
      headers.put(HttpHeader.EXPIRES, httpDate(goodUntil));
    }
    response.write(true, ByteBuffer.wrap(answer.encoded()), callback);
    return true;
  }

  /** What cannot be decoded is answered as any other request that is none. */
  private static byte[] asked(String text) {
    if (text.length() > LONGEST_PATH) {
      return new byte[0];
    }
    try {
      // A plus is a plus here: this is no form.
      String base64 = URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.US_ASCII);
      return Base64.getDecoder().decode(base64);
    } catch (IllegalArgumentException e) {
      return new byte[0];
    }
  }
}
