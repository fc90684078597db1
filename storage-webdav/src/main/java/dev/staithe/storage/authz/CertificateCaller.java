package dev.staithe.storage.authz;

import dev.staithe.pki.GridSubject;

/**
 * The holder of a client certificate that was believed, or of a proxy of it.
 *
 * @param subject the person's or service's name, never a proxy's
 * @param limited whether a proxy was limited; that forbids to start processes in its owner's name
 *     and not to read and write (Globus), so it makes no difference here
 */
public record CertificateCaller(GridSubject subject, boolean limited) implements Caller {
  @Override
  public String label() {
    return subject.name();
  }

  @Override
  public String group() {
    return "certificates";
  }
}
