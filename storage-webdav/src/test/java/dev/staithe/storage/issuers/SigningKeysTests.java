package dev.staithe.storage.issuers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSVerifier;
import com.nimbusds.jose.KeySourceException;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.util.Base64URL;
import com.nimbusds.jose.util.JSONObjectUtils;
import dev.staithe.testkit.trust.SigningKey;
import java.nio.charset.StandardCharsets;
import java.security.Key;
import java.text.ParseException;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which keys count, and that those who verify by them hold to the standards. */
class SigningKeysTests {
  private static final String RSA =
      """
      {"keys":[{"kty":"RSA","kid":"1","e":"AQAB","n":"\
      ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt\
      0Bm4d4QlL-yRT-SFd2lZS-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSX\
      ndS5z5rexMdbBYUsLA9e-KXBdQOS-UTo7WTBEMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5\
      IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXpoQ"}]}
      """;
  private static final String EC =
      """
      {"keys":[{"kty":"EC","kid":"1","crv":"P-256",\
      "x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",\
      "y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"}]}
      """;
  private static final String OKP =
      """
      {"keys":[{"kty":"OKP","kid":"1","crv":"Ed25519",\
      "x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}]}
      """;
  private static final String JOE =
      "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0"
          + "cnVlfQ";

  /** The examples of RFC 7515 appendix A.2 and A.3 and RFC 8037 appendix A.4. */
  @ParameterizedTest
  @CsvSource({
    "RS256, eyJhbGciOiJSUzI1NiJ9, cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7"
        + "AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5jujGbds9uJdbF9CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyT"
        + "yWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB_eSN9383LcOLn6_dO--xi12jzDwusC-eOkHWEs"
        + "qtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igc"
        + "N_IoypGlUPQGe77Rw",
    "ES256, eyJhbGciOiJFUzI1NiJ9, DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSA"
        + "pmWQxfKTUJqPP3-Kg6NU1Q",
    "EdDSA, eyJhbGciOiJFZERTQSJ9, hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5B"
        + "hVsPt9g7sVvpAr_MuM0KAg"
  })
  void theExamplesOfTheStandardsAreVerified(String name, String header, String signature)
      throws Exception {
    JWSAlgorithm algorithm = JWSAlgorithm.parse(name);
    String keys = name.equals("RS256") ? RSA : name.equals("ES256") ? EC : OKP;
    String payload = name.equals("EdDSA") ? "RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc" : JOE;
    byte[] signed = (header + "." + payload).getBytes(StandardCharsets.US_ASCII);
    byte[] value = Base64.getUrlDecoder().decode(signature);

    List<? extends Key> fitting = find(SigningKeys.parse(keys), "1", algorithm);
    assertThat(fitting).hasSize(1);
    JWSHeader read = JWSHeader.parse(new Base64URL(header));
    JWSVerifier verifier = new SigningKeys.Verifiers().createJWSVerifier(read, fitting.getFirst());
    assertThat(verifier.verify(read, signed, Base64URL.encode(value))).isTrue();
    value[5] ^= 1;
    assertThat(verifier.verify(read, signed, Base64URL.encode(value))).isFalse();
    assertThat(verifier.verify(read, signed, Base64URL.encode(new byte[0]))).isFalse();
    assertThat(verifier.verify(read, signed, Base64URL.encode(new byte[value.length]))).isFalse();
  }

  private static List<? extends Key> find(JWKSet set, String kid, JWSAlgorithm algorithm)
      throws KeySourceException {
    return SigningKeys.selector((selector, context) -> selector.select(set))
        .selectJWSKeys(new JWSHeader.Builder(algorithm).keyID(kid).build(), null);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"kty\":\"oct\",\"kid\":\"1\",\"k\":\"c2VjcmV0\"}",
        "{\"kty\":\"RSA\",\"kid\":\"1\",\"e\":\"AQAB\",\"n\":\"ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_w\"}",
        "{\"kty\":\"RSA\",\"kid\":\"1\"}",
        "{\"kty\":\"EC\",\"kid\":\"1\",\"crv\":\"P-256\",\"x\":\"AQ\",\"y\":\"AQ\"}",
        "{\"kty\":\"EC\",\"kid\":\"1\",\"crv\":\"secp256k1\",\"x\":\"AQ\",\"y\":\"AQ\"}",
        "{\"kty\":\"OKP\",\"kid\":\"1\",\"crv\":\"Ed25519\",\"x\":\"AQ\"}",
        "{\"kty\":\"OKP\",\"kid\":\"1\",\"crv\":\"X25519\",\"x\":\"AQ\"}",
        "{\"kid\":\"1\"}",
        "{}",
        "[]",
        "7"
      })
  void aKeyThatCannotSignTokensIsLeftOutAndDoesNotCostTheOthers(String key) throws ParseException {
    JWKSet set =
        SigningKeys.parse(
            EC.replace("\"kid\":\"1\"", "\"kid\":\"good\"").replace("[", "[" + key + ","));

    assertThat(set.getKeys()).extracting(JWK::getKeyID).containsExactly("good");
    assertThatExceptionOfType(ParseException.class)
        .isThrownBy(() -> SigningKeys.parse("{\"keys\":[" + key + "]}"));
  }

  @Test
  void encryptionKeysAndKeysWithoutKidAreLeftOut() {
    for (String change : List.of("\"use\":\"enc\",\"kid\":\"1\"", "\"kid\":\"\"", "\"a\":1")) {
      assertThatExceptionOfType(ParseException.class)
          .isThrownBy(() -> SigningKeys.parse(EC.replace("\"kid\":\"1\"", change)));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "null", "[]", "{}", "{\"keys\":{}}", "{\"keys\":[]}", "<html>"})
  void whatIsNoKeySetIsRefusedInOneLine(String json) {
    assertThatExceptionOfType(ParseException.class)
        .isThrownBy(() -> SigningKeys.parse(json))
        .withMessageContaining("key set");
  }

  @Test
  void aDeeplyNestedKeySetIsRefusedAndNothingWorse() {
    assertThatExceptionOfType(ParseException.class)
        .isThrownBy(() -> SigningKeys.parse("{\"keys\":" + "[".repeat(400_000)));
  }

  @Test
  void onlyTheFirstFittingKeyOfAnIdCounts() throws Exception {
    Map<String, Object> rsa = key(RSA);
    Map<String, Object> ec = key(EC);
    JWKSet set = SigningKeys.parse(JSONObjectUtils.toJSONString(Map.of("keys", List.of(rsa, ec))));

    assertThat(find(set, "1", JWSAlgorithm.PS512))
        .extracting(Key::getAlgorithm)
        .containsExactly("RSA");
    assertThat(find(set, "1", JWSAlgorithm.ES256))
        .extracting(Key::getAlgorithm)
        .containsExactly("EC");
    assertThat(find(set, "1", JWSAlgorithm.ES384)).isEmpty();
    assertThat(find(set, "2", JWSAlgorithm.ES256)).isEmpty();
    assertThat(find(set, "1", JWSAlgorithm.HS256)).isEmpty();
    assertThat(find(set, "1", JWSAlgorithm.ES512)).isEmpty();
  }

  @Test
  void ofTwoKeysWithOneIdAndKindTheFirstCounts() throws Exception {
    SigningKey one = SigningKey.generate("1", SigningKey.Algorithm.ES256);
    SigningKey two = SigningKey.generate("1", SigningKey.Algorithm.ES256);
    JWKSet set =
        SigningKeys.parse(
            JSONObjectUtils.toJSONString(
                Map.of("keys", List.of(one.publicJwk(), two.publicJwk()))));

    assertThat(find(set, "1", JWSAlgorithm.ES256)).isEqualTo(List.of(one.pair().getPublic()));
  }

  private static Map<String, Object> key(String set) throws ParseException {
    return JSONObjectUtils.getJSONObjectArray(JSONObjectUtils.parse(set), "keys")[0];
  }
}
