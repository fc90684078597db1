package dev.staithe.tls;

import dev.staithe.pki.Credential;
import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * Shows one key and its certificates to everybody who asks for some, at either end. Used instead of
 * a key store, which would refuse chains that hold more than their strict order. The list of
 * authorities that the other end sends is not looked at: the issuer of a proxy is never on it.
 */
final class OneKeyManager extends X509ExtendedKeyManager {
  private static final String ALIAS = "own";

  private final Credential credential;
  private final X509Certificate[] chain;

  OneKeyManager(Credential credential) {
    this.credential = credential;
    this.chain = credential.chain().toArray(X509Certificate[]::new);
  }

  @Override
  public @Nullable String chooseEngineServerAlias(
      String keyType, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
    return alias(keyType);
  }

  @Override
  public @Nullable String chooseServerAlias(
      String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
    return alias(keyType);
  }

  @Override
  public String @Nullable [] getServerAliases(String keyType, Principal @Nullable [] issuers) {
    return aliases(keyType);
  }

  @Override
  public @Nullable String chooseEngineClientAlias(
      String[] keyTypes, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
    return alias(keyTypes);
  }

  @Override
  public @Nullable String chooseClientAlias(
      String[] keyTypes, Principal @Nullable [] issuers, @Nullable Socket socket) {
    return alias(keyTypes);
  }

  @Override
  public String @Nullable [] getClientAliases(String keyType, Principal @Nullable [] issuers) {
    return aliases(keyType);
  }

  @Override
  public X509Certificate @Nullable [] getCertificateChain(String alias) {
    return alias.equals(ALIAS) ? chain.clone() : null;
  }

  @Override
  public @Nullable PrivateKey getPrivateKey(String alias) {
    return alias.equals(ALIAS) ? credential.key() : null;
  }

  private String @Nullable [] aliases(String keyType) {
    String alias = alias(keyType);
    return alias == null ? null : new String[] {alias};
  }

  private @Nullable String alias(String... keyTypes) {
    return Arrays.asList(keyTypes).contains(credential.key().getAlgorithm()) ? ALIAS : null;
  }
}
