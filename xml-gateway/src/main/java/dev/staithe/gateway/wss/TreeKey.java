package dev.staithe.gateway.wss;

import dev.staithe.wss.SecurityContext;
import java.security.cert.X509Certificate;
import java.util.List;
import org.w3c.dom.Element;

/**
 * A key that a message brings or names. Each token of a message gives one object, so that two uses
 * of the same token can be told by identity.
 */
sealed interface TreeKey {
  /** The key itself; empty for a certificate's, which is not secret. */
  byte[] secret();

  /** What it was derived from; itself where it was not. */
  default TreeKey root() {
    return this;
  }

  /** A public key with its certificates, end entity first. */
  record OfCertificate(List<X509Certificate> chain) implements TreeKey {
    @Override
    public byte[] secret() {
      return new byte[0];
    }
  }

  /** The secret of a context. */
  record OfContext(SecurityContext context, byte[] secret) implements TreeKey {}

  /**
   * A key that came encrypted for us.
   *
   * @param sha1 of its encrypted form, by which an answer names it
   */
  record Wrapped(Element element, byte[] sha1, byte[] secret) implements TreeKey {}

  /** A key from a password. */
  record OfPassword(String username, byte[] salt, int iterations, byte[] secret)
      implements TreeKey {}

  /** A key derived from one of the others. */
  record Derived(TreeKey from, byte[] secret) implements TreeKey {
    @Override
    public TreeKey root() {
      return from;
    }
  }
}
