package dev.staithe.storage;

import static dev.staithe.storage.ContractPair.host;
import static dev.staithe.storage.ContractPair.mode;
import static dev.staithe.storage.ContractPair.push;
import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.testkit.Trials;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Receivers that lie: one real sender. */
@SuppressWarnings("try")
final class ContractPushPeerTests {
  private static final Map<LyingReceiver.Lie, String> FOUND =
      Map.ofEntries(
          Map.entry(LyingReceiver.Lie.OTHER_ID, "something else than was offered"),
          Map.entry(LyingReceiver.Lie.OTHER_SIZE, "something else than was offered"),
          Map.entry(LyingReceiver.Lie.OTHER_TERMS, "something else than was offered"),
          Map.entry(LyingReceiver.Lie.OTHER_HOST, "the host properties are of"),
          Map.entry(LyingReceiver.Lie.OTHER_OFFER, "not by the key that it names"),
          Map.entry(LyingReceiver.Lie.OLD, "expired"),
          Map.entry(LyingReceiver.Lie.UNSIGNED, "not signed"),
          Map.entry(LyingReceiver.Lie.OFFER_SENT_ON, "has none with localhost:1"),
          Map.entry(
              LyingReceiver.Lie.SIGNED_ACROSS, "the host properties are of https://localhost:"),
          Map.entry(LyingReceiver.Lie.SENT_IN_CIRCLES, "more than 20 redirects"),
          Map.entry(LyingReceiver.Lie.NONE, "it answers 405"));

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

  @Test
  void noByteGoesWithoutAnAgreementToThisVeryOffer() throws Exception {
    try (LyingReceiver r = new LyingReceiver(pair);
        RunningStorage s =
            pair.startS(
                Map.of(
                    "staithe.areas[0].contracts.hosts",
                    host(pair.portOfR) + "," + r.otherName()))) {
      for (Map.Entry<LyingReceiver.Lie, String> each : FOUND.entrySet()) {
        r.lie = each.getKey();
        CopyAnswer refused = push(s, pair.atR("/data/file"));
        assertThat(refused.last()).as(each.getKey().name()).contains(each.getValue());
        assertThat(refused.last()).doesNotContain("success");
        assertThat(r.came).as(each.getKey().name()).hasValue(0);
      }
      assertThat(s.curl("/.staithe/contracts/state").run().text()).contains("\"open\":0");
      Trials.held(FOUND.size());
    }
  }

  @Test
  void receiverThatDeniesTheReceiptStaysOpenIsShownAndGetsNoMore() throws Exception {
    try (LyingReceiver r = new LyingReceiver(pair);
        RunningStorage s = pair.startS(Map.of("staithe.areas[0].contracts.max-open-per-host", 3))) {
      r.lie = LyingReceiver.Lie.NO_RECEIPT;
      assertThat(push(s, pair.atR("/data/file")).last()).contains("has not acknowledged");
      r.lie = LyingReceiver.Lie.BREAKS_OFF;
      assertThat(push(s, pair.atR("/data/more")).last()).doesNotContain("success");
      r.lie = LyingReceiver.Lie.FILE_SENT_ON;
      assertThat(push(s, pair.atR("/data/on")).last()).contains("where nothing was agreed");
      assertThat(r.came).hasValue(2 * ContractPair.SIZE);
      assertThat(s.curl("/.staithe/contracts/state").run().text().replace("\\/", "/"))
          .contains("\"open\":3", "\"peer\":\"" + host(pair.portOfR) + "\"");
      assertThat(s.curl("/.staithe/metrics").run().text()).contains("staithe_contracts_open 3.0");
      r.lie = LyingReceiver.Lie.NO_RECEIPT;
      assertThat(push(s, pair.atR("/data/third")).last()).contains("has too many contracts");
      assertThat(r.came).hasValue(2 * ContractPair.SIZE);
    }
  }

  /** As where the sender's door for receipts cannot be reached: the old file is still there. */
  @Test
  void fileThatWasThereIsNotRemovedWhereTheNewOneGetsNoName() throws Exception {
    try (LyingReceiver r = new LyingReceiver(pair);
        RunningStorage s = pair.startS(Map.of())) {
      r.lie = LyingReceiver.Lie.NO_NAME;
      assertThat(push(s, pair.atR("/data/file")).last())
          .contains("rejected PUT: 503 Service Unavailable: the sender does not take the receipt");
      assertThat(r.came).hasValue(ContractPair.SIZE);
      assertThat(r.removals).hasValue(0);
      r.lie = LyingReceiver.Lie.NO_RECEIPT;
      assertThat(push(s, pair.atR("/data/file")).last()).contains("has not acknowledged");
      assertThat(r.removals).as("of a file that it took and denies").hasValue(1);
    }
  }

  @Test
  void offerGoesOnWithAPeerThatKnowsNothingOfContracts() throws Exception {
    try (LyingReceiver r = new LyingReceiver(pair);
        RunningStorage s = pair.startS(mode("offer"))) {
      for (LyingReceiver.Lie each :
          new LyingReceiver.Lie[] {LyingReceiver.Lie.NONE, LyingReceiver.Lie.OFFER_SENT_ON}) {
        r.lie = each;
        r.came.set(0);
        assertThat(push(s, pair.atR("/data/file")).last()).isEqualTo("success: Created");
        assertThat(r.came).hasValue(ContractPair.SIZE);
      }
      assertThat(pair.rows("s")).isEmpty();
    }
  }
}
