package dev.staithe.testkit.trust;

import dev.staithe.peers.HostFiles;
import dev.staithe.pki.Credential;
import dev.staithe.pki.KeyKind;
import dev.staithe.pki.ca.CertificateIssuer;
import dev.staithe.pki.ca.HostCertificateRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * A certificate authority that lives as long as a test, with its certificates as PEM files in a
 * folder of the test. Thread-safe.
 */
public final class ThrowAwayAuthority {
  private static final char[] NO_PASSWORD = {};

  private final CertificateIssuer issuer;
  private final Path folder;
  private final Path certificateFile;
  private @Nullable Host localhost;

  /**
   * The PEM files of a host.
   *
   * @param certificate the host's certificate, and what is between it and the authority
   * @param key its private key, readable by its owner only
   * @param credential the same in memory
   */
  public record Host(Path certificate, Path key, Credential credential) {}

  private ThrowAwayAuthority(CertificateIssuer issuer, Path folder) throws IOException {
    this.issuer = issuer;
    this.folder = folder;
    this.certificateFile = folder.resolve("ca.pem");
    issuer.write(certificateFile, folder.resolve("ca-key.pem"));
  }

  /**
   * Makes an authority whose files go to that folder, which is made if need be, and whose
   * certificates begin at that clock's time.
   */
  public static ThrowAwayAuthority in(Path folder, Clock clock) {
    try {
      Files.createDirectories(folder);
      return new ThrowAwayAuthority(
          CertificateIssuer.create(
              "Throw-away authority", KeyKind.EC_P256, Duration.ofDays(30), clock),
          folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The authority's certificate: the trust anchor of a client. */
  public Path certificateFile() {
    return certificateFile;
  }

  /** The authority itself, for certificates that {@link #host} does not make. */
  public CertificateIssuer issuer() {
    return issuer;
  }

  /**
   * A certificate for {@code localhost} and the loopback addresses, always the same: servers that
   * have its files would change theirs in the middle of a test.
   */
  public synchronized Host localhost() {
    Host made = localhost;
    if (made == null) {
      made = host("localhost", "127.0.0.1", "::1");
      localhost = made;
    }
    return made;
  }

  /** A certificate for these names; a second one for the same first name replaces the files. */
  public Host host(String... names) {
    return host(new HostCertificateRequest(List.of(names), KeyKind.EC_P256, Duration.ofDays(7)));
  }

  /** The certificate asked for; a second one for the same first name replaces the files. */
  public Host host(HostCertificateRequest request) {
    Credential credential = issuer.issueHost(request);
    String name = request.hosts().getFirst().replaceAll("[^A-Za-z0-9.-]", "_");
    Path certificate = folder.resolve(name + ".pem");
    Path key = folder.resolve(name + "-key.pem");
    try {
      credential.write(certificate, key);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new Host(certificate, key, credential);
  }

  /** What a server of others needs for {@code localhost} and the loopback addresses. */
  public HostFiles server() {
    return server(KeyKind.EC_P256, "localhost", "127.0.0.1", "::1");
  }

  /** The same with an RSA key, for those who read no elliptic ones of Java's form, as GnuTLS. */
  public HostFiles rsaServer() {
    return server(KeyKind.RSA_2048, "127.0.0.1", "localhost");
  }

  /** The same for these names and with that kind of key. */
  public HostFiles server(KeyKind kind, String... names) {
    Host host = host(new HostCertificateRequest(List.of(names), kind, Duration.ofDays(7)));
    return new HostFiles(certificateFile, host.certificate(), host.key());
  }

  /** For clients that trust this authority and no other. */
  public SSLContext clientContext() {
    return context(null);
  }

  /** For servers that show this credential. */
  public SSLContext serverContext(Credential credential) {
    return context(credential);
  }

  private SSLContext context(@Nullable Credential own) {
    try {
      KeyStore anchors = KeyStore.getInstance("PKCS12");
      anchors.load(null, null);
      anchors.setCertificateEntry("ca", issuer.certificate());
      TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
      trust.init(anchors);
      KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
      // In memory only; the other kind would derive a key by ten thousand rounds, twice.
      KeyStore store = KeyStore.getInstance("JKS");
      store.load(null, null);
      if (own != null) {
        store.setKeyEntry("own", own.key(), NO_PASSWORD, own.chain().toArray(Certificate[]::new));
      }
      keys.init(store, NO_PASSWORD);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("cannot make a TLS context", e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
