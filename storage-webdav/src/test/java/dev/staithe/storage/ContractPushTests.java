package dev.staithe.storage;

import static dev.staithe.storage.ContractPair.audit;
import static dev.staithe.storage.ContractPair.host;
import static dev.staithe.storage.ContractPair.mode;
import static dev.staithe.storage.ContractPair.push;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.staithe.contracts.ContractAudit;
import dev.staithe.storage.contracts.journal.KeptContracts;
import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.clients.Curl;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** Pushes under contract between two servers on the wire. */
@SuppressWarnings("try")
final class ContractPushTests {
  private static final String TERMS = "cd".repeat(32);
  private static final Map<String, Object> DEMAND =
      Map.of(
          "staithe.areas[0].contracts.properties[0]",
          "jurisdiction in [DE, NL]",
          "staithe.areas[0].contracts.properties[1]",
          "retention >= 20d");

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

  private Path at(RunningStorage r, String name) {
    return r.data().resolve(name);
  }

  @Test
  void pushIsRefusedForAPropertyThenAllowedAndProvenByBothSides() throws Exception {
    try (RunningStorage s = pair.startS(DEMAND)) {
      try (RunningStorage r =
          pair.startR(
              Map.of(
                  "staithe.contracts.host.jurisdiction",
                  "US",
                  "staithe.contracts.host.retention",
                  "P1D"))) {
        CopyAnswer refused = push(s, pair.atR("/data/file"));
        assertThat(refused.last())
            .contains("may not have the file")
            .contains("wanted jurisdiction in [DE, NL], offered [US]")
            .contains("wanted retention >= 20d, offered [P1D]");
        assertThat(at(r, "file")).doesNotExist();
        assertThat(pair.rows("s")).isEmpty();
        assertThat(pair.rows("r")).isEmpty();
        assertThat(s.curl("/.staithe/contracts/state").run().text()).contains("\"refusals\":1");
      }
      try (RunningStorage r = pair.startR(Map.of())) {
        push(s, pair.atR("/data/file")).succeeded(ContractPair.SIZE);
        assertThat(at(r, "file")).hasBinaryContent(pair.content);
        KeptContracts.Row sender = pair.rows("s").getFirst();
        KeptContracts.Row receiver = pair.rows("r").getFirst();
        assertThat(sender.side()).isEqualTo("sender");
        assertThat(sender.state()).isEqualTo("received");
        assertThat(receiver.side()).isEqualTo("receiver");
        assertThat(receiver.state()).isEqualTo("acknowledged");
        assertThat(receiver.partner()).isEqualTo(sender.own());
        assertThat(audit(s, r, s, sender.own()))
            .hasSize(6)
            .allMatch(ContractAudit.Finding::good)
            .anyMatch(f -> f.line().contains("agreed to take 3000000 bytes"))
            .anyMatch(f -> f.line().contains("brought 3000000 bytes"))
            .anyMatch(f -> f.line().contains("received 3000000 bytes"));
        assertThat(audit(s, r, r, receiver.own())).allMatch(ContractAudit.Finding::good);
        assertThat(new String(sender.own(), StandardCharsets.ISO_8859_1))
            .as("no credential is kept")
            .doesNotContain("Bearer");
        for (RunningStorage each : List.of(s, r)) {
          assertThat(
                  each.curl("/.staithe/contracts?path=/data/file").run().text().replace("\\/", "/"))
              .contains(sender.id(), "\"sender\":\"https://" + host(pair.portOfS));
          assertThat(each.curl("/.staithe/metrics").run().text())
              .contains("staithe_contracts_logged 1.0", "staithe_contracts_open 0.0");
        }
      }
    }
  }

  @Test
  void termsOfThePushingAreaAreAgreedToWhereTheyAreAccepted() throws Exception {
    Map<String, Object> terms =
        Map.of(
            "staithe.areas[0].contracts.terms.url",
            "https://s.example/terms",
            "staithe.areas[0].contracts.terms.sha256",
            TERMS);
    try (RunningStorage s = pair.startS(terms)) {
      try (RunningStorage r = pair.startR(Map.of())) {
        assertThat(push(s, pair.atR("/data/file")).last())
            .contains("the terms of sha-256 " + TERMS + " are not accepted here");
        assertThat(at(r, "file")).doesNotExist();
      }
      try (RunningStorage r = pair.startR(Map.of("staithe.contracts.accepted-terms", TERMS))) {
        push(s, pair.atR("/data/file")).succeeded(ContractPair.SIZE);
        assertThat(audit(s, r, s, pair.rows("s").getFirst().own()))
            .allMatch(ContractAudit.Finding::good)
            .anyMatch(f -> f.line().contains("under the terms of sha-256 " + TERMS));
      }
    }
  }

  @Test
  void offerGoesOnWithoutContractWhereTheOtherDoesNotSignAndRequireDoesNot() throws Exception {
    try (RunningStorage r = pair.startR(mode("off"))) {
      try (RunningStorage s = pair.startS(mode("offer"))) {
        push(s, pair.atR("/data/plain")).succeeded(ContractPair.SIZE);
        assertThat(pair.rows("s")).isEmpty();
      }
      try (RunningStorage s = pair.startS(Map.of())) {
        CopyAnswer refused = push(s, pair.atR("/data/required"));
        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.last()).contains("agrees to no contract: it answers 405");
        assertThat(at(r, "required")).doesNotExist();
        assertThat(pair.rows("s")).isEmpty();
      }
    }
    try (RunningStorage r = pair.startR(mode("offer"));
        RunningStorage s = pair.startS(mode("offer"))) {
      push(s, pair.atR("/data/offered")).succeeded(ContractPair.SIZE);
      assertThat(pair.rows("s")).hasSize(1);
      // An area without contracts, of the same host.
      push(s, pair.atR("/open/plain")).succeeded(ContractPair.SIZE);
      assertThat(pair.rows("s")).hasSize(1);
    }
  }

  @Test
  void whatIsPutWithoutContractComesAsEverIntoAnAreaThatRequiresThem() throws Exception {
    try (RunningStorage r = pair.startR(Map.of());
        RunningStorage s = pair.startS(mode("off"))) {
      Curl.Response put =
          r.curl("/data/mine").token(r.token()).upload(folder.resolve("s/data/file")).run();
      assertThat(put.status()).isEqualTo(201);
      push(s, pair.atR("/data/pushed")).succeeded(ContractPair.SIZE);
      assertThat(pair.rows("r")).isEmpty();
    }
  }

  @Test
  void hostsThatAreNoPartnersOfEachOtherMoveNothing() throws Exception {
    Map<String, Object> other = Map.of("staithe.areas[0].contracts.hosts", "other.example:1");
    try (RunningStorage r = pair.startR(other);
        RunningStorage s = pair.startS(Map.of())) {
      assertThat(push(s, pair.atR("/data/file")).last())
          .contains("no contracts with https://" + host(pair.portOfS));
      assertThat(at(r, "file")).doesNotExist();
    }
    try (RunningStorage r = pair.startR(Map.of());
        RunningStorage s = pair.startS(other)) {
      CopyAnswer refused = push(s, pair.atR("/data/file"));
      assertThat(refused.status()).isEqualTo(403);
      assertThat(refused.last()).contains("by contract only, and has none with");
      assertThat(at(r, "file")).doesNotExist();
    }
  }

  @Test
  void whoMayNotWriteThereGetsNoAgreement() throws Exception {
    try (RunningStorage r = pair.startR(Map.of());
        RunningStorage s = pair.startS(Map.of())) {
      CopyAnswer refused =
          CopyAnswer.of(
              s.curl("/data/file")
                  .token(s.token())
                  .header("Destination", pair.atR("/data/file"))
                  .header("Credential", "none")
                  .header("TransferHeaderAuthorization", "Bearer " + s.token("storage.read:/"))
                  .method("COPY")
                  .run());
      assertThat(refused.status()).isEqualTo(403);
      assertThat(refused.last()).contains("it answers 403");
      assertThat(at(r, "file")).doesNotExist();
      assertThat(pair.rows("r")).isEmpty();
    }
  }

  /** The sender's disk gives other bytes than those whose digest it keeps. */
  @Test
  void bytesThatAreNotThoseAgreedAreThrownAwayAndTheSenderIsTold() throws Exception {
    try (RunningStorage r = pair.startR(Map.of());
        RunningStorage s = pair.startS(Map.of())) {
      push(s, pair.atR("/data/first")).succeeded(ContractPair.SIZE);
      Path file = folder.resolve("s/data/file");
      var times = Files.getLastModifiedTime(file);
      try (var channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
        channel.write(ByteBuffer.wrap(new byte[] {(byte) (pair.content[0] ^ 1)}));
      }
      Files.setLastModifiedTime(file, times);
      assertThat(push(s, pair.atR("/data/second")).last()).contains("rejected PUT: 412");
      assertThat(at(r, "second")).doesNotExist();
      Eventually.holds("told", () -> pair.rows("s").getLast().state().equals("refused"));
      Eventually.holds("told", () -> pair.rows("r").getLast().state().equals("refused"));
      assertThat(audit(s, r, s, pair.rows("s").getLast().own()))
          .allMatch(ContractAudit.Finding::good)
          .anyMatch(f -> f.line().contains("threw away"));
    }
  }

  private static CopyAnswer copy(RunningStorage at, String path, String field, String url) {
    return CopyAnswer.of(
        at.curl(path)
            .token(at.token())
            .header(field, url)
            .header("Credential", "none")
            .header("RequireContract", "true")
            .header("TransferHeaderAuthorization", "Bearer " + at.token())
            .method("COPY")
            .run());
  }

  @Test
  void clientThatWantsAContractGetsOneOrNothingAndBothAccessLogsHaveItsId() throws Exception {
    Logger access = (Logger) LoggerFactory.getLogger("staithe.access");
    ListAppender<ILoggingEvent> lines = new ListAppender<>();
    lines.start();
    try (RunningStorage r = pair.startR(mode("offer"));
        RunningStorage s = pair.startS(mode("offer"))) {
      // A start sets the logs up anew.
      access.addAppender(lines);
      copy(s, "/data/file", "Destination", pair.atR("/data/pushed")).succeeded(ContractPair.SIZE);
      copy(r, "/data/pulled", "Source", pair.atS("/data/file")).succeeded(ContractPair.SIZE);
      List<String> ids = pair.rows("s").stream().map(KeptContracts.Row::id).toList();
      assertThat(ids).hasSize(2);
      for (String line :
          List.of(
              "COPY /data/file " + ids.getFirst(),
              "POST /data/pushed " + ids.getFirst(),
              "PUT /data/pushed " + ids.getFirst(),
              "COPY /data/pulled " + ids.getLast(),
              "GET /data/file " + ids.getLast())) {
        String[] words = line.split(" ");
        Eventually.holds(
            line,
            () ->
                List.copyOf(lines.list).stream()
                    .map(ILoggingEvent::getFormattedMessage)
                    .anyMatch(
                        text ->
                            text.contains("\"method\":\"" + words[0] + "\"")
                                && text.contains("\"path\":\"" + words[1] + "\"")
                                && text.contains("\"contract\":\"" + words[2] + "\"")));
      }

      Files.writeString(s.open().resolve("plain"), "plain");
      CopyAnswer pushed = copy(s, "/data/file", "Destination", pair.atR("/open/x"));
      assertThat(pushed.last()).contains("agrees to no contract: it answers 405");
      CopyAnswer pulled = copy(r, "/data/x", "Source", pair.atS("/open/plain"));
      assertThat(pulled.last()).contains("does not sign as it should");
      for (CopyAnswer none :
          List.of(
              copy(s, "/open/plain", "Destination", pair.atR("/data/x")),
              copy(s, "/data/y", "Source", pair.atS("/open/plain")))) {
        assertThat(none.status()).isEqualTo(403);
        assertThat(none.last()).contains("RequireContract is set, and there are no contracts here");
      }
      assertThat(r.open().resolve("x")).doesNotExist();
      assertThat(r.data().resolve("x")).doesNotExist();
      assertThat(s.data().resolve("y")).doesNotExist();
      assertThat(pair.rows("s")).hasSize(2);
    } finally {
      access.detachAppender(lines);
    }
  }
}
