package dev.staithe.gateway.wss;

import dev.staithe.wss.Surroundings;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.regex.Pattern;
import javax.security.auth.callback.CallbackHandler;
import org.apache.wss4j.common.crypto.CryptoBase;
import org.apache.wss4j.common.crypto.CryptoType;
import org.apache.wss4j.common.ext.WSSecurityException;
import org.jspecify.annotations.NullUnmarked;

/**
 * Certificates of others as WSS4J's STR-Transform asks for them. Nothing is searched through,
 * unlike in WSS4J's own classes, which hash a whole key store for each message; and nothing is
 * trusted here.
 */
@NullUnmarked
final class TokenCrypto extends CryptoBase {
  private final TreeCertificates others;

  TokenCrypto(TreeCertificates others) {
    this.others = others;
  }

  @Override
  public X509Certificate[] getX509Certificates(CryptoType type) throws WSSecurityException {
    Surroundings.Name name =
        switch (type.getType()) {
          case THUMBPRINT_SHA1 -> new Surroundings.Name.Thumbprint(type.getBytes());
          case SKI_BYTES -> new Surroundings.Name.KeyIdentifier(type.getBytes());
          case ISSUER_SERIAL ->
              new Surroundings.Name.IssuerSerial(type.getIssuer(), type.getSerial());
          default -> null;
        };
    if (name == null) {
      return others.own().chain().toArray(X509Certificate[]::new);
    }
    try {
      return new X509Certificate[] {others.by(name).chain().getFirst()};
    } catch (RefusedMessage e) {
      throw new WSSecurityException(WSSecurityException.ErrorCode.SECURITY_TOKEN_UNAVAILABLE);
    }
  }

  @Override
  public String getX509Identifier(X509Certificate certificate) {
    return "own";
  }

  @Override
  public PrivateKey getPrivateKey(X509Certificate certificate, CallbackHandler handler) {
    throw new UnsupportedOperationException("nothing is signed here");
  }

  @Override
  public PrivateKey getPrivateKey(PublicKey key, CallbackHandler handler) {
    throw new UnsupportedOperationException("nothing is signed here");
  }

  @Override
  public PrivateKey getPrivateKey(String identifier, String password) {
    throw new UnsupportedOperationException("nothing is signed here");
  }

  @Override
  public void verifyTrust(
      X509Certificate[] certificates,
      boolean revocation,
      Collection<Pattern> subjects,
      Collection<Pattern> issuers)
      throws WSSecurityException {
    throw new WSSecurityException(WSSecurityException.ErrorCode.FAILED_AUTHENTICATION);
  }

  @Override
  public void verifyTrust(PublicKey key) throws WSSecurityException {
    throw new WSSecurityException(WSSecurityException.ErrorCode.FAILED_AUTHENTICATION);
  }
}
