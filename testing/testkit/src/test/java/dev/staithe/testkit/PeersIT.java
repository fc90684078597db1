package dev.staithe.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.staithe.peers.process.ManagedProcess;
import dev.staithe.peers.process.Program;
import dev.staithe.testkit.clients.Curl;
import dev.staithe.testkit.clients.Litmus;
import dev.staithe.testkit.clients.Rclone;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The runners against a WebDAV server of somebody else, rclone's own. */
class PeersIT {
  private static final Pattern LISTENING = Pattern.compile("started on (https://[0-9.:]+/)");

  @TempDir Path folder;

  private ManagedProcess serve(ThrowAwayAuthority authority, Path files) {
    ThrowAwayAuthority.Host host = authority.localhost();
    return ManagedProcess.start(
        List.of(
            Program.RCLONE.path(),
            "serve",
            "webdav",
            files.toString(),
            "--addr",
            "127.0.0.1:0",
            "--cert",
            host.certificate().toString(),
            "--key",
            host.key().toString()),
        Map.of("RCLONE_CONFIG", "/dev/null"),
        folder.resolve("log"));
  }

  private static String url(ManagedProcess server) {
    Eventually.holds(
        "rclone listens", () -> LISTENING.matcher(server.output()).find() || !server.isAlive());
    Matcher listening = LISTENING.matcher(server.output());
    assertThat(listening.find()).as(server.output()).isTrue();
    return listening.group(1);
  }

  @Test
  void litmusRcloneAndCurlReportWhatTheServerDoes() throws IOException {
    ThrowAwayAuthority authority = ThrowAwayAuthority.in(folder.resolve("ca"), Clock.systemUTC());
    Path files = Files.createDirectory(folder.resolve("files"));
    Path file = Files.writeString(folder.resolve("file"), "content");
    ManagedProcess server = serve(authority, files);
    try (server) {
      String url = url(server);

      Litmus.Result litmus = Litmus.run(url, "basic", "copymove");
      assertThat(litmus.passed()).as(litmus.output()).isGreaterThan(20);
      // rclone 1.60 answers MKCOL of what exists with 201.
      assertThat(litmus.complaints())
          .allSatisfy(complaint -> assertThat(complaint.name()).isEqualTo("mkcol_again"));

      Rclone rclone = Rclone.anonymous(url, authority);
      assertThat(rclone.run("copyto", file.toString(), ":webdav:a/b").exitCode()).isZero();
      assertThat(rclone.run("lsf", "-R", ":webdav:a").output()).isEqualTo("b\n");
      assertThat(rclone.run("cat", ":webdav:none/at/all").exitCode()).isNotZero();
      assertThat(files.resolve("a/b")).hasContent("content");

      Curl.Response put = Curl.to(url + "c").trusting(authority).upload(file).run();
      assertThat(put.status()).as(put.toString()).isEqualTo(201);
      assertThat(Curl.to(url + "c").trusting(authority).run().text()).isEqualTo("content");
      assertThat(Curl.to(url + "c").trusting(authority).head().run().header("content-length"))
          .contains("7");
    }
    assertThat(server.isAlive()).isFalse();
  }

  @Test
  void aProgramThatEndsInsteadOfListeningIsToldWithItsOutput() {
    ManagedProcess failing =
        ManagedProcess.start(
            List.of(Program.RCLONE.path(), "no-such-command"), Map.of(), folder.resolve("log"));
    try (failing) {
      assertThat(
              catchThrowableOfType(
                  AssertionError.class, () -> failing.awaitPort(1, Duration.ofSeconds(30))))
          .hasMessageContaining("ended with code 1")
          .hasMessageContaining("unknown command");
    }
  }
}
