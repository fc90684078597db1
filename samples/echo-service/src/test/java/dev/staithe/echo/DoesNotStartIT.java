package dev.staithe.echo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.staithe.testkit.rules.RefusedStart;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What every service tells an operator in one line; the others' tests have their own causes. */
class DoesNotStartIT {
  private static final Path FIRST_FREE_PORT =
      Path.of("/proc/sys/net/ipv4/ip_unprivileged_port_start");

  private static Path folder;

  @BeforeAll
  static void makeFiles(@TempDir Path temporary) throws IOException {
    folder = Files.createDirectory(temporary.resolve("with a space"));
    ThrowAwayAuthority authority = ThrowAwayAuthority.in(folder, Clock.systemUTC());
    authority.localhost();
    authority.host("other");
    Files.writeString(folder.resolve("garbage"), "garbage");
    Files.writeString(folder.resolve("page.html"), "<html><body>an error</body></html>");
    Files.writeString(folder.resolve("words.yml"), "just words");
    Files.writeString(folder.resolve("tab.yml"), "staithe:\n\ttls: {}\n");
    Files.writeString(folder.resolve("closed.yml"), "server: {}\n");
    Files.setPosixFilePermissions(
        folder.resolve("closed.yml"), PosixFilePermissions.fromString("---------"));
    Files.createDirectory(
        folder.resolve("read-only"),
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("r-xr-xr-x")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          staithe.tls.certificate=~/none;staithe.tls.key=~/other-key.pem             | staithe.tls.certificate = "~/none": must be a file that this user can read
          staithe.tls.certificate=~/localhost.pem;staithe.tls.key=~/none             | staithe.tls.key = "~/none": must be a file that this user can read
          staithe.tls.certificate=~/garbage;staithe.tls.key=~/localhost-key.pem      | staithe.tls: ~/garbage holds no certificate
          staithe.tls.certificate=~/localhost.pem;staithe.tls.key=~/garbage          | staithe.tls: ~/garbage holds no private key
          staithe.tls.certificate=~/localhost.pem;staithe.tls.key=~/other-key.pem    | staithe.tls: ~/other-key.pem is not the private key of the first certificate in ~/localhost.pem
          """)
  void certificateOrKeyThatCannotBeUsedIsNamed(String settings, String told) {
    assertThat(here().with("staithe.tls.enabled", true).given(settings.strip().split(";")).line())
        .startsWith(told);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          spring.config.additional-location=~/none.yml  | ~/none.yml' cannot be found
          spring.config.additional-location=~/page.html | spring.config: '~/page.html' must be a file whose name ends in .yml
          spring.config.additional-location=~/words.yml | spring.config: ~/words.yml holds no keys and values
          spring.config.additional-location=~/tab.yml   | spring.config: ~/tab.yml is no YAML in line 2: found character
          server.address=192.0.2.1                      | server.address and server.port: /192.0.2.1:0 must be an address of this machine
          staithe.access-log.file=~/none/folder/log     | staithe.access-log.file: ~/none does not exist
          staithe.access-log.file=~/garbage/log         | staithe.access-log.file: ~/garbage is there already, and no folder
          """)
  void settingThatCannotBeUsedIsNamed(String setting, String told) {
    assertThat(here().given(setting).line()).contains(told.strip());
  }

  @Test
  void portThatIsTakenIsNamed() throws IOException {
    try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      assertThat(start().with("server.port", taken.getLocalPort()).line())
          .isEqualTo("server.port = " + taken.getLocalPort() + ": must be a port that is free");
    }
  }

  @Test
  void portThatThisUserMayNotHaveIsNamed() throws IOException {
    try (var first = Files.newBufferedReader(FIRST_FREE_PORT)) {
      // Tells itself in one go or not at all, which Files.readString does not ask for.
      assumeTrue(
          Integer.parseInt(first.readLine()) > 1, "on this machine everybody may have any port");
    }
    assertThat(start().with("server.port", 1).unprivileged().line())
        .contains("/127.0.0.1:1 must be", "a port that this user may have");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          spring.config.additional-location=~/closed.yml | spring.config: ~/closed.yml (Permission denied)
          staithe.access-log.file=~/read-only/log        | staithe.access-log.file: ~/read-only/log: permission denied to user
          """)
  void fileThatThisUserMayNotHaveIsNamed(String setting, String told) {
    assertThat(start().given(setting).unprivileged().line()).startsWith(told);
  }

  @Test
  void traceFollowsWhereTheLogIsAtDebug() {
    assertThat(start().given("staithe.foo=1").debugged("debug=true")).contains("KnownKeys");
    assertThat(
            start()
                .given("staithe.access-log.file=~/garbage/log")
                .debugged("logging.level.dev.staithe=debug"))
        .contains("FileAlreadyExistsException");
  }

  private static RefusedStart start() {
    return RefusedStart.of("echo-service", folder);
  }

  private static RefusedStart here() {
    return start().here(EchoApplication.LAUNCH::start);
  }
}
