package dev.staithe.storage.settings;

import static dev.staithe.service.OneLineFailure.started;

import dev.staithe.contracts.host.AttestationKey;
import dev.staithe.contracts.host.PropertyRule;
import dev.staithe.contracts.host.TpmQuote;
import dev.staithe.contracts.record.ContractEntry;
import dev.staithe.database.DatabaseProperties;
import dev.staithe.service.Settings;
import dev.staithe.service.properties.Pkcs11Properties;
import dev.staithe.storage.contracts.host.AreaContracts;
import dev.staithe.storage.contracts.host.AreaPeople;
import dev.staithe.storage.contracts.host.TrustedTpm;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
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
 * @param tpm that quotes what this host booted; absent: none does
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
    @Nullable Tpm tpm,
    @DefaultValue("10m") Duration witnessEvery,
    @DefaultValue Set<String> acceptedTerms) {
  private static final int LAST_PORT = 65_535;
  private static final Pattern HASH = Pattern.compile("[0-9a-f]{64}");
  private static final Pattern ORIGIN =
      Pattern.compile("https://([a-z0-9.-]{1,250}|\\[[0-9a-f:]{2,45}\\])(:[0-9]{1,5})?");
  private static final Pattern PARTNER =
      Pattern.compile("([a-z0-9.-]{1,250}|\\[[0-9a-f:]{2,45}\\])(:[0-9]{1,5})?");

  /** Checks that all or nothing is there. */
  public ContractsProperties {
    Settings.require(
        key == null || pkcs11 == null,
        "key",
        String.valueOf(key),
        "absent where contracts.pkcs11 is given: there is one key");
    if (key != null) {
      Settings.requireFile(key, "key");
    }
    if (key != null || pkcs11 != null) {
      Settings.require(
          ORIGIN.matcher(origin).matches() && canBeAsked(origin),
          "origin",
          origin,
          "https://HOST:PORT by which partners know this host");
      Settings.require(state != null, "state", "", "a folder for the log and the database");
    }
    Settings.require(
        tpm == null || key != null || pkcs11 != null,
        "tpm",
        "",
        "absent where there is no key of contracts that a quote could bind");
    for (String terms : acceptedTerms) {
      requireHash(terms, "accepted-terms");
    }
    Settings.requireWithin(
        witnessEvery, Duration.ofSeconds(1), Duration.ofDays(1), "witness-every");
    origin = origin.isEmpty() ? origin : "https://" + ContractEntry.party(origin);
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
          "key",
          String.valueOf(key),
          "key, a PEM file, and until, as 2026-11-24T00:00:00Z");
      Settings.requireFile(key, "key");
    }
  }

  /**
   * The TPM of this host.
   *
   * @param key handle of the attestation key, as {@code 0x81010002}, or the file of its context
   * @param pcrs of the bank of SHA-256 that are quoted
   * @param tcti how the TPM is reached, as {@code device:/dev/tpmrm0}; empty: as tpm2-tools decide
   */
  public record Tpm(
      String key,
      @DefaultValue({"0", "1", "2", "3", "4", "5", "6", "7"}) Set<Integer> pcrs,
      @DefaultValue("") String tcti) {
    private static final Pattern HANDLE = Pattern.compile("0x81[0-9a-fA-F]{6}|/.{1,1000}");

    /** Checks that there is a key, and that PCRs are some. */
    public Tpm {
      Settings.require(
          key != null && HANDLE.matcher(key).matches(),
          "key",
          String.valueOf(key),
          "a persistent handle, as 0x81010002, or the absolute path of a key's context");
      Settings.require(!pcrs.isEmpty(), "pcrs", "", "at least one PCR");
      requirePcrs(pcrs, "pcrs");
      pcrs = Set.copyOf(pcrs);
    }
  }

  private static void requirePcrs(Set<Integer> pcrs, String setting) {
    for (int pcr : pcrs) {
      Settings.requireWithin(pcr, 0, TpmQuote.LAST_PCR, setting);
    }
  }

  /** What is no host's name, or no port, would be a partner that nobody ever is. */
  private static boolean canBeAsked(String origin) {
    try {
      URI url = new URI(origin);
      return url.getHost() != null && url.getPort() <= LAST_PORT;
    } catch (URISyntaxException noAddress) {
      return false;
    }
  }

  /** Whether this host has a key, and so may have contracts. */
  public boolean hasKey() {
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

    /** As the host's own property list has it. */
    public Map<String, Object> described() {
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
   * @param attested hosts and their TPMs; given, a host which asks needs a quote by its own
   * @param terms that it must agree to
   * @param receipts when a file that came is put in its place
   * @param maxOpenPerHost contracts of one host that it has not acknowledged
   */
  public record OfArea(
      @DefaultValue("off") AreaContracts.Mode mode,
      @DefaultValue Set<String> hosts,
      @Nullable People people,
      @DefaultValue List<String> properties,
      @DefaultValue List<Attested> attested,
      @DefaultValue Terms terms,
      @DefaultValue("sync") AreaContracts.Receipts receipts,
      @DefaultValue("1000") int maxOpenPerHost) {
    /** Checks hosts and expressions. */
    public OfArea {
      for (String host : hosts) {
        Settings.require(
            PARTNER.matcher(host).matches() && canBeAsked("https://" + host),
            "hosts",
            host,
            "host:port in lower case, the port only where it is not 443");
      }
      Settings.require(
          mode == AreaContracts.Mode.OFF || !hosts.isEmpty() || people != null,
          "hosts",
          "",
          "at least one partner, as b.example:8443, or contracts.people, where contracts.mode is"
              + " not off");
      Settings.require(
          mode != AreaContracts.Mode.OFF
              || hosts.isEmpty()
                  && people == null
                  && properties.isEmpty()
                  && attested.isEmpty()
                  && terms.sha256().isEmpty(),
          "mode",
          "off",
          "offer or require where contracts has hosts, people, properties, attested or terms, none"
              + " of which holds with off");
      for (String each : properties) {
        try {
          PropertyRule.parse(each);
        } catch (IllegalArgumentException wrong) {
          throw new Settings.InvalidSetting("properties", each, String.valueOf(wrong.getMessage()));
        }
      }
      Settings.requireWithin(maxOpenPerHost, 1, 1_000_000, "max-open-per-host");
      hosts = hosts.stream().map(ContractEntry::party).collect(Collectors.toUnmodifiableSet());
      properties = List.copyOf(properties);
      attested = List.copyOf(attested);
      Set<String> named = new HashSet<>();
      for (Attested each : attested) {
        Settings.require(
            hosts.contains(each.host()) && named.add(each.host()),
            "attested.host",
            each.host(),
            "one of contracts.hosts, and there once");
      }
    }

    /** What copies of the area are held to. */
    public AreaContracts rules() {
      List<PropertyRule> rules = new ArrayList<>();
      properties.forEach(each -> rules.add(PropertyRule.parse(each)));
      return new AreaContracts(
          mode,
          hosts,
          people == null ? null : people.rules(),
          rules,
          attested.stream().collect(Collectors.toMap(Attested::host, Attested::trusted)),
          terms.sha256(),
          String.valueOf(terms.url() == null ? "" : terms.url()),
          receipts,
          maxOpenPerHost);
    }
  }

  /**
   * A partner's TPM.
   *
   * @param host as in hosts
   * @param key PEM file with the public half of its attestation key
   * @param pcrs of the bank of SHA-256 that must be quoted; empty: any
   * @param pcrDigest SHA-256 of their values, in hexadecimal; empty: any
   */
  public record Attested(
      String host, Path key, @DefaultValue Set<Integer> pcrs, @DefaultValue("") String pcrDigest) {
    /** Checks that host and key are there, and that a digest is of PCRs that are named. */
    public Attested {
      Settings.require(
          host != null && key != null,
          "host",
          String.valueOf(host),
          "host, as a.example:8443, and key, a PEM file with its TPM's attestation key");
      Settings.requireFile(key, "key");
      requirePcrs(pcrs, "pcrs");
      if (!pcrDigest.isEmpty()) {
        requireHash(pcrDigest, "pcr-digest");
        Settings.require(!pcrs.isEmpty(), "pcrs", "", "those that pcr-digest is of");
      }
      host = ContractEntry.party(host);
      pcrs = Set.copyOf(pcrs);
    }

    private TrustedTpm trusted() {
      return new TrustedTpm(
          started("staithe.areas.contracts.attested.key", () -> AttestationKey.read(key)),
          pcrs.isEmpty() ? "" : TpmQuote.ofSha256(pcrs),
          pcrDigest);
    }
  }

  /**
   * People as parties.
   *
   * @param trust authorities of their certificates: a PEM bundle, or a folder as {@code
   *     /etc/grid-security/certificates}; absent: no certificate counts
   * @param issuers whose ID tokens count
   */
  public record People(@Nullable Path trust, @DefaultValue List<IdTokens> issuers) {
    /** Checks that there is either. */
    public People {
      Settings.require(
          trust != null || !issuers.isEmpty(),
          "trust",
          "",
          "a file or folder of authorities, or people.issuers beside it or in its place");
      Settings.requireDistinct(
          issuers.stream().map(IdTokens::issuer).toList(), "issuers", "issuer");
      issuers = List.copyOf(issuers);
    }

    private AreaPeople rules() {
      return new AreaPeople(
          trust, issuers.stream().collect(Collectors.toMap(IdTokens::issuer, IdTokens::clients)));
    }
  }

  /**
   * An issuer whose ID tokens say who signs.
   *
   * @param issuer one of staithe.issuers
   * @param clients by which people log in there, as {@code aud} of the ID tokens names them
   */
  public record IdTokens(
      @DefaultValue("") String issuer, @DefaultValue(COMMAND) Set<String> clients) {
    /** That of {@code staithe get} and {@code put} with a login at authn-service. */
    private static final String COMMAND = "staithe/command";

    /** Checks that there are clients. */
    public IdTokens {
      Settings.require(!clients.isEmpty(), "clients", "", "at least one client");
      clients = Set.copyOf(clients);
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
        requireHash(sha256, "sha256");
      }
      Settings.require(
          sha256.isEmpty() == (url == null), "sha256", sha256, "both url and sha256, or neither");
    }
  }
}
