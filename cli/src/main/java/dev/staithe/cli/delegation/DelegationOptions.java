package dev.staithe.cli.delegation;

import dev.staithe.cli.certificate.OwnCredential;
import dev.staithe.cli.program.Profile;
import dev.staithe.cli.program.StaitheCommand;
import dev.staithe.pki.Credential;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Which service of delegation is meant, and as whom it is spoken to. */
final class DelegationOptions {
  @Option(names = "--url", description = "the service; default: that of the last delegate put")
  private @Nullable String url;

  @Option(
      names = "--trust",
      description =
          "PEM file or folder of trusted authorities; default: that of the last delegate put,"
              + " $X509_CERT_DIR, /etc/grid-security/certificates, or those of the system")
  private @Nullable String trust;

  @Option(
      names = "--protocol",
      description =
          "json (delegation-service; default), gridsite (1.1), gridsite2 (2.0), arc (SOAP) or arc-rest"
              + " (computing elements); all but the first need the address of the interface itself")
  private @Nullable String protocol;

  @Option(
      names = "--weak-keys",
      description = "signs keys of RSA-1024 too, which GridSite's own service makes")
  private boolean weakKeys;

  @Option(names = "--json", description = "as JSON")
  boolean json;

  @Mixin private OwnCredential own = new OwnCredential();

  /** As the user, whose proxy goes before the certificate. */
  DelegationDoor asUser(StaitheCommand staithe) throws IOException {
    Profile.Delegations where = where(staithe);
    return DelegationDoor.open(where, own.proxyOrCertificate(staithe), weakKeys, staithe);
  }

  /** As a service, whose own certificate it is: a proxy of somebody else may lie around. */
  DelegationDoor asService(StaitheCommand staithe) throws IOException {
    Profile.Delegations where = where(staithe);
    Credential certificate = own.certificate(staithe);
    return DelegationDoor.open(where, certificate, weakKeys, staithe);
  }

  /** Refuses to write over the certificate, or its key, by which the service is spoken to. */
  void requireOther(Path file) throws IOException {
    own.requireOther(file);
  }

  private Profile.Delegations where(StaitheCommand staithe) throws IOException {
    Profile.Delegations last = staithe.profile().delegations();
    boolean same = url == null;
    String address = url == null ? last.url() : url;
    if (address.isEmpty()) {
      throw new IOException("which service? staithe delegate put --url URL");
    }
    return new Profile.Delegations(
        address,
        trust != null ? trust : same ? last.trust() : "",
        protocol != null ? protocol : same && !last.protocol().isEmpty() ? last.protocol() : "json",
        address.equals(last.url()) ? last.id() : "");
  }
}
