package dev.staithe.gateway.route;

import dev.staithe.gateway.backend.Bodies;
import dev.staithe.gateway.engine.MessageThreads;
import dev.staithe.gateway.publish.Wsdl;
import dev.staithe.gateway.trust.TokenDoor;
import dev.staithe.service.log.AuditLog;
import dev.staithe.wss.stream.AnswerWriter;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/** Serves the endpoints, in front of the servlets, which have the pages, health and metrics. */
public final class GatewayDoor extends Handler.Wrapper {
  private static final Logger log = LoggerFactory.getLogger(GatewayDoor.class);

  private final Map<String, Endpoint> endpoints;
  private final Bodies bodies;
  private final Router router;

  /**
   * To be put in front of the servlets.
   *
   * @param endpoints each with a path of its own
   */
  public GatewayDoor(
      Handler servlets,
      List<Endpoint> endpoints,
      Judges judges,
      TokenDoor tokens,
      Meters meters,
      AuditLog audit,
      Bodies bodies,
      MessageThreads apart,
      AnswerWriter writer) {
    super(servlets);
    this.endpoints =
        endpoints.stream()
            .collect(Collectors.toUnmodifiableMap(each -> each.settings().path(), each -> each));
    this.bodies = bodies;
    this.router =
        new Router(
            new Router.Shared(
                new Admission(judges),
                tokens,
                meters,
                audit,
                judges.evidence(),
                bodies,
                apart,
                writer));
  }

  /** Engines compute and back ends are waited for: never on the selector's thread. */
  @Override
  public InvocationType getInvocationType() {
    return InvocationType.BLOCKING;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) throws Exception {
    String path = request.getHttpURI().getCanonicalPath();
    Endpoint endpoint = path == null ? null : endpoints.get(path);
    Call call = new Call(request, response, callback);
    MDC.put(AuditLog.REQUEST, call.id());
    MDC.put(AuditLog.CLIENT, Request.getRemoteAddr(request));
    try {
      if (endpoint == null) {
        return super.handle(request, response, callback);
      }
      serve(endpoint, call);
    } catch (IOException e) {
      // The client went away, or is too slow.
      callback.failed(e);
    } catch (RuntimeException e) {
      log.error("an exchange failed", e);
      if (response.isCommitted()) {
        callback.failed(e);
      } else {
        call.line(500, "the request could not be served; the log has its cause");
      }
    } finally {
      MDC.remove(AuditLog.CLIENT);
      MDC.remove(AuditLog.REQUEST);
    }
    return true;
  }

  private void serve(Endpoint endpoint, Call call) throws IOException {
    switch (call.request().getMethod()) {
      case "POST" -> router.serve(endpoint, call);
      case "GET", "HEAD" -> describe(endpoint, call);
      default -> {
        call.allow("GET, HEAD, POST");
        call.line(405, "POST is expected");
      }
    }
  }

  private void describe(Endpoint endpoint, Call call) {
    Wsdl.Answer answer =
        endpoint
            .wsdl()
            .answer(call.request().getHttpURI().getQuery(), call.addressOr(endpoint.settings()));
    switch (answer) {
      case Wsdl.Answer.Document(String type, byte[] content) -> {
        Bodies.Share share = bodies.share(call.client());
        call.whenTaken(share::close);
        try {
          share.take(content.length);
          call.content(200, type, content);
        } catch (Bodies.Full e) {
          call.line(503, Bodies.Full.LINE);
        }
      }
      case Wsdl.Answer.Missing(String line) -> call.line(404, line);
      case Wsdl.Answer.Failed(String line) -> call.line(502, line);
      case null ->
          call.line(
              404, "the description is at ?wsdl, the policy at ?policy; requests are sent by POST");
    }
  }
}
