package dev.staithe.pki.grid;

import java.security.cert.X509Certificate;
import java.util.List;

/** What came of signing a proxy. */
public sealed interface ProxySigning {
  /**
   * It is made.
   *
   * @param chain the proxy first, then those above it up to the last below the self-signed one
   */
  record Signed(List<X509Certificate> chain) implements ProxySigning {
    /** Copies the list. */
    public Signed {
      chain = List.copyOf(chain);
    }

    /** The proxy itself. */
    public X509Certificate proxy() {
      return chain.getFirst();
    }
  }

  /**
   * Nobody would believe it, or it would give more than was asked for.
   *
   * @param line why, one line
   */
  record Refused(String line) implements ProxySigning {}
}
