package dev.staithe.storage;

import static dev.staithe.storage.ContractPair.host;
import static dev.staithe.storage.ContractPair.pull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.contracts.ContractAudit;
import dev.staithe.storage.contracts.journal.KeptContracts;
import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.FreePort;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pulls under contract by several streams, between two servers on the wire. */
@SuppressWarnings("try")
final class ContractStreamsTests {
  private static final Map<String, Object> STRIPED = Map.of("staithe.copy.striped-from", "1B");

  @TempDir private Path folder;
  private ContractPair pair;

  @BeforeEach
  void prepare() {
    pair = new ContractPair(folder);
  }

  @AfterEach
  void finish() {
    pair.close();
  }

  private static Map<String, Object> striped(Map<String, Object> more) {
    Map<String, Object> settings = new HashMap<>(STRIPED);
    settings.putAll(more);
    return settings;
  }

  private String last(String name) {
    return pair.rows(name).getLast().state();
  }

  @Test
  void severalStreamsAreOneContractForTheWholeFile() throws Exception {
    Path log = folder.resolve("access.jsonl");
    try (RunningStorage s = pair.startS(Map.of("staithe.access-log.file", log));
        RunningStorage r = pair.startR(STRIPED)) {
      pull(r, pair.atS("/data/file"), "/data/file", 3).succeeded(ContractPair.SIZE);
      assertThat(r.data().resolve("file")).hasBinaryContent(pair.content);
      KeptContracts.Row sent = onlyRow("s");
      KeptContracts.Row received = onlyRow("r");
      assertThat(sent.state()).isEqualTo("received");
      assertThat(received.state()).isEqualTo("acknowledged");
      assertThat(received.id()).isEqualTo(sent.id());
      assertThat(received.partner()).isEqualTo(sent.own());
      assertThat(ContractPair.audit(s, r, s, sent.own()))
          .hasSize(6)
          .allMatch(ContractAudit.Finding::good)
          .anyMatch(f -> f.line().contains("asked HEAD " + pair.atS("/data/file")))
          .anyMatch(f -> f.line().contains("received " + ContractPair.SIZE + " bytes"));
      assertThat(ContractPair.audit(s, r, r, received.own())).allMatch(ContractAudit.Finding::good);
      assertThat(s.curl("/.staithe/log/checkpoint").run().text()).contains("/.staithe/log\n1\n");
      Eventually.holds("three parts", () -> lines(log, "206") == 3);
    }
  }

  private KeptContracts.Row onlyRow(String name) {
    assertThat(pair.rows(name)).hasSize(1);
    return pair.rows(name).getFirst();
  }

  private static long lines(Path log, String status) {
    try (Stream<String> lines = Files.lines(log)) {
      return lines.filter(line -> line.contains("\"status\":" + status)).count();
    } catch (IOException e) {
      return -1;
    }
  }

  @Test
  void termsAreAgreedToAndPropertiesComparedAsInOneStream() throws Exception {
    Map<String, Object> wanted =
        Map.of(
            "staithe.areas[0].contracts.properties[0]",
            "jurisdiction in [DE]",
            "staithe.areas[0].contracts.terms.sha256",
            "ab".repeat(32),
            "staithe.areas[0].contracts.terms.url",
            "https://s.example/terms");
    try (RunningStorage s = pair.startS(wanted)) {
      try (RunningStorage r =
          pair.startR(striped(Map.of("staithe.contracts.host.jurisdiction", "US")))) {
        assertThat(pull(r, pair.atS("/data/file"), "/data/file", 3).last())
            .contains("agree to the terms");
      }
      Map<String, Object> accepted = Map.of("staithe.contracts.accepted-terms", "ab".repeat(32));
      Map<String, Object> elsewhere = new HashMap<>(accepted);
      elsewhere.put("staithe.contracts.host.jurisdiction", "US");
      try (RunningStorage r = pair.startR(striped(elsewhere))) {
        assertThat(pull(r, pair.atS("/data/file"), "/data/file", 3).last())
            .contains("wanted jurisdiction in [DE], offered [US]");
        assertThat(r.data().resolve("file")).doesNotExist();
      }
      assertThat(pair.rows("s")).isEmpty();
      try (RunningStorage r = pair.startR(striped(accepted))) {
        pull(r, pair.atS("/data/file"), "/data/file", 3).succeeded(ContractPair.SIZE);
        assertThat(ContractPair.audit(s, r, s, onlyRow("s").own()))
            .anyMatch(f -> f.good() && f.line().contains("under the terms of sha-256 abab"));
      }
    }
  }

  @Test
  void otherBytesInOnePartAreFoundByTheDigestOfTheWhole() throws Exception {
    try (RunningStorage s = pair.startS(Map.of());
        RunningStorage r = pair.startR(STRIPED)) {
      pull(r, pair.atS("/data/file"), "/data/first", 3).succeeded(ContractPair.SIZE);
      // The digest that is kept, and signed, is now of other bytes than are sent.
      Path file = s.data().resolve("file");
      FileTime before = Files.getLastModifiedTime(file);
      try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
        open.seek(1_500_000);
        open.write(pair.content[1_500_000] + 1);
      }
      Files.setLastModifiedTime(file, before);
      assertThat(pull(r, pair.atS("/data/file"), "/data/second", 3).last())
          .contains("checksum mismatch");
      assertThat(r.data().resolve("second")).doesNotExist();
      Eventually.holds("told", () -> last("r").equals("refused"));
      assertThat(last("s")).isEqualTo("refused");
      assertThat(ContractPair.audit(s, r, s, pair.rows("s").getLast().own()))
          .allMatch(ContractAudit.Finding::good)
          .anyMatch(f -> f.line().contains("threw away " + ContractPair.SIZE));
    }
  }

  /** The sender behind a line that ends one connection in the middle of a part. */
  @Test
  void lostStreamEndsTheCopyAndItsContractAndLeavesNothing() throws Exception {
    int line = FreePort.next();
    Map<String, Object> behind = Map.of("staithe.contracts.origin", "https://" + host(line));
    AtomicBoolean cut = new AtomicBoolean(true);
    try (Line open = new Line(line, pair.portOfS, cut);
        RunningStorage s = pair.startS(behind);
        RunningStorage r =
            pair.startR(striped(Map.of("staithe.areas[0].contracts.hosts", host(line))))) {
      String source = "https://" + host(line) + "/data/file";
      assertThat(pull(r, source, "/data/file", 3).last()).startsWith("failure: ");
      assertThat(cut).as("one was cut").isFalse();
      assertThat(r.data().resolve("file")).doesNotExist();
      Eventually.holds("told", () -> last("r").equals("refused"));
      assertThat(onlyRow("s").state()).isEqualTo("refused");
      assertThat(ContractPair.audit(s, r, s, onlyRow("s").own()))
          .allMatch(ContractAudit.Finding::good)
          .anyMatch(f -> f.line().contains("threw away 0 bytes"));
      pull(r, source, "/data/file", 3).succeeded(ContractPair.SIZE);
      assertThat(r.data().resolve("file")).hasBinaryContent(pair.content);
      assertThat(pair.rows("s"))
          .extracting(KeptContracts.Row::state)
          .containsExactly("refused", "received");
    }
  }

  /** Passes connections on, and cuts one after half a part. */
  private static final class Line implements AutoCloseable {
    private final ServerSocket listener;
    private final int target;
    private final AtomicBoolean cut;

    Line(int port, int target, AtomicBoolean cut) throws IOException {
      this.listener = new ServerSocket(port, 50, InetAddress.ofLiteral("127.0.0.1"));
      this.target = target;
      this.cut = cut;
      Thread.ofVirtual().start(this::serve);
    }

    private void serve() {
      try {
        while (true) {
          Socket client = listener.accept();
          Thread.ofVirtual().start(() -> pass(client));
        }
      } catch (IOException closed) {
        // The test is over.
      }
    }

    private void pass(Socket client) {
      try (client;
          Socket server = new Socket("127.0.0.1", target)) {
        Thread.ofVirtual().start(() -> forward(client, server, Long.MAX_VALUE));
        forward(server, client, ContractPair.SIZE / 6);
      } catch (IOException closed) {
        // Nobody listens, or the other direction ended.
      }
    }

    private void forward(Socket from, Socket to, long most) {
      byte[] buffer = new byte[8192];
      long passed = 0;
      try {
        InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream();
        for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
          out.write(buffer, 0, n);
          passed += n;
          if (passed > most && cut.compareAndSet(true, false)) {
            return;
          }
        }
        to.shutdownOutput();
      } catch (IOException closed) {
        // The other direction ended.
      }
    }

    @Override
    public void close() throws IOException {
      listener.close();
    }
  }

  @Test
  void partnerThatOffersNoPartsIsPulledInOneStream() throws Exception {
    Path key = folder.resolve("key");
    Files.createFile(
        key,
        java.nio.file.attribute.PosixFilePermissions.asFileAttribute(
            java.nio.file.attribute.PosixFilePermissions.fromString("rw-------")));
    Files.writeString(key, "6b6579".repeat(12));
    // A head with nodes, none of which is well.
    Map<String, Object> head =
        Map.of(
            "staithe.redirect.key-file",
            key,
            "staithe.redirect.nodes",
            "https://localhost:" + FreePort.next());
    try (RunningStorage s = pair.startS(head);
        RunningStorage r = pair.startR(STRIPED)) {
      pull(r, pair.atS("/data/file"), "/data/file", 3).succeeded(ContractPair.SIZE);
      assertThat(onlyRow("s").state()).isEqualTo("received");
      assertThat(ContractPair.audit(s, r, s, onlyRow("s").own()))
          .anyMatch(f -> f.line().contains("asked GET "));
    }
  }
}
