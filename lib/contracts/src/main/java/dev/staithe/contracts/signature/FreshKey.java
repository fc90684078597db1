package dev.staithe.contracts.signature;

import com.nimbusds.jose.util.Base64URL;
import com.nimbusds.jose.util.JSONObjectUtils;
import dev.staithe.pki.KeyKind;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.ECPublicKey;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

/** A key for one transfer of a person, in memory alone, that somebody is to vouch for. */
public final class FreshKey {
  private final ContractKey key;

  private FreshKey(ContractKey key) {
    this.key = key;
  }

  /** Makes one on P-256. */
  public static FreshKey make() {
    KeyPair pair = KeyKind.EC_P256.generate();
    return new FreshKey(
        ContractKey.of((ECPrivateKey) pair.getPrivate(), (ECPublicKey) pair.getPublic()));
  }

  /** The key itself. */
  public ContractKey key() {
    return key;
  }

  /**
   * Proves to an issuer, for one request, that who asks holds the key (RFC 9449 section 4.2).
   *
   * @param url without query and fragment
   * @return the value of the field {@code DPoP}
   */
  public String proof(String method, String url, Clock clock) {
    Map<String, Object> header = new LinkedHashMap<>();
    header.put("typ", "dpop+jwt");
    header.put("alg", "ES256");
    header.put("jwk", key.publicKey().json());
    Map<String, Object> claims = new LinkedHashMap<>();
    claims.put("jti", UUID.randomUUID().toString());
    claims.put("htm", method);
    claims.put("htu", url);
    claims.put("iat", clock.instant().getEpochSecond());
    String input = part(header) + "." + part(claims);
    return input + "." + Base64URL.encode(key.sign(input.getBytes(StandardCharsets.US_ASCII)));
  }

  private static Base64URL part(Map<String, Object> json) {
    return Base64URL.encode(JSONObjectUtils.toJSONString(json));
  }
}
