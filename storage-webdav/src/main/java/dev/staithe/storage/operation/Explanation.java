package dev.staithe.storage.operation;

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
import dev.staithe.storage.files.StoragePath;
import dev.staithe.storage.policy.AreaPolicy;
import dev.staithe.storage.settings.StorageProperties;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a request would be answered, by which issuer, claim and rule, and what would allow it. The
 * credential is never part of it. Thread-safe.
 */
public final class Explanation {
  /** What each method asks for, in the order in which it does; the last two are the tape API's. */
  private static final Map<String, List<Right>> RIGHTS =
      Map.ofEntries(
          Map.entry("GET", List.of(Right.READ)),
          Map.entry("HEAD", List.of(Right.STAT)),
          Map.entry("PROPFIND", List.of(Right.STAT, Right.LIST)),
          Map.entry("PUT", List.of(Right.MODIFY, Right.CREATE)),
          Map.entry("MKCOL", List.of(Right.MAKE_COLLECTION)),
          Map.entry("DELETE", List.of(Right.DELETE)),
          Map.entry("MOVE", List.of(Right.MODIFY, Right.CREATE, Right.RENAME, Right.READ)),
          Map.entry("COPY", List.of(Right.MODIFY, Right.CREATE, Right.READ)),
          Map.entry("PROPPATCH", List.of(Right.MODIFY)),
          Map.entry("LOCK", List.of(Right.MODIFY, Right.CREATE)),
          Map.entry("UNLOCK", List.of(Right.MODIFY, Right.CREATE)),
          Map.entry("STAGE", List.of(Right.STAGE)),
          Map.entry("POLL", List.of(Right.POLL)));

  /** By the longest access point that a path begins with. */
  private record Point(StoragePath accessPoint, String area) {}

  private final List<Point> points = new ArrayList<>();
  private final Map<String, AreaPolicy> policies;

  /**
   * Explains these areas.
   *
   * @param policies one for each, by its name
   */
  public Explanation(List<StorageProperties.Area> areas, Map<String, AreaPolicy> policies) {
    for (StorageProperties.Area area : areas) {
      area.accessPoints().forEach(p -> points.add(new Point(StoragePath.of(p), area.name())));
    }
    points.sort(Comparator.comparingInt((Point p) -> p.accessPoint().segments().size()).reversed());
    this.policies = Map.copyOf(policies);
  }

  /**
   * What is asked.
   *
   * @param from the client's address; null: none, so that no rule with networks concerns it
   */
  public record Question(String method, StoragePath path, @Nullable InetAddress from) {
    /**
     * Reads it.
     *
     * @param path as in a request's URL, after decoding once
     * @throws IllegalArgumentException with one line
     */
    public static Question of(String method, String path, @Nullable String from) {
      if (!RIGHTS.containsKey(method)) {
        throw new IllegalArgumentException(
            "method is one of " + RIGHTS.keySet().stream().sorted().toList());
      }
      return new Question(
          method,
          StoragePath.of(path),
          from == null ? null : Networks.address(from).orElseThrow(noAddress()));
    }

    private static Supplier<IllegalArgumentException> noAddress() {
      return () -> new IllegalArgumentException("from is an address such as 192.0.2.1");
    }
  }

  /**
   * The holder of a certificate.
   *
   * @throws IllegalArgumentException with one line
   */
  public static Caller holder(String name, List<String> voms) {
    if (!voms.stream().allMatch(VomsRule::isName)) {
      throw new IllegalArgumentException("voms is the name of a group or role");
    }
    return new CertificateCaller(
        GridSubject.parse(name), false, voms, voms.stream().map(VomsRule::plain).toList());
  }

  /** The lines; none where no area has the path. */
  public List<String> of(Identification known, Question question) {
    Point point =
        points.stream()
            .filter(each -> question.path().startsWith(each.accessPoint()))
            .findFirst()
            .orElse(null);
    if (point == null) {
      return List.of();
    }
    return switch (known) {
      case Identification.Identified(Caller caller) -> of(caller, question, point);
      case Identification.Refused refused -> refused(refused.reason());
      case Identification.Ambiguous ambiguous -> refused(ambiguous.reason());
      case Identification.NotBelieved notBelieved -> refused(notBelieved.reason());
      case Identification.Unavailable unavailable -> refused(unavailable.reason());
    };
  }

  private List<String> of(Caller caller, Question question, Point point) {
    List<String> lines = new ArrayList<>(described(caller));
    StoragePath path = question.path().without(point.accessPoint().segments().size());
    lines.add("area: " + point.area() + ", path " + path.href());
    AreaPolicy policy = Objects.requireNonNull(policies.get(point.area()));
    for (Right right : Objects.requireNonNull(RIGHTS.get(question.method()))) {
      lines.addAll(
          policy.explain(new Asked(caller, question.from(), question.method()), path, right));
    }
    return lines.stream().map(line -> line.replaceAll("\\p{Cntrl}", " ")).toList();
  }

  private static List<String> refused(String reason) {
    return List.of("the credential is refused: " + reason.replaceAll("\\p{Cntrl}", " "));
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
}
