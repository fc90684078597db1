package dev.staithe.slcs;

import dev.staithe.service.Settings;
import dev.staithe.slcs.saml.metadata.SamlSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The service provider of SAML 2.0.
 *
 * @param certificate PEM file of the certificate in our metadata; absent, with {@code key}: both
 *     are made in {@code staithe.state}, which nodes do not share
 * @param key PEM file of its private key, RSA: signs requests, decrypts assertions
 * @param encryption how assertions may be encrypted, where a provider says nothing else
 * @param providers the identity providers that are named one by one
 * @param federation a federation's metadata, with providers in the hundreds
 * @param refresh how often metadata are read again, where they do not ask for more
 * @param clockSkew how far the clocks of providers may be off
 * @param requestLifetime how long somebody may take to log in at the provider
 * @param authenticatedWithin how old a login at the provider may be, which is asked to have people
 *     log in anew; absent: any
 * @param contexts authentication contexts that are asked for, of which one must be told; none: any
 * @param begunPerAddress logins that may be begun from one address within a minute
 * @param session how long logins last
 */
public record SamlProperties(
    @Nullable Path certificate,
    @Nullable Path key,
    @DefaultValue("gcm") SamlSettings.Encryption encryption,
    @DefaultValue List<Provider> providers,
    @Nullable Federation federation,
    @DefaultValue("1h") Duration refresh,
    @DefaultValue("60s") Duration clockSkew,
    @DefaultValue("10m") Duration requestLifetime,
    @Nullable Duration authenticatedWithin,
    @DefaultValue List<String> contexts,
    @DefaultValue("300") int begunPerAddress,
    @DefaultValue Session session) {
  /** Checks forms and ranges. */
  public SamlProperties {
    if (certificate != null || key != null) {
      Settings.requireFile(certificate, "certificate");
      Settings.requireFile(key, "key");
    }
    Settings.requireDistinct(
        providers.stream().map(Provider::name).toList(), "saml.providers", "name");
    Settings.requireWithin(refresh, Duration.ofMinutes(1), Duration.ofDays(1), "refresh");
    Settings.requireWithin(clockSkew, Duration.ZERO, Duration.ofMinutes(5), "clock-skew");
    Settings.requireWithin(
        requestLifetime, Duration.ofMinutes(1), Duration.ofHours(2), "request-lifetime");
    if (authenticatedWithin != null) {
      Settings.requireWithin(
          authenticatedWithin, Duration.ofMinutes(1), Duration.ofDays(30), "authenticated-within");
    }
    for (String context : contexts) {
      Settings.require(
          context.matches("[a-z][a-z0-9+.-]*:[!-~]+"),
          "contexts",
          context,
          "a URI, as https://refeds.org/profile/mfa");
    }
    Settings.requireWithin(begunPerAddress, 1, 100_000, "begun-per-address");
  }

  /**
   * A federation's metadata.
   *
   * @param metadata a file or an https URL
   * @param certificate PEM file of whoever signs them
   */
  public record Federation(@Nullable String metadata, @Nullable Path certificate) {
    /** Checks the forms. */
    public Federation {
      if (metadata == null || !metadata.startsWith("https://")) {
        Settings.requireFile(metadata == null ? null : Path.of(metadata), "metadata");
      }
      Settings.requireFile(certificate, "certificate");
    }
  }

  /**
   * One identity provider.
   *
   * @param name short: letters, digits, dots and hyphens
   * @param displayName what people know it by; absent: as in its metadata
   * @param metadata a file or an https URL
   * @param entityId which of several in that metadata; absent: the only or first one
   * @param scopes the domains that it may speak for, instead of those in its metadata
   * @param encryption how it may encrypt assertions; absent: as all
   */
  public record Provider(
      @Nullable String name,
      @Nullable String displayName,
      @Nullable String metadata,
      @Nullable String entityId,
      @DefaultValue List<String> scopes,
      SamlSettings.@Nullable Encryption encryption) {
    /** Checks the forms. */
    public Provider {
      Settings.require(
          name != null && name.matches("[A-Za-z0-9][A-Za-z0-9.-]{0,63}"),
          "name",
          name == null ? "" : name,
          "a short name of letters, digits, dots and hyphens");
      if (metadata == null || !metadata.startsWith("https://")) {
        Settings.requireFile(metadata == null ? null : Path.of(metadata), "metadata");
      }
    }
  }

  /**
   * How long logins last.
   *
   * @param idle without use
   * @param longest anyway
   * @param recheck how long a node may go on with a session that was ended at another
   * @param bindToClientKey whether a session is good only with the TLS client key that it began
   *     with, where there was one
   */
  public record Session(
      @DefaultValue("1h") Duration idle,
      @DefaultValue("12h") Duration longest,
      @DefaultValue("1s") Duration recheck,
      @DefaultValue("true") boolean bindToClientKey) {
    /** Checks the ranges. */
    public Session {
      Settings.requireWithin(idle, Duration.ofMinutes(1), Duration.ofDays(30), "idle");
      Settings.requireWithin(longest, Duration.ofMinutes(1), Duration.ofDays(30), "longest");
      Settings.requireWithin(recheck, Duration.ZERO, Duration.ofMinutes(1), "recheck");
    }
  }
}
