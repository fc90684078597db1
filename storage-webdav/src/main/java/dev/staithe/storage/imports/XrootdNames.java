package dev.staithe.storage.imports;

import dev.staithe.pki.GridSubject;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Who is who for XRootD's HTTP door, in the words of a policy. For one thread. */
final class XrootdNames {
  private static final String GROUP = "(?:/[A-Za-z0-9][\\w.-]*)+";

  /**
   * Whom a record is for.
   *
   * @param permitted none but those; empty: nobody can be said
   * @param denied all of those, and more where it cannot be said
   */
  record Said(List<Whom> permitted, List<Whom> denied) {
    private static final Said NOBODY = new Said(List.of(), List.of(Whom.ANYONE));
  }

  /** Certificates by user, of the grid map. */
  private final Map<String, List<String>> users = new TreeMap<>();

  /** Whether no user has a name but by a line of the grid map that was understood. */
  private boolean allMapped;

  /** Whether attributes of VOMS are groups and organizations by their usual names. */
  private final boolean voms;

  /** Whether a certificate alone, without attributes of VOMS, is refused. */
  private final boolean vomsRequired;

  /** Whether a certificate without a line in the grid map is refused. */
  private final boolean mapRequired;

  /** Those of tokens that fall through to the database, with groups and maybe names. */
  private final List<String> issuers;

  private XrootdNames(
      boolean voms, boolean vomsRequired, boolean mapRequired, List<String> issuers) {
    this.vomsRequired = vomsRequired;
    this.mapRequired = mapRequired;
    this.voms = voms;
    this.issuers = List.copyOf(issuers);
  }

  /**
   * What the configuration knows.
   *
   * @param gridmap null: none
   * @param required whether certificates without a line in it are refused
   * @param voms whether groups of proxies count, under their own names
   * @param vomsRequired whether certificates without any are refused
   * @param issuers whose tokens may bring groups and names
   */
  static XrootdNames of(
      ImportedSite site,
      @Nullable Path gridmap,
      boolean required,
      boolean voms,
      boolean vomsRequired,
      List<String> issuers)
      throws IOException {
    XrootdNames names = new XrootdNames(voms, vomsRequired, gridmap != null && required, issuers);
    names.allMapped = gridmap != null && required && issuers.isEmpty();
    if (gridmap != null) {
      names.map(site, gridmap);
    }
    return names;
  }

  private void map(ImportedSite site, Path file) throws IOException {
    Map<String, String> subjects = new LinkedHashMap<>();
    for (XrootdLines.Line line : XrootdLines.plain(file)) {
      String text =
          String.join(" ", line.words().stream().map(XrootdLines.Word::text).toList()) + " ";
      boolean quoted = text.startsWith("\"");
      int end = text.indexOf(quoted ? '"' : ' ', 1);
      String subject = end < 0 ? "" : text.substring(quoted ? 1 : 0, end);
      String user = end < 0 ? "" : text.substring(end + 1).strip();
      String name = subject.matches("/.*[^$+]") ? rfc4514(subject) : null;
      if (name == null || user.isEmpty() || user.contains(" ")) {
        site.note(line.where(), "left out: it is no whole name of a certificate with one user");
        allMapped = false;
        continue;
      }
      subjects.putIfAbsent(name, user);
    }
    subjects.forEach(
        (subject, user) -> users.computeIfAbsent(user, none -> new ArrayList<>()).add(subject));
  }

  private static @Nullable String rfc4514(String subject) {
    try {
      return GridSubject.parse(subject).name();
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  /** All that have a line of their own. */
  Set<String> users() {
    return users.keySet();
  }

  /** The holders of the certificates that are this user. */
  List<Whom> user(String name) {
    return vomsRequired ? List.of() : certificates(name);
  }

  private List<Whom> certificates(String name) {
    return users.getOrDefault(name, List.of()).stream().map(Whom::certificate).toList();
  }

  /** Whom a record is for, as one name or several that all must hold. */
  Said of(Map<Character, String> ids) {
    String user = ids.get('u');
    if ("*".equals(user) && ids.size() == 1) {
      return new Said(List.of(Whom.ANYONE), List.of(Whom.ANYONE));
    }
    String group = ids.get('g');
    String organization = ids.get('o');
    String role = ids.get('r');
    List<Whom> certificates = user == null ? List.of() : certificates(user);
    String fqan = fqan(group, organization, role);
    List<Whom> permitted = new ArrayList<>();
    if (ids.containsKey('h') || ids.containsKey('n') || user != null && certificates.isEmpty()) {
      permitted = List.of();
    } else if (user == null) {
      permitted = fqan == null ? List.of() : members(fqan);
    } else if (ids.size() == 1) {
      permitted = user(user);
    } else if (fqan != null) {
      for (Whom certificate : certificates) {
        permitted.add(certificate.with("voms", fqan));
      }
    }
    return new Said(permitted, denied(user, group, organization, fqan));
  }

  /** Those who have it, and are let in. */
  private List<Whom> members(String fqan) {
    if (!mapRequired) {
      return List.of(Whom.voms(fqan));
    }
    return users.keySet().stream()
        .flatMap(user -> certificates(user).stream())
        .map(certificate -> certificate.with("voms", fqan))
        .toList();
  }

  private @Nullable String fqan(
      @Nullable String group, @Nullable String organization, @Nullable String role) {
    String of = group != null ? group : organization == null ? null : "/" + organization;
    boolean within =
        group == null || organization == null || (group + "/").startsWith("/" + organization + "/");
    if (!voms || of == null || !within || !of.matches(GROUP)) {
      return null;
    }
    if (role == null) {
      return of;
    }
    return role.matches("[\\w.-]+") && !role.equals("NULL") ? of + "/Role=" + role : null;
  }

  /** All of them, by the one name that says it best. */
  private List<Whom> denied(
      @Nullable String user,
      @Nullable String group,
      @Nullable String organization,
      @Nullable String fqan) {
    if (user != null && allMapped && !user.equals("*") && !user.equals("=")) {
      return certificates(user);
    }
    String of = group != null ? group : organization == null ? "" : "/" + organization;
    if (!voms || !of.matches(GROUP)) {
      return Said.NOBODY.denied();
    }
    // Whoever has a role in a group is a member too, and shows both.
    List<Whom> all = new ArrayList<>(List.of(Whom.voms(of)));
    if (fqan != null && !fqan.equals(of)) {
      all.add(Whom.voms(fqan));
    }
    if (group != null) {
      issuers.forEach(issuer -> all.add(Whom.group(issuer, Objects.requireNonNull(group))));
    }
    return all;
  }
}
