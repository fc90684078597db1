package dev.staithe.contracts.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.staithe.contracts.signature.BadSignature;
import dev.staithe.contracts.signature.Hash;
import dev.staithe.pki.PemException;
import dev.staithe.testkit.Trials;
import dev.staithe.testkit.trust.SoftTpm;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyFactory;
import java.security.KeyPairGenerator;
import java.security.PublicKey;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.RSAPublicKeySpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Quotes of a real TPM in software, and what was made to look like one. */
final class TpmQuoteTests {
  private static final byte[] DATA = Hash.of(new byte[] {1});
  private static final String DATA_TEXT = HexFormat.of().formatHex(DATA);

  @TempDir private Path folder;

  private SoftTpm tpm(SoftTpm.Kind kind) {
    return SoftTpm.start(folder.resolve(kind.name()), kind);
  }

  private static SignedQuote quote(SoftTpm tpm) throws PemException {
    List<byte[]> made = tpm.quote("sha256:0,1,7", DATA_TEXT);
    return new SignedQuote(AttestationKey.read(tpm.key()), made.getFirst(), made.getLast());
  }

  @ParameterizedTest
  @EnumSource
  void quoteOfATpmSaysWhatItsPcrsWere(SoftTpm.Kind kind) throws Exception {
    try (SoftTpm tpm = tpm(kind)) {
      tpm.extend(7, "ab".repeat(32));
      TpmQuote quote = quote(tpm).verify(DATA);
      assertThat(quote.pcrs()).isEqualTo("sha256:0,1,7").isEqualTo(of(7, 1, 0));
      assertThat(quote.pcrDigest()).isEqualTo(HexFormat.of().formatHex(Hash.of(tpm.pcrs("0,1,7"))));
      assertThat(quote.qualifyingData()).isEqualTo(DATA_TEXT);
      assertThat(quote.signer()).hasSize(68).startsWith("000b");
      assertThat(quote.clock()).isPositive();
      tpm.extend(0, "cd".repeat(32));
      assertThat(quote(tpm).verify(DATA).pcrDigest()).isNotEqualTo(quote.pcrDigest());
      List<byte[]> banks = tpm.quote("sha1:3+sha256:23", DATA_TEXT);
      assertThat(TpmQuote.parse(banks.getFirst()).pcrs()).isEqualTo("sha1:3+sha256:23");
    }
  }

  private static String of(Integer... pcrs) {
    return TpmQuote.ofSha256(Set.of(pcrs));
  }

  @ParameterizedTest
  @EnumSource
  void quoteThatWasCutProlongedOrChangedInAnyBitIsRefused(SoftTpm.Kind kind) throws Exception {
    int tried = 0;
    try (SoftTpm tpm = tpm(kind)) {
      SignedQuote good = quote(tpm);
      good.verify(DATA);
      for (byte[] each : changed(good.attest())) {
        refused(new SignedQuote(good.key(), each, good.signature()));
        tried++;
      }
      for (byte[] each : changed(good.signature())) {
        refused(new SignedQuote(good.key(), good.attest(), each));
        tried++;
      }
    }
    Trials.held(tried);
  }

  private static void refused(SignedQuote quote) {
    assertThatThrownBy(() -> quote.verify(DATA)).isInstanceOf(BadSignature.class);
  }

  /** Each beginning, one byte more at the end, and each bit the other way. */
  private static List<byte[]> changed(byte[] good) {
    List<byte[]> all = new java.util.ArrayList<>();
    for (int length = 0; length < good.length; length++) {
      all.add(Arrays.copyOf(good, length));
    }
    all.add(Arrays.copyOf(good, good.length + 1));
    for (int bit = 0; bit < good.length * Byte.SIZE; bit++) {
      byte[] other = good.clone();
      other[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
      all.add(other);
    }
    return all;
  }

  @Test
  void quoteByAnotherKeyOrOverOtherDataIsRefused() throws Exception {
    try (SoftTpm tpm = tpm(SoftTpm.Kind.ECC);
        SoftTpm rsa = tpm(SoftTpm.Kind.RSA)) {
      SignedQuote good = quote(tpm);
      SignedQuote other = quote(rsa);
      assertThatThrownBy(() -> good.verify(Hash.of(new byte[] {2})))
          .hasMessageContaining("another contract key, or for a property list of another hour");
      assertThatThrownBy(
              () -> new SignedQuote(other.key(), good.attest(), good.signature()).verify(DATA))
          .hasMessageContaining("not signed by the attestation key " + other.key().id());
      refused(new SignedQuote(good.key(), other.attest(), other.signature()));
      refused(new SignedQuote(good.key(), other.attest(), good.signature()));
    }
  }

  /** A TPMS_ATTEST with these parts. */
  private static byte[] attest(
      int magic, int type, int name, int data, int banks, int select, int digest)
      throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeInt(magic);
      out.writeShort(type);
      for (int size : new int[] {name, data}) {
        out.writeShort(size);
        out.write(new byte[Math.min(size, 100)]);
      }
      out.write(new byte[8 + 4 + 4 + 1 + 8]);
      out.writeInt(banks);
      for (int bank = 0; bank < Math.min(banks, 20); bank++) {
        out.writeShort(0x000b);
        out.writeByte(select);
        out.write(new byte[select]);
      }
      out.writeShort(digest);
      out.write(new byte[Math.min(digest, 100)]);
    }
    return bytes.toByteArray();
  }

  @Test
  void whatIsNoQuoteOrHasImpossibleLengthsIsNotRead() throws Exception {
    int magic = 0xff544347;
    int quote = 0x8018;
    byte[] good = attest(magic, quote, 34, 32, 2, 3, 32);
    assertThat(TpmQuote.parse(good).pcrs()).isEmpty();
    byte[][] wrong = {
      attest(magic + 1, quote, 34, 32, 1, 3, 32),
      attest(magic, 0x8017, 34, 32, 1, 3, 32), // TPM_ST_ATTEST_CERTIFY
      attest(magic, quote, 67, 32, 1, 3, 32),
      attest(magic, quote, 0xffff, 32, 1, 3, 32),
      attest(magic, quote, 34, 67, 1, 3, 32),
      attest(magic, quote, 34, 32, 17, 3, 32),
      attest(magic, quote, 34, 32, Integer.MIN_VALUE, 3, 32),
      attest(magic, quote, 34, 32, Integer.MAX_VALUE, 3, 32),
      attest(magic, quote, 34, 32, 1, 5, 32),
      attest(magic, quote, 34, 32, 1, 255, 32),
      attest(magic, quote, 34, 32, 1, 3, 20),
      attest(magic, quote, 34, 32, 1, 3, 33),
      Arrays.copyOf(good, good.length + 1),
      new byte[TpmQuote.MOST_BYTES + 1],
      new byte[0],
    };
    for (byte[] each : wrong) {
      assertThatThrownBy(() -> TpmQuote.parse(each)).isInstanceOf(BadSignature.class);
    }
    // Whatever bytes come, nothing else than a refusal comes of them.
    Random random = new Random(5);
    for (int i = 0; i < 20_000; i++) {
      byte[] other = good.clone();
      for (int changes = 0; changes < 4; changes++) {
        other[random.nextInt(other.length)] = (byte) random.nextInt();
      }
      try {
        assertThat(TpmQuote.parse(other).pcrDigest()).hasSize(64);
      } catch (BadSignature refused) {
        assertThat(refused.line()).isNotBlank();
      }
    }
    Trials.held(wrong.length);
  }

  @Test
  void fileThatHoldsNoAttestationKeyIsNamed() throws Exception {
    KeyPairGenerator ec = KeyPairGenerator.getInstance("EC");
    ec.initialize(new ECGenParameterSpec("secp384r1"));
    KeyPairGenerator rsa = KeyPairGenerator.getInstance("RSA");
    rsa.initialize(1024);
    for (String text :
        List.of(
            pem(ec.generateKeyPair().getPublic()),
            pem(rsa.generateKeyPair().getPublic()),
            pem(slow()),
            "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n",
            "-----BEGIN PUBLIC KEY-----\nAAAAA\n-----END PUBLIC KEY-----\n",
            "-----BEGIN PUBLIC KEY-----\n????",
            "no key")) {
      Path file = Files.writeString(folder.resolve("key"), text);
      assertThatThrownBy(() -> AttestationKey.read(file))
          .isInstanceOf(PemException.class)
          .hasMessageStartingWith(file.toString())
          .hasMessageNotContaining("\n");
    }
  }

  /** A key by which each verification would take as long as a signature. */
  private static PublicKey slow() throws Exception {
    BigInteger modulus = BigInteger.TWO.pow(2047).add(BigInteger.ONE);
    return KeyFactory.getInstance("RSA")
        .generatePublic(
            new RSAPublicKeySpec(modulus, BigInteger.TWO.pow(1000).add(BigInteger.ONE)));
  }

  private static String pem(PublicKey key) {
    return "-----BEGIN PUBLIC KEY-----\n"
        + Base64.getMimeEncoder().encodeToString(key.getEncoded())
        + "\n-----END PUBLIC KEY-----\n";
  }
}
