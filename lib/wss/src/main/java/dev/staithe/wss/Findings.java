package dev.staithe.wss;

import java.math.BigInteger;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What was found in a message that was opened.
 *
 * @param engine which one judged: {@code stream}, {@code dom}, {@code both} or {@code none}; the
 *     one thing in which two engines differ
 * @param signed names of the signed parts, {@code Body} and {@code Timestamp} among them
 * @param encrypted names of the parts that came encrypted
 * @param algorithms their URIs, each once, in the order signature, digest, encryption, key
 *     transport
 * @param created by its timestamp; null without
 * @param expires by its timestamp; null without
 * @param once what must never come again
 * @param signature the main signature with all that it covers, where the endpoint keeps evidence
 */
public record Findings(
    String engine,
    List<String> signed,
    List<String> encrypted,
    List<String> algorithms,
    @Nullable Instant created,
    @Nullable Instant expires,
    List<Once> once,
    @Nullable SignedParts signature) {
  /** Keeps its own lists. */
  public Findings {
    signed = List.copyOf(signed);
    encrypted = List.copyOf(encrypted);
    algorithms = List.copyOf(algorithms);
    once = List.copyOf(once);
  }

  /** Where nothing was protected. */
  public static final Findings NOTHING =
      new Findings("none", List.of(), List.of(), List.of(), null, null, List.of(), null);

  /**
   * A signature with everything that is needed to verify it again without the message.
   *
   * @param algorithm its URI
   * @param signedInfo in canonical form
   * @param value of the signature
   * @param references what it covers, in its order
   * @param chain of the signer, end entity first
   */
  public record SignedParts(
      String algorithm,
      byte[] signedInfo,
      byte[] value,
      List<Reference> references,
      List<X509Certificate> chain) {
    /** Keeps its own lists. */
    public SignedParts {
      references = List.copyOf(references);
      chain = List.copyOf(chain);
    }
  }

  /**
   * One covered part.
   *
   * @param uri as the signature writes it, {@code #…}
   * @param part its name, as in {@link #signed()}
   * @param octets what was digested: the part in canonical form
   */
  public record Reference(String uri, String part, byte[] octets) {}

  /**
   * Something that is good once: a signature, or the nonce of a password's digest.
   *
   * @param digest SHA-256 over the kind, the value and the key's identity
   * @param until when it would be refused as stale anyway
   */
  public record Once(byte[] digest, Instant until) {
    /**
     * What tells a signature by a public key from all others. One by an elliptic curve can be
     * written in another way by anybody, with the second of its numbers negated or with zeros in
     * front, and fits as before: only its first number, without zeros, is its own (XML Signature
     * 1.1 section 6.4.3).
     *
     * @param value that fits
     */
    public static byte[] distinct(PublicKey key, byte[] value) {
      return key.getAlgorithm().equals("EC")
          ? new BigInteger(1, Arrays.copyOf(value, value.length / 2)).toByteArray()
          : value;
    }
  }
}
