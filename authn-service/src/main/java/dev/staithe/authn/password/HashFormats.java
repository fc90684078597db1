package dev.staithe.authn.password;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads stored hashes: PHC strings, those of passlib and Django, and the schemes of LDAP
 * directories (RFC 2307 section 5.3 and what OpenLDAP added). Whatever does not fit exactly, is cut
 * short, or asks for more work than is allowed, is none. A clear text is never one.
 */
final class HashFormats {
  private static final int LONGEST = 512;
  private static final int MOST_PBKDF2_ITERATIONS = 2_000_000;
  private static final int MOST_BCRYPT_COST = 14;
  private static final int SHORTEST_TAG = 16;
  private static final int LONGEST_TAG = 64;
  private static final int LONGEST_SALT = 64;

  private static final Pattern ARGON2 =
      Pattern.compile(
          "\\$argon2id\\$v=19\\$m=([0-9]{1,7}),t=([0-9]{1,3}),p=([0-9]{1,2})"
              + "\\$([A-Za-z0-9+/]+)\\$([A-Za-z0-9+/]+)");
  private static final Pattern BCRYPT =
      Pattern.compile("\\$2[aby]\\$([0-9]{2})\\$[./A-Za-z0-9]{53}");
  private static final Pattern PHC_PBKDF2 =
      Pattern.compile(
          "\\$pbkdf2-(sha256|sha512)\\$i=([0-9]{1,8})(?:,l=([0-9]{1,3}))?"
              + "\\$([A-Za-z0-9+/]+)\\$([A-Za-z0-9+/]+)");
  private static final Pattern PASSLIB_PBKDF2 =
      Pattern.compile(
          "\\$pbkdf2-(sha256|sha512)\\$([0-9]{1,8})\\$([A-Za-z0-9./]+)\\$([A-Za-z0-9./]+)");
  private static final Pattern DJANGO_PBKDF2 =
      Pattern.compile("pbkdf2_(sha256|sha512)\\$([0-9]{1,8})\\$([!-#%-~]+)\\$([A-Za-z0-9+/]+=*)");
  private static final Pattern LDAP = Pattern.compile("\\{([A-Za-z0-9-]{1,16})\\}(.+)");
  private static final Pattern LDAP_PBKDF2 =
      Pattern.compile("([0-9]{1,8})\\$([A-Za-z0-9./+]+)\\$([A-Za-z0-9./+]+)=*");

  private static final Map<String, String> MACS =
      Map.of("sha1", "HmacSHA1", "sha256", "HmacSHA256", "sha512", "HmacSHA512");

  private HashFormats() {}

  /** The hash that is meant, or empty. */
  static Optional<StoredHash> read(String stored) {
    if (stored.length() > LONGEST) {
      return Optional.empty();
    }
    try {
      if (stored.startsWith("$argon2id$")) {
        return argon2(stored);
      }
      if (stored.startsWith("$2")) {
        return bcrypt(stored);
      }
      if (stored.startsWith("$pbkdf2-")) {
        return pbkdf2(stored);
      }
      if (stored.startsWith("pbkdf2_")) {
        return django(stored);
      }
      return ldap(stored);
    } catch (IllegalArgumentException notBase64) {
      return Optional.empty();
    }
  }

  private static Optional<StoredHash> argon2(String stored) {
    Matcher parts = ARGON2.matcher(stored);
    if (!parts.matches()) {
      return Optional.empty();
    }
    Argon2Cost cost =
        new Argon2Cost(number(parts.group(1)), number(parts.group(2)), number(parts.group(3)));
    byte[] salt = decode(parts.group(4));
    byte[] tag = decode(parts.group(5));
    return cost.isBounded() && salt.length >= 8 && isSized(salt, tag)
        ? Optional.of(new StoredHash.Argon2Hash(cost, salt, tag))
        : Optional.empty();
  }

  private static Optional<StoredHash> bcrypt(String stored) {
    Matcher parts = BCRYPT.matcher(stored);
    if (!parts.matches()) {
      return Optional.empty();
    }
    int cost = number(parts.group(1));
    return cost >= 4 && cost <= MOST_BCRYPT_COST
        ? Optional.of(new StoredHash.BcryptHash(stored))
        : Optional.empty();
  }

  private static Optional<StoredHash> pbkdf2(String stored) {
    Matcher phc = PHC_PBKDF2.matcher(stored);
    if (phc.matches()) {
      byte[] key = decode(phc.group(5));
      if (phc.group(3) != null && number(phc.group(3)) != key.length) {
        return Optional.empty();
      }
      return pbkdf2(phc.group(1), phc.group(2), decode(phc.group(4)), key);
    }
    Matcher passlib = PASSLIB_PBKDF2.matcher(stored);
    return passlib.matches()
        ? pbkdf2(
            passlib.group(1), passlib.group(2), decode(passlib.group(3)), decode(passlib.group(4)))
        : Optional.empty();
  }

  private static Optional<StoredHash> django(String stored) {
    Matcher parts = DJANGO_PBKDF2.matcher(stored);
    return parts.matches()
        ? pbkdf2(
            parts.group(1),
            parts.group(2),
            parts.group(3).getBytes(StandardCharsets.US_ASCII),
            decode(parts.group(4)))
        : Optional.empty();
  }

  private static Optional<StoredHash> pbkdf2(
      String digest, String iterations, byte[] salt, byte[] key) {
    int rounds = number(iterations);
    String mac = MACS.get(digest);
    return mac != null && rounds >= 1 && rounds <= MOST_PBKDF2_ITERATIONS && isSized(salt, key)
        ? Optional.of(new StoredHash.Pbkdf2Hash(mac, rounds, salt, key))
        : Optional.empty();
  }

  private static Optional<StoredHash> ldap(String stored) {
    Matcher scheme = LDAP.matcher(stored);
    if (!scheme.matches()) {
      return Optional.empty();
    }
    String rest = scheme.group(2);
    return switch (scheme.group(1).toUpperCase(Locale.ROOT)) {
      case "SHA" -> digest("SHA-1", 20, rest, false);
      case "SSHA" -> digest("SHA-1", 20, rest, true);
      case "SSHA256" -> digest("SHA-256", 32, rest, true);
      case "SSHA512" -> digest("SHA-512", 64, rest, true);
      // Other kinds of crypt(3) are not worth a second implementation.
      case "CRYPT" -> rest.startsWith("$2") ? bcrypt(rest) : Optional.empty();
      case "ARGON2" -> rest.startsWith("$argon2id$") ? argon2(rest) : Optional.empty();
      case "PBKDF2", "PBKDF2-SHA1" -> ldapPbkdf2("sha1", rest);
      case "PBKDF2-SHA256" -> ldapPbkdf2("sha256", rest);
      case "PBKDF2-SHA512" -> ldapPbkdf2("sha512", rest);
      default -> Optional.empty();
    };
  }

  private static Optional<StoredHash> ldapPbkdf2(String digest, String rest) {
    Matcher parts = LDAP_PBKDF2.matcher(rest);
    return parts.matches()
        ? pbkdf2(digest, parts.group(1), decode(parts.group(2)), decode(parts.group(3)))
        : Optional.empty();
  }

  private static Optional<StoredHash> digest(
      String algorithm, int length, String base64, boolean salted) {
    byte[] bytes = Base64.getDecoder().decode(base64);
    int salt = bytes.length - length;
    boolean fits = salted ? salt >= 1 && salt <= LONGEST_SALT : salt == 0;
    return fits
        ? Optional.of(
            new StoredHash.DigestHash(
                algorithm,
                Arrays.copyOf(bytes, length),
                Arrays.copyOfRange(bytes, length, bytes.length)))
        : Optional.empty();
  }

  /** A tag that is empty or short would match what it should not. */
  private static boolean isSized(byte[] salt, byte[] tag) {
    return salt.length >= 1
        && salt.length <= LONGEST_SALT
        && tag.length >= SHORTEST_TAG
        && tag.length <= LONGEST_TAG;
  }

  /** Base64 with or without padding; with a dot for the plus, as passlib and OpenLDAP write it. */
  private static byte[] decode(String text) {
    return Base64.getDecoder().decode(text.replace('.', '+'));
  }

  private static int number(String digits) {
    return Integer.parseInt(digits);
  }
}
