package dev.staithe.delegation.client;

import dev.staithe.pki.GridSubject;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/** The id that gLite, FTS and our own service give to the delegation of whoever names none. */
public final class StandardId {
  private StandardId() {}

  /**
   * The first 16 hexadecimal digits of the SHA-1 of the name, written with slashes, and the FQANs.
   * No secret.
   *
   * @param fqans of the VOMS attributes of the certificates by which was delegated, in their order
   */
  public static String of(GridSubject delegator, List<String> fqans) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-1");
      digest.update(delegator.slashed().getBytes(StandardCharsets.UTF_8));
      fqans.forEach(fqan -> digest.update(fqan.getBytes(StandardCharsets.UTF_8)));
      return HexFormat.of().formatHex(digest.digest()).substring(0, 16);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java runtime has SHA-1", e);
    }
  }
}
