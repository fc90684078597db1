package dev.staithe.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

final class PartPlanTests {
  private static long room(PartPlan plan) {
    long room = 0;
    for (int i = 1; i <= PartPlan.MOST_PARTS; i++) {
      room += (long) plan.buffers(i) * PartPlan.BUFFER;
    }
    return room;
  }

  @Test
  void partsOfAKnownLengthAreAsSmallAsTenThousandAllow() {
    assertThat(PartPlan.of(0).buffers(1)).isEqualTo(1);
    assertThat(PartPlan.of(10_000L * PartPlan.BUFFER).buffers(1)).isEqualTo(1);
    assertThat(PartPlan.of(10_000L * PartPlan.BUFFER + 1).buffers(1)).isEqualTo(2);
    assertThat(PartPlan.of(PartPlan.MOST).buffers(10_000)).isEqualTo(4);
    assertThat(room(PartPlan.of(PartPlan.MOST))).isEqualTo(PartPlan.MOST);
    assertThatThrownBy(() -> PartPlan.of(PartPlan.MOST + 1))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void partsOfAnUnknownLengthGrow() {
    assertThat(room(PartPlan.of(-1))).isGreaterThan(450L << 30);
    assertThat(PartPlan.of(-1).buffers(1)).isEqualTo(1);
  }
}
