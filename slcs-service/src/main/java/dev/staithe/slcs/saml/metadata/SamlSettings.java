package dev.staithe.slcs.saml.metadata;

import dev.staithe.pki.Credential;
import dev.staithe.slcs.session.SessionSettings;
import java.net.URI;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * What this package is told by the configuration.
 *
 * @param url of this service, without a slash at its end
 * @param state a folder of this node
 * @param credential signs requests and decrypts assertions; RSA
 * @param keyMadeHere whether this node made it, as none was named
 * @param encryption how assertions may be encrypted where a provider is not told otherwise
 * @param providers those that are named one by one
 * @param federation metadata of many; null: none
 * @param refresh how often metadata are read again, where they do not ask for more
 * @param trust whom to trust where metadata are fetched; null: the JDK's authorities
 * @param clockSkew how far clocks may differ
 * @param requestLifetime how long somebody may take to log in at the provider
 * @param freshness how old a login at the provider may be; null: any
 * @param contexts the ways of logging in that are asked for, of which one must have been used;
 *     none: any
 * @param begun how many logins may be begun from one address within a minute
 * @param session how long logins last
 */
public record SamlSettings(
    URI url,
    Path state,
    Credential credential,
    boolean keyMadeHere,
    Encryption encryption,
    List<NamedProvider> providers,
    @Nullable FederationSource federation,
    Duration refresh,
    @Nullable SSLContext trust,
    Duration clockSkew,
    Duration requestLifetime,
    @Nullable Duration freshness,
    List<String> contexts,
    int begun,
    SessionSettings session) {
  /** Copies the list. */
  public SamlSettings {
    providers = List.copyOf(providers);
    contexts = List.copyOf(contexts);
  }

  /** How a provider may encrypt assertions for us. */
  public enum Encryption {
    /** AES-GCM with RSA-OAEP. */
    GCM,
    /** Also AES-CBC and RSA 1.5 where the response is signed. */
    LEGACY,
    /** Not at all: there is no key for it in the metadata for this provider. */
    NONE
  }

  /**
   * The metadata of a federation.
   *
   * @param metadata a file or an https URL
   * @param signer whose signature they must have
   */
  public record FederationSource(String metadata, X509Certificate signer) {}

  /**
   * A provider that is named.
   *
   * @param name short
   * @param metadata a file or an https URL
   * @param displayName what people know it by; null: as in its metadata
   * @param entityId which of several in that metadata; null where there is one
   * @param scopes what it may say beyond, or instead of, the {@code shibmd:Scope}s of its metadata
   * @param encryption how it may encrypt
   */
  public record NamedProvider(
      String name,
      @Nullable String displayName,
      String metadata,
      @Nullable String entityId,
      List<String> scopes,
      Encryption encryption) {
    /** Copies the list. */
    public NamedProvider {
      scopes = List.copyOf(scopes);
    }
  }
}
