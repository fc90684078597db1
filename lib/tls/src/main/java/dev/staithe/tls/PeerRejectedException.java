package dev.staithe.tls;

import java.security.cert.CertificateException;

/**
 * A server's certificate that is not believed. The message is one line for people, as {@code
 * certificate of se.example.org has expired}.
 */
public final class PeerRejectedException extends CertificateException {
  PeerRejectedException(String host, String predicate) {
    super("certificate of " + host + " " + predicate);
  }
}
