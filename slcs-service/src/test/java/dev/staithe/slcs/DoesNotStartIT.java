package dev.staithe.slcs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.staithe.peers.process.ManagedProcess;
import dev.staithe.pki.KeyKind;
import dev.staithe.pki.ca.HostCertificateRequest;
import dev.staithe.testkit.rules.RefusedStart;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Metadata, state and database with which this service does not start: one line tells which. */
class DoesNotStartIT {
  @TempDir private static Path folder;

  @BeforeAll
  static void makeFiles() throws Exception {
    ThrowAwayAuthority.Host own =
        ThrowAwayAuthority.in(folder, Clock.systemUTC())
            .host(
                new HostCertificateRequest(List.of("saml"), KeyKind.RSA_3072, Duration.ofDays(1)));
    Files.writeString(
        folder.resolve("page"), "<!DOCTYPE html>\n<html><body>Class not found</body></html>");
    Files.writeString(folder.resolve("element"), "<metadata/>");
    Files.writeString(
        folder.resolve("old"),
        """
        <EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="https://idp.example"
            validUntil="2020-01-01T00:00:00Z">
          <IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">
            <KeyDescriptor use="signing"><KeyInfo xmlns="http://www.w3.org/2000/09/xmldsig#"><X509Data>
              <X509Certificate>%s</X509Certificate></X509Data></KeyInfo></KeyDescriptor>
            <SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect"
                Location="https://idp.example/sso"/>
          </IDPSSODescriptor>
        </EntityDescriptor>
        """
            .formatted(
                Base64.getEncoder().encodeToString(own.credential().certificate().getEncoded())));
    Files.createDirectory(
        folder.resolve("read-only"),
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("r-xr-xr-x")));
  }

  private static RefusedStart start() {
    return RefusedStart.of("slcs-service", folder)
        .given("staithe.url=http://localhost:8445", "staithe.state=~/state");
  }

  private static RefusedStart here() {
    return start().here(SlcsApplication.LAUNCH::start);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          page    | ~/page is an HTML page and no SAML metadata; name what gives the provider's metadata
          element | ~/element has no EntityDescriptor with an identity provider of SAML 2.0
          old     | ~/old was valid until 2020-01-01T00:00:00Z
          """)
  void metadataThatAreNoneAreNamedByTheirSource(String file, String told) {
    assertThat(
            here()
                .given(
                    "staithe.saml.certificate=~/saml.pem",
                    "staithe.saml.key=~/saml-key.pem",
                    "staithe.saml.providers[0].name=campus",
                    "staithe.saml.providers[0].metadata=~/" + file)
                .line())
        .isEqualTo("staithe.saml.providers[0].metadata: " + told);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          staithe.saml.providers[0].name=c;staithe.saml.providers[0].metadata=~/none | staithe.saml.providers[0].metadata = "~/none": must be a file that this user can read
          staithe.database.url=jdbc:postgresql://127.0.0.1:1/slcs | staithe.database: jdbc:postgresql://127.0.0.1:1/slcs cannot be used: Connection to 127.0.0.1:1 refused.
          """)
  void settingIsNamed(String settings, String told) {
    assertThat(here().given(settings.split(";")).line()).startsWith(told);
  }

  @Test
  void stateThatThisUserCannotWriteIsNamed() {
    assertThat(start().given("staithe.state=~/read-only/state").unprivileged().line())
        .startsWith("staithe.state: ~/read-only/state: permission denied to user ");
  }

  @Test
  void fullDiskIsNamed() throws IOException {
    assumeTrue(System.getProperty("user.name").equals("root"), "only root can mount a small disk");
    Path disk = Files.createDirectory(folder.resolve("disk"));
    command("mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", disk.toString());
    try {
      Files.write(disk.resolve("filler"), new byte[60 << 10]);
      assertThat(here().given("staithe.state=~/disk/state").line())
          .startsWith("staithe.database: jdbc:h2:file:~/disk/state/slcs cannot be used: ")
          .endsWith("No space left on device");
    } finally {
      command("umount", "--lazy", disk.toString());
    }
  }

  private static void command(String... command) {
    try (ManagedProcess process =
        ManagedProcess.start(List.of(command), Map.of(), folder.resolve("mount.log"))) {
      assertThat(process.awaitEnd(Duration.ofSeconds(30))).as(process.output()).isZero();
    }
  }
}
