package dev.staithe.slcs.issue;

import dev.staithe.pki.DistinguishedName;
import dev.staithe.pki.DistinguishedName.Attribute;
import dev.staithe.pki.DistinguishedName.Part;
import dev.staithe.slcs.session.CampusIdentity;
import dev.staithe.slcs.session.PrincipalName;
import dev.staithe.slcs.session.ScopedId;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How a certificate's name is made of what a campus says about somebody, as {@code
 * /DC=org/DC=staithe/O={schacHomeOrganization|scope}/CN={displayName} {eppn}}. Braces hold an
 * attribute, or several of which the first that is told counts. Beside the attributes there are
 * {@code eppn}, its {@code user} and {@code scope}, the {@code provider}'s short name, and {@code
 * hash}, 16 hexadecimal digits of provider and person.
 *
 * <p>What people are called (displayName, givenName, sn, cn) is written in ASCII and shortened
 * where a part would be longer than 64 characters (RFC 5280 appendix A). Everything else stands
 * there whole or there is no name: it is what makes it unique. Of a principal name, characters that
 * names do not hold are escaped ({@link DistinguishedName#escape}), so that different ones stay
 * different; anything else stands unchanged. Immutable and thread-safe.
 */
final class NameRule {
  private static final int LONGEST = 64;
  private static final Pattern VARIABLE = Pattern.compile("\\{([A-Za-z0-9|-]+)}");
  private static final Set<String> SPOKEN = Set.of("displayName", "givenName", "sn", "cn");

  /** What was read in a form that holds nothing that escapes made up. */
  private static final Set<String> PRINCIPAL =
      Set.of("eppn", "user", "subject-id", "eduPersonUniqueId", "pairwise-id");

  private static final Set<String> SCOPED =
      Set.of("subject-id", "eduPersonUniqueId", "pairwise-id");

  /** Longer ones, as SHA-256 in hexadecimal, leave no room for anything else. */
  private static final int LONGEST_ID = 40;

  /** Who it is: by an eduPersonPrincipalName, or what stands for it. */
  private record Named(String user, String scope) {
    static Optional<Named> of(CampusIdentity who) {
      return who.all("eduPersonPrincipalName").isEmpty()
          ? ScopedId.of(who.principalName())
              .map(
                  id ->
                      new Named(
                          id.toString().length() > LONGEST_ID ? hash(who) : id.id(), id.scope()))
          : PrincipalName.of(who.principalName()).map(name -> new Named(name.user(), name.scope()));
    }

    String whole() {
      return user + "@" + scope;
    }
  }

  /** One of these in a rule, and no two people get the same name. */
  private static final List<Set<String>> UNIQUE =
      List.of(
          Set.of("eppn"),
          Set.of("hash"),
          Set.of("user", "scope"),
          Set.of("subject-id"),
          Set.of("pairwise-id"),
          Set.of("eduPersonUniqueId"));

  private static final Pattern SPACES = Pattern.compile(" +");

  /** What {@link DistinguishedName#escape} leaves as it is. */
  private static final Pattern PLAIN =
      Pattern.compile("[A-Za-z0-9._@:'()-]+( [A-Za-z0-9._@:'()-]+)*");

  /** Text as it stands, or the attributes of which one is taken. */
  private record Token(String text, List<String> attributes) {
    boolean isSpoken() {
      return !attributes.isEmpty() && SPOKEN.containsAll(attributes);
    }
  }

  private record Piece(Attribute kind, List<Token> tokens) {}

  /** A name that cannot be made; carries the line only. */
  private static final class NoName extends Exception {
    private static final long serialVersionUID = 1;

    private final String line;

    NoName(String line) {
      super(line, null, false, false);
      this.line = line;
    }
  }

  private final List<Piece> pieces;

  private NameRule(List<Piece> pieces) {
    this.pieces = pieces;
  }

  /**
   * Reads a rule.
   *
   * @throws IllegalArgumentException with one line where it is none, or where it could give one
   *     name to two people
   */
  static NameRule of(String template) {
    if (!template.startsWith("/")) {
      throw new IllegalArgumentException("a name begins with a slash: /DC=org/CN={eppn}");
    }
    var pieces = new ArrayList<Piece>();
    var certain = new ArrayList<String>();
    for (String text : template.substring(1).split("/", -1)) {
      int equals = text.indexOf('=');
      Attribute kind = equals < 1 ? null : kind(text.substring(0, equals));
      if (kind == null) {
        throw new IllegalArgumentException(
            "each part is one of DC, C, ST, L, O, OU, CN, an equals sign and a value");
      }
      List<Token> tokens = tokens(text.substring(equals + 1));
      for (Token token : tokens) {
        if (token.attributes().size() == 1) {
          certain.addAll(token.attributes());
        }
      }
      pieces.add(new Piece(kind, tokens));
    }
    if (UNIQUE.stream().noneMatch(certain::containsAll)) {
      throw new IllegalArgumentException(
          "it must hold {eppn}, {hash}, {subject-id}, {pairwise-id}, {eduPersonUniqueId}, or {user}"
              + " and {scope}, so that no two people get one name");
    }
    return new NameRule(List.copyOf(pieces));
  }

  private static @Nullable Attribute kind(String text) {
    try {
      return Attribute.valueOf(text.toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  private static List<Token> tokens(String text) {
    var tokens = new ArrayList<Token>();
    Matcher variable = VARIABLE.matcher(text);
    int at = 0;
    while (variable.find()) {
      literal(tokens, text.substring(at, variable.start()));
      List<String> attributes = List.of(variable.group(1).split("\\|"));
      if (!SPOKEN.containsAll(attributes) && attributes.stream().anyMatch(SPOKEN::contains)) {
        throw new IllegalArgumentException(
            "{" + variable.group(1) + "} mixes what people are called with what is unique");
      }
      tokens.add(new Token("", attributes));
      at = variable.end();
    }
    literal(tokens, text.substring(at));
    if (tokens.isEmpty()) {
      throw new IllegalArgumentException("a part of it is empty");
    }
    return List.copyOf(tokens);
  }

  private static void literal(List<Token> tokens, String text) {
    if (text.isEmpty()) {
      return;
    }
    if (!text.isBlank() && !PLAIN.matcher(text.strip()).matches()) {
      throw new IllegalArgumentException(
          "\"" + text + "\" is neither {attribute} nor plain: letters, digits, . _ @ : ' ( ) -");
    }
    tokens.add(new Token(text, List.of()));
  }

  /** The name for somebody. */
  NameOutcome name(CampusIdentity who) {
    var principal = Named.of(who);
    if (principal.isEmpty()) {
      return new NameOutcome.Nameless(
          "the eduPersonPrincipalName that the identity provider tells cannot stand in a"
              + " certificate: expected user@scope with letters, digits and . _ ' + ~ - only");
    }
    try {
      var parts = new ArrayList<Part>();
      for (Piece piece : pieces) {
        parts.add(part(piece, who, principal.get()));
      }
      return new NameOutcome.Named(DistinguishedName.of(parts));
    } catch (NoName e) {
      return new NameOutcome.Nameless(e.line);
    } catch (IllegalArgumentException e) {
      return new NameOutcome.Nameless("no name can be made for the certificate: " + e.getMessage());
    }
  }

  private static Part part(Piece piece, CampusIdentity who, Named principal) throws NoName {
    var values = new ArrayList<String>();
    int fixed = 0;
    for (Token token : piece.tokens()) {
      String value = token.isSpoken() ? spoken(token, who) : whole(token, who, principal);
      values.add(value);
      fixed += token.isSpoken() ? 0 : value.length();
    }
    if (fixed > LONGEST) {
      throw new NoName(
          piece.kind()
              + " of the certificate's name would be longer than "
              + LONGEST
              + " characters: "
              + fixed);
    }
    shorten(piece, values, LONGEST);
    String value = SPACES.matcher(String.join("", values)).replaceAll(" ").strip();
    if (value.isEmpty()) {
      throw new NoName(
          "nothing is told of which " + piece.kind() + " of the certificate's name could be made");
    }
    return new Part(piece.kind(), value);
  }

  /** Cuts the longest of what people are called until all fits. */
  private static void shorten(Piece piece, List<String> values, int most) {
    while (values.stream().mapToInt(String::length).sum() > most) {
      int longest = -1;
      for (int i = 0; i < values.size(); i++) {
        if (piece.tokens().get(i).isSpoken()
            && (longest < 0 || values.get(i).length() > values.get(longest).length())) {
          longest = i;
        }
      }
      String value = values.get(longest);
      values.set(longest, value.substring(0, value.length() - 1));
    }
  }

  private static String spoken(Token token, CampusIdentity who) {
    for (String attribute : token.attributes()) {
      for (String value : who.all(attribute)) {
        String ascii = SpokenName.inAscii(value);
        if (!ascii.isEmpty()) {
          return ascii;
        }
      }
    }
    return "";
  }

  private static String whole(Token token, CampusIdentity who, Named principal) throws NoName {
    if (token.attributes().isEmpty()) {
      return token.text();
    }
    for (String attribute : token.attributes()) {
      String value = value(attribute, who, principal);
      if (value != null) {
        String escaped = DistinguishedName.escape(value);
        if (!escaped.equals(value) && !PRINCIPAL.contains(attribute)) {
          throw new NoName("the value of " + attribute + " cannot stand in a certificate's name");
        }
        return escaped;
      }
    }
    throw new NoName(
        "the identity provider does not tell "
            + String.join(" or ", token.attributes())
            + ", of which the certificate's name is made");
  }

  private static @Nullable String value(String attribute, CampusIdentity who, Named principal)
      throws NoName {
    return switch (attribute) {
      case "eppn" -> principal.whole();
      case "user" -> principal.user();
      case "scope" -> principal.scope();
      case "provider" -> who.providerName();
      case "hash" -> hash(who);
      default -> {
        List<String> values = who.all(attribute);
        if (values.size() > 1) {
          throw new NoName("the identity provider tells more than one value of " + attribute);
        }
        String value = values.isEmpty() || values.getFirst().isBlank() ? null : values.getFirst();
        if (value != null && SCOPED.contains(attribute) && ScopedId.of(value).isEmpty()) {
          throw new NoName("the value of " + attribute + " cannot stand in a certificate's name");
        }
        yield attribute.equals("schacHomeOrganization") && !isHomeOf(value, principal.scope())
            ? null
            : value;
      }
    };
  }

  /** A provider that may speak for one domain shall not put people into another's. */
  private static boolean isHomeOf(@Nullable String home, String scope) {
    if (home == null || !PrincipalName.isDomain(home) || home.indexOf('.') < 0) {
      return false;
    }
    String domain = home.toLowerCase(Locale.ROOT);
    String mine = scope.toLowerCase(Locale.ROOT);
    return domain.equals(mine) || mine.endsWith("." + domain) || domain.endsWith("." + mine);
  }

  private static String hash(CampusIdentity who) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256")
              .digest(Person.of(who).key().getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest, 0, 8);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
