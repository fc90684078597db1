package dev.staithe.storage.tokens;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

class MacaroonTests {
  private static final byte[] ROOT =
      "this is our super secret key; only we should know it".getBytes(StandardCharsets.US_ASCII);
  private static final String HERE = "http://mybank/";

  private static Macaroon bank(String... caveats) {
    return Macaroon.make(Macaroon.key(ROOT), HERE, "we used our secret key", List.of(caveats));
  }

  private static Macaroon read(String compact) {
    assertThat(MacaroonReader.read(compact, HERE)).isInstanceOf(MacaroonReader.Read.Whole.class);
    return ((MacaroonReader.Read.Whole) MacaroonReader.read(compact, HERE)).macaroon();
  }

  private static String reason(byte[] bytes) {
    return switch (MacaroonReader.read(Base64.getUrlEncoder().encodeToString(bytes), HERE)) {
      case MacaroonReader.Read.Malformed(String reason) -> reason;
      case MacaroonReader.Read.Whole whole -> "taken";
      case MacaroonReader.Read.Other other -> "other";
    };
  }

  /** The signatures that libmacaroons' own guide prints for this key. */
  @Test
  void signaturesAreThoseOfLibmacaroons() {
    assertThat(HexFormat.of().formatHex(bank().signature()))
        .isEqualTo("e3d9e02908526c4c0039ae15114115d97fdd68bf2ba379b342aaf0f617d0552f");
    assertThat(HexFormat.of().formatHex(bank("test = caveat").signature()))
        .isEqualTo("197bac7a044af33332865b9266e26d493bdd668a660e44d88ce1a998c23dbd67");
  }

  @Test
  void whatIsWrittenIsReadAndBelongsToItsKeyAlone() {
    Macaroon macaroon = bank("activity:LIST", "path:/ä/b c");
    Macaroon again = read(macaroon.compact());

    assertThat(again.caveats()).isEqualTo(macaroon.caveats());
    assertThat(again.identifier()).isEqualTo(macaroon.identifier());
    assertThat(again.isBy(Macaroon.key(ROOT))).isTrue();
    assertThat(again.isBy(Macaroon.key(new byte[32]))).isFalse();
  }

  /** By bit, by length, by any one byte less. */
  @Test
  void aMacaroonThatWasCutOrChangedIsNotTaken() {
    byte[] whole = Base64.getUrlDecoder().decode(bank("activity:LIST", "path:/a").compact());
    for (int i = 0; i < whole.length; i++) {
      byte[] changed = whole.clone();
      changed[i] ^= 1;
      switch (MacaroonReader.read(Base64.getUrlEncoder().encodeToString(changed), HERE)) {
        case MacaroonReader.Read.Whole(Macaroon macaroon) ->
            // The location is a hint, signed by nothing.
            assertThat(!macaroon.isBy(Macaroon.key(ROOT)) || !macaroon.location().equals(HERE))
                .isTrue();
        case MacaroonReader.Read.Malformed malformed -> {}
        case MacaroonReader.Read.Other other -> {}
      }
      assertThat(reason(Arrays.copyOf(whole, i))).isNotEqualTo("taken");
    }
    assertThat(reason(Arrays.copyOf(whole, whole.length + 1))).isNotEqualTo("taken");
  }

  private static void field(ByteArrayOutputStream out, int type, byte[] content) {
    out.write(type);
    for (int rest = content.length; ; rest >>= 7) {
      if (rest < 0x80) {
        out.write(rest);
        break;
      }
      out.write(rest & 0x7f | 0x80);
    }
    out.writeBytes(content);
  }

  private static ByteArrayOutputStream second(Macaroon macaroon) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(2);
    field(out, 1, macaroon.location().getBytes(StandardCharsets.UTF_8));
    field(out, 2, macaroon.identifier().getBytes(StandardCharsets.UTF_8));
    out.write(0);
    for (String caveat : macaroon.caveats()) {
      field(out, 2, caveat.getBytes(StandardCharsets.UTF_8));
      out.write(0);
    }
    out.write(0);
    field(out, 6, macaroon.signature());
    return out;
  }

  @Test
  void theSecondFormatIsRead() {
    Macaroon macaroon = bank("activity:LIST", "path:/" + "x".repeat(300));
    byte[] bytes = second(macaroon).toByteArray();

    Macaroon again = read(Base64.getUrlEncoder().encodeToString(bytes));
    assertThat(again.isBy(Macaroon.key(ROOT))).isTrue();
    assertThat(again.caveats()).isEqualTo(macaroon.caveats());
    for (int i = 0; i < bytes.length; i++) {
      assertThat(reason(Arrays.copyOf(bytes, i))).isNotEqualTo("taken");
    }
  }

  @Test
  void caveatsOfThirdPartiesAndTooManyAreRefused() {
    ByteArrayOutputStream third = new ByteArrayOutputStream();
    third.write(2);
    field(third, 1, HERE.getBytes(StandardCharsets.US_ASCII));
    field(third, 2, new byte[] {'i'});
    third.write(0);
    field(third, 2, new byte[] {'c'});
    field(third, 4, new byte[40]);
    third.write(0);
    third.write(0);
    field(third, 6, new byte[32]);
    assertThat(reason(third.toByteArray())).contains("third-party");

    String[] many = new String[65];
    Arrays.fill(many, "activity:LIST");
    assertThat(reason(Base64.getUrlDecoder().decode(bank(many).compact())))
        .isEqualTo("the macaroon has more than 64 caveats");
  }

  @Test
  void otherTokensAreLeftToOtherDoors() {
    for (String other : List.of("", "x", "opaque-token_of~another/kind", "AgELabcdef", "MDAw")) {
      assertThat(MacaroonReader.read(other, HERE)).isInstanceOf(MacaroonReader.Read.Other.class);
    }
  }
}
