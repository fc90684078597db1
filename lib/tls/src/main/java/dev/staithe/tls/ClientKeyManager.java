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
 * Shows one key and its certificates to every server that asks for some. The list of authorities
 * that a server sends is not looked at: the issuer of a proxy is never on it.
 */
final class ClientKeyManager extends X509ExtendedKeyManager {
  private static final String ALIAS = "client";

  private final Credential credential;
  private final X509Certificate[] chain;

  ClientKeyManager(Credential credential) {
    this.credential = credential;
    this.chain = credential.chain().toArray(X509Certificate[]::new);
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
    String alias = alias(keyType);
    return alias == null ? null : new String[] {alias};
  }

  @Override
  public String @Nullable [] getServerAliases(String keyType, Principal @Nullable [] issuers) {
    return null;
  }

  @Override
  public @Nullable String chooseServerAlias(
      String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
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

  private @Nullable String alias(String... keyTypes) {
    return Arrays.asList(keyTypes).contains(credential.key().getAlgorithm()) ? ALIAS : null;
  }
}
