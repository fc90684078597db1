package dev.staithe.contracts.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.staithe.contracts.Keys;
import dev.staithe.contracts.signature.BadSignature;
import dev.staithe.contracts.signature.Cbor;
import dev.staithe.contracts.signature.ContractKey;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a partner states, who may write anything. */
final class StatementTests {
  private static final byte[] CONTENT = "{}".getBytes(StandardCharsets.UTF_8);

  private final ContractKey key = Keys.make();

  private Statement statedAt(long seconds) throws BadSignature {
    Map<Object, Object> claims = new LinkedHashMap<>();
    claims.put(1L, "https://p.example");
    claims.put(2L, "urn:uuid:1");
    claims.put(6L, seconds);
    Map<Object, Object> header = new LinkedHashMap<>();
    header.put(1L, -7L);
    header.put(3L, "application/vnd.staithe.contract+json");
    header.put(4L, key.id().getBytes(StandardCharsets.US_ASCII));
    header.put(15L, claims);
    byte[] written = Cbor.encode(header);
    byte[] signature = key.sign(Cbor.encode(List.of("Signature1", written, new byte[0], CONTENT)));
    return Statement.parse(
        Cbor.encode(new Cbor.Tagged(18, List.of(written, Map.of(), CONTENT, signature))));
  }

  @Test
  void statementOfATimeThatThereIsNotIsNone() throws BadSignature {
    assertThat(statedAt(1).claimed().stated()).isEqualTo(Instant.ofEpochSecond(1));
    Statement never = statedAt(Long.MAX_VALUE);
    assertThatThrownBy(never::claimed).isInstanceOf(BadSignature.class);
    assertThatThrownBy(() -> never.verify(Map.of(key.id(), key.publicKey())))
        .isInstanceOf(BadSignature.class);
  }
}
