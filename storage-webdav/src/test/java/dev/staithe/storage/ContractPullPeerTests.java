package dev.staithe.storage;

import static dev.staithe.storage.ContractPair.pull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.storage.contracts.journal.KeptContracts;
import dev.staithe.testkit.Trials;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Senders that lie: one real receiver. */
@SuppressWarnings("try")
final class ContractPullPeerTests {
  private static final Map<LyingSender.Lie, String> FOUND =
      Map.ofEntries(
          Map.entry(LyingSender.Lie.OTHER_REQUEST, "not by the key that it names"),
          Map.entry(LyingSender.Lie.OTHER_ID, "the answer is of another contract"),
          Map.entry(LyingSender.Lie.OTHER_DIGEST, "not by the key that it names"),
          Map.entry(LyingSender.Lie.OTHER_LENGTH, "not by the key that it names"),
          Map.entry(LyingSender.Lie.OTHER_KEY, "by no key that localhost:"),
          Map.entry(LyingSender.Lie.LESS, "cover"),
          Map.entry(LyingSender.Lie.OLD, "expired"),
          Map.entry(LyingSender.Lie.EARLY, "in the future"),
          Map.entry(LyingSender.Lie.UNSIGNED, "is not signed"),
          Map.entry(LyingSender.Lie.OTHER_BYTES, "checksum mismatch"),
          Map.entry(LyingSender.Lie.NONE, "does not sign as it should"));

  @TempDir private Path folder;

  @Test
  void nothingIsKeptOfAnAnswerThatIsNotSignedForThisVeryRequestAndItsBytes() throws Exception {
    try (ContractPair pair = new ContractPair(folder);
        LyingSender s = new LyingSender(pair);
        RunningStorage r = pair.startR(Map.of())) {
      for (Map.Entry<LyingSender.Lie, String> each : FOUND.entrySet()) {
        s.lie = each.getKey();
        CopyAnswer refused = pull(r, pair.atS("/data/file"), "/data/file", 1);
        assertThat(refused.last())
            .as(each.getKey().name())
            .contains(each.getValue())
            .doesNotContain("success");
        assertThat(r.data().resolve("file")).doesNotExist();
      }
      assertThat(pair.rows("r"))
          .as("the one whose answer was good, and its bytes were not")
          .singleElement()
          .extracting(KeptContracts.Row::state)
          .isNotEqualTo("acknowledged");
      Trials.held(FOUND.size());
    }
  }
}
