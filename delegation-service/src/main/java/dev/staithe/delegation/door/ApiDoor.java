package dev.staithe.delegation.door;

import dev.staithe.delegation.credential.AcquireRules;
import dev.staithe.delegation.credential.Acquired;
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
import dev.staithe.delegation.credential.Ruled;
import dev.staithe.delegation.credential.Wanted;
import dev.staithe.pki.GridSubject;
import dev.staithe.service.door.Answers;
import dev.staithe.service.door.Body;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.web.HttpRequestHandler;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * All that can be done, by JSON: delegations below {@code /api/delegations}, seen, begun, put,
 * given rules, renewed and destroyed by their owner, and acquired from by whom the owner named.
 */
final class ApiDoor implements HttpRequestHandler {
  static final String PATH = "/api/delegations";

  /** No id has these characters. */
  private static final String ANY = "-";

  private static final Set<String> BEGINNING = Set.of("id", "key", "rules");
  private static final Set<String> ACQUIRING =
      Set.of("request", "lifetime", "pathLength", "limited", "delegator");

  private final Threshold threshold;
  private final Delegations delegations;

  ApiDoor(Threshold threshold, Delegations delegations) {
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
    String method = request.getMethod();
    if (path.equals(PATH)) {
      if (Threshold.reads(request)) {
        list(owner, response);
      } else if (method.equals("POST")) {
        begin(owner, request, response);
      } else {
        Threshold.notThere(request, response, "GET, HEAD, POST");
      }
      return;
    }
    String[] parts = path.substring(PATH.length() + 1).split("/", -1);
    if (parts.length == 2 && parts[0].equals(ANY) && parts[1].equals("acquire")) {
      if (method.equals("POST")) {
        acquire(owner, null, request, response);
      } else {
        Threshold.notThere(request, response, "POST");
      }
      return;
    }
    Optional<DelegationId> id = DelegationId.parse(parts[0]);
    if (id.isEmpty() || parts.length > 2) {
      threshold.refuseUnheard(
          owner,
          request,
          response,
          new DelegationFault(Kind.UNKNOWN, DelegationFault.UNKNOWN_LINE));
      return;
    }
    switch (parts.length == 1 ? "" : parts[1]) {
      case "" -> {
        if (Threshold.reads(request)) {
          look(owner, id.get(), request, response);
        } else if (method.equals("DELETE")) {
          destroy(owner, id.get(), request, response);
        } else {
          Threshold.notThere(request, response, "GET, HEAD, DELETE");
        }
      }
      case "request" -> {
        if (method.equals("POST")) {
          Body.discard(request);
          requested(request, response, delegations.renew(owner, id.get()));
        } else {
          Threshold.notThere(request, response, "POST");
        }
      }
      case "credential" -> {
        if (method.equals("PUT")) {
          put(owner, id.get(), request, response);
        } else {
          Threshold.notThere(request, response, "PUT");
        }
      }
      case "rules" -> {
        if (method.equals("PUT")) {
          allow(owner, id.get(), request, response);
        } else {
          Threshold.notThere(request, response, "PUT");
        }
      }
      case "acquire" -> {
        if (method.equals("POST")) {
          acquire(owner, id.get(), request, response);
        } else {
          Threshold.notThere(request, response, "POST");
        }
      }
      default -> {
        Body.discard(request);
        Answers.line(response, 404, "there is nothing of this name");
      }
    }
  }

  private void list(Owner owner, HttpServletResponse response) throws IOException {
    var json = JsonMapper.shared().createObjectNode();
    var array = json.putArray("delegations");
    delegations.list(owner).forEach(each -> tell(each, array.addObject()));
    Answers.json(response, 200, json.toString());
  }

  private void begin(Owner owner, HttpServletRequest request, HttpServletResponse response)
      throws IOException, BadRequest {
    Optional<Question> asked = question(owner, request, response, BEGINNING);
    if (asked.isEmpty()) {
      return;
    }
    DelegationId id = asked.get().id("id");
    AcquireRules rules = asked.get().rules("rules", delegations.usualRules());
    requested(request, response, delegations.begin(owner, id, rules, asked.get().key("key")));
  }

  private static void requested(
      HttpServletRequest request, HttpServletResponse response, Begun begun) throws IOException {
    switch (begun) {
      case Begun.Requested(DelegationId id, String pem) -> {
        var json = JsonMapper.shared().createObjectNode();
        json.put("id", id.text());
        json.put("request", pem);
        response.setHeader("Location", PATH + "/" + id.text());
        Answers.json(response, 201, json.toString());
      }
      case Begun.Refused(DelegationFault fault) -> Threshold.refuse(request, response, fault);
    }
  }

  private void look(
      Owner owner, DelegationId id, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    switch (delegations.look(owner, id)) {
      case Looked.Found(Delegation found) -> told(response, found);
      case Looked.Refused(DelegationFault fault) -> Threshold.refuse(request, response, fault);
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
      case Put.Stored(Delegation stored) -> told(response, stored);
      case Put.Refused(DelegationFault fault) -> Threshold.refuse(request, response, fault);
    }
  }

  private void allow(
      Owner owner, DelegationId id, HttpServletRequest request, HttpServletResponse response)
      throws IOException, BadRequest {
    Optional<Question> asked = question(owner, request, response, Question.RULES);
    if (asked.isEmpty()) {
      return;
    }
    AcquireRules rules = Question.rules(asked.get(), delegations.usualRules());
    switch (delegations.allow(owner, id, rules)) {
      case Ruled.Changed(Delegation changed) -> told(response, changed);
      case Ruled.Refused(DelegationFault fault) -> Threshold.refuse(request, response, fault);
    }
  }

  private void destroy(
      Owner owner, DelegationId id, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    switch (delegations.destroy(owner, id)) {
      case Ended.Destroyed destroyed -> response.setStatus(204);
      case Ended.Refused(DelegationFault fault) -> Threshold.refuse(request, response, fault);
    }
  }

  private void acquire(
      Owner acquirer,
      @Nullable DelegationId id,
      HttpServletRequest request,
      HttpServletResponse response)
      throws IOException, BadRequest {
    Optional<Question> asked = question(acquirer, request, response, ACQUIRING);
    if (asked.isEmpty()) {
      return;
    }
    String own = asked.get().text("request");
    if (own == null) {
      throw new BadRequest(
          "request is missing: a PKCS#10 request, PEM, for the acquirer's own key");
    }
    GridSubject delegator = asked.get().subject("delegator");
    if (id == null && delegator == null) {
      throw new BadRequest("delegator is missing: the subject of a person");
    }
    switch (delegations.acquire(acquirer, new Wanted(id, delegator), own, asked.get().wish())) {
      case Acquired.Issued(DelegationId from, String chain, Instant notAfter) -> {
        var json = JsonMapper.shared().createObjectNode();
        json.put("id", from.text());
        json.put("chain", chain);
        json.put("notAfter", notAfter.toString());
        Answers.json(response, 200, json.toString());
      }
      case Acquired.Refused(DelegationFault fault) -> Threshold.refuse(request, response, fault);
    }
  }

  /** Only what says that it is JSON: a form of a page of somebody else's cannot say so. */
  private Optional<Question> question(
      Owner owner, HttpServletRequest request, HttpServletResponse response, Set<String> known)
      throws IOException, BadRequest {
    Optional<String> body = threshold.text(owner, request, response, Threshold.LARGEST_QUESTION);
    String type = request.getContentType();
    if (body.isPresent()
        && !body.get().isEmpty()
        && (type == null || !type.toLowerCase(Locale.ROOT).startsWith("application/json"))) {
      Answers.line(response, 415, "JSON is expected: Content-Type application/json");
      return Optional.empty();
    }
    return body.isEmpty() ? Optional.empty() : Optional.of(Question.of(body.get(), known));
  }

  private static void told(HttpServletResponse response, Delegation delegation) throws IOException {
    ObjectNode json = JsonMapper.shared().createObjectNode();
    tell(delegation, json);
    Answers.json(response, 200, json.toString());
  }

  private static void tell(Delegation delegation, ObjectNode json) {
    AcquireRules rules = delegation.rules();
    json.put("id", delegation.id().text());
    json.put("owner", delegation.owner().name());
    json.put("notAfter", delegation.notAfter().toString());
    json.put("created", delegation.created().toString());
    json.put("renewed", delegation.renewed().toString());
    json.put("limited", delegation.limited());
    json.put("pathLeft", delegation.pathLeft());
    var fqans = json.putArray("fqans");
    delegation.fqans().forEach(fqans::add);
    json.put("used", delegation.used());
    var told = json.putObject("rules");
    var acquirers = told.putArray("acquirers");
    rules.acquirers().forEach(each -> acquirers.add(each.name()));
    told.put("uses", rules.uses());
    told.put("hops", rules.hops());
    told.put("limited", rules.limited());
    told.put("longest", rules.longest().toSeconds());
  }
}
