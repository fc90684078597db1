package dev.staithe.storage.settings;

import dev.staithe.service.Settings;
import dev.staithe.service.properties.ClientCertificateProperties;
import dev.staithe.service.properties.LimitsProperties;
import dev.staithe.service.properties.MetricsProperties;
import dev.staithe.service.properties.SharedProperties;
import dev.staithe.service.properties.TlsProperties;
import dev.staithe.storage.checksum.ChecksumAlgorithm;
import dev.staithe.storage.files.StoragePath;
import dev.staithe.storage.state.Sync;
import dev.staithe.tls.ServerTlsSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * The configuration of the storage element. A value out of range, a key that is unknown or a file
 * that is missing stops the start with one line.
 *
 * @param hosts {@code host:port} by which clients know this server besides the one they call, such
 *     as a load-balanced alias; decides which COPY is local
 * @param tls the server's certificate
 * @param clientCertificates certificates of clients as a credential
 * @param trust authorities for outgoing connections: a PEM bundle or a grid-security folder
 * @param issuerTrust authorities for token issuers, which often use public ones; default: as trust
 * @param areas storage areas, at least one
 * @param issuers token issuers
 * @param copy third-party copy
 * @param limits what one client may take
 * @param accessLog where the access log goes
 * @param metrics who may read metrics
 * @param proxy a reverse proxy in front
 * @param cors pages of other origins in browsers
 * @param scitags marks of network flows
 * @param redirect of large files to data nodes
 * @param delegation proxies for copies in the name of users
 * @param voms whose VOMS attributes are believed
 * @param scrub how stored files are read again
 * @param checksums that are computed because somebody asks
 * @param tape the mass storage behind areas whose files may be on tape
 * @param accounting what is told of the room that files take
 * @param tokens that this server makes itself
 * @param contracts of transfers
 * @param transfers how copies are looked on
 * @param http2 whether HTTP/2 is offered beside HTTP/1.1; over TLS only
 */
@ConfigurationProperties(prefix = "staithe", ignoreUnknownFields = false)
public record StorageProperties(
    @DefaultValue List<String> hosts,
    @NestedConfigurationProperty @DefaultValue TlsProperties tls,
    @NestedConfigurationProperty @DefaultValue ClientCertificateProperties clientCertificates,
    @Nullable Path trust,
    @Nullable Path issuerTrust,
    @DefaultValue List<Area> areas,
    @DefaultValue List<IssuerProperties> issuers,
    @DefaultValue Copy copy,
    @NestedConfigurationProperty @DefaultValue LimitsProperties limits,
    @DefaultValue AccessLog accessLog,
    @NestedConfigurationProperty @DefaultValue MetricsProperties metrics,
    @DefaultValue Proxy proxy,
    @DefaultValue CorsProperties cors,
    @DefaultValue ScitagsProperties scitags,
    @DefaultValue RedirectProperties redirect,
    @DefaultValue DelegationProperties delegation,
    @DefaultValue VomsProperties voms,
    @DefaultValue ScrubProperties scrub,
    @DefaultValue ChecksumsProperties checksums,
    @DefaultValue TapeProperties tape,
    @DefaultValue TokensProperties tokens,
    @DefaultValue AccountingProperties accounting,
    @DefaultValue ContractsProperties contracts,
    @DefaultValue TransfersProperties transfers,
    @DefaultValue("false") boolean http2)
    implements SharedProperties {

  /** Files are large. */
  @Override
  public int encryptedAtOnce() {
    return ServerTlsSettings.DEFAULT_BATCH_BYTES;
  }

  /** Checks what concerns several values. */
  public StorageProperties {
    tls.requireFiles();
    Settings.require(
        tls.enabled() || !http2, "http2", http2, "false where staithe.tls.enabled is false");
    AreaChecks.requireTls(tls, clientCertificates);
    if (delegation.url() != null) {
      Settings.require(
          clientCertificates.trust() != null,
          "delegation.url",
          delegation.url(),
          "absent where staithe.client-certificates.trust is absent");
    }
    Settings.require(!areas.isEmpty(), "areas", "", "at least one storage area");
    voms.check(areas, clientCertificates.trust());
    AreaChecks.requireContractKey(areas, contracts, tls);
    AreaChecks.requireApart(areas);
    tape.check(areas);
    Settings.require(
        redirect.nodes().isEmpty()
            || areas.stream().allMatch(area -> area.store() == Area.Store.POSIX),
        "redirect.nodes",
        redirect.nodes(),
        "empty where an area has store: s3 or accounts, which one server alone serves");
    Settings.requireDistinct(
        issuers.stream().map(IssuerProperties::issuer).toList(), "issuers", "issuer");
    Settings.require(
        issuers.stream().filter(each -> each.introspection().url() != null).count() < 2,
        "issuers[].introspection.url",
        "",
        "given once, as an opaque token does not tell whose it is");
    List<String> known = issuers.stream().map(IssuerProperties::issuer).toList();
    for (int i = 0; i < areas.size(); i++) {
      List<Grant> grants = areas.get(i).grants();
      for (int j = 0; j < grants.size(); j++) {
        Settings.require(
            known.contains(grants.get(j).issuer()),
            "areas[" + i + "].grants[" + j + "].issuer",
            grants.get(j).issuer(),
            "an issuer that staithe.issuers lists");
      }
      AreaChecks.requireKnown(areas.get(i).contracts().people(), known, "areas[" + i + "]");
    }
    if (proxy.accelPrefix() != null) {
      StoragePath prefix = StoragePath.of(proxy.accelPrefix());
      for (Area area : areas) {
        AreaChecks.requirePath(proxy.accelPrefix() + "/" + area.name(), "areas[].name");
        Settings.require(
            area.accessPoints().stream()
                .map(StoragePath::of)
                .noneMatch(p -> !p.isRoot() && (p.startsWith(prefix) || prefix.startsWith(p))),
            "proxy.accel-prefix",
            proxy.accelPrefix(),
            "apart from the access points of all areas");
      }
    }
    for (String host : hosts) {
      Settings.require(
          host.matches("[^/:\\s]+:\\d{1,5}|\\[[0-9a-fA-F:]+\\]:\\d{1,5}"),
          "hosts",
          host,
          "host:port");
    }
    hosts = List.copyOf(hosts);
    areas = List.copyOf(areas);
    issuers = List.copyOf(issuers);
  }

  /**
   * A storage area.
   *
   * @param name unique, in logs and metrics: letters, digits, dot, dash, underscore
   * @param root its folder, which exists
   * @param accessPoints paths under which it is reached; default: slash and the name
   * @param grants what tokens of which issuer may do
   * @param subjects what the holders of client certificates may do
   * @param voms what groups and roles of VOMS may do
   * @param anonymousRead whether anyone may read
   * @param anonymousWrite whether anyone may write; for tests
   * @param authenticatedRead whether any valid token of a listed issuer, or any client certificate
   *     that is believed, may read
   * @param listWithModify whether scopes to create or modify allow listing too
   * @param checksums computed on every upload
   * @param createParents whether an upload makes missing collections (WLCG JWT profile 1.3: create
   *     includes them), against RFC 4918
   * @param safeDelete whether only empty collections are deleted, or replaced
   * @param infiniteDepth whether PROPFIND of infinite depth is answered
   * @param sync what is on the device before a change is acknowledged
   * @param keepFree room on the file system that whatever is written leaves
   * @param stagedPerCaller percent of the room that the uploads and copies under way of one caller
   *     may take
   * @param shared whether several storage elements serve this folder on a file system that keeps
   *     locks between machines; each must say so
   * @param readAhead what is asked of the file system before it is read, up to 64 MB; absent:
   *     nothing beyond what the kernel does by itself
   * @param quota what the area's files may take
   * @param policy a file with rules that go before all grants; absent: none
   * @param contracts that files leave and come under
   * @param copy how the kernel sends what third-party copies send
   * @param stormChecksum whether Adler-32 is also kept as StoRM WebDAV reads it
   * @param store what keeps the files
   * @param s3 the bucket of an area that an object store keeps
   * @param accounts the helper and the mapping of an area whose files belong to local accounts
   */
  public record Area(
      @DefaultValue("") String name,
      @Nullable Path root,
      @DefaultValue List<String> accessPoints,
      @DefaultValue List<Grant> grants,
      @DefaultValue List<Subject> subjects,
      @DefaultValue List<VomsProperties.Grant> voms,
      @DefaultValue("false") boolean anonymousRead,
      @DefaultValue("false") boolean anonymousWrite,
      @DefaultValue("false") boolean authenticatedRead,
      @DefaultValue("false") boolean listWithModify,
      @DefaultValue("adler32") Set<ChecksumAlgorithm> checksums,
      @DefaultValue("true") boolean createParents,
      @DefaultValue("false") boolean safeDelete,
      @DefaultValue("false") boolean infiniteDepth,
      @DefaultValue("data") Sync sync,
      @DefaultValue("0B") DataSize keepFree,
      @DefaultValue("80") int stagedPerCaller,
      @DefaultValue("false") boolean shared,
      @Nullable DataSize readAhead,
      @DefaultValue QuotaProperties quota,
      @Nullable Path policy,
      @DefaultValue ContractsProperties.OfArea contracts,
      @DefaultValue CopyTuningProperties copy,
      @DefaultValue("false") boolean stormChecksum,
      @DefaultValue("posix") Store store,
      @NestedConfigurationProperty @DefaultValue BucketProperties s3,
      @NestedConfigurationProperty @DefaultValue AccountsProperties accounts) {
    /** What keeps the files of an area. */
    public enum Store {
      /** The folder. */
      POSIX,
      /** A bucket of an object store; the folder keeps locks and counts. */
      S3,
      /** Local accounts, by a helper; the folder keeps locks. */
      ACCOUNTS
    }

    /** Checks the folder and the paths. */
    public Area {
      Settings.require(
          name.matches("[A-Za-z0-9][A-Za-z0-9._-]{0,63}"),
          "name",
          name,
          "1 to 64 of A-Z a-z 0-9 . _ - and begin with a letter or digit");
      Settings.requireFolder(root, "root");
      Settings.require(!keepFree.isNegative(), "keep-free", keepFree, "0 bytes or more");
      Settings.requireWithin(stagedPerCaller, 1, 100, "staged-per-caller");
      if (readAhead != null) {
        AreaChecks.requireReadAhead(readAhead, store);
      }
      if (policy != null) {
        Settings.requireFile(policy, "policy");
      }
      Settings.require(
          !stormChecksum || checksums.contains(ChecksumAlgorithm.ADLER32),
          "storm-checksum",
          stormChecksum,
          "false where checksums has no adler32");
      accessPoints = accessPoints.isEmpty() ? List.of("/" + name) : List.copyOf(accessPoints);
      accessPoints.forEach(AreaChecks::requireAccessPoint);
      s3.check(store == Store.S3);
      accounts.check(store == Store.ACCOUNTS);
      if (store != Store.POSIX) {
        AreaChecks.requireWhatStoreKeeps(store, keepFree, shared, quota, contracts, stormChecksum);
      }
      grants = List.copyOf(grants);
      subjects = List.copyOf(subjects);
      voms = List.copyOf(voms);
    }

    /** What is asked of the file system before it is read; 0: nothing. */
    public long bytesAhead() {
      return readAhead == null ? 0 : readAhead.toBytes();
    }
  }

  /**
   * What the holder of a client certificate, or of a proxy of it, may do.
   *
   * @param subject the whole name in the certificate, as {@code CN=Ada,O=Example,C=DE} or {@code
   *     /C=DE/O=Example/CN=Ada}
   * @param scopes what they may do, as WLCG scopes
   */
  public record Subject(@DefaultValue("") String subject, @DefaultValue("") String scopes) {
    /** Checks both; the scopes are checked further where they are read. */
    public Subject {
      AreaChecks.requireSubject(subject);
      AreaChecks.requireScopes(scopes);
    }
  }

  /**
   * What the tokens of one issuer may do in an area.
   *
   * @param issuer one of the issuers
   * @param prefixes paths of the area that the paths of its scopes are relative to
   * @param strategy which claims count: capabilities, groups or both
   * @param groups what members of a group may do, where groups count
   * @param hosts what services may do whose tokens name them as hosts
   */
  public record Grant(
      @DefaultValue("") String issuer,
      @DefaultValue("/") List<String> prefixes,
      @DefaultValue("capabilities") Strategy strategy,
      @DefaultValue List<Group> groups,
      @DefaultValue List<Host> hosts) {
    /** Which claims of a token count. */
    public enum Strategy {
      /** Scopes with paths. */
      CAPABILITIES,
      /** Membership of groups. */
      GROUPS,
      /** Scopes, and groups for tokens without any. */
      BOTH
    }

    /** Checks the prefixes. */
    public Grant {
      prefixes.forEach(p -> AreaChecks.requirePath(p, "prefixes"));
      prefixes = List.copyOf(prefixes);
      groups = List.copyOf(groups);
      hosts = List.copyOf(hosts);
    }
  }

  /**
   * What members of a group may do.
   *
   * @param group its full name, such as {@code /cms/production}; groups below it do not count
   * @param scopes what they may do, as WLCG scopes such as {@code storage.read:/ storage.modify:/x}
   */
  public record Group(@DefaultValue("") String group, @DefaultValue("") String scopes) {
    /** Checks that both are there; the scopes are checked where they are read. */
    public Group {
      Settings.require(!group.isBlank(), "group", group, "the full name of a group");
      AreaChecks.requireScopes(scopes);
    }
  }

  /**
   * What a service may do whose token has the scope {@code host.auth} and names it as its subject.
   *
   * @param host the name in the subject after {@code host:}, such as {@code fts.example.org}
   * @param scopes what it may do, as WLCG scopes
   */
  public record Host(@DefaultValue("") String host, @DefaultValue("") String scopes) {
    /** Checks that both are there; the scopes are checked where they are read. */
    public Host {
      Settings.require(
          host.matches("[A-Za-z0-9]([A-Za-z0-9.-]{0,248}[A-Za-z0-9])?"),
          "host",
          host,
          "a host name such as fts.example.org");
      AreaChecks.requireScopes(scopes);
    }
  }

  /**
   * Third-party copy.
   *
   * @param running copies at once
   * @param perHost copies at once with one remote host
   * @param queued copies waiting
   * @param queuedPerGroup copies waiting of one group of callers
   * @param retryAfter what a client is told where the queue is full
   * @param markerPeriod between performance markers
   * @param earlyAnswer how long the status waits for a failure that shows at once
   * @param maxStreams connections of one pull
   * @param stripedFrom length from which several connections are used
   * @param verifyByDefault whether a checksum is required where the client does not say
   * @param credentialsOverPlainHttp whether forwarded headers go to servers without TLS
   * @param allowedNetworks private networks that copies may connect to, as CIDR
   * @param connectTimeout each address of the remote host
   * @param firstByteTimeout until the remote host begins to answer
   * @param stallTimeout without any byte while data is due
   * @param slowFloor fewest bytes a second that the other side may take or give; 0 for any rate
   * @param slowWindow time spent waiting for the other side over which that is averaged
   * @param hosts how the kernel sends what copies with these send
   */
  public record Copy(
      @DefaultValue("50") int running,
      @DefaultValue("25") int perHost,
      @DefaultValue("1000") int queued,
      @DefaultValue("500") int queuedPerGroup,
      @DefaultValue("30s") Duration retryAfter,
      @DefaultValue("5s") Duration markerPeriod,
      @DefaultValue("0s") Duration earlyAnswer,
      @DefaultValue("8") int maxStreams,
      @DefaultValue("64MB") DataSize stripedFrom,
      @DefaultValue("true") boolean verifyByDefault,
      @DefaultValue("false") boolean credentialsOverPlainHttp,
      @DefaultValue List<String> allowedNetworks,
      @DefaultValue("10s") Duration connectTimeout,
      @DefaultValue("120s") Duration firstByteTimeout,
      @DefaultValue("60s") Duration stallTimeout,
      @DefaultValue("10KB") DataSize slowFloor,
      @DefaultValue("120s") Duration slowWindow,
      @DefaultValue List<CopyTuningProperties.OfHost> hosts) {
    /** Checks the ranges. */
    public Copy {
      Settings.requireWithin(running, 1, 10_000, "running");
      Settings.requireWithin(perHost, 1, 10_000, "per-host");
      Settings.requireWithin(queued, 0, 100_000, "queued");
      Settings.requireWithin(queuedPerGroup, 0, 100_000, "queued-per-group");
      Settings.requireWithin(maxStreams, 1, 16, "max-streams");
      Settings.require(stripedFrom.toBytes() >= 1, "striped-from", stripedFrom, "1B or more");
      Settings.requireWithin(retryAfter, Duration.ofSeconds(1), Duration.ofHours(1), "retry-after");
      Settings.requireWithin(
          markerPeriod, Duration.ofMillis(100), Duration.ofSeconds(30), "marker-period");
      Settings.requireWithin(earlyAnswer, Duration.ZERO, Duration.ofSeconds(30), "early-answer");
      Duration least = Duration.ofMillis(10);
      Duration most = Duration.ofHours(1);
      Settings.requireWithin(connectTimeout, least, most, "connect-timeout");
      Settings.requireWithin(firstByteTimeout, least, most, "first-byte-timeout");
      Settings.requireWithin(stallTimeout, least, most, "stall-timeout");
      Settings.require(
          !slowFloor.isNegative(), "slow-floor", slowFloor, "0 bytes a second or more");
      Settings.requireWithin(slowWindow, Duration.ofSeconds(1), most, "slow-window");
      Settings.requireNetworks(allowedNetworks, "allowed-networks");
      allowedNetworks = List.copyOf(allowedNetworks);
      Settings.requireDistinct(
          hosts.stream().map(each -> each.host().toLowerCase(Locale.ROOT)).toList(),
          "hosts",
          "host");
      hosts = List.copyOf(hosts);
    }
  }

  /**
   * The access log: one line for each request.
   *
   * @param enabled whether there is one
   * @param layout what a line looks like
   * @param file where it goes; absent: standard output together with the log
   */
  public record AccessLog(
      @DefaultValue("true") boolean enabled,
      @DefaultValue("json") Layout layout,
      @Nullable Path file)
      implements dev.staithe.service.log.AccessLog.Settings {
    @Override
    public dev.staithe.service.log.AccessLog.@Nullable Line line() {
      return switch (layout) {
        case JSON -> null;
        case STORM -> StormAccessLine::of;
      };
    }

    /** What a line looks like. */
    public enum Layout {
      /** A JSON object. */
      JSON,
      /** That of StoRM WebDAV, for programs which read it. */
      STORM
    }
  }

  /**
   * A reverse proxy in front.
   *
   * @param trusted networks of proxies, as CIDR, whose {@code Forwarded} or {@code X-Forwarded-…}
   *     headers count
   * @param accelPrefix path of nginx's internal locations, one below it for each area, which send
   *     the files instead of this server; absent: this server sends them
   */
  public record Proxy(@DefaultValue List<String> trusted, @Nullable String accelPrefix)
      implements SharedProperties.Proxy {
    /** Checks the networks and the path. */
    public Proxy {
      Settings.requireNetworks(trusted, "trusted");
      if (accelPrefix != null) {
        AreaChecks.requirePath(accelPrefix, "accel-prefix");
        Settings.require(
            accelPrefix.length() > 1 && !accelPrefix.endsWith("/"),
            "accel-prefix",
            accelPrefix,
            "a path such as /.accel");
        Settings.require(
            !trusted.isEmpty(), "accel-prefix", accelPrefix, "absent where trusted is empty");
      }
      trusted = List.copyOf(trusted);
    }
  }
}
