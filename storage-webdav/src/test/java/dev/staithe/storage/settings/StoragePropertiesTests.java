package dev.staithe.storage.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.staithe.pki.grid.ClientChainRules.Namespaces;
import dev.staithe.pki.grid.ClientChainRules.Revocation;
import dev.staithe.service.Settings;
import dev.staithe.service.properties.ClientCertificateProperties;
import dev.staithe.service.properties.ClientCertificateProperties.RefuseIn;
import dev.staithe.service.properties.LimitsProperties;
import dev.staithe.service.properties.MetricsProperties;
import dev.staithe.service.properties.TlsProperties;
import dev.staithe.storage.checksum.ChecksumAlgorithm;
import dev.staithe.storage.contracts.host.AreaContracts;
import dev.staithe.storage.operation.CopyOperation;
import dev.staithe.storage.settings.StorageProperties.AccessLog;
import dev.staithe.storage.settings.StorageProperties.Area;
import dev.staithe.storage.settings.StorageProperties.Copy;
import dev.staithe.storage.settings.StorageProperties.Grant;
import dev.staithe.storage.settings.StorageProperties.Group;
import dev.staithe.storage.settings.StorageProperties.Host;
import dev.staithe.storage.settings.StorageProperties.Proxy;
import dev.staithe.storage.settings.StorageProperties.Subject;
import dev.staithe.storage.state.Sync;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.util.unit.DataSize;

/** Every default, and every key mapped to its place. */
public class StoragePropertiesTests {
  private static final ContractsProperties.Host NOTHING_SAID =
      new ContractsProperties.Host(
          "", "", "", List.of(), "", List.of(), new ContractsProperties.Software("staithe", ""));
  private static final CopyTuningProperties USUAL =
      new CopyTuningProperties("", DataSize.ofBytes(0));
  private static final BucketProperties NO_BUCKET =
      new BucketProperties(
          "",
          "us-east-1",
          "",
          "",
          null,
          256,
          DataSize.ofMegabytes(128),
          null,
          "",
          List.of("rclone", "Mozilla"));
  private static final AccountsProperties NO_ACCOUNTS =
      new AccountsProperties(Path.of("/run/staithe-accounts/socket"), "", null, null);

  private static final ContractsProperties.OfArea NO_CONTRACTS =
      new ContractsProperties.OfArea(
          AreaContracts.Mode.OFF,
          Set.of(),
          null,
          List.of(),
          List.of(),
          new ContractsProperties.Terms(null, ""),
          AreaContracts.Receipts.SYNC,
          1000);

  @TempDir private Path folder;

  @BeforeEach
  void makeFiles() throws IOException {
    Files.createDirectories(folder.resolve("a"));
    Files.createDirectories(folder.resolve("b"));
    Files.writeString(folder.resolve("host.pem"), "x");
    Files.writeString(folder.resolve("key.pem"), "x");
    Files.writeString(folder.resolve("jwks.json"), "{}");
    Files.writeString(folder.resolve("secret"), "secret");
  }

  public static StorageProperties bound(PropertySource<?> source) {
    return new Binder(ConfigurationPropertySources.from(source))
        .bind(
            "staithe",
            Bindable.of(StorageProperties.class),
            new NoUnboundElementsBindHandler(BindHandler.DEFAULT))
        .get();
  }

  private StorageProperties yaml(String text) throws IOException {
    return bound(
        new YamlPropertySourceLoader()
            .load(
                "test",
                new ByteArrayResource(
                    text.replace("~", folder.toString()).getBytes(StandardCharsets.UTF_8)))
            .getFirst());
  }

  @Test
  void leastConfigurationHasTheseDefaults() {
    StorageProperties properties =
        bound(
            new MapPropertySource(
                "test",
                Map.of(
                    "staithe.tls.certificate", folder.resolve("host.pem"),
                    "staithe.tls.key", folder.resolve("key.pem"),
                    "staithe.areas[0].name", "a",
                    "staithe.areas[0].root", folder.resolve("a"),
                    "staithe.areas[0].grants[0].issuer", "https://issuer.example",
                    "staithe.issuers[0].issuer", "https://issuer.example",
                    "staithe.issuers[0].audiences", "https://se.example")));
    assertThat(properties)
        .isEqualTo(
            new StorageProperties(
                List.of(),
                new TlsProperties(
                    true,
                    TlsProperties.Provider.AUTO,
                    folder.resolve("host.pem"),
                    folder.resolve("key.pem"),
                    Duration.ofSeconds(30)),
                new ClientCertificateProperties(
                    null, Revocation.IF_VALID, Namespaces.IF_PRESENT, false, RefuseIn.REQUEST),
                null,
                null,
                List.of(
                    new Area(
                        "a",
                        folder.resolve("a"),
                        List.of("/a"),
                        List.of(
                            new Grant(
                                "https://issuer.example",
                                List.of("/"),
                                Grant.Strategy.CAPABILITIES,
                                List.of(),
                                List.of())),
                        List.of(),
                        List.of(),
                        false,
                        false,
                        false,
                        false,
                        Set.of(ChecksumAlgorithm.ADLER32),
                        true,
                        false,
                        false,
                        Sync.DATA,
                        DataSize.ofBytes(0),
                        80,
                        false,
                        null,
                        new QuotaProperties(null, null),
                        null,
                        NO_CONTRACTS,
                        USUAL,
                        false,
                        Area.Store.POSIX,
                        NO_BUCKET,
                        NO_ACCOUNTS)),
                List.of(
                    new IssuerProperties(
                        "https://issuer.example",
                        Set.of("https://se.example"),
                        null,
                        null,
                        true,
                        false,
                        false,
                        IssuerProperties.Profile.WLCG,
                        List.of(),
                        false,
                        List.of(),
                        List.of(),
                        new IssuerProperties.Introspection(
                            null, "", null, Duration.ofSeconds(30)))),
                new Copy(
                    50,
                    25,
                    1000,
                    500,
                    Duration.ofSeconds(30),
                    Duration.ofSeconds(5),
                    Duration.ZERO,
                    8,
                    DataSize.ofMegabytes(64),
                    true,
                    false,
                    List.of(),
                    Duration.ofSeconds(10),
                    Duration.ofSeconds(120),
                    Duration.ofSeconds(60),
                    DataSize.ofKilobytes(10),
                    Duration.ofMinutes(2),
                    List.of()),
                new LimitsProperties(
                    2000,
                    1000,
                    Duration.ofSeconds(60),
                    Duration.ofSeconds(30),
                    DataSize.ofKilobytes(32),
                    DataSize.ofKilobytes(1),
                    DataSize.ofKilobytes(1),
                    Duration.ofSeconds(60)),
                new AccessLog(true, AccessLog.Layout.JSON, null),
                new MetricsProperties(List.of("127.0.0.0/8", "::1/128")),
                new Proxy(List.of(), null),
                new CorsProperties(List.of()),
                new ScitagsProperties(false, List.of(), false),
                new RedirectProperties(
                    List.of(),
                    null,
                    DataSize.ofMegabytes(64),
                    List.of("gfal2", "libdavix"),
                    Duration.ofSeconds(10)),
                new DelegationProperties(
                    null, null, null, null, Duration.ofSeconds(10), Duration.ofHours(6)),
                new VomsProperties(null),
                new ScrubProperties(DataSize.ofMegabytes(4), Duration.ofDays(30)),
                new ChecksumsProperties(4, 64),
                new TapeProperties(
                    List.of(),
                    List.of(),
                    "",
                    4,
                    0,
                    100_000,
                    50_000,
                    1000,
                    Duration.ofHours(12),
                    Duration.ofSeconds(30),
                    Duration.ofDays(7),
                    Duration.ofDays(7)),
                new TokensProperties(
                    true,
                    null,
                    null,
                    Duration.ofHours(1),
                    Duration.ofHours(24),
                    Duration.ofDays(7)),
                new AccountingProperties(
                    Duration.ofHours(24), "staithe", List.of("127.0.0.0/8", "::1")),
                new ContractsProperties(
                    "",
                    null,
                    null,
                    List.of(),
                    null,
                    null,
                    NOTHING_SAID,
                    null,
                    Duration.ofMinutes(10),
                    Set.of()),
                new TransfersProperties(List.of(), 200),
                false));
  }

  @Test
  void everyKeyIsMappedToItsPlace() throws IOException {
    StorageProperties properties =
        yaml(
            """
            staithe:
              hosts: ["se.example:8443", "[2001:db8::1]:443"]
              http2: true
              tls:
                enabled: true
                provider: jdk
                certificate: ~/host.pem
                key: ~/key.pem
                check-interval: 2m
              client-certificates:
                trust: ~/a
                revocation: require
                namespaces: ignore
                legacy-proxies: true
                refuse-in: handshake
              trust: ~/trust
              issuer-trust: ~/issuer-trust
              areas:
                - name: one
                  root: ~/a
                  access-points: [/one, /one/again]
                  grants:
                    - issuer: https://one.example
                      prefixes: [/p, /q]
                      strategy: both
                      groups:
                        - group: /cms
                          scopes: storage.read:/ storage.modify:/x
                      hosts:
                        - host: fts.example.org
                          scopes: storage.read:/y
                  subjects:
                    - subject: /C=DE/CN=Ada
                      scopes: storage.read:/z
                  voms:
                    - fqan: /cms/Role=pilot
                      scopes: storage.read:/v
                  anonymous-read: true
                  anonymous-write: true
                  authenticated-read: true
                  list-with-modify: true
                  checksums: [md5, sha-256, sha-512]
                  create-parents: true
                  safe-delete: true
                  infinite-depth: true
                  sync: all
                  keep-free: 3GB
                  staged-per-caller: 81
                  shared: true
                  read-ahead: 2MB
                  quota:
                    soft: 1GB
                    hard: 2GB
                - name: two
                  root: ~/b
              issuers:
                - issuer: https://one.example
                  audiences: [https://a, https://b]
                  jwks-uri: https://one.example/keys
                  accept-wlcg-any: false
                  accept-scitokens-any: true
                  plain-http-on-loopback: true
                  profile: oidc
                  group-claims: [groups, roles]
                  without-audience: true
                  assurance: [https://refeds.org/assurance/IAP/medium]
                  acr: [mfa]
                  introspection:
                    url: https://one.example/introspect
                    client-id: se
                    client-secret-file: ~/secret
                    cache: 25s
              copy:
                running: 11
                per-host: 12
                queued: 13
                queued-per-group: 14
                retry-after: 15s
                marker-period: 16s
                early-answer: 17s
                max-streams: 9
                striped-from: 19MB
                verify-by-default: false
                credentials-over-plain-http: true
                allowed-networks: [10.0.0.0/8, "fd00::/8"]
                connect-timeout: 20s
                first-byte-timeout: 21s
                stall-timeout: 22s
                slow-floor: 23KB
                slow-window: 24s
              limits:
                connections: 23
                idle-timeout: 24s
                head-timeout: 26s
                header-size: 25KB
                min-upload-rate: 27KB
                min-download-rate: 28KB
                rate-window: 29s
              access-log:
                enabled: false
                layout: storm
                file: ~/access.log
              metrics:
                allow-from: [192.0.2.0/24]
              proxy:
                trusted: [192.0.2.7]
                accel-prefix: /.accel
              cors:
                origins: ["https://app.example"]
              scitags:
                enabled: true
                collectors: ["collector.example:10514", "[2001:db8::1]:1"]
                to-peer: true
              redirect:
                nodes: ["https://node:1", "https://[2001:db8::2]"]
                key-file: ~/key.pem
                from-size: 26MB
                copy-clients: [transfers]
                check-interval: 27s
              delegation:
                url: https://delegation.example:8446/
                certificate: ~/host.pem
                key: ~/key.pem
                trust: ~/trust
                timeout: 30s
                lifetime: 31h
              checksums:
                running: 32
                waiting: 33
              tape:
                areas: [two]
                command: [/bin/sh, /opt/tape]
                site-name: SITE
                running: 8
                running-per-caller: 5
                waiting: 1000
                waiting-per-caller: 200
                per-request: 50
                recall-timeout: 1h
                answer-timeout: 7s
                keep-for: 1d
                longest-pin: 2d
              voms:
                trust: ~/vomsdir
              scrub:
                rate: 1KB
                every: 6h
              tokens:
                enabled: false
                key-file: ~/token-keys
                sealing-key-file: ~/key.pem
                usual: 5m
                longest: 2h
                rotation: 1d
              accounting:
                recount: 1h
                name: SITE-SE
                allow-from: [192.0.2.0/24]
              transfers:
                administrators:
                  - certificate: CN=Ada
                  - issuer: https://one.example
                    group: /ops
                ended: 7
            """);
    assertThat(properties)
        .isEqualTo(
            new StorageProperties(
                List.of("se.example:8443", "[2001:db8::1]:443"),
                new TlsProperties(
                    true,
                    TlsProperties.Provider.JDK,
                    folder.resolve("host.pem"),
                    folder.resolve("key.pem"),
                    Duration.ofMinutes(2)),
                new ClientCertificateProperties(
                    folder.resolve("a"),
                    Revocation.REQUIRE,
                    Namespaces.IGNORE,
                    true,
                    RefuseIn.HANDSHAKE),
                folder.resolve("trust"),
                folder.resolve("issuer-trust"),
                List.of(
                    new Area(
                        "one",
                        folder.resolve("a"),
                        List.of("/one", "/one/again"),
                        List.of(
                            new Grant(
                                "https://one.example",
                                List.of("/p", "/q"),
                                Grant.Strategy.BOTH,
                                List.of(new Group("/cms", "storage.read:/ storage.modify:/x")),
                                List.of(new Host("fts.example.org", "storage.read:/y")))),
                        List.of(new Subject("/C=DE/CN=Ada", "storage.read:/z")),
                        List.of(new VomsProperties.Grant("/cms/Role=pilot", "storage.read:/v")),
                        true,
                        true,
                        true,
                        true,
                        Set.of(
                            ChecksumAlgorithm.MD5,
                            ChecksumAlgorithm.SHA_256,
                            ChecksumAlgorithm.SHA_512),
                        true,
                        true,
                        true,
                        Sync.ALL,
                        DataSize.ofGigabytes(3),
                        81,
                        true,
                        DataSize.ofMegabytes(2),
                        new QuotaProperties(DataSize.ofGigabytes(1), DataSize.ofGigabytes(2)),
                        null,
                        NO_CONTRACTS,
                        USUAL,
                        false,
                        Area.Store.POSIX,
                        NO_BUCKET,
                        NO_ACCOUNTS),
                    new Area(
                        "two",
                        folder.resolve("b"),
                        List.of("/two"),
                        List.of(),
                        List.of(),
                        List.of(),
                        false,
                        false,
                        false,
                        false,
                        Set.of(ChecksumAlgorithm.ADLER32),
                        true,
                        false,
                        false,
                        Sync.DATA,
                        DataSize.ofBytes(0),
                        80,
                        false,
                        null,
                        new QuotaProperties(null, null),
                        null,
                        NO_CONTRACTS,
                        USUAL,
                        false,
                        Area.Store.POSIX,
                        NO_BUCKET,
                        NO_ACCOUNTS)),
                List.of(
                    new IssuerProperties(
                        "https://one.example",
                        Set.of("https://a", "https://b"),
                        URI.create("https://one.example/keys"),
                        null,
                        false,
                        true,
                        true,
                        IssuerProperties.Profile.OIDC,
                        List.of("groups", "roles"),
                        true,
                        List.of("https://refeds.org/assurance/IAP/medium"),
                        List.of("mfa"),
                        new IssuerProperties.Introspection(
                            URI.create("https://one.example/introspect"),
                            "se",
                            folder.resolve("secret"),
                            Duration.ofSeconds(25)))),
                new Copy(
                    11,
                    12,
                    13,
                    14,
                    Duration.ofSeconds(15),
                    Duration.ofSeconds(16),
                    Duration.ofSeconds(17),
                    9,
                    DataSize.ofMegabytes(19),
                    false,
                    true,
                    List.of("10.0.0.0/8", "fd00::/8"),
                    Duration.ofSeconds(20),
                    Duration.ofSeconds(21),
                    Duration.ofSeconds(22),
                    DataSize.ofKilobytes(23),
                    Duration.ofSeconds(24),
                    List.of()),
                new LimitsProperties(
                    23,
                    1000,
                    Duration.ofSeconds(24),
                    Duration.ofSeconds(26),
                    DataSize.ofKilobytes(25),
                    DataSize.ofKilobytes(27),
                    DataSize.ofKilobytes(28),
                    Duration.ofSeconds(29)),
                new AccessLog(false, AccessLog.Layout.STORM, folder.resolve("access.log")),
                new MetricsProperties(List.of("192.0.2.0/24")),
                new Proxy(List.of("192.0.2.7"), "/.accel"),
                new CorsProperties(List.of("https://app.example")),
                new ScitagsProperties(
                    true, List.of("collector.example:10514", "[2001:db8::1]:1"), true),
                new RedirectProperties(
                    List.of(URI.create("https://node:1"), URI.create("https://[2001:db8::2]")),
                    folder.resolve("key.pem"),
                    DataSize.ofMegabytes(26),
                    List.of("transfers"),
                    Duration.ofSeconds(27)),
                new DelegationProperties(
                    URI.create("https://delegation.example:8446/"),
                    folder.resolve("host.pem"),
                    folder.resolve("key.pem"),
                    folder.resolve("trust"),
                    Duration.ofSeconds(30),
                    Duration.ofHours(31)),
                new VomsProperties(folder.resolve("vomsdir")),
                new ScrubProperties(DataSize.ofKilobytes(1), Duration.ofHours(6)),
                new ChecksumsProperties(32, 33),
                new TapeProperties(
                    List.of("two"),
                    List.of("/bin/sh", "/opt/tape"),
                    "SITE",
                    8,
                    5,
                    1000,
                    200,
                    50,
                    Duration.ofHours(1),
                    Duration.ofSeconds(7),
                    Duration.ofDays(1),
                    Duration.ofDays(2)),
                new TokensProperties(
                    false,
                    folder.resolve("token-keys"),
                    folder.resolve("key.pem"),
                    Duration.ofMinutes(5),
                    Duration.ofHours(2),
                    Duration.ofDays(1)),
                new AccountingProperties(Duration.ofHours(1), "SITE-SE", List.of("192.0.2.0/24")),
                new ContractsProperties(
                    "",
                    null,
                    null,
                    List.of(),
                    null,
                    null,
                    NOTHING_SAID,
                    null,
                    Duration.ofMinutes(10),
                    Set.of()),
                new TransfersProperties(
                    List.of(
                        new TransfersProperties.Administrator("CN=Ada", null, null, null),
                        new TransfersProperties.Administrator(
                            null, "https://one.example", null, "/ops")),
                    7),
                true));
  }

  @Test
  void pageThatExplainsAllSettingsIsAConfigurationThatBinds() throws IOException {
    String page =
        Files.readString(Path.of("../docs/storage-webdav.yml"))
            .replace("/etc/staithe/host.pem", folder.resolve("host.pem").toString())
            .replace("/etc/staithe/host-key.pem", folder.resolve("key.pem").toString())
            .replace("/srv/storage/data", folder.resolve("a").toString());
    StorageProperties properties = yaml(page);
    assertThat(properties.areas()).extracting(Area::name).containsExactly("data");
    assertThat(CopyOperation.settings(properties).limits().running()).isEqualTo(50);
  }

  @Test
  void areasMayLieBelowEachOtherInTheNamespace() throws IOException {
    StorageProperties properties =
        yaml(
            """
            staithe:
              tls: {enabled: false}
              areas:
                - {name: one, root: ~/a, access-points: [/data]}
                - {name: two, root: ~/b, access-points: [/data/sub, /]}
            """);
    assertThat(properties.areas().getLast().accessPoints()).containsExactly("/data/sub", "/");
  }

  @Test
  void congestionControlThatTheKernelDoesNotHaveIsRefusedInOneLine() {
    DataSize none = DataSize.ofBytes(0);
    assertThatThrownBy(() -> new CopyTuningProperties("no-such", none))
        .isInstanceOf(Settings.InvalidSetting.class)
        .hasMessageStartingWith(" = \"no-such\": must be one that this kernel lets this server use")
        .hasMessageContaining("reno");
    assertThatThrownBy(() -> new CopyTuningProperties.OfHost("se.example.org:443", "", none))
        .hasMessageContaining("without a port");
    assertThat(new CopyTuningProperties("reno", DataSize.ofMegabytes(100)).congestionControl())
        .isEqualTo("reno");
  }

  @Test
  void whatIsSetForAnAddressInBracketsCountsForCopiesWithIt() throws IOException {
    StorageProperties properties =
        yaml(
            """
            staithe:
              tls: {enabled: false}
              areas:
                - {name: data, root: ~/a}
              copy:
                hosts:
                  - {host: "[2001:DB8::7]", pacing: 5MB}
            """);
    assertThat(CopyOperation.settings(properties).tuning().of("data", "2001:db8::7").pacing())
        .isEqualTo(DataSize.ofMegabytes(5).toBytes());
  }

  @Test
  void keysOfAnIssuerComeFromOnePlace() {
    assertThatThrownBy(
            () ->
                yaml(
                    """
                    staithe:
                      tls: {enabled: false}
                      areas:
                        - {name: one, root: ~/a}
                      issuers:
                        - issuer: https://one.example
                          audiences: https://a
                          jwks-uri: https://one.example/keys
                          jwks-file: ~/jwks.json
                    """))
        .rootCause()
        .hasMessageContaining("absent where jwks-file is given");
  }

  @Test
  void wayBackToStormNeedsTheChecksumThatItReads() {
    assertThatThrownBy(
            () ->
                yaml(
                    """
                    staithe:
                      areas:
                        - name: data
                          root: %s
                          checksums: md5
                          storm-checksum: true
                    """
                        .formatted(folder)))
        .rootCause()
        .hasMessageContaining("must be false where checksums has no adler32");
  }
}
