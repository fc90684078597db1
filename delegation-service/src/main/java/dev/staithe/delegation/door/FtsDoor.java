package dev.staithe.delegation.door;

import dev.staithe.delegation.credential.Begun;
import dev.staithe.delegation.credential.Delegation;
import dev.staithe.delegation.credential.DelegationFault;
import dev.staithe.delegation.credential.DelegationFault.Kind;
import dev.staithe.delegation.credential.DelegationId;
import dev.staithe.delegation.credential.Delegations;
import dev.staithe.delegation.credential.Ended;
import dev.staithe.delegation.credential.Looked;
import dev.staithe.delegation.credential.Owner;
import dev.staithe.delegation.credential.Put;
import dev.staithe.pki.Pem;
import dev.staithe.service.door.Answers;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import org.springframework.web.HttpRequestHandler;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Delegation as clients of FTS3's REST interface do it: {@code GET /whoami} tells the one id that
 * somebody has, {@code GET /delegation/{id}} until when, {@code …/request} a request to sign,
 * {@code PUT …/credential} takes the proxy, {@code DELETE} forgets it. Times are of UTC and without
 * a zone, as these clients read no other.
 */
final class FtsDoor implements HttpRequestHandler {
  static final String WHOAMI = "/whoami";
  static final String DELEGATION = "/delegation/";

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);

  private final Threshold threshold;
  private final Delegations delegations;
  private final String base;

  /**
   * @param url of this service, for what FTS calls a base id
   */
  FtsDoor(Threshold threshold, Delegations delegations, String url) {
    this.threshold = threshold;
    this.delegations = delegations;
    this.base = UUID.nameUUIDFromBytes(url.getBytes(StandardCharsets.UTF_8)).toString();
  }

  @Override
  public void handleRequest(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    threshold.pass(request, response, this::serve);
  }

  private void serve(Owner owner, HttpServletRequest request, HttpServletResponse response)
      throws IOException, BadRequest {
    String path = Threshold.path(request);
    if (path.startsWith(WHOAMI)) {
      if (!Threshold.reads(request)) {
        Threshold.notThere(request, response, "GET, HEAD");
      } else if (path.equals(WHOAMI)) {
        whoami(owner, response);
      } else {
        certificate(request, response);
      }
      return;
    }
    String[] parts = path.substring(DELEGATION.length()).split("/", -1);
    DelegationId own = delegations.standardId(owner);
    if (!parts[0].equals(own.text())) {
      // FTS's own words: clients look for them. The same for what is there and what is not.
      threshold.refuseUnheard(
          owner,
          request,
          response,
          new DelegationFault(
              Kind.NOT_ALLOWED, "The requested ID and the credentials ID do not match"));
      return;
    }
    String method = request.getMethod();
    switch (parts.length == 1 ? "" : parts.length == 2 ? parts[1] : "/") {
      case "" -> {
        if (Threshold.reads(request)) {
          look(owner, own, request, response);
        } else if (method.equals("DELETE")) {
          destroy(owner, own, request, response);
        } else {
          Threshold.notThere(request, response, "GET, HEAD, DELETE");
        }
      }
      case "request" -> {
        if (method.equals("GET")) {
          request(owner, own, request, response);
        } else {
          Threshold.notThere(request, response, "GET");
        }
      }
      case "credential" -> {
        if (method.equals("PUT") || method.equals("POST")) {
          put(owner, own, request, response);
        } else {
          Threshold.notThere(request, response, "PUT, POST");
        }
      }
      case "voms" -> {
        if (method.equals("POST")) {
          voms(owner, own, request, response);
        } else {
          Threshold.notThere(request, response, "POST");
        }
      }
      default -> Answers.line(response, 404, "there is nothing of this name");
    }
  }

  private void whoami(Owner owner, HttpServletResponse response) throws IOException {
    var json = JsonMapper.shared().createObjectNode();
    json.put("method", "certificate");
    json.put("user_dn", owner.subject().slashed());
    json.putArray("dn").add(owner.subject().slashed());
    json.put("delegation_id", delegations.standardId(owner).text());
    var fqans = json.putArray("voms_cred");
    owner.fqans().forEach(fqans::add);
    var vos = json.putArray("vos");
    owner.fqans().stream().map(FtsDoor::vo).distinct().forEach(vos::add);
    json.putArray("vos_id");
    json.putArray("roles");
    json.putObject("level");
    json.put("is_root", false);
    json.put("base_id", base);
    Answers.json(response, 200, json.toString());
  }

  /** The organisation is what an attribute begins with: {@code /atlas/Role=production}. */
  private static String vo(String fqan) {
    String[] parts = fqan.split("/", 3);
    return parts.length > 1 ? parts[1] : fqan;
  }

  private static void certificate(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    X509Certificate[] shown = Threshold.certificates(request);
    Answers.send(
        response,
        200,
        "application/x-pem-file",
        Pem.encode(List.of(shown)).getBytes(StandardCharsets.US_ASCII));
  }

  private void look(
      Owner owner, DelegationId own, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    switch (delegations.look(owner, own)) {
      case Looked.Found(Delegation found) -> Answers.json(response, 200, told(found));
      case Looked.Refused(DelegationFault fault) -> {
        if (fault.kind() == Kind.UNKNOWN) {
          // Clients take it for: delegate first.
          Answers.json(response, 200, "null");
        } else {
          Threshold.refuse(request, response, fault);
        }
      }
    }
  }

  private static String told(Delegation delegation) {
    var json = JsonMapper.shared().createObjectNode();
    json.put(
        "termination_time", TIME.format(delegation.notAfter().truncatedTo(ChronoUnit.SECONDS)));
    var attributes = json.putArray("voms_attrs");
    delegation.fqans().forEach(attributes::add);
    return json.toString();
  }

  private void request(
      Owner owner, DelegationId own, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    switch (delegations.begin(owner, own, null, null)) {
      case Begun.Requested(DelegationId id, String pem) -> {
        response.setHeader("X-Delegation-ID", id.text());
        Answers.send(response, 200, "text/plain", pem.getBytes(StandardCharsets.US_ASCII));
      }
      case Begun.Refused(DelegationFault fault) -> Threshold.refuse(request, response, fault);
    }
  }

  private void put(
      Owner owner, DelegationId own, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    Optional<String> chain = threshold.text(owner, request, response, Threshold.LARGEST_CHAIN);
    if (chain.isEmpty()) {
      return;
    }
    switch (delegations.put(owner, own, chain.get())) {
      case Put.Stored stored -> {
        response.setStatus(201);
        response.setContentLength(0);
      }
      case Put.Refused(DelegationFault fault) ->
          // FTS has one status for all that is wrong with a proxy.
          Threshold.refuse(
              request,
              response,
              switch (fault.kind()) {
                case NO_REQUEST, EXPIRED, UNKNOWN -> 400;
                default -> Statuses.of(fault.kind());
              },
              fault);
    }
  }

  private void voms(
      Owner owner, DelegationId own, HttpServletRequest request, HttpServletResponse response)
      throws IOException, BadRequest {
    Optional<String> body = threshold.text(owner, request, response, Threshold.LARGEST_QUESTION);
    if (body.isEmpty()) {
      return;
    }
    if (!isListOfTexts(body.get())) {
      throw new BadRequest(
          "a JSON list of texts is expected, as [\"dteam:/dteam/Role=production\"]");
    }
    switch (delegations.look(owner, own)) {
      case Looked.Refused(DelegationFault fault) -> Threshold.refuse(request, response, fault);
      case Looked.Found found ->
          // FTS would ask a VOMS server with the user's key, which is not what it was given for.
          Threshold.refuse(
              request,
              response,
              424,
              new DelegationFault(
                  Kind.BAD_REQUEST,
                  "no VOMS server is asked here: delegate with a proxy that has the attributes"));
    }
  }

  private static boolean isListOfTexts(String body) {
    try {
      JsonNode node = JsonMapper.shared().readTree(body);
      return node.isArray() && node.valueStream().allMatch(JsonNode::isString);
    } catch (JacksonException e) {
      return false;
    }
  }

  private void destroy(
      Owner owner, DelegationId own, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    switch (delegations.destroy(owner, own)) {
      case Ended.Destroyed destroyed -> response.setStatus(204);
      case Ended.Refused(DelegationFault fault) -> Threshold.refuse(request, response, fault);
    }
  }
}
