package dev.staithe.echo;

import dev.staithe.peers.process.ManagedProcess;
import dev.staithe.pki.Credential;
import dev.staithe.pki.DistinguishedName;
import dev.staithe.pki.GridSubject;
import dev.staithe.pki.KeyKind;
import dev.staithe.pki.RequestedKey;
import dev.staithe.pki.ca.CertificateProfile;
import dev.staithe.pki.ca.HostCertificateRequest;
import dev.staithe.pki.ca.PersonCertificateRequest;
import dev.staithe.testkit.FreePort;
import dev.staithe.testkit.ReleasedJar;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import dev.staithe.tls.ClientTls;
import dev.staithe.tls.ClientTlsSettings;
import dev.staithe.tls.TlsProvider;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * An authority, the released delegation-service as a process, and as many echo-services in this one
 * as a test wants: all with certificates of that authority. For one thread.
 */
final class Site implements AutoCloseable {
  static final Clock CLOCK = Clock.systemUTC();
  private static final Path JAR = Path.of("../../delegation-service/target/delegation-service.jar");
  private static final Duration LONGEST = Duration.ofMinutes(5);

  private final Path folder;
  private final ThrowAwayAuthority authority;
  private final ClientTls tls;
  private final URI delegations;
  private final Deque<Runnable> running = new ArrayDeque<>();
  private final Map<String, ThrowAwayAuthority.Host> hosts = new ConcurrentHashMap<>();

  Site(Path folder) throws IOException {
    this.folder = folder;
    this.authority = ThrowAwayAuthority.in(folder.resolve("ca"), CLOCK);
    this.tls =
        ClientTls.open(
            ClientTlsSettings.of(authority.certificateFile()),
            TlsProvider.choose(TlsProvider.Choice.JDK),
            CLOCK);
    int port = FreePort.next();
    this.delegations = URI.create("https://localhost:" + port);
    ThrowAwayAuthority.Host host = host("delegation.example.org");
    ManagedProcess process =
        ManagedProcess.start(
            ReleasedJar.command(
                JAR,
                List.of(
                    "--server.address=127.0.0.1",
                    "--server.port=" + port,
                    "--staithe.url=" + delegations,
                    "--staithe.state=" + folder.resolve("delegations"),
                    "--staithe.audit-log.file=" + auditLog(),
                    "--staithe.tls.certificate=" + host.certificate(),
                    "--staithe.tls.key=" + host.key(),
                    "--staithe.client-certificates.trust=" + authority.certificateFile(),
                    // Seconds of a busy machine are not to be spent on keys that nobody takes.
                    "--staithe.keys.kind=p-256",
                    "--staithe.keys.pool.size=0")),
            Map.of(),
            folder.resolve("delegation-service.log"));
    running.push(process::close);
    process.awaitPort(port, LONGEST);
  }

  /** Where the delegation-service is. */
  URI delegations() {
    return delegations;
  }

  ClientTls tls() {
    return tls;
  }

  Path trust() {
    return authority.certificateFile();
  }

  /** Lines of the delegation-service's audit log that tell of an event. */
  List<String> audited(String event) {
    try {
      return Files.readAllLines(auditLog()).stream().filter(line -> line.contains(event)).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Path auditLog() {
    return folder.resolve("audit.log");
  }

  /** A person's certificate. */
  Credential person(String name) {
    RequestedKey key = RequestedKey.make(KeyKind.EC_P256);
    return new Credential(
        key.key(),
        List.of(
            authority
                .issuer()
                .issuePerson(
                    PersonCertificateRequest.of(
                        DistinguishedName.parse(name), key.publicKey(), Duration.ofDays(2)),
                    CertificateProfile.plain())));
  }

  /** The certificate of a service, made once. */
  ThrowAwayAuthority.Host host(String name) {
    return hosts.computeIfAbsent(
        name,
        absent ->
            authority.host(
                new HostCertificateRequest(
                    List.of(name, "localhost", "127.0.0.1"), KeyKind.EC_P256, Duration.ofDays(7))));
  }

  GridSubject subject(String host) {
    return GridSubject.of(host(host).credential().certificate().getSubjectX500Principal());
  }

  /** An echo-service with these settings below {@code staithe}. */
  RunningEcho echo(String name, Map<String, Object> settings) {
    ThrowAwayAuthority.Host host = host(name);
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("echo.name", name);
    all.put("tls.certificate", host.certificate());
    all.put("tls.key", host.key());
    all.put("client-certificates.trust", authority.certificateFile());
    all.put("access-log.enabled", false);
    all.putAll(settings);
    RunningEcho echo = new RunningEcho(FreePort.next(), all);
    running.push(echo::close);
    return echo;
  }

  /** One that acts for its callers. */
  RunningEcho acting(String name, Map<String, Object> settings) {
    ThrowAwayAuthority.Host host = host(name);
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("delegation.trust", authority.certificateFile());
    all.put("delegation.certificate", host.certificate());
    all.put("delegation.key", host.key());
    all.put("delegation.server.enabled", true);
    all.put("delegation.server.allowed[0].url", delegations);
    all.putAll(settings);
    return echo(name, all);
  }

  /** One that acts for its callers and calls the next one as them. */
  RunningEcho calling(String name, RunningEcho next, String nextName, int hops) {
    return acting(
        name,
        Map.of(
            "echo.next",
            next.url(),
            "delegation.client.enabled",
            true,
            "delegation.client.service",
            delegations,
            "delegation.client.acquirers[0]",
            subject(nextName).name(),
            "delegation.client.hops",
            hops,
            "delegation.client.lifetime",
            "50m",
            "delegation.client.renew-before",
            "5m",
            "delegation.client.to[0]",
            next.url()));
  }

  @Override
  public void close() {
    running.forEach(Runnable::run);
    tls.close();
  }
}
