package dev.staithe.service.start;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.pki.Credential;
import dev.staithe.pki.Pem;
import dev.staithe.service.SampleProperties;
import dev.staithe.service.certificates.ClientDoor;
import dev.staithe.service.certificates.ClientTrust;
import dev.staithe.service.certificates.TlsEnd;
import dev.staithe.tls.TlsProvider;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;

/** The part of the development default that all services have. */
class DevelopmentTests {
  @TempDir private Path folder;

  private ConfigurableEnvironment applied(Map<String, Object> given) {
    return applied(given, Clock.systemUTC());
  }

  private ConfigurableEnvironment applied(Map<String, Object> given, Clock clock) {
    StandardEnvironment environment = new StandardEnvironment();
    environment.getPropertySources().addFirst(new MapPropertySource("given", given));
    Development.apply(
        environment,
        clock,
        folder.resolve("made"),
        made -> Map.of("staithe.trust", made.authority().toString()));
    return environment;
  }

  @Test
  void anyPropertyOfOursKeepsItAway() {
    assertThat(applied(Map.of("staithe.x", "1")).getProperty(Development.MARK)).isNull();
    assertThat(folder.resolve("made")).doesNotExist();
  }

  @Test
  void certificateServesAndTheAuthorityVouchesForIt() throws Exception {
    ConfigurableEnvironment environment = applied(Map.of());
    SampleProperties properties =
        Binder.get(environment).bind("staithe", SampleProperties.class).get();
    TlsProvider provider = TlsEnd.provider(properties.tls());
    try (TlsEnd end =
            TlsEnd.open(properties.tls(), 0, provider, new ClientDoor(null), Clock.systemUTC());
        var client =
            ClientTrust.open(
                "staithe.trust",
                properties.trust(),
                Duration.ofSeconds(30),
                provider,
                Clock.systemUTC())) {
      assertThat(end.tls()).isNotNull();
      assertThat(client.anchors().count()).isEqualTo(1);
    }
    assertThat(environment.getProperty("server.address")).isEqualTo("127.0.0.1");
    for (String key : new String[] {"ca-key.pem", "host-key.pem"}) {
      assertThat(
              PosixFilePermissions.toString(
                  Files.getPosixFilePermissions(folder.resolve("made").resolve(key))))
          .as(key)
          .isEqualTo("rw-------");
    }
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("made"))))
        .isEqualTo("rwx------");
  }

  @Test
  void secondStartUsesWhatTheFirstMade() throws Exception {
    applied(Map.of());
    String first = Files.readString(folder.resolve("made/ca.pem"));
    applied(Map.of());
    assertThat(folder.resolve("made/ca.pem")).hasContent(first);
  }

  @Test
  void hostCertificateThatHasEndedIsMadeAnewByTheSameAuthority() throws Exception {
    applied(Map.of(), Clock.offset(Clock.systemUTC(), Duration.ofDays(-400)));
    String authority = Files.readString(folder.resolve("made/ca.pem"));
    applied(Map.of());
    assertThat(folder.resolve("made/ca.pem")).hasContent(authority);
    Pem.readCertificates(folder.resolve("made/host.pem"))
        .getFirst()
        .verify(Pem.readCertificates(folder.resolve("made/ca.pem")).getFirst().getPublicKey());
    assertThat(
            Credential.read(folder.resolve("made/host.pem"), folder.resolve("made/host-key.pem"))
                .certificate()
                .getNotAfter())
        .isInTheFuture();
  }

  @Test
  void addressThatIsGivenIsRespected() {
    assertThat(applied(Map.of("server.address", "::1")).getProperty("server.address"))
        .isEqualTo("::1");
  }
}
