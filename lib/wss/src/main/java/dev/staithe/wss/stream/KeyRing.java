package dev.staithe.wss.stream;

import dev.staithe.wss.Expectation;
import dev.staithe.wss.Refusal;
import dev.staithe.wss.SecurityContext;
import dev.staithe.wss.Surroundings;
import dev.staithe.wss.crypto.KnownCertificate;
import dev.staithe.wss.crypto.OwnKey;
import dev.staithe.wss.policy.Binding;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.Objects;
import javax.crypto.spec.OAEPParameterSpec;
import org.jspecify.annotations.Nullable;

/**
 * Finds the keys that one message names. A reference reaches only the tokens of the security
 * header, so that nothing elsewhere in the message can pass for one.
 */
final class KeyRing {
  private final Surroundings surroundings;
  private final Certificates certificates;
  private final Expectation expectation;
  private final SecurityScan security;
  private final Workspace work;
  private @Nullable SecurityContext context;
  private byte @Nullable [] secret;

  KeyRing(
      Surroundings surroundings,
      Certificates certificates,
      Expectation expectation,
      SecurityScan security,
      Workspace work) {
    this.surroundings = surroundings;
    this.certificates = certificates;
    this.expectation = expectation;
    this.security = security;
    this.work = work;
  }

  /** The key that is named. */
  MessageKey find(KeyName name) throws Rejected, UnsupportedShape {
    return expectation.policy().binding() instanceof Binding.Conversation
        ? inContext(name)
        : ofCertificate(name);
  }

  private MessageKey inContext(KeyName name) throws Rejected, UnsupportedShape {
    switch (name) {
      case KeyName.Token(String id) -> {
        for (DerivationScan each : security.derivations) {
          if (id.equals(each.id)) {
            KeyName from = each.from;
            if (from instanceof KeyName.Token(String other) && isDerived(other)) {
              // Perhaps from itself: not followed.
              throw new Rejected(
                  Refusal.DERIVATION, "a derivation from what is no secret of its own");
            }
            if (from == null || !(inContext(from) instanceof MessageKey.OfContext root)) {
              throw new UnsupportedShape("a derivation from another kind of key");
            }
            return new MessageKey.OfContext(root.context(), each.derive(root.key()), true);
          }
        }
        SecurityScan.Context token = security.context;
        if (token != null && id.equals(token.id())) {
          return context(
              token.identifier(), token.instance(), Names.NAMESPACES.name(token.namespace()));
        }
        throw new UnsupportedShape("a reference to another kind of token");
      }
      case KeyName.Context(String identifier, @Nullable String instance) -> {
        return context(identifier, instance, null);
      }
      case KeyName.Certificate certificate ->
          throw new UnsupportedShape("a certificate where a context is expected");
    }
  }

  private boolean isDerived(String id) {
    for (DerivationScan each : security.derivations) {
      if (id.equals(each.id)) {
        return true;
      }
    }
    return false;
  }

  private MessageKey context(
      String identifier, @Nullable String instance, @Nullable String namespace)
      throws Rejected, UnsupportedShape {
    SecurityContext known = context;
    byte[] same = secret;
    if (known != null && same != null) {
      if (known.identifier().equals(identifier)
          && Objects.equals(known.instance(), instance)
          && (namespace == null || namespace.equals(known.namespace()))) {
        return new MessageKey.OfContext(known, same, false);
      }
      throw new UnsupportedShape("more than one context");
    }
    SecurityContext found = surroundings.contexts().find(identifier, instance);
    byte[] held = found == null ? null : found.secret();
    if (found == null || held == null) {
      throw new Rejected(Refusal.CONTEXT, "a context that is not known, or no longer");
    }
    secret = held;
    if (!found.expires().isAfter(surroundings.clock().instant())) {
      throw new Rejected(Refusal.CONTEXT, "a context that is not known, or no longer");
    }
    if (!found.endpoint().equals(expectation.endpoint())
        || !found.policyVersion().equals(expectation.policy().version())
        || namespace != null && !found.namespace().equals(namespace)) {
      throw new Rejected(Refusal.CONTEXT, "a context of another endpoint or policy");
    }
    context = found;
    return new MessageKey.OfContext(found, held, false);
  }

  private MessageKey ofCertificate(KeyName name) throws UnsupportedShape {
    switch (name) {
      case KeyName.Token(String id) -> {
        SecurityScan.Binary token = binary(id);
        if (token == null) {
          throw new UnsupportedShape("a reference to another kind of token");
        }
        return new MessageKey.OfCertificate(certificates.of(token), token);
      }
      case KeyName.Certificate(Surroundings.Name named) -> {
        for (SecurityScan.Binary each : security.certificates) {
          KnownCertificate brought = certificates.of(each);
          if (brought.matches(named)) {
            return new MessageKey.OfCertificate(brought, each);
          }
        }
        for (OwnKey each : certificates.ours()) {
          if (each.certificate().matches(named)) {
            return new MessageKey.OfCertificate(each.certificate(), null);
          }
        }
        KnownCertificate found = certificates.find(named);
        if (found == null) {
          throw new UnsupportedShape("a certificate that is not known here");
        }
        return new MessageKey.OfCertificate(found, null);
      }
      case KeyName.Context ignored ->
          throw new UnsupportedShape("a context where a certificate is expected");
    }
  }

  private SecurityScan.@Nullable Binary binary(String id) {
    for (SecurityScan.Binary each : security.certificates) {
      if (id.equals(each.id())) {
        return each;
      }
    }
    return null;
  }

  /**
   * The key that came encrypted for us. One that does not come out is replaced by a random one, so
   * that what follows takes its course and fails as it does with any wrong key (RFC 3218 section
   * 2.3.2).
   */
  MessageKey.Wrapped unwrap(SecurityScan.Wrapped wrapped) throws Rejected, UnsupportedShape {
    OwnKey own =
        ofCertificate(wrapped.recipient()) instanceof MessageKey.OfCertificate recipient
            ? certificates.ours(recipient.certificate())
            : null;
    OAEPParameterSpec padding =
        OwnKey.padding(wrapped.algorithm(), wrapped.digest(), wrapped.mask());
    if (own == null || padding == null) {
      throw new UnsupportedShape("a key that is encrypted for somebody else, or otherwise");
    }
    byte[] key = new byte[expectation.policy().suite().encryptionKeyBytes()];
    work.random.nextBytes(key);
    try {
      byte[] found = own.key().unwrap(wrapped.value(), padding);
      if (found.length == key.length) {
        key = found;
      }
    } catch (GeneralSecurityException | RuntimeException e) {
      // The random one goes on.
    }
    return new MessageKey.Wrapped(key);
  }

  /** Overwrites what was secret. */
  void forget() {
    if (secret != null) {
      Arrays.fill(secret, (byte) 0);
    }
  }
}
