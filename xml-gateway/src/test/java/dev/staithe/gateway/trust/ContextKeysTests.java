package dev.staithe.gateway.trust;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.wss.policy.AlgorithmList;
import dev.staithe.wss.policy.AlgorithmSuite;
import org.junit.jupiter.api.Test;

class ContextKeysTests {
  private final ContextKeys keys = new ContextKeys();

  /** Rampart says no size, and takes that of its suite whatever the answer tells. */
  @Test
  void keyOfWhomNobodyAskedForASizeHasThatOfTheSuite() {
    AlgorithmSuite basic128 = AlgorithmList.INTEROP.usual();
    AlgorithmSuite modern = AlgorithmList.MODERN.usual();

    assertThat(keys.make(new byte[32], 0, basic128).bits()).isEqualTo(128);
    assertThat(keys.make(null, 0, basic128).secret()).hasSize(16);
    assertThat(keys.make(new byte[32], 0, modern).secret()).hasSize(32);
    assertThat(keys.make(new byte[32], 192, basic128).secret()).hasSize(24);
  }
}
