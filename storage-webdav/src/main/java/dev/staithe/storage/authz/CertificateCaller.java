package dev.staithe.storage.authz;

import dev.staithe.pki.GridSubject;
import java.util.List;

/**
 * The holder of a client certificate that was believed, or of a proxy of it.
 *
 * @param subject the person's or service's name, never a proxy's
 * @param limited whether a proxy was limited; that forbids to start processes in its owner's name
 *     and not to read and write (Globus), so it makes no difference to what is permitted here
 * @param fqans of the VOMS attributes that its proxies carry, in their order: they tell delegations
 *     of one person apart and permit nothing
 */
public record CertificateCaller(GridSubject subject, boolean limited, List<String> fqans)
    implements Caller {
  /** Copies the list. */
  public CertificateCaller {
    fqans = List.copyOf(fqans);
  }

  /** Without VOMS attributes. */
  public CertificateCaller(GridSubject subject, boolean limited) {
    this(subject, limited, List.of());
  }

  @Override
  public String label() {
    return subject.name();
  }

  @Override
  public String group() {
    return "certificates";
  }
}
