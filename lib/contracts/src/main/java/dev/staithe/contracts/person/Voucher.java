package dev.staithe.contracts.person;

import dev.staithe.pki.GridSubject;
import java.security.cert.X509Certificate;
import java.util.List;

/** Who says whose a key is that signs for a person. Whether to believe that is another question. */
public sealed interface Voucher permits Voucher.Certificates, BoundIdToken {
  /** The person's name in contracts. */
  String name();

  /**
   * A certificate or proxy, whose key signs the person's property list.
   *
   * @param subject the certificate's name, of a proxy the name of its owner
   * @param chain the one that signed first
   */
  record Certificates(GridSubject subject, List<X509Certificate> chain) implements Voucher {
    /** Takes a copy. */
    public Certificates {
      chain = List.copyOf(chain);
    }

    /** As RFC 4514 writes it. */
    @Override
    public String name() {
      return subject.name();
    }
  }
}
