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
 * @param groups those of them that are believed, without {@code /Role=NULL} and {@code
 *     /Capability=NULL}
 */
public record CertificateCaller(
    GridSubject subject, boolean limited, List<String> fqans, List<String> groups)
    implements Caller {
  /** Copies the lists. */
  public CertificateCaller {
    fqans = List.copyOf(fqans);
    groups = List.copyOf(groups);
  }

  /** Without VOMS attributes. */
  public CertificateCaller(GridSubject subject, boolean limited) {
    this(subject, limited, List.of(), List.of());
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
