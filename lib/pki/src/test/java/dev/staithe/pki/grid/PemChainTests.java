package dev.staithe.pki.grid;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.pki.Pem;
import dev.staithe.pki.grid.Chains.Holder;
import dev.staithe.pki.grid.DelegatedChainVerdict.Reason;
import dev.staithe.pki.grid.PemChain.Certificates;
import dev.staithe.pki.grid.PemChain.Refused;
import java.util.Base64;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class PemChainTests {
  private static final Holder ADA =
      Chains.person("CN=Ada,O=Example,C=DE").by(Chains.authority("CN=Example CA,O=Example,C=DE"));
  private static final String GOOD = Pem.encode(ADA.chain());

  private static Reason reason(String text) {
    return ((Refused) PemChain.parse(text)).reason();
  }

  @Test
  void certificatesAreReadInTheirOrderWithWhateverStandsBetweenThem() {
    assertThat(PemChain.parse("subject=Ada\r\n" + GOOD.replace("\n", "\r\n") + "\r\n"))
        .isEqualTo(new Certificates(ADA.chain()));
  }

  @Test
  void privateKeyIsNeverTaken() {
    for (String label : List.of("PRIVATE KEY", "RSA PRIVATE KEY", "ENCRYPTED PRIVATE KEY")) {
      String key = "-----BEGIN " + label + "-----\nc2VjcmV0\n-----END " + label + "-----\n";

      assertThat(PemChain.parse(GOOD + key))
          .matches(
              p ->
                  p instanceof Refused refused
                      && refused.reason() == Reason.MALFORMED
                      && refused.line().contains("is not to be sent")
                      && !refused.line().contains("c2VjcmV0"));
      System.out.println("trials = 1");
    }
  }

  @Test
  void mebibyteOfChainIsRefusedUnread() {
    assertThat(reason(GOOD.repeat(1 + (1 << 20) / GOOD.length()))).isEqualTo(Reason.TOO_LONG);
    assertThat(reason("x".repeat(1 << 20))).isEqualTo(Reason.TOO_LONG);
    assertThat(reason(GOOD.repeat(7))).isEqualTo(Reason.TOO_LONG);
  }

  @Test
  void brokenTextIsRefusedWithoutRepeatingIt() {
    String noCertificate =
        "-----BEGIN CERTIFICATE-----\n"
            + Base64.getEncoder().encodeToString("hello".getBytes())
            + "\n-----END CERTIFICATE-----\n";

    for (String text :
        List.of(
            "",
            "hello",
            noCertificate,
            GOOD.substring(0, GOOD.length() / 3),
            GOOD.replaceFirst("MI", "<!"))) {
      assertThat(PemChain.parse(text))
          .matches(
              p ->
                  p instanceof Refused refused
                      && refused.reason() == Reason.MALFORMED
                      && refused.line().lines().count() == 1
                      && !refused.line().contains("hello"));
    }
  }

  @Property(tries = 300)
  void damagedBytesAreReadOrRefusedAndNeverThrow(
      @ForAll @IntRange(max = 2000) int at, @ForAll byte value) {
    byte[] bytes = GOOD.getBytes(java.nio.charset.StandardCharsets.ISO_8859_1);
    bytes[at % bytes.length] = value;

    assertThat(PemChain.parse(new String(bytes, java.nio.charset.StandardCharsets.ISO_8859_1)))
        .isNotNull();
  }
}
