package dev.staithe.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.peers.GridSiteServer;
import dev.staithe.peers.process.Program;
import dev.staithe.testkit.trust.GridAuthority;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** GridSite's service with GridSite's own clients: what they do together is no doing of ours. */
class GridSiteServerIT {
  private static final String ALICE = GridAuthority.NAMESPACE + "/CN=Alice";
  private static final Map<String, String> WEAK_KEYS =
      Map.of("OPENSSL_CONF", "openssl-of-the-server.cnf");

  @TempDir Path folder;

  @Test
  void itKeepsWhatItsOwnClientDelegatesUntilThatIsDestroyed() throws IOException {
    GridAuthority people = GridAuthority.in(folder.resolve("grid"), Clock.systemUTC());
    ThrowAwayAuthority hosts = ThrowAwayAuthority.in(folder.resolve("hosts"), Clock.systemUTC());
    GridAuthority.Holder alice = people.person(ALICE);
    // Its clients want certificate and key in one file.
    Path own =
        Files.writeString(
            folder.resolve("alice.pem"),
            Files.readString(alice.certificate()) + Files.readString(alice.key()));
    Files.setPosixFilePermissions(own, PosixFilePermissions.fromString("rw-------"));
    Files.writeString(
        folder.resolve("openssl-of-the-server.cnf"),
        """
        openssl_conf = all
        [all]
        ssl_conf = ssl
        [ssl]
        system_default = default
        [default]
        CipherString = DEFAULT@SECLEVEL=0
        """);
    try (GridSiteServer server =
        GridSiteServer.start(hosts.server().trusting(people.certificate()))) {
      assertThat(server.proxies()).isEmpty();
      Program.Ran put = run(Program.HTPROXYPUT, server, hosts, own);
      assertThat(put.exitCode()).as(put.errors() + server.log()).isZero();
      String id = new String(put.output(), StandardCharsets.UTF_8).strip();
      // Its client does not wait for the answer.
      Eventually.holds("the proxy is there", () -> server.proxies().size() == 1);
      assertThat(server.proxies().getFirst())
          .content()
          .contains("BEGIN CERTIFICATE", "PRIVATE KEY");

      Program.Ran destroyed =
          run(Program.HTPROXYDESTROY, server, hosts, own, "--delegation-id", id);
      assertThat(destroyed.exitCode()).as(destroyed.errors() + server.log()).isZero();
      assertThat(server.proxies()).isEmpty();

      Program.Ran anonymous =
          Program.CURL.run(
              List.of(
                  "-s",
                  "--cacert",
                  hosts.certificateFile().toString(),
                  "-d",
                  "x",
                  server.url().toString()),
              Map.of(),
              new byte[0],
              Duration.ofMinutes(1));
      assertThat(anonymous.exitCode()).as("without a certificate there is no TLS").isNotZero();
    }
  }

  /** Its clients look for authorities by their hash alone. */
  private Path capath(ThrowAwayAuthority hosts) {
    Path capath = folder.resolve("capath");
    String hash =
        new String(
                Program.OPENSSL
                    .run(
                        List.of(
                            "x509", "-noout", "-hash", "-in", hosts.certificateFile().toString()),
                        Map.of(),
                        new byte[0],
                        Duration.ofMinutes(1))
                    .output(),
                StandardCharsets.UTF_8)
            .strip();
    try {
      Files.createDirectories(capath);
      Files.copy(
          hosts.certificateFile(),
          capath.resolve(hash + ".0"),
          StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return capath;
  }

  private Program.Ran run(
      Program tool, GridSiteServer server, ThrowAwayAuthority hosts, Path own, String... more) {
    var arguments =
        new ArrayList<>(
            List.of(
                "--cert",
                own.toString(),
                "--key",
                own.toString(),
                "--capath",
                capath(hosts).toString()));
    arguments.addAll(List.of(more));
    arguments.add(server.url().toString());
    return tool.run(arguments, WEAK_KEYS, new byte[0], Duration.ofMinutes(2), folder);
  }
}
