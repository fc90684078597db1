package dev.staithe.contracts.host;

import com.nimbusds.jose.util.Base64URL;
import com.nimbusds.jose.util.JSONObjectUtils;
import dev.staithe.contracts.signature.BadSignature;
import dev.staithe.contracts.signature.Hash;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A quote as a property list brings it along; nothing of it is verified yet. The members are named
 * as in RFC 9684 section 2.1.
 *
 * @param key that it is said to be by
 * @param attest TPMS_ATTEST, as the TPM signed it
 * @param signature TPMT_SIGNATURE
 */
public record SignedQuote(AttestationKey key, byte[] attest, byte[] signature) {
  private static final String BOUND = "tag:staithe.dev,2026:tpm-quote";

  /**
   * What a quote of a property list has as its qualifying data: the contract key, and the list's
   * host and time, so that it is good for one list and its hour. 32 bytes.
   *
   * @param keyId thumbprint of the contract key that signs the list
   */
  public static byte[] qualifyingData(
      String keyId, String issuer, Instant issued, Instant expires) {
    return Hash.of(
        String.join(
                "\n",
                BOUND,
                keyId,
                issuer,
                Long.toString(issued.getEpochSecond()),
                Long.toString(expires.getEpochSecond()))
            .getBytes(StandardCharsets.UTF_8));
  }

  /** As the claim of a property list. */
  Map<String, Object> json() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("ak", key.json());
    json.put("quote-data", Base64URL.encode(attest).toString());
    json.put("quote-signature", Base64URL.encode(signature).toString());
    return json;
  }

  /**
   * Reads the claim.
   *
   * @throws BadSignature where it is none
   */
  static SignedQuote ofJson(Map<String, Object> json) throws BadSignature {
    try {
      Map<String, Object> key = JSONObjectUtils.getJSONObject(json, "ak");
      String attest = JSONObjectUtils.getString(json, "quote-data");
      String signature = JSONObjectUtils.getString(json, "quote-signature");
      if (key != null && attest != null && signature != null) {
        return new SignedQuote(
            AttestationKey.ofJson(key),
            new Base64URL(attest).decode(),
            new Base64URL(signature).decode());
      }
    } catch (ParseException | IllegalArgumentException malformed) {
      // Told below.
    }
    throw new BadSignature("the quote lacks an attestation key, its data or its signature");
  }

  /**
   * Verifies that the key made it, over that qualifying data.
   *
   * @throws BadSignature with the first reason why it does not fit
   */
  public TpmQuote verify(byte[] qualifyingData) throws BadSignature {
    TpmQuote quote = TpmQuote.parse(attest);
    if (!key.verify(attest, signature)) {
      throw new BadSignature("the quote is not signed by the attestation key " + key.id());
    }
    if (!quote.qualifyingData().equals(HexFormat.of().formatHex(qualifyingData))) {
      throw new BadSignature(
          "the quote was made for another contract key, or for a property list of another hour");
    }
    return quote;
  }
}
