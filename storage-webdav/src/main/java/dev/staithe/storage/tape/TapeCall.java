package dev.staithe.storage.tape;

import com.nimbusds.jose.util.JSONArrayUtils;
import com.nimbusds.jose.util.JSONObjectUtils;
import dev.staithe.storage.authz.Admission;
import dev.staithe.storage.authz.Asked;
import dev.staithe.storage.authz.Caller;
import dev.staithe.storage.exchange.Answers;
import dev.staithe.storage.exchange.RequestContent;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.util.List;
import java.util.Map;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.jspecify.annotations.Nullable;

/** One request of the tape API and its answer, both in JSON. For the thread that has it. */
final class TapeCall {
  private static final String UNREADABLE = "the request is no JSON object with ";
  private static final int LONGEST_BODY = 4 << 20;
  private static final int RETRY_SECONDS = 30;

  private final Answers answers;
  private final Request request;
  private final Response response;
  private final Caller caller;

  TapeCall(Answers answers, Request request, Response response, Caller caller) {
    this.answers = answers;
    this.request = request;
    this.response = response;
    this.caller = caller;
  }

  Request request() {
    return request;
  }

  Caller caller() {
    return caller;
  }

  /** Who asks, from where and by what, as it is judged elsewhere. */
  Asked asked() {
    return new Asked(
        caller,
        request.getConnectionMetaData().getRemoteSocketAddress() instanceof InetSocketAddress remote
            ? remote.getAddress()
            : null,
        request.getMethod());
  }

  /** The object that is the content; null where it is none and the refusal is on its way. */
  @Nullable Map<String, Object> body(String member) throws IOException {
    String type = request.getHeaders().get(HttpHeader.CONTENT_TYPE);
    // A page of another origin can have a browser send anything else without asking us first.
    if (type == null || !type.split(";", 2)[0].strip().equalsIgnoreCase("application/json")) {
      refuse(415, "the content is application/json");
      return null;
    }
    byte[] bytes = new RequestContent(request).whole(LONGEST_BODY);
    if (bytes == null) {
      refuse(413, "the request is longer than " + LONGEST_BODY + " bytes");
      return null;
    }
    try {
      Map<String, Object> object = JSONObjectUtils.parse(new String(bytes, StandardCharsets.UTF_8));
      if (object != null) {
        return object;
      }
    } catch (ParseException none) {
      // told below: what the parser says quotes the content
    }
    refuse(400, UNREADABLE + member);
    return null;
  }

  @Nullable List<?> list(Map<String, Object> body, String member, int longest) throws IOException {
    if (!(body.get(member) instanceof List<?> list) || list.isEmpty()) {
      refuse(400, UNREADABLE + member + ", which is a list and has at least one");
      return null;
    }
    if (list.size() > longest) {
      refuse(413, "a request has " + longest + " files at most");
      return null;
    }
    return list;
  }

  void deny(String why) throws IOException {
    answers.deny(request, response, new Admission.Refused(caller instanceof Caller.Anonymous, why));
  }

  void refuse(int status, String line) throws IOException {
    answers.refuse(request, response, status, line);
  }

  void refuseMethod(String right) throws IOException {
    response.getHeaders().put(HttpHeader.ALLOW, right);
    refuse(405, "here the method is " + right);
  }

  void refuseForNow(int status, String line) throws IOException {
    response.getHeaders().put(HttpHeader.RETRY_AFTER, RETRY_SECONDS);
    refuse(status, line);
  }

  void noSuchRequest() throws IOException {
    refuse(404, "there is no such request of yours");
  }

  void done() throws IOException {
    response.setStatus(200);
    response.getHeaders().put(HttpHeader.CONTENT_LENGTH, 0);
    Content.Sink.write(response, true, ByteBuffer.allocate(0));
  }

  void created(String location, Map<String, Object> value) throws IOException {
    response.getHeaders().put(HttpHeader.LOCATION, location);
    json(201, value);
  }

  void json(int status, Object value) throws IOException {
    String text =
        value instanceof List<?> list ? JSONArrayUtils.toJSONString(list) : text((Map<?, ?>) value);
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    response.setStatus(status);
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/json");
    response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-store");
    response.getHeaders().put(HttpHeader.CONTENT_LENGTH, bytes.length);
    Content.Sink.write(response, true, ByteBuffer.wrap(bytes));
  }

  @SuppressWarnings("unchecked") // what is written here has strings for names
  private static String text(Map<?, ?> object) {
    return JSONObjectUtils.toJSONString((Map<String, ?>) object);
  }
}
