package dev.staithe.wss;

import dev.staithe.pki.Credential;
import java.math.BigInteger;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What an engine asks of the gateway around it. All of it is thread-safe.
 *
 * @param own the gateway's certificate and key for messages; asked for each message, as files
 *     change
 * @param signers who judges certificates of signers
 * @param contexts where contexts are found
 * @param passwords where passwords are found
 * @param clock for timestamps
 */
public record Surroundings(
    Own own, Signers signers, Contexts contexts, Passwords passwords, Clock clock) {

  /** The gateway's certificate and key for messages, as they are now. */
  @FunctionalInterface
  public interface Own extends Supplier<Credential> {
    /** Those before, the latest first, for which clients may still encrypt. */
    default List<Credential> former() {
      return List.of();
    }
  }

  /** Who is believed. */
  @FunctionalInterface
  public interface Signers {
    /** Judges a chain, end entity first; expected to remember what it found for a while. */
    Judgement judge(List<X509Certificate> chain);

    /**
     * Finds certificates that a message names without bringing them: by SHA-1 of the certificate,
     * by subject key identifier, or by issuer and serial number.
     *
     * @return null where it is not known here
     */
    default @Nullable X509Certificate find(Name name) {
      return null;
    }
  }

  /** How a message names a certificate that it does not bring. */
  public sealed interface Name {
    /** SHA-1 over the certificate (WSS 1.1 X.509 token profile, ThumbprintSHA1). */
    record Thumbprint(byte[] sha1) implements Name {}

    /** The content of the subject key identifier extension. */
    record KeyIdentifier(byte[] identifier) implements Name {}

    /** As XML Signature's X509IssuerSerial. */
    record IssuerSerial(String issuer, BigInteger serial) implements Name {}
  }

  /** What came of a chain. */
  public sealed interface Judgement {
    /** Believed. */
    record Trusted(Caller.Certificate caller) implements Judgement {}

    /** Not believed, and why, for the audit log. */
    record Untrusted(String line) implements Judgement {}
  }

  /**
   * What is asked does not answer, so that nothing can be concluded. Engines let it through;
   * whoever calls them refuses with {@link Refusal#UNAVAILABLE}.
   */
  public static final class Unavailable extends RuntimeException {
    private static final long serialVersionUID = 1;

    /**
     * Says who does not answer.
     *
     * @param line one line for the log, no secret
     */
    public Unavailable(String line, @Nullable Throwable cause) {
      super(line, cause);
    }
  }

  /** Where contexts are found. */
  @FunctionalInterface
  public interface Contexts {
    /**
     * Finds a context by its identifier, whatever its endpoint.
     *
     * @param instance of its key; null for the first
     * @return null where there is none that is alive
     * @throws Unavailable where the store does not answer
     */
    @Nullable SecurityContext find(String identifier, @Nullable String instance);
  }

  /** Where passwords are found. */
  public interface Passwords {
    /**
     * Whether a password is the user's; takes the same time for a user that there is not.
     *
     * @throws Unavailable where whoever knows does not answer
     */
    boolean check(String username, char[] password);

    /**
     * The password itself, which digests and derived keys need.
     *
     * @return null where it is not known here
     */
    byte @Nullable [] of(String username);
  }
}
