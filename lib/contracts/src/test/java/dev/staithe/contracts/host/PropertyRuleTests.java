package dev.staithe.contracts.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.staithe.contracts.Keys;
import dev.staithe.contracts.signature.BadSignature;
import dev.staithe.contracts.signature.ContractKey;
import dev.staithe.contracts.signature.PartyKey;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class PropertyRuleTests {
  private static final Instant NOW = Instant.parse("2026-11-20T12:00:00Z");
  private static final Map<String, Object> HOST =
      Map.of(
          "at-rest-encryption", "luks2",
          "jurisdiction", "DE",
          "certifications", List.of("iso27001", "bsi-c5"),
          "purpose", List.of("research", "teaching"),
          "retention", "P30D",
          "empty", "",
          "software", Map.of("name", "Staithe", "version", "1.10.2"));

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "at-rest-encryption in [luks2, zfs] | true",
        "at-rest-encryption in [zfs] | false",
        "at-rest-encryption in [LUKS2] | true",
        "jurisdiction not in [US, CN] | true",
        "jurisdiction not in [DE] | false",
        "absent not in [DE] | false",
        "absent in [DE] | false",
        "purpose in [research] | false",
        "purpose in [research, teaching] | true",
        "certifications = iso27001 | true",
        "certifications = iso9001 | false",
        "certifications not in [bsi-c5] | false",
        "retention >= 30d | true",
        "retention >= P31D | false",
        "retention >= 720h | true",
        "retention >= 1.0 | false",
        "software.version >= 1.9 | true",
        "software.version >= 1.10.2 | true",
        "software.version >= 1.10.2.1 | false",
        "software.version >= 2 | false",
        "software.name = staithe | true",
        "software exists | false",
        "jurisdiction exists | true",
        "empty exists | false",
        "certifications >= 1 | false"
      })
  void eachOperator(String expression, boolean holds) {
    assertThat(PropertyRule.parse(expression).holds(HOST)).isEqualTo(holds);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "jurisdiction",
        "jurisdiction in",
        "jurisdiction in []",
        "jurisdiction in [DE,]",
        "jurisdiction in [DE",
        "jurisdiction > 3",
        "jurisdiction >= DE",
        "jurisdiction == DE",
        "jurisdiction exists yes",
        "Jurisdiction = DE",
        "a..b = c",
        "a in [b] or c in [d]"
      })
  void wrongExpressionSaysSoInOneLine(String expression) {
    assertThatThrownBy(() -> PropertyRule.parse(expression))
        .isInstanceOf(IllegalArgumentException.class)
        .satisfies(e -> assertThat(e.getMessage()).isNotBlank().doesNotContain("\n"));
  }

  @Test
  void listIsOfItsHostAndOfThisHour() throws Exception {
    ContractKey key = Keys.make();
    String text = HostProperties.sign("https://a.example", HOST, key, NOW).text();
    Map<String, PartyKey> keys = Map.of(key.id(), key.publicKey());
    HostProperties read = HostProperties.verify(text, keys, NOW);
    assertThat(read.issuer()).isEqualTo("https://a.example");
    assertThat(PropertyRule.parse("software.version >= 1.9").holds(read.values())).isTrue();
    assertThatThrownBy(() -> HostProperties.verify(text, keys, NOW.plusSeconds(3600 + 61)))
        .hasMessageContaining("hour");
    assertThatThrownBy(() -> HostProperties.verify(text, keys, NOW.minusSeconds(61)))
        .hasMessageContaining("hour");
    ContractKey other = Keys.make();
    assertThatThrownBy(() -> HostProperties.verify(text, Map.of(key.id(), other.publicKey()), NOW))
        .hasMessageContaining("not signed by a key of their host");
    assertThatThrownBy(() -> HostProperties.verify(text + "x", keys, NOW))
        .isInstanceOf(BadSignature.class);
    assertThatThrownBy(() -> HostProperties.verify("a.b.c", keys, NOW))
        .isInstanceOf(BadSignature.class);
  }
}
