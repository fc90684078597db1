package dev.staithe.storage.authz;

import dev.staithe.storage.files.StoragePath;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The storage scopes of a token or of a group rule.
 *
 * @param storage the capabilities with their paths, several of one name are OR-ed
 * @param anyCapability whether the token speaks of capabilities at all, be it ones that mean
 *     nothing here ({@code compute.create}): then its groups do not count (WLCG JWT profile 1.3)
 * @param hostAuth whether the token says that its subject is a host that may be judged by its name
 */
public record Scopes(List<StorageScope> storage, boolean anyCapability, boolean hostAuth) {
  /** No scopes. */
  public static final Scopes NONE = new Scopes(List.of(), false, false);

  private static final String HOST_AUTH = "host.auth";
  private static final int SHOWN = 5;

  /** Takes a copy. */
  public Scopes {
    storage = List.copyOf(storage);
  }

  /** Which names a token's scopes go by. */
  public enum Dialect {
    /** {@code storage.read:/path} and its like. */
    WLCG,
    /** Those of WLCG, where a plain issuer knows them at all; nobody is a host by them. */
    PLAIN,
    /** SciTokens 2.0: {@code read:/path} and {@code write:/path}, the latter meaning modify. */
    SCITOKENS
  }

  /** What came of reading scopes. */
  public sealed interface Parsed {
    /** They can be used. */
    record Valid(Scopes scopes) implements Parsed {}

    /** The token must be refused; {@code reason} is one safe line. */
    record Invalid(String reason) implements Parsed {}
  }

  /**
   * Reads scopes from a configuration, separated by blanks, such as {@code storage.read:/
   * storage.modify:/data}.
   *
   * @throws IllegalArgumentException with one line that says what is wrong
   */
  public static Scopes of(String written) {
    for (String each : written.strip().split(" +")) {
      int colon = each.indexOf(':');
      if (Capability.of(colon < 0 ? each : each.substring(0, colon)) == null) {
        throw new IllegalArgumentException(
            "\"" + each + "\" is no storage scope; write one like storage.read:/path");
      }
    }
    return switch (parse(written.strip(), Dialect.WLCG)) {
      case Parsed.Valid valid -> valid.scopes();
      case Parsed.Invalid invalid -> throw new IllegalArgumentException(invalid.reason());
    };
  }

  /**
   * Reads a token's {@code scope} claim: a string separated by blanks (RFC 8693 section 4.2) or, as
   * some issuers have it, an array of strings.
   */
  public static Parsed parse(@Nullable Object claim, Dialect dialect) {
    List<String> names;
    if (claim == null) {
      return new Parsed.Valid(NONE);
    } else if (claim instanceof String text) {
      names = List.of(text.split(" "));
    } else if (claim instanceof List<?> list) {
      names = new ArrayList<>();
      for (Object item : list) {
        // A blank inside an array's element is a separator to some and a part of a name to others.
        if (!(item instanceof String text) || text.chars().anyMatch(Character::isWhitespace)) {
          return new Parsed.Invalid("the token's scope is no list of scope names");
        }
        names.add(text);
      }
    } else {
      return new Parsed.Invalid("the token's scope is neither a string nor a list");
    }
    List<StorageScope> storage = new ArrayList<>();
    boolean anyCapability = false;
    for (String name : names) {
      int colon = name.indexOf(':');
      String verb = colon < 0 ? name : name.substring(0, colon);
      Capability capability = capability(verb, dialect);
      if (capability == null) {
        anyCapability |= verb.startsWith("storage.") || verb.startsWith("compute.");
        continue;
      }
      anyCapability = true;
      if (colon < 0) {
        return new Parsed.Invalid("the token's scope " + verb + " has no path");
      }
      switch (StoragePath.parse(name.substring(colon + 1))) {
        case StoragePath.Parsed.Valid valid ->
            storage.add(new StorageScope(capability, valid.path()));
        case StoragePath.Parsed.Invalid invalid -> {
          return new Parsed.Invalid(
              "the token's scope "
                  + ForeignText.shown(name)
                  + " cannot be used: "
                  + invalid.reason());
        }
      }
    }
    return new Parsed.Valid(
        new Scopes(storage, anyCapability, dialect == Dialect.WLCG && names.contains(HOST_AUTH)));
  }

  private static @Nullable Capability capability(String verb, Dialect dialect) {
    return switch (dialect) {
      case WLCG, PLAIN -> Capability.of(verb);
      case SCITOKENS ->
          switch (verb) {
            case "read" -> Capability.READ;
            case "write" -> Capability.MODIFY;
            default -> null;
          };
    };
  }

  /** The storage scopes for a reason shown to the caller, the first few of them. */
  String shown() {
    String first =
        storage.stream()
            .limit(SHOWN)
            .map(scope -> ForeignText.shown(scope.toString()))
            .collect(Collectors.joining(" "));
    return storage.size() <= SHOWN ? first : first + " and " + (storage.size() - SHOWN) + " more";
  }
}
