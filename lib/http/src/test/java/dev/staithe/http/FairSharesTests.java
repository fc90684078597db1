package dev.staithe.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Who may have how many of the places. */
final class FairSharesTests {
  private final FairShares places = new FairShares(8);

  private boolean take(String party) throws InterruptedException {
    return places.take(party, Duration.ZERO);
  }

  @Test
  void onePartyHasHalfAndTheLastQuarterIsForThoseWhoHaveNone() throws Exception {
    for (int i = 0; i < 4; i++) {
      assertThat(take("ada")).isTrue();
    }
    assertThat(take("ada")).as("half of them are ada's").isFalse();
    assertThat(take("bob")).isTrue();
    assertThat(take("bob")).isTrue();
    assertThat(take("bob")).as("the last quarter is for others").isFalse();
    assertThat(take("eve")).isTrue();
    assertThat(take("dan")).isTrue();
    assertThat(take("kim")).as("all are taken").isFalse();
    assertThat(places.taken()).isEqualTo(8);
    assertThat(places.parties()).isEqualTo(4);

    places.give("ada");
    assertThat(take("ada")).as("it is for those who have none").isFalse();
    assertThat(take("kim")).isTrue();
    assertThat(places.waiting()).isZero();
  }
}
