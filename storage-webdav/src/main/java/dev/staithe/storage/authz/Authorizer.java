package dev.staithe.storage.authz;

import dev.staithe.storage.files.StoragePath;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Decides what a caller may do, by the WLCG JWT profile 1.3. A pure function of its arguments:
 * nothing is looked up, so that a denial comes before the existence of anything is revealed.
 *
 * <p>Paths are compared by whole decoded segments. Scope paths are relative to the prefixes that
 * the area gives to the token's issuer, and a token reaches nothing outside them. A scope path that
 * ends in a slash means a collection: at exactly that path it grants READ, CREATE, RENAME and
 * MODIFY only where the asked path is in collection form too.
 */
public final class Authorizer {
  private static final Admission ALLOWED = new Admission.Allowed();

  private Authorizer() {}

  /**
   * The decision.
   *
   * @param path relative to the area's root, in collection form where a collection is meant
   */
  public static Admission decide(Caller caller, AreaAccess access, StoragePath path, Right right) {
    if (openToAll(access, right)) {
      return ALLOWED;
    }
    return switch (caller) {
      case Caller.Anonymous anonymous ->
          new Admission.Refused(true, "needs a token with " + wanted(right, path));
      case TokenCaller token -> decide(token, access, path, right);
      case CertificateCaller certificate -> decide(certificate, access, path, right);
      case TicketCaller ticket ->
          ticket.may(path, right)
              ? ALLOWED
              : new Admission.Refused(false, "the ticket is not for this: " + wanted(right, path));
      // Where its limits are is told by the area's name, which is not known here.
      case GrantedCaller granted -> new Admission.Refused(false, "needs an area");
    };
  }

  /**
   * The decision, also for those who have a token of this server: they may what its giver may by
   * today's rules, as far as its limits reach.
   *
   * @param area the name of the area
   * @param path relative to the area's root, in collection form where a collection is meant
   */
  public static Admission decide(
      Caller caller, String area, AreaAccess access, StoragePath path, Right right) {
    if (!(caller instanceof GrantedCaller granted)) {
      return decide(caller, access, path, right);
    }
    return granted.within(area, path, right)
        ? decide(granted.giver(), access, path, right)
        : new Admission.Refused(
            false, "the token is limited to other than " + right + " at " + shown(path));
  }

  private static boolean openToAll(AreaAccess access, Right right) {
    return switch (right) {
      case STAT -> access.anonymousRead() || access.anonymousWrite();
      case LIST, READ, POLL -> access.anonymousRead();
      // A tape drive is not anybody's, though the file may be.
      case CREATE, MAKE_COLLECTION, RENAME, MODIFY, DELETE, STAGE -> access.anonymousWrite();
    };
  }

  private static boolean openToAuthenticated(AreaAccess access, Right right) {
    return access.authenticatedRead()
        && (right == Right.STAT
            || right == Right.LIST
            || right == Right.READ
            || right == Right.POLL);
  }

  private static Admission decide(
      CertificateCaller caller, AreaAccess access, StoragePath path, Right right) {
    if (openToAuthenticated(access, right)) {
      return ALLOWED;
    }
    List<StorageScope> scopes = new ArrayList<>();
    for (SubjectRule rule : access.subjects()) {
      if (rule.subject().equals(caller.subject())) {
        scopes.addAll(rule.scopes().storage());
      }
    }
    for (VomsRule rule : access.attributes()) {
      if (caller.groups().contains(rule.fqan())) {
        scopes.addAll(rule.scopes().storage());
      }
    }
    for (StorageScope scope : scopes) {
      if (grants(scope, StoragePath.root(), access, path, right)) {
        return ALLOWED;
      }
    }
    return new Admission.Refused(
        false,
        "needs "
            + wanted(right, path)
            + "; what is granted to "
            + ForeignText.shown(caller.subject().name())
            + (scopes.isEmpty() ? " is nothing here" : " does not include it"));
  }

  private static Admission decide(
      TokenCaller token, AreaAccess access, StoragePath path, Right right) {
    if (openToAuthenticated(access, right)) {
      return ALLOWED;
    }
    List<IssuerGrant> grants =
        access.issuers().stream().filter(grant -> grant.issuer().equals(token.issuer())).toList();
    if (grants.isEmpty()) {
      return new Admission.Refused(
          false, "the token's issuer " + ForeignText.shown(token.issuer()) + " has no rights here");
    }
    for (IssuerGrant grant : grants) {
      List<StorageScope> scopes = effective(token, grant);
      for (StoragePath prefix : grant.prefixes()) {
        for (StorageScope scope : scopes) {
          if (grants(scope, prefix, access, path, right)) {
            return ALLOWED;
          }
        }
      }
    }
    return new Admission.Refused(false, reason(token, grants, path, right));
  }

  /** The scopes that count: the token's own; without a capability those of its groups and host. */
  private static List<StorageScope> effective(TokenCaller token, IssuerGrant grant) {
    if (token.scopes().anyCapability()) {
      return grant.strategy() == IssuerGrant.Strategy.GROUPS ? List.of() : token.scopes().storage();
    }
    List<StorageScope> scopes = new ArrayList<>();
    for (GroupRule rule : grant.groups()) {
      if (token.groups().contains(rule.group())) {
        scopes.addAll(rule.scopes().storage());
      }
    }
    for (HostRule rule : grant.hosts()) {
      if (rule.concerns(token)) {
        scopes.addAll(rule.scopes().storage());
      }
    }
    return scopes;
  }

  private static boolean grants(
      StorageScope scope, StoragePath prefix, AreaAccess access, StoragePath path, Right right) {
    Capability capability = scope.capability();
    StoragePath top = scope.path().under(prefix);
    boolean reached = reaches(top, path, right);
    // Storing /foo/bar needs /foo, and clients look whether it is there before they make it.
    boolean above = !path.startsWith(top) && top.startsWith(path) && path.startsWith(prefix);
    return switch (right) {
      case STAT -> reached && capability != Capability.POLL || above && capability.makes();
      case LIST ->
          reached
              && (capability == Capability.READ || access.listWithModify() && capability.makes());
      case READ -> reached && capability == Capability.READ;
      case MAKE_COLLECTION -> capability.makes() && (reached || above);
      case CREATE, RENAME -> reached && capability.makes();
      case MODIFY, DELETE -> reached && capability == Capability.MODIFY;
      case STAGE -> reached && capability == Capability.STAGE;
      // Whoever may see that it is there sees its property: nothing more is told.
      case POLL -> reached;
    };
  }

  /** Whether what is granted at {@code top} and below reaches that path, for that right. */
  static boolean reaches(StoragePath top, StoragePath path, Right right) {
    if (!path.startsWith(top)) {
      return false;
    }
    // Whether a file or a collection is meant is told by the asked path's own slash.
    boolean matches =
        !top.collectionForm()
            || path.collectionForm()
            || path.segments().size() > top.segments().size();
    return switch (right) {
      // Harmless on a file of that name, and clients ask them of collections without the slash.
      case STAT, LIST, POLL, MAKE_COLLECTION -> true;
      case READ, CREATE, RENAME, MODIFY, DELETE, STAGE -> matches;
    };
  }

  private static String wanted(Right right, StoragePath path) {
    String scope =
        switch (right) {
          case STAT, LIST, READ -> Capability.READ.scopeName();
          case CREATE, MAKE_COLLECTION, RENAME -> Capability.CREATE.scopeName();
          case MODIFY, DELETE -> Capability.MODIFY.scopeName();
          case STAGE -> Capability.STAGE.scopeName();
          case POLL -> Capability.POLL.scopeName();
        };
    return scope + " for " + shown(path);
  }

  private static String shown(StoragePath path) {
    return path.isRoot() ? "/" : ForeignText.shown(path.href());
  }

  private static String reason(
      TokenCaller token, List<IssuerGrant> grants, StoragePath path, Right right) {
    String needs = "needs " + wanted(right, path) + "; ";
    boolean groupsCount =
        grants.stream().anyMatch(g -> g.strategy() != IssuerGrant.Strategy.CAPABILITIES);
    if (token.scopes().anyCapability()) {
      boolean scopesCount =
          grants.stream().anyMatch(g -> g.strategy() != IssuerGrant.Strategy.GROUPS);
      String has =
          token.scopes().storage().isEmpty()
              ? "the token has no storage scope"
              : "the token grants " + token.scopes().shown();
      String within = scopesCount ? below(grants) : ", but only groups count for its issuer here";
      return needs
          + has
          + within
          + (groupsCount && !token.groups().isEmpty()
              ? "; its groups do not count because it has capability scopes"
              : "");
    }
    if (token.scopes().hostAuth()) {
      return needs
          + "what is granted to "
          + ForeignText.shown(token.subject())
          + " as a host does not include it";
    }
    if (!groupsCount) {
      return needs + "the token has no storage scope";
    }
    return needs
        + (token.groups().isEmpty()
            ? "the token has neither storage scopes nor groups"
            : "the token's groups "
                + ForeignText.shown(String.join(" ", token.groups()))
                + " do not grant it");
  }

  private static String below(List<IssuerGrant> grants) {
    String prefixes =
        grants.stream()
            .flatMap(grant -> grant.prefixes().stream())
            .filter(prefix -> !prefix.isRoot())
            .map(prefix -> ForeignText.shown(prefix.href()))
            .distinct()
            .collect(Collectors.joining(" "));
    return prefixes.isEmpty() ? "" : " below " + prefixes;
  }
}
