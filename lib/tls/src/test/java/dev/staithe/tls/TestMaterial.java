package dev.staithe.tls;

import dev.staithe.pki.Credential;
import dev.staithe.pki.KeyKind;
import dev.staithe.pki.Pem;
import dev.staithe.pki.ca.CertificateIssuer;
import dev.staithe.pki.ca.HostCertificateRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;

/** A throw-away authority and the files of one host and of the trust in it. */
final class TestMaterial {
  final CertificateIssuer authority;
  final Path certificateFile;
  final Path keyFile;
  final Path trustFile;

  TestMaterial(Path folder, Clock clock) {
    authority = CertificateIssuer.create("Test CA", KeyKind.EC_P256, Duration.ofDays(30), clock);
    certificateFile = folder.resolve("host.pem");
    keyFile = folder.resolve("host.key");
    trustFile = folder.resolve("ca.pem");
    try {
      Pem.writeCertificates(trustFile, List.of(authority.certificate()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Credential issue(KeyKind kind, Duration validity, String... hosts) {
    Credential credential =
        authority.issueHost(new HostCertificateRequest(List.of(hosts), kind, validity));
    try {
      credential.write(certificateFile, keyFile);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return credential;
  }

  Credential issue(String... hosts) {
    return issue(KeyKind.EC_P256, Duration.ofDays(1), hosts);
  }

  ServerTls server(TlsProvider provider, Clock clock) {
    return server(provider, clock, ServerTlsSettings.DEFAULT_BATCH_BYTES);
  }

  ServerTls server(TlsProvider provider, Clock clock, int batchBytes) {
    try {
      return ServerTls.open(
          new ServerTlsSettings(certificateFile, keyFile, Duration.ZERO, batchBytes),
          provider,
          clock);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  ClientTls client(TlsProvider provider, Clock clock) {
    return client(provider, clock, ServerTlsSettings.DEFAULT_BATCH_BYTES);
  }

  ClientTls client(TlsProvider provider, Clock clock, int batchBytes) {
    try {
      return ClientTls.open(
          new ClientTlsSettings(trustFile, Duration.ZERO, batchBytes), provider, clock);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
