package dev.staithe.pki;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Set;

/**
 * RSA keys that everyone has, as those that Debian's OpenSSL made from 2006 to 2008
 * (CVE-2008-0166). Keys are known by the last 80 bits of the SHA-1 of OpenSSL's line {@code
 * Modulus=…}, which is the form of Debian's {@code openssl-blacklist} files. Immutable and
 * thread-safe.
 */
public final class WeakKeys {
  private static final int DIGITS = 20;

  private final Set<String> fingerprints;

  private WeakKeys(Set<String> fingerprints) {
    this.fingerprints = Set.copyOf(fingerprints);
  }

  /** No key is known. */
  public static WeakKeys none() {
    return new WeakKeys(Set.of());
  }

  /**
   * Reads a list: one key a line, 20 hexadecimal digits as in {@code blacklist.RSA-2048}, or the 40
   * of a whole SHA-1; empty lines and lines that begin with {@code #} are passed over.
   *
   * @throws PemException where the file cannot be read or a line is something else
   */
  public static WeakKeys read(Path file) throws PemException {
    var found = new HashSet<String>();
    int number = 0;
    for (String line : Pem.readText(file).lines().toList()) {
      number++;
      String text = line.strip().toLowerCase(Locale.ROOT);
      if (text.isEmpty() || text.startsWith("#")) {
        continue;
      }
      if (!text.matches("([0-9a-f]{20}){1,2}")) {
        throw new PemException(
            file + " line " + number + " is no fingerprint: expected 20 or 40 hexadecimal digits");
      }
      found.add(text.substring(text.length() - DIGITS));
    }
    return new WeakKeys(found);
  }

  /** These and those of another list. */
  public WeakKeys and(WeakKeys other) {
    var all = new HashSet<>(fingerprints);
    all.addAll(other.fingerprints);
    return new WeakKeys(all);
  }

  /** How many keys are known. */
  public int count() {
    return fingerprints.size();
  }

  boolean contains(BigInteger modulus) {
    if (fingerprints.isEmpty()) {
      return false;
    }
    String line = "Modulus=" + modulus.toString(16).toUpperCase(Locale.ROOT) + "\n";
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-1").digest(line.getBytes(StandardCharsets.US_ASCII));
      String hex = HexFormat.of().formatHex(digest);
      return fingerprints.contains(hex.substring(hex.length() - DIGITS));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java runtime has SHA-1", e);
    }
  }
}
