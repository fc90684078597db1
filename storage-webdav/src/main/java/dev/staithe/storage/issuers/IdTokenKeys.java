package dev.staithe.storage.issuers;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.KeySourceException;
import com.nimbusds.jwt.SignedJWT;
import java.io.IOException;
import java.security.Key;
import java.util.List;
import org.springframework.security.oauth2.server.resource.InvalidBearerTokenException;

/** Whether an issuer has signed an ID token, by the keys that its access tokens are judged by. */
public final class IdTokenKeys {
  private final IssuerKeys keys;

  /** Looks into those keys. Thread-safe, as they are. */
  public IdTokenKeys(IssuerKeys keys) {
    this.keys = keys;
  }

  /**
   * Looks for the key that the token names; may wait for the policy's patience.
   *
   * @param issuer one of the trusted ones; no other has a key here
   * @throws IOException with one line where the issuer's keys cannot be had now
   */
  public boolean signed(String issuer, SignedJWT token) throws IOException {
    try {
      UnverifiedToken.read(token.serialize());
      List<? extends Key> fitting =
          SigningKeys.selector(keys.of(issuer)).selectJWSKeys(token.getHeader(), null);
      return !fitting.isEmpty()
          && token.verify(
              new SigningKeys.Verifiers().createJWSVerifier(token.getHeader(), fitting.getFirst()));
    } catch (KeySourceException away) {
      throw new IOException("the keys of the issuer " + issuer + " cannot be fetched now", away);
    } catch (InvalidBearerTokenException | JOSEException unfit) {
      return false;
    }
  }
}
