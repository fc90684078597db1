package dev.staithe.perf.stores;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StaithePeerTests {
  @Test
  void settingsAreShownWithoutTheFoldersOfTheMachine() {
    assertThat(StaithePeer.oneLine("s3:\n  endpoint: http://127.0.0.1:1\n  file: \"/a/b/keys\"\n"))
        .isEqualTo("s3: endpoint: http://127.0.0.1:1 file: \"…/keys\"");
  }
}
