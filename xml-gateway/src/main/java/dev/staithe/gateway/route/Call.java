package dev.staithe.gateway.route;

import dev.staithe.gateway.backend.Bodies;
import dev.staithe.gateway.backend.BodyBuffer;
import dev.staithe.service.RequestId;
import dev.staithe.xml.SoapVersion;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
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

  /** Bytes of a body that is too large which are taken and thrown away. */
  private static final long THROWN_AWAY = 4L << 20;

  private final Request request;
  private final Response response;
  private final String id;
  private Callback callback;

  Call(Request request, Response response, Callback callback) {
    this.request = request;
    this.response = response;
    this.callback = callback;
    this.id = RequestId.assign(request, response);
  }

  /** The name of the request in logs. */
  String id() {
    return id;
  }

  Request request() {
    return request;
  }

  /** Where it came from; what has no address is of this machine. */
  InetAddress client() {
    return request.getConnectionMetaData().getRemoteSocketAddress()
                instanceof InetSocketAddress from
            && from.getAddress() != null
        ? from.getAddress()
        : InetAddress.getLoopbackAddress();
  }

  /** To be run when the client has taken the answer, or never will: it is in memory until then. */
  void whenTaken(Runnable then) {
    callback = Callback.from(callback, then);
  }

  /** As the client called it, by whatever name; a proxy in front that is trusted may say it. */
  String address() {
    HttpURI uri = request.getHttpURI();
    return HttpURI.build(uri).query(null).fragment(null).asString();
  }

  /**
   * The same, or the configured one where the client named no host that is the gateway's: what
   * anybody may write into a request is told to nobody as an address.
   */
  URI addressOr(Endpoint.Settings settings) {
    try {
      URI called = new URI(address());
      return settings.isNamed(called.getHost()) ? called : settings.address();
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
   * @param share of the exchange, which pays for it
   * @return null where it is longer than allowed
   * @throws Bodies.Full where there is no room for it; of what comes no more is taken than of one
   *     that is too long
   * @throws IOException where the client does not send it
   */
  byte @Nullable [] body(long most, Bodies.Share share) throws IOException {
    long length = request.getLength();
    InputStream in = Content.Source.asInputStream(request);
    if (length > most) {
      throwAway(in, length);
      return null;
    }
    var body = new BodyBuffer(share, length < 0 ? most : length);
    try {
      while (body.filled() < (length < 0 ? most : length)) {
        int room = body.room();
        int read = in.read(body.bytes(), body.filled(), room);
        if (read < 0) {
          return body.whole();
        }
        body.put(read);
      }
    } catch (Bodies.Full e) {
      throwAway(in, length);
      throw e;
    }
    if (in.read() >= 0) {
      throwAway(in, -1);
      return null;
    }
    return body.whole();
  }

  /** Takes a body that nobody reads. */
  void throwAway() throws IOException {
    throwAway(Content.Source.asInputStream(request), request.getLength());
  }

  /**
   * A client that is still sending when its connection is closed may never see the answer: what is
   * not absurdly large is taken first.
   */
  private static void throwAway(InputStream in, long length) throws IOException {
    if (length <= THROWN_AWAY) {
      byte[] buffer = new byte[8192];
      long left = THROWN_AWAY;
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
    if (status == 503 || status == 429) {
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
