package dev.staithe.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.cli.StaitheProgram.Ran;
import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.FreePort;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import dev.staithe.testkit.trust.TokenIssuer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The released command and a copy that really runs between two released storage elements. */
class TransfersIT {
  private static final int SIZE = 64 << 20;

  @TempDir private static Path folder;
  private static ThrowAwayAuthority authority;
  private static TokenIssuer issuer;
  private static StorageElement here;
  private static StorageElement there;

  @BeforeAll
  static void start() throws IOException {
    authority = ThrowAwayAuthority.in(folder.resolve("authority"), Clock.systemUTC());
    issuer = TokenIssuer.overHttps(authority, Clock.systemUTC());
    int portHere = FreePort.next();
    int portThere = FreePort.next();
    Map<String, String> slow =
        Map.of("staithe.areas[0].contracts.mode", "off", "staithe.areas[0].copy.pacing", "512KB");
    here = new StorageElement(folder.resolve("here"), portHere, portThere, authority, issuer, slow);
    there =
        new StorageElement(
            folder.resolve("there"),
            portThere,
            portHere,
            authority,
            issuer,
            Map.of("staithe.areas[0].contracts.mode", "off"));
    here.ready();
    there.ready();
    Files.write(here.file("large"), new byte[SIZE]);
    Files.writeString(folder.resolve("token"), here.token());
    Files.writeString(
        folder.resolve("poor"),
        issuer
            .token()
            .subject("mallory")
            .scope("storage.read:/elsewhere")
            .audience("https://storage.test")
            .sign());
  }

  @AfterAll
  static void stop() {
    here.close();
    there.close();
    issuer.close();
  }

  private static Ran transfers(String token, String... more) {
    String[] options = {
      "transfers",
      "--url",
      here.url(""),
      "--trust",
      authority.certificateFile().toString(),
      "--token-file",
      folder.resolve(token).toString()
    };
    String[] all = Arrays.copyOf(options, options.length + more.length);
    System.arraycopy(more, 0, all, options.length, more.length);
    return new StaitheProgram(folder.resolve("home")).run("", all);
  }

  @Test
  void copyThatRunsIsShownWithItsPeerAndItsConnectionAndCancelled() throws Exception {
    CompletableFuture<String> copy =
        CompletableFuture.supplyAsync(
            () ->
                here.curl("/data/large")
                    .token(here.token())
                    .header("Destination", there.url("/data/large"))
                    .header("TransferHeaderAuthorization", "Bearer " + here.token())
                    .method("COPY")
                    .run()
                    .text());

    Eventually.holds(
        "the copy runs and is seen with its connection",
        () -> {
          String shown = transfers("token").output();
          return shown.contains("1 running") && shown.contains(" rtt ") && !shown.contains(" 0% ");
        });
    String shown = transfers("token").output();
    List<String> row =
        List.of(
            shown
                .lines()
                .filter(l -> l.contains("/data/large"))
                .findFirst()
                .orElseThrow()
                .split(" {2,}"));
    assertThat(row.get(1)).isEqualTo("running");
    assertThat(row.get(2)).endsWith("%");
    assertThat(row.get(5)).endsWith(":" + there.url("").replaceAll(".*:", ""));
    assertThat(row.get(6)).isEqualTo("-> /data/large");
    assertThat(row.get(7)).contains("retransmits", "window");

    String id = row.get(0);
    Ran refused = transfers("poor", "cancel", id);
    assertThat(refused.code()).isEqualTo(1);
    assertThat(refused.errors()).contains("HTTP 40");
    assertThat(transfers("poor").output()).doesNotContain("/data/large");

    Ran cancelled = transfers("token", "cancel", id);
    assertThat(cancelled.output()).isEqualTo("cancelled: push /data/large\n");
    assertThat(copy.get()).contains("aborted: cancelled by tester");
    Eventually.holds(
        "it is shown as ended", () -> transfers("token").output().contains("0 running"));
    assertThat(transfers("token").output()).contains("aborted", "cancelled by tester");
    Eventually.holds("nothing is left", () -> !Files.exists(there.file("large")));
  }
}
