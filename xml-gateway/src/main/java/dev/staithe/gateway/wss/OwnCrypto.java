package dev.staithe.gateway.wss;

import dev.staithe.pki.Credential;
import dev.staithe.wss.Surroundings;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import javax.security.auth.callback.CallbackHandler;
import org.apache.wss4j.common.crypto.CryptoBase;
import org.apache.wss4j.common.crypto.CryptoType;
import org.apache.wss4j.common.ext.WSSecurityException;
import org.jspecify.annotations.NullUnmarked;

/**
 * Our certificate and key as WSS4J's builders ask for them, and those of others as its
 * STR-Transform does. Nothing is searched through, unlike in WSS4J's own classes, which hash a
 * whole key store for each message; and nothing is trusted here.
 */
@NullUnmarked
final class OwnCrypto extends CryptoBase {
  private final Supplier<Credential> own;
  private final TreeCertificates others;

  OwnCrypto(Supplier<Credential> own) {
    this.own = own;
    this.others = null;
  }

  OwnCrypto(TreeCertificates others) {
    this.own = others::own;
    this.others = others;
  }

  @Override
  public X509Certificate[] getX509Certificates(CryptoType type) throws WSSecurityException {
    Surroundings.Name name =
        others == null
            ? null
            : switch (type.getType()) {
              case THUMBPRINT_SHA1 -> new Surroundings.Name.Thumbprint(type.getBytes());
              case SKI_BYTES -> new Surroundings.Name.KeyIdentifier(type.getBytes());
              case ISSUER_SERIAL ->
                  new Surroundings.Name.IssuerSerial(type.getIssuer(), type.getSerial());
              default -> null;
            };
    if (name == null) {
      return own.get().chain().toArray(X509Certificate[]::new);
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
    return own.get().key();
  }

  @Override
  public PrivateKey getPrivateKey(PublicKey key, CallbackHandler handler) {
    return own.get().key();
  }

  @Override
  public PrivateKey getPrivateKey(String identifier, String password) {
    return own.get().key();
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
