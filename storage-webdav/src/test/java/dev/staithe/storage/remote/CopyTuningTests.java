package dev.staithe.storage.remote;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class CopyTuningTests {
  @Test
  void whatIsSetForTheHostGoesBeforeTheArea() {
    CopyTuning tuning =
        new CopyTuning(
            Map.of("data", new CopyTuning.Sending("reno", 5)),
            Map.of(
                "far.example",
                new CopyTuning.Sending("bbr", 0),
                "near.example",
                new CopyTuning.Sending("", 7)));

    assertThat(tuning.of("data", "other.example")).isEqualTo(new CopyTuning.Sending("reno", 5));
    assertThat(tuning.of("data", "far.example")).isEqualTo(new CopyTuning.Sending("bbr", 5));
    assertThat(tuning.of("data", "near.example")).isEqualTo(new CopyTuning.Sending("reno", 7));
    assertThat(tuning.of("other", "far.example")).isEqualTo(new CopyTuning.Sending("bbr", 0));
    assertThat(tuning.of("other", "other.example")).isEqualTo(CopyTuning.Sending.USUAL);
  }
}
