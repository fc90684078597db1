package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.clients.Curl;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import dev.staithe.testkit.trust.TokenIssuer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * Fifty clients who upload, pull and push until the servers are killed under them, and what they
 * know afterwards of what must be there. For one test.
 */
final class KilledCrowd {
  private static final int WORKERS = 50;
  private static final int SOURCES = 8;

  private final ThrowAwayAuthority authority;
  private final TokenIssuer issuer;
  private final List<String> sources = new ArrayList<>();

  /** Content that was sent under a name, in the order of sending, by its checksum. */
  private final Map<String, List<String>> sent = new ConcurrentHashMap<>();

  /** How many of the versions sent under a name were acknowledged. */
  private final Map<String, Integer> acknowledged = new ConcurrentHashMap<>();

  KilledCrowd(ThrowAwayAuthority authority, TokenIssuer issuer) {
    this.authority = authority;
    this.issuer = issuer;
  }

  private String token() {
    return issuer
        .token()
        .scope("storage.read:/ storage.modify:/")
        .audience(RunningStorage.AUDIENCE)
        .sign();
  }

  /** Gives that server the files which are copied. */
  void sources(RunningStorage source) throws IOException {
    for (int i = 0; i < SOURCES; i++) {
      Path file = source.data().resolve(Integer.toString(i));
      sources.add(Sample.write(file, i, (1 << 20) + 333_333L * i).sha256());
    }
  }

  /**
   * Uploads, pulls and pushes, each client at one of the servers, until all are killed; at each
   * server one more upload has begun then that does not end.
   *
   * @param large what every eighth client uploads, in bytes; 0: what the others do
   * @param underWay whether those without an end are where they shall be when they are killed
   */
  void workUntilKilled(
      RunningStorage source,
      int round,
      int large,
      BooleanSupplier underWay,
      StorageProcess... targets)
      throws InterruptedException {
    AtomicBoolean killed = new AtomicBoolean();
    AtomicInteger done = new AtomicInteger();
    Set<String> unexpected = ConcurrentHashMap.newKeySet();
    List<Thread> workers = new ArrayList<>();
    CountDownLatch end = new CountDownLatch(1);
    try (Client client = new Client(authority, token())) {
      for (StorageProcess each : targets) {
        byte[] beginning = new byte[Math.max(2 * large, 2 << 20)];
        Thread.ofVirtual().start(() -> putWithoutEnd(client, each, beginning, end));
      }
      for (int i = 0; i < WORKERS; i++) {
        int worker = i;
        int size = large > 0 && worker % 8 == 0 ? large : 500_000 + 7919 * worker;
        // Of the four kinds of work each is done at each server.
        StorageProcess target = targets[worker / 4 % targets.length];
        workers.add(
            Thread.ofVirtual()
                .start(
                    () -> {
                      for (int turn = 0; !killed.get(); turn++) {
                        // Every third file of a worker replaces its first one.
                        String name =
                            "r" + round + "-w" + worker + "-" + (turn % 3 == 2 ? 0 : turn);
                        try {
                          Client.Answer answer =
                              work(client, target, source, worker, turn, size, name);
                          if (answer.status() == 201
                              || answer.status() == 204
                              || answer.text().endsWith("success: Created\n")) {
                            acknowledged.put(name, sent.get(name).size());
                            done.incrementAndGet();
                          } else if (!killed.get()) {
                            unexpected.add(answer.status() + " " + answer.text());
                          }
                        } catch (IOException gone) {
                          return;
                        }
                      }
                    }));
      }
      int enough = 40 + new Random(round).nextInt(40);
      Eventually.holds(
          "files come in",
          () -> done.get() >= enough && underWay.getAsBoolean() || !unexpected.isEmpty());
      killed.set(true);
      for (StorageProcess target : targets) {
        target.process().kill();
      }
      for (Thread worker : workers) {
        worker.join();
      }
    } finally {
      end.countDown();
    }
    assertThat(unexpected).isEmpty();
  }

  private static void putWithoutEnd(
      Client client, StorageProcess target, byte[] beginning, CountDownLatch end) {
    InputStream stands =
        new InputStream() {
          @Override
          public int read() throws IOException {
            try {
              end.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
            throw new IOException("the end");
          }
        };
    try {
      client.put(
          target.url("/data/without-end"),
          new SequenceInputStream(new ByteArrayInputStream(beginning), stands));
    } catch (IOException killed) {
      // As it should be.
    }
  }

  private Client.Answer work(
      Client client,
      StorageProcess target,
      RunningStorage source,
      int worker,
      int turn,
      int size,
      String name)
      throws IOException {
    String url = target.url("/data/" + name);
    if (worker % 2 == 0) {
      byte[] content = Sample.bytes(31L * worker + turn, size);
      will(name, Sample.ofBytes(content).sha256());
      return client.put(url, content);
    }
    int which = (worker + turn) % SOURCES;
    will(name, sources.get(which));
    String there = source.url("/data/" + which);
    return worker % 4 == 1 ? client.pull(url, there) : client.push(there, url);
  }

  private void will(String name, String sha256) {
    sent.computeIfAbsent(name, n -> new ArrayList<>()).add(sha256);
  }

  /**
   * Each file of these folders has content that was sent under its name, none older than the
   * acknowledged one.
   */
  void onlyWholeFiles(Path... folders) throws IOException {
    Map<String, String> there = new HashMap<>();
    for (Path each : folders) {
      try (Stream<Path> files = Files.list(each)) {
        for (Path file : files.filter(Files::isRegularFile).toList()) {
          there.put(file.getFileName().toString(), Sample.of(file).sha256());
        }
      }
    }
    assertThat(there.keySet()).containsAll(acknowledged.keySet());
    there.forEach(
        (name, sha256) -> {
          List<String> versions = sent.getOrDefault(name, List.of());
          int least = Math.max(0, acknowledged.getOrDefault(name, 0) - 1);
          assertThat(versions.subList(least, versions.size()))
              .as("the content of %s", name)
              .contains(sha256);
        });
  }

  /** Uploads and copies that nobody has answered. */
  int unanswered() {
    return sent.entrySet().stream()
        .mapToInt(each -> each.getValue().size() - acknowledged.getOrDefault(each.getKey(), 0))
        .sum();
  }

  /** One of the files is read and listed, and nothing that is the server's own is. */
  void isServedBy(StorageProcess... targets) throws IOException {
    String name = acknowledged.keySet().iterator().next();
    int served = 0;
    for (StorageProcess target : targets) {
      Curl.Response got = asked(target, "/data/" + name).run();
      if (got.status() == 200) {
        served++;
        assertThat(sent.get(name)).contains(Sample.ofBytes(got.body()).sha256());
        Curl.Response listed =
            asked(target, "/data/").method("PROPFIND").header("Depth", "1").run();
        assertThat(listed.text()).doesNotContain(".staithe").contains("/data/" + name + "<");
      }
    }
    assertThat(served).isOne();
  }

  private Curl asked(StorageProcess target, String path) {
    return Curl.to(target.url(path)).trusting(authority).token(token());
  }
}
