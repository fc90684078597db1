package dev.staithe.contracts.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a contract in a list is found by. */
final class ContractEntryTests {
  private static final String ADA = "CN=Ada Example:443,O=Example";

  private static ContractEntry entry(String sender, String receiver) {
    return new ContractEntry(
        "id",
        "received",
        Instant.EPOCH,
        "https://p.example/data/file",
        sender,
        receiver,
        1,
        "ab".repeat(32));
  }

  @ParameterizedTest
  @CsvSource({
    "p.example, p.example",
    "p.example:443, p.example",
    "https://p.example:443, p.example",
    "https://P.Example, p.example",
    "p.example:8443, p.example:8443",
    "p.example:1443, p.example:1443",
    "[2001:db8::443], [2001:db8::443]",
    "[2001:db8::1]:443, [2001:db8::1]",
    ":443, :443",
    "'', ''"
  })
  void hostIsNamedAsContractsNameIt(String written, String named) {
    assertThat(ContractEntry.party(written)).isEqualTo(named);
  }

  @Test
  void nameOfAPersonStaysAsItIs() {
    assertThat(ContractEntry.party(ADA)).isEqualTo(ADA);
    assertThat(entry("https://p.example", ADA).with(ADA)).isTrue();
    assertThat(entry("https://p.example", ADA).with("CN=Ada Example")).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "p.example",
        "p.example:443",
        "https://p.example",
        "a.example:8443",
        "A.example:8443"
      })
  void contractIsFoundByEitherHostHoweverItIsWritten(String host) {
    assertThat(entry("https://p.example", "https://a.example:8443").with(host)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"p.example:8443", "a.example", "a.example:443", "example", ":443"})
  void contractIsNotFoundByAnotherHost(String host) {
    assertThat(entry("https://p.example", "https://a.example:8443").with(host)).isFalse();
  }
}
