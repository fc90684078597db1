package dev.staithe.contracts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.util.Base64URL;
import com.nimbusds.jose.util.JSONObjectUtils;
import dev.staithe.contracts.host.Attestation;
import dev.staithe.contracts.host.AttestationKey;
import dev.staithe.contracts.host.HostProperties;
import dev.staithe.contracts.host.SignedQuote;
import dev.staithe.contracts.signature.BadSignature;
import dev.staithe.contracts.signature.ContractKey;
import dev.staithe.pki.PemException;
import dev.staithe.testkit.trust.SoftTpm;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Property lists that bring a quote along. */
final class AttestedPropertiesTests {
  private static final String HOST = "https://a.example";
  private static final Instant NOW = Instant.parse("2026-11-20T12:00:00Z");

  @TempDir private static Path folder;
  private static SoftTpm tpm;
  private final ContractKey key = Keys.make();

  @BeforeAll
  static void start() {
    tpm = SoftTpm.start(folder.resolve("tpm"), SoftTpm.Kind.ECC);
  }

  @AfterAll
  static void stop() {
    tpm.close();
  }

  private static Optional<SignedQuote> quoted(byte[] qualifyingData) {
    List<byte[]> made = tpm.quote("sha256:0,7", HexFormat.of().formatHex(qualifyingData));
    try {
      return Optional.of(
          new SignedQuote(AttestationKey.read(tpm.key()), made.getFirst(), made.getLast()));
    } catch (PemException e) {
      throw new IllegalStateException(e);
    }
  }

  private HostProperties verified(HostProperties list, Instant now) throws BadSignature {
    return HostProperties.verify(list.text(), Map.of(key.id(), key.publicKey()), now);
  }

  private HostProperties by(ContractKey signer, Instant now, HostProperties.Quoting quoting) {
    return HostProperties.sign(HOST, Map.of(), signer, now, quoting);
  }

  @Test
  void quoteIsOfTheListThatBringsIt() throws Exception {
    HostProperties list = by(key, NOW, AttestedPropertiesTests::quoted);
    assertThat(list.text().length()).isLessThan(2000);
    HostProperties read = verified(list, NOW);
    assertThat(read).isEqualTo(list);
    assertThat(read.attestation()).isInstanceOf(Attestation.Quoted.class);
    assertThat(read.attestation().line())
        .contains(AttestationKey.read(tpm.key()).id(), "the PCRs sha256:0,7 of digest ");
    HostProperties without = by(key, NOW, data -> Optional.empty());
    assertThat(verified(without, NOW).attestation()).isEqualTo(new Attestation.None());
  }

  @Test
  void quoteOfAnotherListHourHostOrContractKeyFitsNowhereElse() throws Exception {
    ContractKey other = Keys.make();
    Instant end = NOW.plus(HostProperties.LONGEST);
    for (byte[] elsewhere :
        List.of(
            SignedQuote.qualifyingData(other.id(), HOST, NOW, end),
            SignedQuote.qualifyingData(key.id(), HOST + ".org", NOW, end),
            SignedQuote.qualifyingData(key.id(), HOST, NOW.minusSeconds(1), end),
            SignedQuote.qualifyingData(key.id(), HOST, NOW, end.plusSeconds(1)))) {
      HostProperties list = by(key, NOW, data -> quoted(elsewhere));
      assertThat(verified(list, NOW).attestation())
          .isInstanceOf(Attestation.Unfit.class)
          .isEqualTo(list.attestation());
      assertThatThrownBy(() -> list.attestation().line())
          .isInstanceOf(BadSignature.class)
          .hasMessageContaining("another contract key, or for a property list of another hour");
    }
    HostProperties old = by(key, NOW, AttestedPropertiesTests::quoted);
    assertThatThrownBy(() -> verified(old, end.plusSeconds(61))).hasMessageContaining("this hour");
  }

  @Test
  void whatIsNoQuoteIsNoneAndTheListHoldsWithoutIt() throws Exception {
    String good = by(key, NOW, AttestedPropertiesTests::quoted).text();
    Map<String, Object> claims =
        JSONObjectUtils.parse(new Base64URL(good.split("\\.")[1]).decodeToString());
    Map<String, Object> quote = JSONObjectUtils.getJSONObject(claims, "tpm-quote");
    for (Object wrong :
        Arrays.asList(
            "text",
            List.of(),
            Map.of(),
            with(quote, "ak", Map.of("kty", "oct", "k", "AAAA")),
            with(quote, "ak", Map.of()),
            with(quote, "ak", "key"),
            with(quote, "quote-data", 5),
            with(quote, "quote-data", ""),
            with(quote, "quote-data", "A".repeat(2000)),
            with(quote, "quote-signature", "?"),
            with(quote, "quote-signature", "A".repeat(2000)))) {
      claims.put("tpm-quote", wrong);
      String input =
          good.substring(0, good.indexOf('.') + 1)
              + Base64URL.encode(JSONObjectUtils.toJSONString(claims));
      String text =
          input + "." + Base64URL.encode(key.sign(input.getBytes(StandardCharsets.US_ASCII)));
      HostProperties read = HostProperties.verify(text, Map.of(key.id(), key.publicKey()), NOW);
      assertThat(read.attestation()).as("%s", wrong).isInstanceOf(Attestation.Unfit.class);
    }
  }

  private static Map<String, Object> with(Map<String, Object> quote, String name, Object value) {
    Map<String, Object> other = new HashMap<>(quote);
    other.put(name, value);
    return other;
  }
}
