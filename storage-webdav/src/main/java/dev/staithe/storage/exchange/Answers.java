package dev.staithe.storage.exchange;

import dev.staithe.storage.authz.Admission;
import dev.staithe.storage.authz.Identification;
import dev.staithe.storage.pages.SignInPage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpHeaderValue;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;

/**
 * Refusals: a status and one line, as plain text or, where the client asks for JSON, as problem
 * details (RFC 9457). Browsers that need a credential get the sign-in page. Safe for many threads.
 */
public final class Answers {
  private static final String REALM = "Bearer realm=\"storage\"";

  private final byte[] signInPage = SignInPage.html();

  /** Makes the pages that are always the same. */
  public Answers() {}

  /** Answers 401 without an error code, or 403 {@code insufficient_scope} (RFC 6750 section 3). */
  public void deny(Request request, Response response, Admission.Refused denied)
      throws IOException {
    if (denied.authenticate()) {
      response.getHeaders().put(HttpHeader.WWW_AUTHENTICATE, REALM);
      if (wantsPage(request)) {
        response.setStatus(401);
        announceClose(request, response);
        PageHeaders.set(response);
        Content.Sink.write(response, true, ByteBuffer.wrap(signInPage));
        return;
      }
      refuse(request, response, 401, denied.reason());
    } else {
      response
          .getHeaders()
          .put(HttpHeader.WWW_AUTHENTICATE, REALM + ", error=\"insufficient_scope\"");
      refuse(request, response, 403, denied.reason());
    }
  }

  /** Answers one whose credential is not good; must not be asked for an identified caller. */
  public void refuse(Request request, Response response, Identification who) throws IOException {
    switch (who) {
      case Identification.Refused(String reason) -> rejectToken(request, response, reason);
      case Identification.Ambiguous(String reason) -> refuse(request, response, 400, reason);
      case Identification.NotBelieved(String reason) ->
          deny(request, response, new Admission.Refused(true, reason));
      case Identification.Unavailable(String reason, int retryAfter) -> {
        response.getHeaders().put(HttpHeader.RETRY_AFTER, retryAfter);
        refuse(request, response, 503, reason);
      }
      case Identification.Identified identified ->
          throw new IllegalArgumentException("an identified caller is not refused");
    }
  }

  /** Answers 401 {@code invalid_token} (RFC 6750 section 3.1). */
  public void rejectToken(Request request, Response response, String reason) throws IOException {
    response
        .getHeaders()
        .put(
            HttpHeader.WWW_AUTHENTICATE,
            REALM
                + ", error=\"invalid_token\", error_description=\""
                + reason.replaceAll("[^\\x20-\\x7e]|[\"\\\\]", "'")
                + "\"");
    refuse(request, response, 401, reason);
  }

  /** Answers that status with one line; control characters in it are blanked. */
  public void refuse(Request request, Response response, int status, String line)
      throws IOException {
    String text = line.replaceAll("\\p{Cntrl}", " ");
    response.setStatus(status);
    HttpFields.Mutable headers = response.getHeaders();
    headers.remove(HttpHeader.ETAG).remove(HttpHeader.CONTENT_LENGTH);
    headers.put(HttpHeader.CACHE_CONTROL, "no-store");
    String body;
    if (wantsJson(request)) {
      headers.put(HttpHeader.CONTENT_TYPE, "application/problem+json");
      body =
          "{\"status\":"
              + status
              + ",\"title\":"
              + quoted(HttpStatus.getMessage(status))
              + ",\"detail\":"
              + quoted(text)
              + "}\n";
    } else {
      headers.put(HttpHeader.CONTENT_TYPE, "text/plain;charset=utf-8");
      body = text + "\n";
    }
    announceClose(request, response);
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    headers.put(HttpHeader.CONTENT_LENGTH, bytes.length);
    Content.Sink.write(response, true, ByteBuffer.wrap(bytes));
  }

  /**
   * Says that the connection ends with this answer where content is still to come that nobody will
   * read (RFC 9112 section 9.6): a client that was not told would send its next request into it.
   * What has come already is dropped, so that small content costs no connection.
   */
  private static void announceClose(Request request, Response response) {
    if (request.getConnectionMetaData().getHttpVersion() != HttpVersion.HTTP_1_1
        || request.getLength() == 0) {
      return;
    }
    // To read would have it sent by a client that waits for our word.
    boolean waits = request.getHeaders().contains(HttpHeader.EXPECT);
    if (waits || !request.consumeAvailable()) {
      response.getHeaders().put(HttpHeader.CONNECTION, HttpHeaderValue.CLOSE);
    }
  }

  /** Answers 200 with a page of our own. */
  public void page(Response response, byte[] html) throws IOException {
    response.setStatus(200);
    PageHeaders.set(response);
    response.getHeaders().put(HttpHeader.CONTENT_LENGTH, html.length);
    Content.Sink.write(response, true, ByteBuffer.wrap(html));
  }

  /** Whether a browser asks for a page. */
  public static boolean wantsPage(Request request) {
    String method = request.getMethod();
    return (method.equals("GET") || method.equals("HEAD"))
        && accepts(request).contains("text/html");
  }

  private static boolean wantsJson(Request request) {
    String accept = accepts(request);
    return accept.contains("application/problem+json") || accept.contains("application/json");
  }

  private static String accepts(Request request) {
    String accept = request.getHeaders().get(HttpHeader.ACCEPT);
    return accept == null ? "" : accept.toLowerCase(java.util.Locale.ROOT);
  }

  private static String quoted(String text) {
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }
}
