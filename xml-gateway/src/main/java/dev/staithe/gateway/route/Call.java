package dev.staithe.gateway.route;

import dev.staithe.service.AccessLog;
import dev.staithe.xml.SoapVersion;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpURI;
import org.eclipse.jetty.http.PreEncodedHttpField;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/** One request and its answer, given exactly once. Used by one thread, which may block. */
final class Call {
  private static final HttpField TEXT =
      new PreEncodedHttpField(HttpHeader.CONTENT_TYPE, "text/plain;charset=utf-8");
  private static final HttpField RETRY = new PreEncodedHttpField(HttpHeader.RETRY_AFTER, "5");
  private static final HttpField SOAP_1_1 =
      new PreEncodedHttpField(HttpHeader.CONTENT_TYPE, SoapVersion.SOAP_1_1.contentType());
  private static final HttpField SOAP_1_2 =
      new PreEncodedHttpField(HttpHeader.CONTENT_TYPE, SoapVersion.SOAP_1_2.contentType());
  private static final Pattern SANE_ID = Pattern.compile("[A-Za-z0-9._:-]{1,64}");

  private static final long FIRST_ROOM = 32L << 10;

  /** Bytes of a body that is too large which are taken and thrown away. */
  private static final long THROWN_AWAY = 4L << 20;

  private final Request request;
  private final Response response;
  private final Callback callback;
  private final String id;

  Call(Request request, Response response, Callback callback) {
    this.request = request;
    this.response = response;
    this.callback = callback;
    String proposed = request.getHeaders().get("X-Request-Id");
    this.id =
        proposed != null && SANE_ID.matcher(proposed).matches()
            ? proposed
            : Long.toHexString(ThreadLocalRandom.current().nextLong());
    request.setAttribute(AccessLog.REQUEST_ID, id);
    response.getHeaders().put("X-Request-Id", id);
  }

  /** The name of the request in logs. */
  String id() {
    return id;
  }

  Request request() {
    return request;
  }

  /** As the client called it, by whatever name; a proxy in front that is trusted may say it. */
  String address() {
    HttpURI uri = request.getHttpURI();
    return HttpURI.build(uri).query(null).fragment(null).asString();
  }

  /** The same, or the configured one where the client named none. */
  URI addressOr(Endpoint.Settings settings) {
    try {
      URI called = new URI(address());
      return called.getHost() == null ? settings.address() : called;
    } catch (URISyntaxException e) {
      return settings.address();
    }
  }

  @Nullable String header(String name) {
    return request.getHeaders().get(name);
  }

  /**
   * Whether the same header comes twice with different values, which two readers read in two ways.
   */
  boolean isAmbiguous(String name) {
    String first = null;
    for (HttpField field : request.getHeaders()) {
      if (field.is(name)) {
        String value = field.getValue();
        if (first != null && !first.equals(value)) {
          return true;
        }
        first = value;
      }
    }
    return false;
  }

  /**
   * The whole body.
   *
   * @return null where it is longer than allowed
   * @throws IOException where the client does not send it
   */
  byte @Nullable [] body(long most) throws IOException {
    long length = request.getLength();
    if (length > most) {
      throwAway(length);
      return null;
    }
    byte[] body = new byte[room(0, 0, length, most)];
    int filled = 0;
    while (true) {
      Content.Chunk chunk = request.read();
      if (chunk == null) {
        return rest(body, filled, length, most);
      }
      if (Content.Chunk.isFailure(chunk)) {
        throw new IOException(chunk.getFailure());
      }
      int more = chunk.remaining();
      if (filled + (long) more > most) {
        chunk.release();
        throwAway(-1);
        return null;
      }
      if (filled + more > body.length) {
        body = Arrays.copyOf(body, room(filled, filled + more, length, most));
      }
      chunk.getByteBuffer().get(body, filled, more);
      filled += more;
      boolean last = chunk.isLast();
      chunk.release();
      if (last) {
        return filled == body.length ? body : Arrays.copyOf(body, filled);
      }
    }
  }

  /**
   * How much room is made for a body. A client that only says how long its body is gets none for
   * it, or a few idle ones would fill the memory; room for all of it is made before an eighth of it
   * has come, so that a large body is hardly copied.
   *
   * @param filled bytes that came
   * @param needed bytes, at most {@code most}
   * @param length as the client says it; negative where it does not
   */
  static int room(int filled, int needed, long length, long most) {
    long said = length < 0 ? most : Math.min(length, most);
    long grown = length < 0 ? 2L * filled : 64L * filled >= said ? said : 8L * filled;
    return (int) Math.max(needed, Math.min(said, Math.max(FIRST_ROOM, grown)));
  }

  /** What has not come yet is waited for. */
  private byte @Nullable [] rest(byte[] begun, int from, long length, long most)
      throws IOException {
    byte[] body = begun;
    int filled = from;
    InputStream in = Content.Source.asInputStream(request);
    while (true) {
      if (filled == body.length) {
        int next = in.read();
        if (next < 0) {
          return body;
        }
        if (filled >= most) {
          throwAway(-1);
          return null;
        }
        body = Arrays.copyOf(body, room(filled, filled + 1, length, most));
        body[filled++] = (byte) next;
      }
      int read = in.read(body, filled, body.length - filled);
      if (read < 0) {
        return Arrays.copyOf(body, filled);
      }
      filled += read;
    }
  }

  /**
   * A client that is still sending when its connection is closed may never see the answer: what is
   * not absurdly large is taken first.
   */
  private void throwAway(long length) throws IOException {
    if (length <= THROWN_AWAY) {
      InputStream in = Content.Source.asInputStream(request);
      in.skipNBytes(0);
      long left = THROWN_AWAY;
      byte[] buffer = new byte[8192];
      for (int read = 0; read >= 0 && left > 0; left -= read) {
        read = in.read(buffer);
      }
    }
  }

  /** Answers with an envelope. */
  void soap(int status, SoapVersion version, byte[] envelope) {
    response
        .getHeaders()
        .put(
            switch (version) {
              case SOAP_1_1 -> SOAP_1_1;
              case SOAP_1_2 -> SOAP_1_2;
            });
    answer(status, envelope);
  }

  /** Answers with something of another type. */
  void content(int status, String contentType, byte[] content) {
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, contentType);
    answer(status, content);
  }

  /** Answers with nothing. */
  void nothing(int status) {
    answer(status, new byte[0]);
  }

  /** Answers with one line for people. */
  void line(int status, String line) {
    response.getHeaders().put(TEXT);
    answer(status, (line + "\n").getBytes(StandardCharsets.UTF_8));
  }

  void allow(String methods) {
    response.getHeaders().put(HttpHeader.ALLOW, methods);
  }

  private void answer(int status, byte[] content) {
    if (status == 503) {
      response.getHeaders().put(RETRY);
    }
    response.setStatus(status);
    response.getHeaders().put(HttpHeader.CONTENT_LENGTH, content.length);
    if (request.getMethod().equals("HEAD")) {
      response.write(true, ByteBuffer.allocate(0), callback);
    } else {
      response.write(true, ByteBuffer.wrap(content), callback);
    }
  }
}
