package dev.staithe.delegation.credential;

import dev.staithe.delegation.credential.DelegationFault.Kind;
import dev.staithe.delegation.store.DelegationRow;
import dev.staithe.pki.MasterKeys;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Private keys as they stand in the store: sealed for one owner, one id and one public key, so that
 * none is of use in another row. Thread-safe.
 */
final class SealedKeys {
  private static final Logger LOG = LoggerFactory.getLogger(SealedKeys.class);

  private final MasterKeys masters;

  SealedKeys(MasterKeys masters) {
    this.masters = masters;
  }

  /** The SHA-256 of a public key (SubjectPublicKeyInfo, RFC 5280) in hexadecimal. */
  static String digest(PublicKey key) {
    try {
      return HexFormat.of()
          .formatHex(MessageDigest.getInstance("SHA-256").digest(key.getEncoded()));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java runtime has SHA-256", e);
    }
  }

  byte[] seal(String owner, String id, String digest, PrivateKey key) throws Refusal {
    byte[] clear = key.getEncoded();
    try {
      return masters.seal(row(owner, id, digest), clear);
    } catch (IllegalStateException e) {
      throw unusable(e.getMessage());
    } finally {
      Arrays.fill(clear, (byte) 0);
    }
  }

  PrivateKey open(DelegationRow row, X509Certificate certificate) throws Refusal {
    MasterKeys.Opening opening;
    try {
      opening = masters.open(row(row.owner(), row.id(), row.keyDigest()), row.sealed());
    } catch (IllegalStateException e) {
      throw unusable(e.getMessage());
    }
    return switch (opening) {
      case MasterKeys.Opening.Opened opened -> decoded(opened.secret(), certificate.getPublicKey());
      case MasterKeys.Opening.Unreadable(String line) -> throw unusable(line);
    };
  }

  /** The name of the key that seals, as it stands in what is sealed. */
  byte[] currentName() {
    return HexFormat.of().parseHex(masters.name());
  }

  /** What is to be kept instead; empty where no key here opens it. */
  Optional<byte[]> rewrap(DelegationRow row) {
    try {
      return switch (masters.rewrap(row(row.owner(), row.id(), row.keyDigest()), row.sealed())) {
        case MasterKeys.Rewrapping.Rewrapped rewrapped -> Optional.of(rewrapped.sealed());
        case MasterKeys.Rewrapping.Current _ -> Optional.of(row.sealed());
        case MasterKeys.Rewrapping.Unreadable(String line) -> {
          LOG.warn("the key of a delegation cannot be opened: {}", line);
          yield Optional.empty();
        }
      };
    } catch (IllegalStateException e) {
      LOG.error("the key of a delegation cannot be sealed anew: {}", e.getMessage());
      return Optional.empty();
    }
  }

  private static Refusal unusable(@Nullable String line) {
    LOG.error("a key of a delegation cannot be sealed or opened: {}", line);
    return new Refusal(
        Kind.UNAVAILABLE, "keys cannot be used at present: try again", "master key: " + line);
  }

  private static PrivateKey decoded(byte[] clear, PublicKey like) {
    try {
      return KeyFactory.getInstance(like.getAlgorithm())
          .generatePrivate(new PKCS8EncodedKeySpec(clear));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("a key that was sealed here cannot be read", e);
    } finally {
      Arrays.fill(clear, (byte) 0);
    }
  }

  private static String row(String owner, String id, String digest) {
    // Neither id nor digest holds a space.
    return id + " " + digest + " of " + owner;
  }
}
