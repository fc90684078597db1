package dev.staithe.storage.tokens;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A macaroon (Birgisson et al., NDSS 2014) with caveats of the first party only: each caveat is
 * signed by the signature of what stands before it (HMAC-SHA-256), so that its holder can add
 * caveats and take none away. Its keys and signatures are those of libmacaroons.
 *
 * @param location a hint where it is good; signed by nothing
 * @param identifier by which its maker knows it
 * @param caveats in their order
 * @param signature of the last caveat, 32 bytes: who has it has the macaroon
 */
@SuppressWarnings("ArrayRecordComponent")
record Macaroon(String location, String identifier, List<String> caveats, byte[] signature) {
  private static final String ALGORITHM = "HmacSHA256";
  private static final SecretKeySpec GENERATOR =
      new SecretKeySpec("macaroons-key-generator".getBytes(StandardCharsets.US_ASCII), ALGORITHM);

  Macaroon {
    caveats = List.copyOf(caveats);
  }

  /** A new one with these caveats. */
  static Macaroon make(
      SecretKeySpec key, String location, String identifier, List<String> caveats) {
    return new Macaroon(location, identifier, caveats, signature(key, identifier, caveats));
  }

  /** The key that macaroons are made with by a root key, which may be of any length. */
  static SecretKeySpec key(byte[] root) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(GENERATOR);
      return new SecretKeySpec(mac.doFinal(root), ALGORITHM);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java knows no HMAC-SHA-256", e);
    }
  }

  /** Whether it was made with that key and these caveats; compared in constant time. */
  boolean isBy(SecretKeySpec key) {
    return MessageDigest.isEqual(signature(key, identifier, caveats), signature);
  }

  private static byte[] signature(SecretKeySpec key, String identifier, List<String> caveats) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      byte[] signature = mac.doFinal(identifier.getBytes(StandardCharsets.UTF_8));
      for (String caveat : caveats) {
        mac.init(new SecretKeySpec(signature, ALGORITHM));
        signature = mac.doFinal(caveat.getBytes(StandardCharsets.UTF_8));
      }
      return signature;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java knows no HMAC-SHA-256", e);
    }
  }

  /** In the binary format 1 of libmacaroons, in Base64 for URLs without padding. */
  String compact() {
    List<byte[]> packets = new ArrayList<>();
    packets.add(packet("location", location.getBytes(StandardCharsets.UTF_8)));
    packets.add(packet("identifier", identifier.getBytes(StandardCharsets.UTF_8)));
    for (String caveat : caveats) {
      packets.add(packet("cid", caveat.getBytes(StandardCharsets.UTF_8)));
    }
    packets.add(packet("signature", signature));
    ByteBuffer all = ByteBuffer.allocate(packets.stream().mapToInt(each -> each.length).sum());
    packets.forEach(all::put);
    return java.util.Base64.getUrlEncoder().withoutPadding().encodeToString(all.array());
  }

  /** Four hexadecimal digits of its whole length, a name, a blank, what it holds, a line feed. */
  private static byte[] packet(String name, byte[] content) {
    int length = MacaroonReader.LENGTH_DIGITS + name.length() + 1 + content.length + 1;
    return ByteBuffer.allocate(length)
        .put(
            java.util.HexFormat.of()
                .toHexDigits((short) length)
                .getBytes(StandardCharsets.US_ASCII))
        .put(name.getBytes(StandardCharsets.US_ASCII))
        .put((byte) ' ')
        .put(content)
        .put((byte) '\n')
        .array();
  }

  /** Shows nothing that is secret. */
  @Override
  public String toString() {
    return "Macaroon with " + caveats.size() + " caveats";
  }
}
