package dev.staithe.storage;

import dev.staithe.contracts.PropertyRule;
import dev.staithe.database.DatabaseProperties;
import dev.staithe.service.Settings;
import dev.staithe.service.properties.Pkcs11Properties;
import dev.staithe.storage.contracts.AreaContracts;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * This host as a party of contracts; see docs/secured-transfers.md.
 *
 * @param origin by which partners know this host, as {@code https://a.example:8443}
 * @param key an EC key on P-256, not the TLS key; absent, and pkcs11 too: no area has contracts
 * @param pkcs11 the same key in a token, in place of a file
 * @param oldKeys that signed before it: they stay published, so that what they signed verifies
 * @param state folder of the log, its key, and the embedded database
 * @param database where contracts are kept; absent: an embedded one
 * @param host what this host says of itself
 * @param witnessEvery how often the logs of partners are looked at, 1s to 1d
 * @param acceptedTerms of others that may be agreed to, each as SHA-256 in hexadecimal
 */
public record ContractsProperties(
    @DefaultValue("") String origin,
    @Nullable Path key,
    @Nullable Pkcs11Properties pkcs11,
    @DefaultValue List<OldKey> oldKeys,
    @Nullable Path state,
    @NestedConfigurationProperty @Nullable DatabaseProperties database,
    @DefaultValue Host host,
    @DefaultValue("10m") Duration witnessEvery,
    @DefaultValue Set<String> acceptedTerms) {
  private static final Pattern HASH = Pattern.compile("[0-9a-f]{64}");
  private static final Pattern ORIGIN =
      Pattern.compile("https://([a-z0-9.-]{1,250}|\\[[0-9a-f:]{2,45}\\])(:[0-9]{1,5})?");
  private static final Pattern PARTNER =
      Pattern.compile("([a-z0-9.-]{1,250}|\\[[0-9a-f:]{2,45}\\])(:[0-9]{1,5})?");

  /** Checks that all or nothing is there. */
  public ContractsProperties {
    Settings.require(
        key == null || pkcs11 == null,
        "contracts.key",
        String.valueOf(key),
        "absent where contracts.pkcs11 is given: there is one key");
    if (key != null) {
      Settings.requireFile(key, "contracts.key");
    }
    if (key != null || pkcs11 != null) {
      Settings.require(
          ORIGIN.matcher(origin).matches(),
          "contracts.origin",
          origin,
          "https://HOST:PORT by which partners know this host");
      Settings.require(
          state != null, "contracts.state", "", "a folder for the log and the database");
    }
    for (String terms : acceptedTerms) {
      requireHash(terms, "contracts.accepted-terms");
    }
    Settings.require(
        witnessEvery.compareTo(Duration.ofSeconds(1)) >= 0
            && witnessEvery.compareTo(Duration.ofDays(1)) <= 0,
        "contracts.witness-every",
        witnessEvery,
        "1s to 1d");
    origin = asUrlsHaveIt(origin);
    acceptedTerms = Set.copyOf(acceptedTerms);
    oldKeys = List.copyOf(oldKeys);
  }

  /**
   * A key that does not sign any more.
   *
   * @param key PEM file with its public half, or still with the private one
   * @param until when it signed last, as {@code 2026-11-24T00:00:00Z}
   */
  public record OldKey(Path key, Instant until) {
    /** Checks that both are there. */
    public OldKey {
      Settings.require(
          key != null && until != null,
          "contracts.old-keys",
          String.valueOf(key),
          "key, a PEM file, and until, as 2026-11-24T00:00:00Z");
      Settings.requireFile(key, "contracts.old-keys");
    }
  }

  /** Without the port that https has of its own accord: so it stands in what is signed. */
  private static String asUrlsHaveIt(String authority) {
    return authority.endsWith(":443")
        ? authority.substring(0, authority.length() - ":443".length())
        : authority;
  }

  /** Whether this host has a key, and so may have contracts. */
  boolean hasKey() {
    return key != null || pkcs11 != null;
  }

  private static void requireHash(String text, String setting) {
    Settings.require(
        HASH.matcher(text).matches(), setting, text, "a SHA-256 in hexadecimal, lower case");
  }

  /**
   * What this host says of itself.
   *
   * @param atRestEncryption as {@code luks2}
   * @param jurisdiction as {@code DE}
   * @param operator who runs it
   * @param certifications as {@code iso27001}
   * @param retention how long what comes is kept, as {@code P30D}
   * @param purpose what it is used for
   * @param software that keeps the files
   */
  public record Host(
      @DefaultValue("") String atRestEncryption,
      @DefaultValue("") String jurisdiction,
      @DefaultValue("") String operator,
      @DefaultValue List<String> certifications,
      @DefaultValue("") String retention,
      @DefaultValue List<String> purpose,
      @DefaultValue Software software) {
    /** Takes copies. */
    public Host {
      certifications = List.copyOf(certifications);
      purpose = List.copyOf(purpose);
    }

    Map<String, Object> described() {
      return Map.of(
          "at-rest-encryption", atRestEncryption,
          "jurisdiction", jurisdiction,
          "operator", operator,
          "certifications", certifications,
          "retention", retention,
          "purpose", purpose,
          "software", Map.of("name", software.name(), "version", software.version()));
    }
  }

  /**
   * Software that keeps the files.
   *
   * @param name as {@code staithe}
   * @param version as {@code 1.4}
   */
  public record Software(@DefaultValue("staithe") String name, @DefaultValue("") String version) {}

  /**
   * What an area's files leave and come under.
   *
   * @param mode whether they need a contract
   * @param hosts {@code host:port} of partners, {@code host} where that is 443
   * @param people whether people may be parties too; absent: hosts alone
   * @param properties that a host which asks must have, as {@code jurisdiction in [DE, NL]}
   * @param terms that it must agree to
   * @param receipts when a file that came is put in its place
   * @param maxOpenPerHost contracts of one host that it has not acknowledged
   */
  public record OfArea(
      @DefaultValue("off") AreaContracts.Mode mode,
      @DefaultValue Set<String> hosts,
      @Nullable People people,
      @DefaultValue List<String> properties,
      @DefaultValue Terms terms,
      @DefaultValue("sync") AreaContracts.Receipts receipts,
      @DefaultValue("1000") int maxOpenPerHost) {
    /** Checks hosts and expressions. */
    public OfArea {
      for (String host : hosts) {
        Settings.require(
            PARTNER.matcher(host).matches(),
            "contracts.hosts",
            host,
            "host:port in lower case, the port only where it is not 443");
      }
      Settings.require(
          mode == AreaContracts.Mode.OFF || !hosts.isEmpty() || people != null,
          "contracts.hosts",
          "",
          "at least one partner, as b.example:8443, or contracts.people, where contracts.mode is"
              + " not off");
      for (String each : properties) {
        try {
          PropertyRule.parse(each);
        } catch (IllegalArgumentException wrong) {
          throw new Settings.InvalidSetting(
              "contracts.properties", each, String.valueOf(wrong.getMessage()));
        }
      }
      Settings.requireWithin(maxOpenPerHost, 1, 1_000_000, "contracts.max-open-per-host");
      hosts =
          hosts.stream()
              .map(ContractsProperties::asUrlsHaveIt)
              .collect(Collectors.toUnmodifiableSet());
      properties = List.copyOf(properties);
    }

    AreaContracts rules() {
      List<PropertyRule> rules = new ArrayList<>();
      properties.forEach(each -> rules.add(PropertyRule.parse(each)));
      return new AreaContracts(
          mode,
          hosts,
          people == null ? null : people.trust(),
          rules,
          terms.sha256(),
          String.valueOf(terms.url() == null ? "" : terms.url()),
          receipts,
          maxOpenPerHost);
    }
  }

  /**
   * People as parties.
   *
   * @param trust authorities of their certificates: a PEM bundle, or a folder as {@code
   *     /etc/grid-security/certificates}
   */
  public record People(Path trust) {
    /** Checks that it is named. */
    public People {
      Settings.require(
          trust != null, "contracts.people.trust", "", "a file or folder of authorities");
    }
  }

  /**
   * Terms of a transfer.
   *
   * @param url where they can be read
   * @param sha256 of their text, in hexadecimal; empty: there are none
   */
  public record Terms(@Nullable URI url, @DefaultValue("") String sha256) {
    /** Checks the hash. */
    public Terms {
      if (!sha256.isEmpty()) {
        requireHash(sha256, "contracts.terms.sha256");
      }
      Settings.require(
          sha256.isEmpty() == (url == null),
          "contracts.terms",
          sha256,
          "both url and sha256, or neither");
    }
  }
}
