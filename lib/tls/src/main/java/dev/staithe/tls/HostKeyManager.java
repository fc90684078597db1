package dev.staithe.tls;

import dev.staithe.pki.Credential;
import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * Offers one key and its certificates. Used instead of a key store, which would refuse chains that
 * hold more than their strict order.
 */
final class HostKeyManager extends X509ExtendedKeyManager {
  private static final String ALIAS = "host";

  private final Credential credential;
  private final X509Certificate[] chain;

  HostKeyManager(Credential credential) {
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
    String alias = alias(keyType);
    return alias == null ? null : new String[] {alias};
  }

  @Override
  public String @Nullable [] getClientAliases(String keyType, Principal @Nullable [] issuers) {
    return null;
  }

  @Override
  public @Nullable String chooseClientAlias(
      String[] keyTypes, Principal @Nullable [] issuers, @Nullable Socket socket) {
    return null;
  }

  @Override
  public X509Certificate @Nullable [] getCertificateChain(String alias) {
    return alias.equals(ALIAS) ? chain.clone() : null;
  }

  @Override
  public @Nullable PrivateKey getPrivateKey(String alias) {
    return alias.equals(ALIAS) ? credential.key() : null;
  }

  private @Nullable String alias(String keyType) {
    return keyType.equals(credential.key().getAlgorithm()) ? ALIAS : null;
  }
}
