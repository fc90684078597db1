package dev.staithe.delegation.door;

import static dev.staithe.delegation.door.CallRefused.done;

import dev.staithe.delegation.credential.Delegation;
import dev.staithe.delegation.credential.DelegationFault;
import dev.staithe.delegation.credential.DelegationFault.Kind;
import dev.staithe.delegation.credential.DelegationId;
import dev.staithe.delegation.credential.Delegations;
import dev.staithe.delegation.credential.Outcome;
import dev.staithe.delegation.credential.Owner;
import dev.staithe.delegation.credential.ProxyRequest;
import dev.staithe.pki.Pem;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.HttpRequestMethodNotSupportedException;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import tools.jackson.databind.annotation.JsonNaming;
import tools.jackson.databind.json.JsonMapper;

/**
 * Delegation as clients of FTS3's REST interface do it: {@code GET /whoami} tells the one id that
 * somebody has, {@code GET /delegation/{id}} until when, {@code …/request} a request to sign,
 * {@code PUT …/credential} takes the proxy, {@code DELETE} forgets it. Times are of UTC and without
 * a zone, as these clients read no other.
 */
@RestController
final class FtsController {
  /** Bytes of a list of attributes. */
  private static final int LARGEST_LIST = 64 * 1024;

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);

  private final Delegations delegations;
  private final String base;

  /**
   * @param url of this service, for what FTS calls a base id
   */
  FtsController(Delegations delegations, String url) {
    this.delegations = delegations;
    this.base = UUID.nameUUIDFromBytes(url.getBytes(StandardCharsets.UTF_8)).toString();
  }

  /** Who calls. */
  @JsonNaming(SnakeCaseStrategy.class)
  record Whoami(
      String method,
      String userDn,
      List<String> dn,
      String delegationId,
      List<String> vomsCred,
      List<String> vos,
      List<String> vosId,
      List<String> roles,
      Map<String, String> level,
      boolean isRoot,
      String baseId) {}

  /** A delegation. */
  @JsonNaming(SnakeCaseStrategy.class)
  record Shown(String terminationTime, List<String> vomsAttrs) {
    static Shown of(Delegation delegation) {
      return new Shown(
          TIME.format(delegation.notAfter().truncatedTo(ChronoUnit.SECONDS)), delegation.fqans());
    }
  }

  @GetMapping("/whoami")
  ResponseEntity<Object> whoami(@RequestAttribute(CallerFilter.OWNER) Owner owner) {
    String name = owner.subject().slashed();
    return ApiController.json(
        new Whoami(
            "certificate",
            name,
            List.of(name),
            delegations.standardId(owner).text(),
            owner.fqans(),
            owner.fqans().stream().map(FtsController::vo).distinct().toList(),
            List.of(),
            List.of(),
            Map.of(),
            false,
            base));
  }

  /** The organisation is what an attribute begins with: {@code /atlas/Role=production}. */
  private static String vo(String fqan) {
    String[] parts = fqan.split("/", 3);
    return parts.length > 1 ? parts[1] : fqan;
  }

  @GetMapping("/whoami/certificate")
  ResponseEntity<byte[]> certificate(HttpServletRequest request) {
    return ArexController.pem(200, Pem.encode(List.of(CallerFilter.certificates(request))));
  }

  @GetMapping("/delegation/{id}")
  ResponseEntity<Object> look(
      @RequestAttribute(CallerFilter.OWNER) Owner owner, @PathVariable String id)
      throws CallRefused {
    Outcome<Delegation> looked = delegations.look(owner, own(owner, id));
    if (looked instanceof Outcome.Refused<Delegation>(DelegationFault fault)
        && fault.kind() == Kind.UNKNOWN) {
      // Clients take it for: delegate first.
      return ApiController.json("null");
    }
    return ApiController.json(Shown.of(done(looked)));
  }

  @GetMapping("/delegation/{id}/request")
  ResponseEntity<byte[]> request(
      @RequestAttribute(CallerFilter.OWNER) Owner owner,
      @PathVariable String id,
      HttpServletRequest request)
      throws CallRefused, HttpRequestMethodNotSupportedException {
    if (!request.getMethod().equals("GET")) {
      // A key would be made that nobody is told of.
      throw new HttpRequestMethodNotSupportedException(request.getMethod(), List.of("GET"));
    }
    ProxyRequest made = done(delegations.begin(owner, own(owner, id), null, null));
    return ResponseEntity.ok()
        .contentType(MediaType.TEXT_PLAIN)
        .header("X-Delegation-ID", made.id().text())
        .body(made.pem().getBytes(StandardCharsets.US_ASCII));
  }

  @RequestMapping(
      path = "/delegation/{id}/credential",
      method = {RequestMethod.PUT, RequestMethod.POST})
  ResponseEntity<Object> put(
      @RequestAttribute(CallerFilter.OWNER) Owner owner,
      @PathVariable String id,
      HttpServletRequest request)
      throws IOException, CallRefused {
    DelegationId own = own(owner, id);
    Outcome<Delegation> put = delegations.put(owner, own, BodyText.chain(request));
    if (put instanceof Outcome.Refused<Delegation>(DelegationFault fault)) {
      // FTS has one status for all that is wrong with a proxy.
      throw CallRefused.of(
          fault,
          switch (fault.kind()) {
            case NO_REQUEST, EXPIRED, UNKNOWN -> 400;
            default -> Statuses.of(fault.kind());
          });
    }
    return ResponseEntity.status(201).build();
  }

  @PostMapping("/delegation/{id}/voms")
  void voms(
      @RequestAttribute(CallerFilter.OWNER) Owner owner,
      @PathVariable String id,
      HttpServletRequest request)
      throws IOException, CallRefused {
    DelegationId own = own(owner, id);
    if (!isListOfTexts(BodyText.of(request, LARGEST_LIST))) {
      throw CallRefused.badRequest(
          "a JSON list of texts is expected, as [\"dteam:/dteam/Role=production\"]");
    }
    done(delegations.look(owner, own));
    // FTS would ask a VOMS server with the user's key, which is not what it was given for.
    throw CallRefused.of(
        new DelegationFault(
            Kind.BAD_REQUEST,
            "no VOMS server is asked here: delegate with a proxy that has the attributes"),
        424);
  }

  private static boolean isListOfTexts(String body) {
    try {
      JsonNode node = JsonMapper.shared().readTree(body);
      return node.isArray() && node.valueStream().allMatch(JsonNode::isString);
    } catch (JacksonException e) {
      return false;
    }
  }

  @DeleteMapping("/delegation/{id}")
  ResponseEntity<Object> destroy(
      @RequestAttribute(CallerFilter.OWNER) Owner owner, @PathVariable String id)
      throws CallRefused {
    done(delegations.destroy(owner, own(owner, id)));
    return ResponseEntity.noContent().build();
  }

  /** There is one for each caller; the same is said of what is there and what is not. */
  private DelegationId own(Owner owner, String written) throws CallRefused {
    DelegationId own = delegations.standardId(owner);
    if (!written.equals(own.text())) {
      // FTS's own words: clients look for them.
      throw CallRefused.unheard(
          Kind.NOT_ALLOWED, "The requested ID and the credentials ID do not match");
    }
    return own;
  }
}
