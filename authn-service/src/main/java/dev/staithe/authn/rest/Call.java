package dev.staithe.authn.rest;

import dev.staithe.service.door.BearerToken;
import dev.staithe.service.log.AuditLog;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.http.PreEncodedHttpField;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.Fields;
import org.eclipse.jetty.util.UrlEncoded;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** One request to the REST interface and its answer, given exactly once. Used by one thread. */
final class Call {
  private static final HttpField JSON =
      new PreEncodedHttpField(HttpHeader.CONTENT_TYPE, "application/json;charset=utf-8");
  private static final HttpField TEXT =
      new PreEncodedHttpField(HttpHeader.CONTENT_TYPE, "text/plain;charset=utf-8");
  private static final HttpField NOT_STORED =
      new PreEncodedHttpField(HttpHeader.CACHE_CONTROL, "no-store");
  private static final byte[] NO_BODY = {};

  private final Request request;
  private final Response response;
  private final Callback callback;
  private final String id;
  private byte[] body = NO_BODY;
  private @Nullable Fields parameters;

  Call(Request request, Response response, Callback callback, String id) {
    this.request = request;
    this.response = response;
    this.callback = callback;
    this.id = id;
  }

  /** The name of the request in logs. */
  String id() {
    return id;
  }

  String method() {
    return request.getMethod();
  }

  void body(byte[] content) {
    body = content;
  }

  /** Runs with the request's name in every line of the log. */
  void named(Runnable work) {
    MDC.put(AuditLog.REQUEST, id);
    MDC.put(AuditLog.CLIENT, address().getHostAddress());
    try {
      work.run();
    } finally {
      MDC.remove(AuditLog.CLIENT);
      MDC.remove(AuditLog.REQUEST);
    }
  }

  @Nullable String header(String name) {
    return request.getHeaders().get(name);
  }

  /** All values of a field, as many as there are. */
  List<String> headers(String name) {
    return request.getHeaders().getFields(name).stream().map(HttpField::getValue).toList();
  }

  /** The token of an {@code Authorization: Bearer} header, as {@link BearerToken} has it. */
  @Nullable String bearer() {
    return BearerToken.of(request.getHeaders().getValuesList(HttpHeader.AUTHORIZATION));
  }

  /**
   * A parameter of the query or, in a form, of the body. The first of several.
   *
   * @throws BadRequest where either is malformed
   */
  @Nullable String parameter(String name) throws BadRequest {
    return parameters().getValue(name);
  }

  /** All values of a parameter, in their order. */
  List<String> parameters(String name) throws BadRequest {
    return parameters().getValuesOrEmpty(name);
  }

  private Fields parameters() throws BadRequest {
    Fields known = parameters;
    if (known == null) {
      known = new Fields(false);
      String query = request.getHttpURI().getQuery();
      String type = header("Content-Type");
      try {
        if (query != null) {
          UrlEncoded.decodeUtf8To(query, known);
        }
        if (body.length > 0
            && type != null
            && type.startsWith("application/x-www-form-urlencoded")) {
          UrlEncoded.decodeUtf8To(new String(body, StandardCharsets.UTF_8), known);
        }
      } catch (RuntimeException e) {
        throw new BadRequest("the parameters are not URL-encoded UTF-8");
      }
      parameters = known;
    }
    return known;
  }

  /**
   * The body as a JSON object.
   *
   * @return null where there is no body
   * @throws BadRequest where it is none
   */
  @Nullable JsonNode json() throws BadRequest {
    if (body.length == 0) {
      return null;
    }
    try {
      JsonNode node = JsonMapper.shared().readTree(body);
      if (node.isObject()) {
        return node;
      }
    } catch (JacksonException e) {
      // The message would repeat what was sent.
    }
    throw new BadRequest("the body is not a JSON object");
  }

  /** Where the request came from, as far as trusted proxies tell. */
  InetAddress address() {
    return request.getConnectionMetaData().getRemoteSocketAddress()
            instanceof InetSocketAddress remote
        ? remote.getAddress()
        : InetAddress.ofLiteral("0.0.0.0");
  }

  /** The program that asks, as it names itself, at most 200 characters. */
  String agent() {
    String agent = header("User-Agent");
    return agent == null ? "" : agent.substring(0, Math.min(200, agent.length()));
  }

  void json(int status, String text) {
    answer(status, JSON, text);
  }

  void text(int status, String text) {
    answer(status, TEXT, text);
  }

  /** A refusal in the form of the JSON interface: one line says why. */
  void refuse(int status, String message) {
    if (status == HttpStatus.UNAUTHORIZED_401) {
      // RFC 9110 section 15.5.2. Not Basic: browsers would ask for a password by themselves.
      response.getHeaders().put(HttpHeader.WWW_AUTHENTICATE, "Bearer");
    }
    json(
        status,
        "{\"code\":%d,\"reason\":\"%s\",\"message\":\"%s\"}"
            .formatted(status, HttpStatus.getMessage(status), message));
  }

  /** A refusal that is worth another try later. */
  void refuse(int status, String message, Duration retryAfter) {
    response
        .getHeaders()
        .put(HttpHeader.RETRY_AFTER, Math.max(1, retryAfter.plusMillis(999).toSeconds()));
    refuse(status, message);
  }

  private void answer(int status, HttpField type, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    var headers = response.getHeaders();
    response.setStatus(status);
    headers.add(type);
    headers.add(NOT_STORED);
    headers.put(HttpHeader.CONTENT_LENGTH, bytes.length);
    response.write(true, ByteBuffer.wrap(bytes), callback);
  }
}
