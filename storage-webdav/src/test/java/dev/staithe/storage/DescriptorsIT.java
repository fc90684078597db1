package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.Trials;
import dev.staithe.testkit.clients.Curl;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import dev.staithe.testkit.trust.TokenIssuer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A storage element that has no descriptors left. */
final class DescriptorsIT {
  private static final int FEW = 30;
  private static final String TOLD = "connections cannot be accepted, and wait";

  @TempDir Path folder;

  private static long open(StorageProcess storage) {
    try (Stream<Path> all =
        Files.list(Path.of("/proc", Long.toString(storage.process().pid()), "fd"))) {
      return all.count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void limit(StorageProcess storage, long descriptors)
      throws IOException, InterruptedException {
    assertThat(
            new ProcessBuilder(
                    "prlimit", "--pid=" + storage.process().pid(), "--nofile=" + descriptors + ":")
                .inheritIO()
                .start()
                .waitFor())
        .isZero();
  }

  private static String get(RawClient client) {
    return ask(client, "GET /open/f HTTP/1.1\r\nHost: localhost\r\n\r\n");
  }

  private static String ask(RawClient client, String request) {
    try {
      client.send(request);
      String head = client.readHead();
      String length = head.replaceAll("(?is).*\r\ncontent-length: *(\\d+).*", "$1");
      client.read(length.equals(head) ? 0 : Integer.parseInt(length));
      return head;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whether a descriptor of its own leads to that folder. */
  private static boolean holds(StorageProcess storage, Path one) {
    try (Stream<Path> all =
        Files.list(Path.of("/proc", Long.toString(storage.process().pid()), "fd"))) {
      return all.anyMatch(each -> one.equals(target(each)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path target(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor);
    } catch (IOException closedMeanwhile) {
      return descriptor;
    }
  }

  private static String move(RawClient client, Path area) {
    boolean there = Files.exists(area.resolve("one/f"));
    return ask(
        client,
        "MOVE /open/%s/f HTTP/1.1\r\nHost: localhost\r\nDestination: /open/%s/f\r\n\r\n"
            .formatted(there ? "one" : "other", there ? "other" : "one"));
  }

  /** With one more at each turn, until a turn has as many as it needs. */
  @Test
  void whateverIsTheLastDescriptorThatAMoveGetsItKeepsNone() throws Exception {
    ThrowAwayAuthority authority =
        ThrowAwayAuthority.in(folder.resolve("authority"), Clock.systemUTC());
    try (TokenIssuer issuer = TokenIssuer.overHttps(authority, Clock.systemUTC());
        StorageProcess storage =
            StorageProcess.start(folder.resolve("element"), authority, issuer, Map.of());
        RawClient client = RawClient.to(storage.port(), authority)) {
      Path area = folder.resolve("element/open").toRealPath();
      Files.createDirectory(area.resolve("one"));
      Files.createDirectory(area.resolve("other"));
      Files.write(area.resolve("one/f"), Sample.bytes(3, 1000));
      for (int i = 0; i < 4; i++) {
        assertThat(move(client, area)).startsWith("HTTP/1.1 201 ");
      }
      long enough = open(storage) + FEW;
      int refused = 0;
      int done = 0;
      for (long most = 1; most < enough; most++) {
        limit(storage, most);
        String answer = move(client, area);
        assertThat(answer).containsPattern("^HTTP/1.1 (201|503) ");
        refused += answer.startsWith("HTTP/1.1 503 ") ? 1 : 0;
        done += answer.startsWith("HTTP/1.1 201 ") ? 1 : 0;
      }
      assertThat(refused).isPositive();
      assertThat(done).isPositive();
      Eventually.holds(
          "neither folder is held any more",
          () -> !holds(storage, area.resolve("one")) && !holds(storage, area.resolve("other")));
    }
  }

  /** Else an alert would say of each of them that the device has lost it. */
  @Test
  void filesThatNoDescriptorIsFreeForAreNotTakenForDamaged() throws Exception {
    ThrowAwayAuthority authority =
        ThrowAwayAuthority.in(folder.resolve("authority"), Clock.systemUTC());
    Path area = Files.createDirectories(folder.resolve("element/open"));
    for (int i = 0; i < 3000; i++) {
      Files.createFile(area.resolve("f" + i));
    }
    // A hundred names in a second.
    Map<String, Object> slowly = Map.of("staithe.scrub.rate", "400KB");
    List<Socket> crowd = new ArrayList<>();
    try (TokenIssuer issuer = TokenIssuer.overHttps(authority, Clock.systemUTC());
        StorageProcess storage =
            StorageProcess.start(folder.resolve("element"), authority, issuer, slowly)) {
      limit(storage, open(storage) + FEW);
      for (int i = 0; i < 5 * FEW; i++) {
        crowd.add(new Socket(InetAddress.getByName("127.0.0.1"), storage.port()));
      }

      Eventually.holds(
          "files are left out",
          () -> storage.process().output().contains("not compared while no descriptor is free"));
      assertThat(storage.process().output()).doesNotContain("cannot be read");
    } finally {
      for (Socket each : crowd) {
        each.close();
      }
    }
  }

  @Test
  void withoutDescriptorsItSaysSoOnceGoesOnServingAndRecovers() throws Exception {
    ThrowAwayAuthority authority =
        ThrowAwayAuthority.in(folder.resolve("authority"), Clock.systemUTC());
    List<Socket> crowd = new ArrayList<>();
    try (TokenIssuer issuer = TokenIssuer.overHttps(authority, Clock.systemUTC());
        StorageProcess storage =
            StorageProcess.start(folder.resolve("element"), authority, issuer, Map.of());
        RawClient before = RawClient.to(storage.port(), authority)) {
      Files.write(folder.resolve("element/open/f"), Sample.bytes(2, 1000));
      assertThat(get(before)).startsWith("HTTP/1.1 200 ");
      limit(storage, open(storage) + FEW);
      for (int i = 0; i < 5 * FEW; i++) {
        crowd.add(new Socket(InetAddress.getByName("127.0.0.1"), storage.port()));
        Trials.held();
      }
      Eventually.holds("it says so", () -> storage.process().output().contains(TOLD));

      // Each connection that ends gives one back, so that now one file can be opened and now none.
      for (int i = 0; i < 300; i++) {
        String head = get(before);
        assertThat(head).containsPattern("^HTTP/1.1 (200|503) ");
        if (head.startsWith("HTTP/1.1 503 ")) {
          assertThat(head).containsIgnoringCase("retry-after");
        }
        String put = "PUT /open/p HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\n\r\nx";
        assertThat(ask(before, put)).containsPattern("^HTTP/1.1 (201|204|503) ");
      }

      for (Socket each : crowd) {
        each.close();
      }
      Eventually.holds("it recovers", () -> get(before).startsWith("HTTP/1.1 200 "));
      // The crowd that waited is still let in and found gone: one who is new waits behind it.
      Eventually.holds(
          "whoever is new is served",
          () -> Curl.to(storage.url("/open/f")).trusting(authority).run().body().length == 1000);
      assertThat(storage.process().output().split(TOLD, -1)).as("told once").hasSize(2);
      assertThat(storage.process().output()).doesNotContain("\tat ");
    } finally {
      for (Socket each : crowd) {
        each.close();
      }
    }
  }
}
