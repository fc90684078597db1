package dev.staithe.delegation.door;

import dev.staithe.delegation.credential.Begun;
import dev.staithe.delegation.credential.Certificates;
import dev.staithe.delegation.credential.Delegation;
import dev.staithe.delegation.credential.DelegationFault;
import dev.staithe.delegation.credential.DelegationFault.Kind;
import dev.staithe.delegation.credential.DelegationId;
import dev.staithe.delegation.credential.Delegations;
import dev.staithe.delegation.credential.Ended;
import dev.staithe.delegation.credential.Owner;
import dev.staithe.delegation.credential.Put;
import dev.staithe.service.door.Answers;
import dev.staithe.service.door.Body;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.springframework.web.HttpRequestHandler;
import tools.jackson.databind.json.JsonMapper;

/**
 * Delegation as in the REST interface of ARC's A-REX, versions 1.0 and 1.1: {@code POST
 * /delegations?action=new} gives a request to sign and, in Location, a new id; {@code PUT
 * /delegations/{id}} takes the proxy; {@code POST /delegations/{id}?action=get|renew|delete}. The
 * same at {@code /arex/rest/1.0/delegations}, where its clients look.
 */
final class ArexDoor implements HttpRequestHandler {
  static final String VERSIONS = "/arex/rest";
  static final String OLD = "/arex/rest/1.0/delegations";
  static final String NEW = "/arex/rest/1.1/delegations";
  static final String SHORT = "/delegations";

  private static final String PEM = "application/x-pem-file";

  private final Threshold threshold;
  private final Delegations delegations;

  ArexDoor(Threshold threshold, Delegations delegations) {
    this.threshold = threshold;
    this.delegations = delegations;
  }

  @Override
  public void handleRequest(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    threshold.pass(request, response, this::serve);
  }

  private void serve(Owner owner, HttpServletRequest request, HttpServletResponse response)
      throws IOException, BadRequest {
    String path = Threshold.path(request);
    if (path.equals(VERSIONS)) {
      versions(request, response);
      return;
    }
    String door = List.of(OLD, NEW, SHORT).stream().filter(path::startsWith).findFirst().orElse("");
    String method = request.getMethod();
    if (path.equals(door)) {
      if (Threshold.reads(request)) {
        list(owner, request, response);
      } else if (method.equals("POST")) {
        begin(owner, door, request, response);
      } else {
        Threshold.notThere(request, response, "GET, HEAD, POST");
      }
      return;
    }
    Optional<DelegationId> id = DelegationId.parse(path.substring(door.length() + 1));
    if (id.isEmpty()) {
      threshold.refuseUnheard(
          owner,
          request,
          response,
          new DelegationFault(Kind.UNKNOWN, DelegationFault.UNKNOWN_LINE));
    } else if (method.equals("PUT")) {
      put(owner, id.get(), request, response);
    } else if (method.equals("POST")) {
      act(owner, id.get(), request, response);
    } else {
      Threshold.notThere(request, response, "PUT, POST");
    }
  }

  private static void versions(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    if (!Threshold.reads(request)) {
      Threshold.notThere(request, response, "GET, HEAD");
    } else if (wantsXml(request)) {
      xml(response, "<versions><version>1.0</version><version>1.1</version></versions>");
    } else {
      Answers.json(response, 200, "{\"version\":[\"1.0\",\"1.1\"]}");
    }
  }

  private void list(Owner owner, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    // Of other types than this one there are none.
    List<String> ids =
        Body.queryParameter(request, "type").filter(type -> !type.equals("x509")).isPresent()
            ? List.of()
            : delegations.list(owner).stream().map(Delegation::id).map(DelegationId::text).toList();
    if (wantsXml(request)) {
      var text = new StringBuilder("<delegations>");
      // Ids have no character that XML knows.
      ids.forEach(
          id ->
              text.append("<delegation><id>")
                  .append(id)
                  .append("</id><type>x509</type></delegation>"));
      xml(response, text.append("</delegations>").toString());
      return;
    }
    var json = JsonMapper.shared().createObjectNode();
    var array = json.putArray("delegation");
    ids.forEach(id -> array.addObject().put("id", id).put("type", "x509"));
    Answers.json(response, 200, json.toString());
  }

  private void begin(
      Owner owner, String door, HttpServletRequest request, HttpServletResponse response)
      throws IOException, BadRequest {
    Body.discard(request);
    if (!action(request).equals("new")) {
      throw new BadRequest("the action is new, as in ?action=new");
    }
    if (Body.queryParameter(request, "type").filter(type -> !type.equals("x509")).isPresent()) {
      Answers.line(response, 501, "delegations are of X.509 certificates here, not of tokens");
      return;
    }
    requested(request, response, door, delegations.begin(owner, DelegationId.random(), null, null));
  }

  private static void requested(
      HttpServletRequest request, HttpServletResponse response, String door, Begun begun)
      throws IOException {
    switch (begun) {
      case Begun.Requested(DelegationId id, String pem) -> {
        response.setHeader("Location", door + "/" + id.text());
        Answers.send(response, 201, PEM, pem.getBytes(StandardCharsets.US_ASCII));
      }
      case Begun.Refused(DelegationFault fault) -> Threshold.refuse(request, response, fault);
    }
  }

  private void put(
      Owner owner, DelegationId id, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    Optional<String> chain = threshold.text(owner, request, response, Threshold.LARGEST_CHAIN);
    if (chain.isEmpty()) {
      return;
    }
    switch (delegations.put(owner, id, chain.get())) {
      case Put.Stored stored -> done(response, 200);
      case Put.Refused(DelegationFault fault) -> Threshold.refuse(request, response, fault);
    }
  }

  private void act(
      Owner owner, DelegationId id, HttpServletRequest request, HttpServletResponse response)
      throws IOException, BadRequest {
    Body.discard(request);
    String path = Threshold.path(request);
    switch (action(request)) {
      case "get" -> {
        switch (delegations.certificates(owner, id)) {
          case Certificates.Found(String pem) ->
              Answers.send(response, 200, PEM, pem.getBytes(StandardCharsets.US_ASCII));
          case Certificates.Refused(DelegationFault fault) ->
              Threshold.refuse(request, response, fault);
        }
      }
      case "renew" ->
          requested(
              request,
              response,
              path.substring(0, path.lastIndexOf('/')),
              delegations.renew(owner, id));
      case "delete" -> {
        switch (delegations.destroy(owner, id)) {
          // A-REX says so, though nothing is left to do.
          case Ended.Destroyed destroyed -> done(response, 202);
          case Ended.Refused(DelegationFault fault) -> Threshold.refuse(request, response, fault);
        }
      }
      default -> throw new BadRequest("the action is one of get, renew, delete");
    }
  }

  private static String action(HttpServletRequest request) {
    return Body.queryParameter(request, "action").orElse("");
  }

  private static void done(HttpServletResponse response, int status) {
    response.setStatus(status);
    response.setContentLength(0);
  }

  private static boolean wantsXml(HttpServletRequest request) {
    String accept = request.getHeader("Accept");
    return accept != null && accept.contains("/xml") && !Answers.wantsJson(request);
  }

  private static void xml(HttpServletResponse response, String text) throws IOException {
    Answers.send(response, 200, "application/xml", text.getBytes(StandardCharsets.UTF_8));
  }
}
