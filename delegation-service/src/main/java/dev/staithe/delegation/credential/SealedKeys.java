package dev.staithe.delegation.credential;

import dev.staithe.delegation.credential.DelegationFault.Kind;
import dev.staithe.delegation.store.DelegationRow;
import dev.staithe.delegation.store.RequestRow;
import dev.staithe.delegation.store.RuleRow;
import dev.staithe.pki.seal.MasterKeys;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Private keys as they stand in the store: sealed for one owner, one id and one public key, so that
 * none is of use in another row, and for the rules and what else stands beside it, so that none
 * opens where somebody else has changed these. What changes with each use is not bound.
 * Thread-safe.
 */
final class SealedKeys {
  private static final Logger LOG = LoggerFactory.getLogger(SealedKeys.class);

  private final MasterKeys masters;

  SealedKeys(MasterKeys masters) {
    this.masters = masters;
  }

  /** The SHA-256 of a public key (SubjectPublicKeyInfo, RFC 5280) in hexadecimal. */
  static String digest(PublicKey key) {
    return hex(key.getEncoded());
  }

  private static String hex(byte[] of) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(of));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java runtime has SHA-256", e);
    }
  }

  /** A request with its key in it. */
  RequestRow seal(RequestRow row, PrivateKey key) throws Refusal {
    byte[] clear = key.getEncoded();
    try {
      return row.sealed(masters.seal(place(row), clear));
    } catch (IllegalStateException e) {
      throw unusable(e.getMessage());
    } finally {
      Arrays.fill(clear, (byte) 0);
    }
  }

  /** A delegation with the key of its request. */
  DelegationRow seal(DelegationRow row, RequestRow request) throws Refusal {
    return seal(row, open(place(request), request.sealed()));
  }

  /** A delegation with the key that it had before it was changed. */
  DelegationRow seal(DelegationRow row, DelegationRow before) throws Refusal {
    return seal(row, open(place(before), before.sealed()));
  }

  private DelegationRow seal(DelegationRow row, byte[] clear) throws Refusal {
    try {
      return row.sealed(masters.seal(boundPlace(row), clear));
    } catch (IllegalStateException e) {
      throw unusable(e.getMessage());
    } finally {
      Arrays.fill(clear, (byte) 0);
    }
  }

  /** Refuses where the row is not what was put. */
  void check(DelegationRow row) throws Refusal {
    Arrays.fill(open(place(row), row.sealed()), (byte) 0);
  }

  PrivateKey open(DelegationRow row, X509Certificate certificate) throws Refusal {
    return decoded(open(place(row), row.sealed()), certificate.getPublicKey());
  }

  private byte[] open(String place, byte[] sealed) throws Refusal {
    MasterKeys.Opening opening;
    try {
      opening = masters.open(place, sealed);
    } catch (IllegalStateException e) {
      throw unusable(e.getMessage());
    }
    return switch (opening) {
      case MasterKeys.Opening.Opened opened -> opened.secret();
      case MasterKeys.Opening.Unreadable(String line) -> {
        String name = MasterKeys.name(sealed);
        if (!name.isEmpty() && !masters.has(name)) {
          throw unusable(line);
        }
        LOG.error("somebody else has changed the database: {}", line);
        throw Refusal.changed();
      }
    };
  }

  /** The name of the key that seals, as it stands in what is sealed. */
  byte[] currentName() {
    return HexFormat.of().parseHex(masters.name());
  }

  /** What is to be kept instead; empty where no key here opens it, or it is not what was put. */
  Optional<byte[]> rewrap(DelegationRow row) {
    if (!row.bound()) {
      try {
        return Optional.of(seal(row, row).sealed());
      } catch (Refusal _) {
        return Optional.empty();
      }
    }
    try {
      return switch (masters.rewrap(boundPlace(row), row.sealed())) {
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

  /** Where a key opens; that of a row from before rules were bound, for owner, id and key only. */
  static String place(DelegationRow row) {
    return row.bound() ? boundPlace(row) : place(row.owner(), row.id(), row.keyDigest());
  }

  private static String boundPlace(DelegationRow row) {
    List<String> beside = new ArrayList<>();
    beside.add("delegation");
    addThrough(beside, row.through());
    beside.add(Long.toString(row.notAfter().toEpochMilli()));
    beside.add(String.valueOf(row.legacy()));
    addRules(beside, row.rules());
    beside.addAll(row.fqans());
    return place(row.owner(), row.id(), row.keyDigest()) + " " + digest(beside);
  }

  private static String place(RequestRow row) {
    String place = place(row.owner(), row.id(), row.keyDigest());
    if (!row.bound()) {
      return place;
    }
    List<String> beside = new ArrayList<>();
    beside.add("request");
    addThrough(beside, row.through());
    RuleRow rules = row.rules();
    if (rules != null) {
      addRules(beside, rules);
    }
    return place + " " + digest(beside);
  }

  /** No id is empty. */
  private static void addThrough(List<String> beside, @Nullable String through) {
    beside.add(through == null ? "" : through);
  }

  private static void addRules(List<String> beside, RuleRow rules) {
    beside.add(String.valueOf(rules.uses()));
    beside.add(Integer.toString(rules.hops()));
    beside.add(String.valueOf(rules.limited()));
    beside.add(Long.toString(rules.longestSeconds()));
    beside.add(Integer.toString(rules.acquirers().size()));
    beside.addAll(rules.acquirers());
  }

  private static String place(String owner, String id, String digest) {
    // Neither id nor digest holds a space.
    return id + " " + digest + " of " + owner;
  }

  /** Of values none of which holds an end of a line. */
  private static String digest(List<String> values) {
    return hex(String.join("\n", values).getBytes(StandardCharsets.UTF_8));
  }
}
