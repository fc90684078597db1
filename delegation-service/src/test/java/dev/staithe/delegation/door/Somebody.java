package dev.staithe.delegation.door;

import dev.staithe.delegation.RunningDelegation;
import dev.staithe.pki.Credential;
import dev.staithe.pki.PemException;
import dev.staithe.testkit.trust.GridAuthority;

/** Somebody of a grid authority, with a connection to the service. */
public record Somebody(GridAuthority.Holder files, Credential credential, RestClient client)
    implements AutoCloseable {
  /** With that certificate, and what stands in its file behind it. */
  public static Somebody of(RunningDelegation service, GridAuthority.Holder files) {
    Credential own = credential(files);
    return new Somebody(
        files, own, RestClient.of(service.url(), service.authority().issuer().certificate(), own));
  }

  public static Credential credential(GridAuthority.Holder files) {
    try {
      return Credential.read(files.certificate(), files.key());
    } catch (PemException e) {
      throw new AssertionError(e);
    }
  }

  /** As RFC 4514 writes it. */
  public String name() {
    return dev.staithe.pki.GridSubject.of(credential.certificate().getSubjectX500Principal())
        .name();
  }

  @Override
  public void close() {
    client.close();
  }
}
