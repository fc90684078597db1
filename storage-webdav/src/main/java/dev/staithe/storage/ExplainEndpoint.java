package dev.staithe.storage;

import dev.staithe.pki.GridSubject;
import dev.staithe.service.Networks;
import dev.staithe.storage.authz.Asked;
import dev.staithe.storage.authz.Caller;
import dev.staithe.storage.authz.CertificateCaller;
import dev.staithe.storage.authz.GrantedCaller;
import dev.staithe.storage.authz.Identification;
import dev.staithe.storage.authz.Right;
import dev.staithe.storage.authz.TicketCaller;
import dev.staithe.storage.authz.TokenCaller;
import dev.staithe.storage.authz.VomsRule;
import dev.staithe.storage.dav.Areas;
import dev.staithe.storage.files.StoragePath;
import dev.staithe.storage.policy.AreaPolicy;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * {@code GET /.staithe/explain}: what a request would be answered, by which issuer, claim and rule,
 * and what would allow it. Behind the gate of the metrics, as it tells who may what. The credential
 * that is asked about comes where credentials do; it is neither logged nor repeated.
 */
@RestController
final class ExplainEndpoint {
  /** What each method asks for, in the order in which it does. */
  private static final Map<String, List<Right>> RIGHTS =
      Map.ofEntries(
          Map.entry("GET", List.of(Right.READ)),
          Map.entry("HEAD", List.of(Right.STAT)),
          Map.entry("PROPFIND", List.of(Right.STAT, Right.LIST)),
          Map.entry("PUT", List.of(Right.MODIFY, Right.CREATE)),
          Map.entry("MKCOL", List.of(Right.MAKE_COLLECTION)),
          Map.entry("DELETE", List.of(Right.DELETE)),
          Map.entry("MOVE", List.of(Right.RENAME, Right.MODIFY, Right.CREATE)),
          Map.entry("COPY", List.of(Right.READ, Right.MODIFY, Right.CREATE)),
          Map.entry("PROPPATCH", List.of(Right.MODIFY)),
          Map.entry("LOCK", List.of(Right.MODIFY, Right.CREATE)),
          Map.entry("UNLOCK", List.of(Right.MODIFY, Right.CREATE)));

  private final Areas areas;
  private final Map<String, AreaPolicy> policies;
  private final Function<List<String>, Identification> tokens;

  ExplainEndpoint(
      Areas areas,
      Map<String, AreaPolicy> policies,
      Function<List<String>, Identification> tokens) {
    this.areas = areas;
    this.policies = policies;
    this.tokens = tokens;
  }

  /**
   * Explains.
   *
   * @param path as in a request's URL, after decoding once
   * @param certificate the name of one whose holder asks, in place of a token
   * @param voms attributes that the certificate's proxy has
   * @param from the client's address; absent: none, so that no rule with networks concerns it
   */
  @GetMapping(path = "/.staithe/explain")
  ResponseEntity<String> explain(
      @RequestHeader(name = HttpHeaders.AUTHORIZATION, required = false)
          @Nullable List<String> authorization,
      @RequestParam String method,
      @RequestParam String path,
      @RequestParam(required = false) @Nullable String certificate,
      @RequestParam(required = false) @Nullable List<String> voms,
      @RequestParam(required = false) @Nullable String from) {
    List<Right> rights = RIGHTS.get(method);
    if (rights == null) {
      return answer(400, List.of("method is one of " + RIGHTS.keySet().stream().sorted().toList()));
    }
    StoragePath where;
    InetAddress address;
    Caller holder;
    try {
      where = StoragePath.of(path);
      address = from == null ? null : Networks.address(from).orElseThrow(noAddress());
      holder = certificate == null ? null : holder(certificate, voms == null ? List.of() : voms);
    } catch (IllegalArgumentException e) {
      return answer(400, List.of(String.valueOf(e.getMessage())));
    }
    Areas.Place place = areas.locate(where).orElse(null);
    if (place == null) {
      return answer(404, List.of("no storage area has this path"));
    }
    Identification known =
        holder != null
            ? new Identification.Identified(holder)
            : tokens.apply(authorization == null ? List.of() : authorization);
    return switch (known) {
      case Identification.Identified(Caller caller) -> {
        List<String> lines = new ArrayList<>(described(caller));
        String area = place.area().area().name();
        lines.add("area: " + area + ", path " + place.path().href());
        AreaPolicy policy = Objects.requireNonNull(policies.get(area));
        for (Right right : rights) {
          lines.addAll(policy.explain(new Asked(caller, address, method), place.path(), right));
        }
        yield answer(200, lines);
      }
      case Identification.Refused refused -> refused(refused.reason());
      case Identification.Ambiguous ambiguous -> refused(ambiguous.reason());
      case Identification.NotBelieved notBelieved -> refused(notBelieved.reason());
      case Identification.Unavailable unavailable -> refused(unavailable.reason());
    };
  }

  private static java.util.function.Supplier<IllegalArgumentException> noAddress() {
    return () -> new IllegalArgumentException("from is an address such as 192.0.2.1");
  }

  private static Caller holder(String name, List<String> voms) {
    if (!voms.stream().allMatch(VomsRule::isName)) {
      throw new IllegalArgumentException("voms is the name of a group or role");
    }
    return new CertificateCaller(
        GridSubject.parse(name), false, voms, voms.stream().map(VomsRule::plain).toList());
  }

  private static List<String> described(Caller caller) {
    String label = "caller: " + caller.label();
    return switch (caller) {
      case Caller.Anonymous anonymous -> List.of(label);
      case TicketCaller ticket -> List.of(label);
      case GrantedCaller granted ->
          List.of(label, "by a token of this server, until " + granted.expiresAt());
      case TokenCaller token ->
          List.of(
              label,
              "issuer: " + token.issuer(),
              "scopes: "
                  + (token.scopes().storage().isEmpty()
                      ? "none for storage"
                      : String.join(
                          " ", token.scopes().storage().stream().map(Object::toString).toList())),
              "groups: " + (token.groups().isEmpty() ? "none" : String.join(" ", token.groups())),
              "until: " + token.expiresAt());
      case CertificateCaller certificate ->
          List.of(label, "VOMS attributes: " + String.join(" ", certificate.groups()));
    };
  }

  private static ResponseEntity<String> refused(String reason) {
    return answer(200, List.of("the credential is refused: " + reason));
  }

  private static ResponseEntity<String> answer(int status, List<String> lines) {
    StringBuilder text = new StringBuilder();
    lines.forEach(line -> text.append(line.replaceAll("\\p{Cntrl}", " ")).append('\n'));
    return ResponseEntity.status(status)
        .contentType(new MediaType(MediaType.TEXT_PLAIN, java.nio.charset.StandardCharsets.UTF_8))
        .header(HttpHeaders.CACHE_CONTROL, "no-store")
        .header("X-Content-Type-Options", "nosniff")
        .body(text.toString());
  }
}
