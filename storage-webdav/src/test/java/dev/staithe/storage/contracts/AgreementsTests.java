package dev.staithe.storage.contracts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.contracts.record.ContractRecord;
import java.time.Instant;
import org.junit.jupiter.api.Test;

final class AgreementsTests {
  private static final Instant NOW = Instant.parse("2026-11-26T01:00:00Z");
  private static final String PEER = "a.example:8443";

  private final Agreements agreements = new Agreements();

  private static Agreements.Agreement agreement(String id, Instant made) {
    return new Agreements.Agreement(
        id,
        PEER,
        "",
        "https://r.example:8443/data/f",
        1,
        "ab".repeat(32),
        "",
        new ContractRecord.Part("base", "c=:AAAA:"),
        made);
  }

  /** A host that brought nothing of what it offered would else be refused for ever. */
  @Test
  void whatHoldsNoMoreIsNotCountedAndTakesNoRoom() {
    assertThat(agreements.add(agreement("first", NOW))).isTrue();
    assertThat(agreements.add(agreement("second", NOW.plusSeconds(60)))).isTrue();
    assertThat(agreements.with(PEER, NOW.plusSeconds(299))).isEqualTo(2);
    assertThat(agreements.with("b.example:8443", NOW)).isZero();
    assertThat(agreements.with(PEER, NOW.plusSeconds(300))).isEqualTo(1);
    assertThat(agreements.with(PEER, NOW.plusSeconds(360))).isZero();
    assertThat(agreements.find("first", NOW)).as("forgotten, and not only hidden").isEmpty();
  }

  @Test
  void agreementIsTakenOnce() {
    Agreements.Agreement one = agreement("one", NOW);
    assertThat(agreements.add(one)).isTrue();
    assertThat(agreements.add(agreement("one", NOW))).isFalse();
    assertThat(agreements.take(one)).isTrue();
    assertThat(agreements.take(one)).isFalse();
  }
}
