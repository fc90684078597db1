package dev.staithe.storage.accounts;

import dev.staithe.pki.GridSubject;
import dev.staithe.storage.authz.GroupName;
import dev.staithe.storage.authz.VomsRule;
import dev.staithe.storage.policy.Principal;
import dev.staithe.storage.state.RuleFile;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Who has which local account, as two files say: the site's rules and a grid-mapfile, in this
 * order. The first line that names anything which is proved of a caller counts. Immutable.
 */
final class AccountRules {
  private static final int MOST_CHARACTERS = 64 * 1024 * 1024;

  /** As {@code useradd} takes them, and those of directories with a domain behind. */
  private static final Pattern ACCOUNT = Pattern.compile("[A-Za-z_][A-Za-z0-9_.@-]{0,63}");

  /** ACCOUNT KIND and the rest of the line. */
  private static final Pattern RULE = Pattern.compile("(\\S+)\\s+(\\S+)\\s+(\\S.*)");

  /** {@code "NAME" ACCOUNT,ACCOUNT...}, of which the first account is the usual one. */
  private static final Pattern GRID = Pattern.compile("(?:\"([^\"]+)\"|(/\\S+))\\s+(\\S+)");

  /** A byte beyond ASCII, as OpenSSL and Globus write it; no other escape is taken. */
  private static final Pattern ESCAPED_BYTE = Pattern.compile("\\\\x[0-9A-Fa-f]{2}");

  private final Set<String> issuers;
  private final Map<Principal, Mapped> accounts = new HashMap<>();

  /**
   * @param order of its line among all
   */
  private record Mapped(int order, String account) {}

  private AccountRules(Set<String> issuers) {
    this.issuers = issuers;
  }

  /**
   * Reads both.
   *
   * @param issuers those that a rule may name
   * @throws IOException whose message is one line that begins with which file and line
   */
  static AccountRules read(@Nullable Path rules, @Nullable Path gridMapfile, Set<String> issuers)
      throws IOException {
    AccountRules all = new AccountRules(issuers);
    all.lines("rules", rules, all::rule);
    all.lines("grid-mapfile", gridMapfile, all::grid);
    return all;
  }

  /** How many names are mapped. */
  int size() {
    return accounts.size();
  }

  /** The account of one of whom this is proved. */
  Optional<String> account(List<Principal> proved) {
    Mapped first = null;
    for (Principal each : proved) {
      Mapped mapped = accounts.get(each);
      if (mapped != null && (first == null || mapped.order < first.order)) {
        first = mapped;
      }
    }
    return Optional.ofNullable(first).map(Mapped::account);
  }

  @FunctionalInterface
  private interface Line {
    void take(String text);
  }

  private void lines(String what, @Nullable Path file, Line line) throws IOException {
    if (file == null) {
      return;
    }
    int number = 0;
    try (BufferedReader text = new BufferedReader(RuleFile.open(file, MOST_CHARACTERS))) {
      for (String each = text.readLine(); each != null; each = text.readLine()) {
        number++;
        String content = each.strip();
        if (!content.isEmpty() && !content.startsWith("#")) {
          line.take(content);
        }
      }
    } catch (IllegalArgumentException e) {
      String reason = String.valueOf(e.getMessage()).replaceAll("\\p{Cntrl}+", " ");
      throw new IOException(what + ", line " + number + ": " + reason, e);
    } catch (CharacterCodingException e) {
      throw new IOException(what + ": it is not UTF-8", e);
    } catch (IOException e) {
      throw new IOException(what + ": " + e.getMessage(), e);
    }
  }

  private void rule(String text) {
    Matcher parts = RULE.matcher(text);
    if (!parts.matches()) {
      throw new IllegalArgumentException(
          "a rule is an account, one of subject, group, issuer, voms, certificate, and a name");
    }
    String name = parts.group(3);
    add(
        switch (parts.group(2)) {
          case "subject" -> ofIssuer(Principal.Kind.SUBJECT, name);
          case "group" -> ofIssuer(Principal.Kind.GROUP, name);
          case "issuer" -> new Principal(Principal.Kind.ISSUER, issuer(name), "");
          case "voms" -> voms(name);
          case "certificate" -> certificate(name);
          default ->
              throw new IllegalArgumentException(
                  "people are named by subject, group, issuer, voms or certificate");
        },
        parts.group(1));
  }

  private Principal ofIssuer(Principal.Kind kind, String text) {
    String[] both = text.split("\\s+", 2);
    if (both.length < 2) {
      throw new IllegalArgumentException("subjects and groups are names of an issuer before them");
    }
    return new Principal(
        kind, issuer(both[0]), kind == Principal.Kind.GROUP ? GroupName.ofRule(both[1]) : both[1]);
  }

  private String issuer(String name) {
    if (!issuers.contains(name)) {
      throw new IllegalArgumentException("the issuer is not in staithe.issuers");
    }
    return name;
  }

  private static Principal voms(String name) {
    if (!VomsRule.isName(name)) {
      throw new IllegalArgumentException("no name of a VOMS group or role");
    }
    return new Principal(Principal.Kind.VOMS, "", VomsRule.plain(name));
  }

  private static Principal certificate(String name) {
    return new Principal(Principal.Kind.CERTIFICATE, "", GridSubject.parse(name).name());
  }

  private void grid(String text) {
    Matcher parts = GRID.matcher(text);
    if (!parts.matches() || ESCAPED_BYTE.matcher(text).replaceAll("").contains("\\")) {
      throw new IllegalArgumentException("a line is \"name of a certificate\" account");
    }
    String name = parts.group(1) == null ? parts.group(2) : parts.group(1);
    add(certificate(name), parts.group(3).split(",", -1)[0]);
  }

  private void add(Principal who, String account) {
    if (!ACCOUNT.matcher(account).matches()) {
      throw new IllegalArgumentException(
          "no name of a local account; pools of accounts are not taken");
    }
    // A name in the rules goes before the same one in the grid-mapfile.
    accounts.putIfAbsent(who, new Mapped(accounts.size(), account));
  }
}
