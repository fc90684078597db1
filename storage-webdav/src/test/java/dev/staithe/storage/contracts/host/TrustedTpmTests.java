package dev.staithe.storage.contracts.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.staithe.contracts.host.Attestation;
import dev.staithe.contracts.host.AttestationKey;
import dev.staithe.contracts.host.PropertyRule;
import dev.staithe.contracts.host.TpmQuote;
import dev.staithe.pki.KeyKind;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What an area wants of a host's TPM beside what the host says. */
final class TrustedTpmTests {
  private static final String HOST = "a.example:8443";
  private static final String DIGEST = "ab".repeat(32);
  private static final Map<String, Object> SAID = Map.of("jurisdiction", "DE");

  private final AttestationKey key = key();

  private static AttestationKey key() {
    return AttestationKey.of(KeyKind.EC_P256.generate().getPublic());
  }

  private static AreaContracts area(TrustedTpm tpm) {
    return new AreaContracts(
        AreaContracts.Mode.REQUIRE,
        Set.of(HOST, "b.example"),
        null,
        List.of(PropertyRule.parse("jurisdiction in [DE]")),
        tpm == null ? Map.of() : Map.of(HOST, tpm),
        "",
        "",
        AreaContracts.Receipts.SYNC,
        1);
  }

  private static Attestation quoted(AttestationKey by, String pcrs, String digest) {
    return new Attestation.Quoted(by, new TpmQuote("", "", 1, 1, pcrs, digest));
  }

  private static void refused(
      AreaContracts area, String peer, Attestation attestation, String line) {
    assertThatThrownBy(() -> area.demand(peer, SAID, attestation))
        .isInstanceOfSatisfying(
            ContractRefusal.class,
            refusal -> {
              assertThat(refusal.line()).isEqualTo("attestation: wanted " + line);
              assertThat(refusal.status()).isEqualTo(403);
              assertThat(refusal.failed())
                  .singleElement()
                  .satisfies(failed -> assertThat(failed).containsEntry("property", "attestation"));
            });
  }

  @Test
  void quoteByTheTpmThatIsKnownIsTaken() throws Exception {
    Attestation good = quoted(key, "sha256:0,7", DIGEST);
    area(new TrustedTpm(key, "", "")).demand(HOST, SAID, good);
    area(new TrustedTpm(key, "sha256:0,7", "")).demand(HOST, SAID, good);
    area(new TrustedTpm(key, "sha256:0,7", DIGEST)).demand(HOST, SAID, good);
  }

  @Test
  void whateverElseComesIsRefusedWithWhatWasWantedAndOffered() {
    AreaContracts area = area(new TrustedTpm(key, "sha256:0,7", DIGEST));
    String wanted = "a quote by the TPM of host " + HOST;
    refused(area, HOST, new Attestation.None(), wanted + ", offered none");
    refused(
        area,
        HOST,
        new Attestation.Unfit("the quote cannot\nbe read"),
        wanted + ", offered one that does not fit: the quote cannot?be read");
    AttestationKey other = key();
    refused(
        area,
        HOST,
        quoted(other, "sha256:0,7", DIGEST),
        wanted
            + ", whose attestation key is "
            + key.id()
            + ", offered one by the attestation key "
            + other.id());
    for (String pcrs : List.of("", "sha256:0", "sha256:0,1,7", "sha1:0,7", "sha256:0,7+sha1:0")) {
      refused(
          area,
          HOST,
          quoted(key, pcrs, DIGEST),
          wanted + " over PCRs sha256:0,7, offered one over " + pcrs);
    }
    refused(
        area,
        HOST,
        quoted(key, "sha256:0,7", "cd".repeat(32)),
        wanted + " with PCR digest " + DIGEST + ", offered one with PCR digest " + "cd".repeat(32));
    refused(
        area,
        "CN=Ada",
        new Attestation.OfPerson(),
        "a quote by the TPM of a host that the area names, offered none: a person cannot be"
            + " attested");
  }

  @Test
  void partnerWhoseTpmIsNotKnownIsNoneThatCanBeAttested() {
    AreaContracts area = area(new TrustedTpm(key, "", ""));
    for (Attestation each :
        List.of(new Attestation.None(), quoted(key, "", ""), quoted(key(), "", ""))) {
      refused(
          area,
          "b.example",
          each,
          "a quote by the TPM of host b.example, offered none that can be judged: the area names no"
              + " attestation key of that host");
    }
  }

  @Test
  void areaThatNamesNoTpmLooksAtNoQuoteAndOneThatDoesWantsThePropertiesToo() throws Exception {
    for (Attestation each :
        List.of(
            new Attestation.None(),
            new Attestation.OfPerson(),
            new Attestation.Unfit("x"),
            quoted(key, "", ""))) {
      area(null).demand(HOST, SAID, each);
    }
    assertThatThrownBy(
            () ->
                area(new TrustedTpm(key, "", ""))
                    .demand(HOST, Map.of("jurisdiction", "FR"), new Attestation.None()))
        .hasMessageContaining("wanted jurisdiction in [DE], offered [FR]; attestation: wanted");
    assertThat(area(new TrustedTpm(key, "", "")).wanted())
        .containsExactly("jurisdiction in [DE]", "attestation");
  }
}
