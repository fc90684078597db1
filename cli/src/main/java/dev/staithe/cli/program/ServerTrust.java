package dev.staithe.cli.program;

import dev.staithe.tls.ClientTls;
import dev.staithe.tls.ClientTlsSettings;
import dev.staithe.tls.TlsProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** By which authorities servers of the grid are believed where none are named. */
public final class ServerTrust {
  /** Where the grid keeps its authorities, then where Debian and Red Hat keep the public ones. */
  private static final List<String> USUAL =
      List.of(
          "/etc/grid-security/certificates",
          "/etc/ssl/certs/ca-certificates.crt",
          "/etc/pki/tls/certs/ca-bundle.crt");

  private ServerTrust() {}

  /**
   * A PEM file or folder.
   *
   * @param named empty: {@code $X509_CERT_DIR}, else the first usual place that is there
   * @throws IOException with one line where there is none
   */
  public static Path of(String named, Profile profile) throws IOException {
    if (!named.isEmpty()) {
      return Path.of(named);
    }
    String environment = profile.variable("X509_CERT_DIR");
    return Stream.concat(Stream.of(environment), USUAL.stream())
        .filter(each -> !each.isEmpty() && Files.exists(Path.of(each)))
        .map(Path::of)
        .findFirst()
        .orElseThrow(
            () -> new IOException("which authorities are to be trusted? --trust FILE or folder"));
  }

  /** TLS by these authorities alone. */
  public static ClientTls tls(Path authorities, Clock clock) throws IOException {
    return ClientTls.open(
        ClientTlsSettings.of(authorities), TlsProvider.choose(TlsProvider.Choice.JDK), clock);
  }

  /** The same; null, for those of the JDK, where none are named. */
  public static @Nullable ClientTls tls(String named, Clock clock) throws IOException {
    return named.isEmpty() ? null : tls(Path.of(named), clock);
  }
}
