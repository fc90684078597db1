package dev.staithe.storage;

import static dev.staithe.storage.ContractPair.host;
import static dev.staithe.storage.ContractPair.pull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.contracts.ContractAudit;
import dev.staithe.pki.KeyKind;
import dev.staithe.pki.Pem;
import dev.staithe.storage.contracts.journal.KeptContracts;
import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.FreePort;
import dev.staithe.testkit.Trials;
import dev.staithe.testkit.clients.Curl;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A head {@code s} that requires contracts and sends clients on to the data node {@code n}. */
@SuppressWarnings("try")
final class ContractNodeTests {
  @TempDir private Path folder;
  private final int portOfN = FreePort.next();
  private ContractPair pair;
  private Path key;

  @BeforeEach
  void prepare() throws Exception {
    pair = new ContractPair(folder);
    Pem.writePrivateKey(pair.key("n"), KeyKind.EC_P256.generate().getPrivate());
    key =
        Files.createFile(
            folder.resolve("tickets"),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(key, "6b6579".repeat(12));
  }

  @AfterEach
  void finish() {
    pair.close();
  }

  private RunningStorage startHead() {
    RunningStorage head =
        pair.startS(
            Map.of(
                "staithe.redirect.key-file",
                key,
                "staithe.redirect.nodes",
                "https://" + host(portOfN),
                "staithe.redirect.from-size",
                "100KB",
                "staithe.redirect.check-interval",
                "1s"));
    Eventually.holds(
        "the head sends clients on",
        () -> head.curl("/data/file").token(head.token()).run().status() == 307);
    return head;
  }

  private RunningStorage startNode(String mode) {
    return pair.start(
        "n",
        portOfN,
        pair.portOfR,
        Map.of(
            "staithe.areas[0].root",
            folder.resolve("s/data"),
            "staithe.areas[0].contracts.mode",
            mode,
            "staithe.redirect.key-file",
            key));
  }

  @Test
  void pullIsUnderContractWithTheNodeThatHasTheBytes() throws Exception {
    try (RunningStorage n = startNode("require");
        RunningStorage s = startHead();
        RunningStorage r =
            pair.startR(
                new HashMap<>(
                    Map.of(
                        "staithe.copy.striped-from",
                        "1B",
                        "staithe.areas[0].contracts.hosts",
                        host(pair.portOfS) + "," + host(portOfN))))) {
      for (int streams : List.of(1, 3)) {
        pull(r, pair.atS("/data/file"), "/data/by" + streams, streams).succeeded(ContractPair.SIZE);
        assertThat(r.data().resolve("by" + streams)).hasBinaryContent(pair.content);
      }
      assertThat(pair.rows("s")).as("nothing came from the head").isEmpty();
      assertThat(pair.rows("n")).hasSize(2).allMatch(row -> row.state().equals("received"));
      for (KeptContracts.Row row : pair.rows("n")) {
        assertThat(ContractPair.audit(n, r, n, row.own()))
            .allMatch(ContractAudit.Finding::good)
            .anyMatch(f -> f.line().contains("https://" + host(portOfN) + "/data/file"));
      }
    }
  }

  @Test
  void nodeThatIsNoPartnerOfTheReceiverIsNotPulledFrom() throws Exception {
    try (RunningStorage n = startNode("require");
        RunningStorage s = startHead();
        RunningStorage r = pair.startR(Map.of())) {
      assertThat(pull(r, pair.atS("/data/file"), "/data/file", 1).last())
          .contains("has none with " + host(portOfN));
      assertThat(r.data().resolve("file")).doesNotExist();
      assertThat(pair.rows("n")).isEmpty();
    }
  }

  /** Whoever may read at the head has a ticket that the node knows, and no contract. */
  @Test
  void ticketOfAHeadWithContractsTakesNothingOutOfANodeWithoutThem() throws Exception {
    for (String mode : List.of("off", "offer")) {
      try (RunningStorage n = startNode(mode);
          RunningStorage s = startHead();
          RunningStorage r = pair.startR(Map.of())) {
        Curl.Response read = s.curl("/data/file").token(s.token()).following().run();
        assertThat(read.status()).as(read.text()).isEqualTo(403);
        assertThat(read.text()).contains("by contract only, and this node has none");
        Curl.Response pushed =
            s.curl("/data/file")
                .token(s.token())
                .header("Destination", pair.atR("/data/out"))
                .header("Credential", "none")
                .header("TransferHeaderAuthorization", "Bearer " + s.token())
                .header("User-Agent", "gfal2")
                .method("COPY")
                .following()
                .run();
        assertThat(pushed.status()).as(pushed.text()).isEqualTo(403);
        assertThat(pushed.text()).contains("by contract only, and this node has none");
        assertThat(r.data().resolve("out")).doesNotExist();
      }
    }
    try (RunningStorage n = startNode("require");
        RunningStorage s = startHead()) {
      Curl.Response read = s.curl("/data/file").token(s.token()).following().run();
      assertThat(read.status()).isEqualTo(403);
      assertThat(read.text()).contains("leave by contract only");
    }
    Trials.held(5);
  }
}
