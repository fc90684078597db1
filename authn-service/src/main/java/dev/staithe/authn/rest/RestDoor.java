package dev.staithe.authn.rest;

import dev.staithe.service.RequestId;
import dev.staithe.service.log.AuditLog;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.Promise;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * Serves the REST interface in front of the servlets. What answers at once does so on the thread
 * that read the request: a validation is over before another thread would have begun. Everything
 * else, and all that the servlets serve, goes to threads that may block.
 */
public final class RestDoor extends Handler.Wrapper {
  private static final Logger log = LoggerFactory.getLogger(RestDoor.class);

  /** Bytes of a body that is too large. */
  private static final long THROWN_AWAY = 4L << 20;

  /**
   * What a path serves.
   *
   * @param methods those it takes
   * @param largestBody in bytes
   * @param work answers the call, at once or by {@link Threads}
   */
  record Endpoint(Set<String> methods, int largestBody, Work work) {}

  /** Answers a call. */
  interface Work {
    /** Must not block: it may hand the rest to {@code threads}, which may. */
    void serve(Call call, Threads threads) throws BadRequest;
  }

  /** Threads that may block. */
  interface Threads {
    void run(Blocking work);
  }

  /** Work that may block. */
  interface Blocking {
    void run() throws BadRequest;
  }

  private final Map<String, Endpoint> endpoints;
  private final Executor blocking;

  /**
   * @param blocking a thread for each task, made to wait
   */
  RestDoor(Map<String, Endpoint> endpoints, Executor blocking) {
    this.endpoints = Map.copyOf(endpoints);
    this.blocking = blocking;
  }

  @Override
  public InvocationType getInvocationType() {
    return InvocationType.NON_BLOCKING;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    String path = request.getHttpURI().getCanonicalPath();
    Endpoint endpoint = path == null ? null : endpoints.get(path);
    String id = RequestId.assign(request, response);
    if (endpoint == null) {
      blocking.execute(() -> toServlets(request, response, callback, id));
      return true;
    }
    var call = new Call(request, response, callback, id);
    if (!endpoint.methods().contains(request.getMethod())) {
      response.getHeaders().put(HttpHeader.ALLOW, String.join(", ", endpoint.methods()));
      call.refuse(405, "this address takes " + String.join(" and ", endpoint.methods()));
    } else if (request.getLength() > endpoint.largestBody()) {
      tooLarge(request, endpoint, call);
    } else if (request.getLength() == 0 || hasNoBody(request)) {
      serve(endpoint, call);
    } else {
      read(request, endpoint, call);
    }
    return true;
  }

  /**
   * A client that is still sending when its connection is closed may never see the answer: what is
   * not absurdly large is taken and thrown away first.
   */
  private static void tooLarge(Request request, Endpoint endpoint, Call call) {
    String line = "the body is larger than " + endpoint.largestBody() + " bytes";
    if (request.getLength() > THROWN_AWAY) {
      call.refuse(413, line);
      return;
    }
    Content.Source.consumeAll(
        request,
        Callback.from(
            InvocationType.NON_BLOCKING,
            () -> call.refuse(413, line),
            failure -> call.refuse(413, line)));
  }

  /** Before it is read: one of HTTP/2 ends by itself, and need not be announced by any field. */
  private static boolean hasNoBody(Request request) {
    return request.getLength() < 0
        && request.getConnectionMetaData().getHttpVersion() != HttpVersion.HTTP_2
        && !request.getHeaders().contains(HttpHeader.TRANSFER_ENCODING);
  }

  private void read(Request request, Endpoint endpoint, Call call) {
    Content.Source.asByteArrayAsync(
        request,
        endpoint.largestBody(),
        new Promise.Invocable<>() {
          @Override
          public InvocationType getInvocationType() {
            return InvocationType.NON_BLOCKING;
          }

          @Override
          public void succeeded(byte[] body) {
            call.body(body);
            serve(endpoint, call);
          }

          @Override
          public void failed(@Nullable Throwable failure) {
            if (failure instanceof IllegalStateException) {
              call.refuse(413, "the body is larger than " + endpoint.largestBody() + " bytes");
            } else {
              call.refuse(400, "the body could not be read");
            }
          }
        });
  }

  private void serve(Endpoint endpoint, Call call) {
    // What is done at once logs nothing, unless it fails, and is not worth a name.
    guarded(call, () -> endpoint.work().serve(call, work -> later(call, work)));
  }

  private void later(Call call, Blocking work) {
    blocking.execute(() -> call.named(() -> guarded(call, work)));
  }

  private static void guarded(Call call, Blocking work) {
    try {
      work.run();
    } catch (BadRequest e) {
      call.refuse(400, "" + e.getMessage());
    } catch (RuntimeException | Error e) {
      // Errors too, as where a class cannot be loaded: nobody else answers, and the client waits.
      call.named(() -> log.error("{} failed", call.method(), e));
      call.refuse(500, "the request could not be served; the log has its cause");
    }
  }

  private void toServlets(Request request, Response response, Callback callback, String id) {
    MDC.put(AuditLog.REQUEST, id);
    MDC.put(AuditLog.CLIENT, Request.getRemoteAddr(request));
    try {
      if (!super.handle(request, response, callback)) {
        Response.writeError(request, response, callback, 404);
      }
    } catch (Exception | Error e) { // Whatever a servlet throws.
      Response.writeError(request, response, callback, e);
    } finally {
      MDC.remove(AuditLog.CLIENT);
      MDC.remove(AuditLog.REQUEST);
    }
  }
}
