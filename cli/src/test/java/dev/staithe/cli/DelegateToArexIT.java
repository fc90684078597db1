package dev.staithe.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.cli.StaitheProgram.Ran;
import dev.staithe.peers.ArexServer;
import dev.staithe.testkit.trust.GridAuthority;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The released command against a running ARC computing element. */
class DelegateToArexIT {
  @TempDir private static Path folder;
  private static GridAuthority.Holder alice;
  private static GridAuthority.Holder bob;
  private static ThrowAwayAuthority hosts;
  private static ArexServer server;

  private StaitheProgram staithe = new StaitheProgram(Path.of(""));

  @BeforeAll
  static void start() {
    var people = GridAuthority.in(folder.resolve("grid"), Clock.systemUTC());
    alice = people.person(GridAuthority.NAMESPACE + "/CN=Alice");
    bob = people.person(GridAuthority.NAMESPACE + "/CN=Bob");
    hosts = ThrowAwayAuthority.in(folder.resolve("hosts"), Clock.systemUTC());
    server = ArexServer.start(hosts.server(), people.trust());
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @BeforeEach
  void newHome() throws IOException {
    staithe = new StaitheProgram(Files.createTempDirectory(folder, "home").resolve("staithe"));
  }

  private Ran delegate(GridAuthority.Holder by, String command, String... more) {
    var arguments =
        new ArrayList<>(
            List.of("delegate", command, "--cert", "" + by.certificate(), "--key", "" + by.key()));
    arguments.addAll(List.of(more));
    return staithe.run("", arguments.toArray(String[]::new));
  }

  private Ran put(String protocol, String... more) {
    var arguments =
        new ArrayList<>(
            List.of(
                "--url",
                "" + server.url(),
                "--trust",
                "" + hosts.certificateFile(),
                "--protocol",
                protocol));
    arguments.addAll(List.of(more));
    return delegate(alice, "put", arguments.toArray(String[]::new));
  }

  private static Ran ok(Ran ran) {
    assertThat(ran.code()).as(ran.output() + ran.errors() + server.log()).isZero();
    return ran;
  }

  private static void refused(Ran ran, String line) {
    assertThat(ran.code()).as(ran.output() + ran.errors()).isEqualTo(1);
    assertThat(ran.errors().lines().reduce((one, other) -> other))
        .hasValueSatisfying(last -> assertThat(last).startsWith("staithe: ").contains(line));
  }

  @Test
  void byRestFromPutToDestroy() {
    String id = ok(put("arc-rest", "--valid", "2h")).output().strip();
    assertThat(id).matches("[0-9a-f]+");
    assertThat(ok(delegate(alice, "info", "--left", "1h")).output()).contains("id           " + id);
    refused(delegate(alice, "info", "--left", "3h"), "ends in less than 3h");
    ok(delegate(alice, "renew", "--valid", "5h"));
    ok(delegate(alice, "info", "--left", "4h"));
    refused(delegate(bob, "destroy"), "no such delegation");

    assertThat(ok(delegate(alice, "destroy")).output()).isEqualTo("destroyed " + id + "\n");

    refused(delegate(alice, "info"), "no such delegation");
    refused(put("arc-rest", "mine"), "the service chooses the id");
  }

  @Test
  void byGridSitesSoapFromPutToDestroy() {
    String id = ok(put("gridsite2", "--valid", "2h")).output().strip();

    assertThat(id).matches("[0-9a-f]+");
    assertThat(ok(delegate(alice, "info")).output()).contains("id           " + id);
    ok(delegate(alice, "destroy"));
  }

  @Test
  void byItsOwnSoapItSaysHowElse() {
    refused(put("arc"), "--protocol arc-rest");
  }
}
