package dev.staithe.delegation.door;

import static dev.staithe.delegation.door.CallRefused.done;

import dev.staithe.delegation.credential.AcquireRules;
import dev.staithe.delegation.credential.AcquiredProxy;
import dev.staithe.delegation.credential.Delegation;
import dev.staithe.delegation.credential.DelegationId;
import dev.staithe.delegation.credential.Delegations;
import dev.staithe.delegation.credential.Owner;
import dev.staithe.delegation.credential.ProxyRequest;
import dev.staithe.delegation.credential.WantedDelegation;
import dev.staithe.pki.GridSubject;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.HttpMediaTypeNotSupportedException;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * All that can be done, by JSON: delegations below {@code /api/delegations}, seen, begun, put,
 * given rules, renewed and destroyed by their owner, and acquired from by whom the owner named.
 */
@RestController
@RequestMapping(ApiController.PATH)
final class ApiController {
  static final String PATH = "/api/delegations";

  private static final Set<String> BEGINNING = Set.of("id", "key", "rules");
  private static final Set<String> ACQUIRING =
      Set.of("request", "lifetime", "pathLength", "limited", "delegator");

  private final Delegations delegations;

  ApiController(Delegations delegations) {
    this.delegations = delegations;
  }

  /** A delegation as its owner sees it; times as in RFC 3339, {@code longest} in seconds. */
  record Shown(
      String id,
      String owner,
      String notAfter,
      String created,
      String renewed,
      boolean limited,
      @Nullable Integer pathLeft,
      List<String> fqans,
      int used,
      ShownRules rules) {
    static Shown of(Delegation delegation) {
      return new Shown(
          delegation.id().text(),
          delegation.owner().name(),
          delegation.notAfter().toString(),
          delegation.created().toString(),
          delegation.renewed().toString(),
          delegation.limited(),
          delegation.pathLeft(),
          delegation.fqans(),
          delegation.used(),
          ShownRules.of(delegation.rules()));
    }
  }

  /** Its rules. */
  record ShownRules(
      List<String> acquirers, @Nullable Integer uses, int hops, boolean limited, long longest) {
    static ShownRules of(AcquireRules rules) {
      return new ShownRules(
          rules.acquirers().stream().map(GridSubject::name).toList(),
          rules.uses(),
          rules.hops(),
          rules.limited(),
          rules.longest().toSeconds());
    }
  }

  /** All of an owner's. */
  record ShownList(List<Shown> delegations) {}

  /** A request to sign as a proxy. */
  record ShownRequest(String id, String request) {}

  /** A proxy for the acquirer's key. */
  record ShownProxy(String id, String chain, String notAfter) {}

  @GetMapping
  ResponseEntity<Object> list(@RequestAttribute(CallerFilter.OWNER) Owner owner) {
    return json(new ShownList(delegations.list(owner).stream().map(Shown::of).toList()));
  }

  @PostMapping
  ResponseEntity<Object> begin(
      @RequestAttribute(CallerFilter.OWNER) Owner owner, HttpServletRequest request)
      throws IOException, CallRefused, HttpMediaTypeNotSupportedException {
    Question asked = Question.in(request, BEGINNING);
    DelegationId id = asked.id("id");
    AcquireRules rules = asked.rules("rules", delegations.usualRules());
    return requested(done(delegations.begin(owner, id, rules, asked.key("key"))));
  }

  @PostMapping("/{id}/request")
  ResponseEntity<Object> renew(
      @RequestAttribute(CallerFilter.OWNER) Owner owner, @PathVariable String id)
      throws CallRefused {
    return requested(done(delegations.renew(owner, id(id))));
  }

  private static ResponseEntity<Object> requested(ProxyRequest request) {
    String id = request.id().text();
    return ResponseEntity.created(URI.create(PATH + "/" + id))
        .contentType(MediaType.APPLICATION_JSON)
        .body(new ShownRequest(id, request.pem()));
  }

  @GetMapping("/{id}")
  ResponseEntity<Object> look(
      @RequestAttribute(CallerFilter.OWNER) Owner owner, @PathVariable String id)
      throws CallRefused {
    return json(Shown.of(done(delegations.look(owner, id(id)))));
  }

  @PutMapping("/{id}/credential")
  ResponseEntity<Object> put(
      @RequestAttribute(CallerFilter.OWNER) Owner owner,
      @PathVariable String id,
      HttpServletRequest request)
      throws IOException, CallRefused {
    DelegationId which = id(id);
    return json(Shown.of(done(delegations.put(owner, which, BodyText.chain(request)))));
  }

  @PutMapping("/{id}/rules")
  ResponseEntity<Object> allow(
      @RequestAttribute(CallerFilter.OWNER) Owner owner,
      @PathVariable String id,
      HttpServletRequest request)
      throws IOException, CallRefused, HttpMediaTypeNotSupportedException {
    DelegationId which = id(id);
    AcquireRules rules =
        Question.rules(Question.in(request, Question.RULES), delegations.usualRules());
    return json(Shown.of(done(delegations.allow(owner, which, rules))));
  }

  @DeleteMapping("/{id}")
  ResponseEntity<Object> destroy(
      @RequestAttribute(CallerFilter.OWNER) Owner owner, @PathVariable String id)
      throws CallRefused {
    done(delegations.destroy(owner, id(id)));
    return ResponseEntity.noContent().build();
  }

  @PostMapping("/{id}/acquire")
  ResponseEntity<Object> acquire(
      @RequestAttribute(CallerFilter.OWNER) Owner acquirer,
      @PathVariable String id,
      HttpServletRequest request)
      throws IOException, CallRefused, HttpMediaTypeNotSupportedException {
    return acquired(acquirer, id(id), request);
  }

  /** The delegation that a person's name finds; no id is the one character of this path. */
  @PostMapping("/-/acquire")
  ResponseEntity<Object> acquireOfPerson(
      @RequestAttribute(CallerFilter.OWNER) Owner acquirer, HttpServletRequest request)
      throws IOException, CallRefused, HttpMediaTypeNotSupportedException {
    return acquired(acquirer, null, request);
  }

  private ResponseEntity<Object> acquired(
      Owner acquirer, @Nullable DelegationId id, HttpServletRequest request)
      throws IOException, CallRefused, HttpMediaTypeNotSupportedException {
    Question asked = Question.in(request, ACQUIRING);
    String own = asked.text("request");
    if (own == null) {
      throw CallRefused.badRequest(
          "request is missing: a PKCS#10 request, PEM, for the acquirer's own key");
    }
    GridSubject delegator = asked.subject("delegator");
    if (id == null && delegator == null) {
      throw CallRefused.badRequest("delegator is missing: the subject of a person");
    }
    AcquiredProxy proxy =
        done(delegations.acquire(acquirer, new WantedDelegation(id, delegator), own, asked.wish()));
    return json(new ShownProxy(proxy.id().text(), proxy.chainPem(), proxy.notAfter().toString()));
  }

  /** An id of a path. */
  static DelegationId id(String written) throws CallRefused {
    return DelegationId.parse(written).orElseThrow(CallRefused::unknown);
  }

  /** JSON, whatever the client says that it accepts. */
  static ResponseEntity<Object> json(Object body) {
    return ResponseEntity.ok().contentType(MediaType.APPLICATION_JSON).body(body);
  }
}
