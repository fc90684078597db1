package dev.staithe.delegation.credential;

import dev.staithe.database.Migrations;
import dev.staithe.delegation.key.KeyPool;
import dev.staithe.delegation.store.DelegationRow;
import dev.staithe.delegation.store.DelegationStore;
import dev.staithe.delegation.store.Upkeep;
import dev.staithe.pki.Credential;
import dev.staithe.pki.DistinguishedName;
import dev.staithe.pki.GridSubject;
import dev.staithe.pki.KeyKind;
import dev.staithe.pki.KeyRules;
import dev.staithe.pki.Pem;
import dev.staithe.pki.RequestedKey;
import dev.staithe.pki.ca.CertificateIssuer;
import dev.staithe.pki.ca.CertificateProfile;
import dev.staithe.pki.ca.CertificateRequest;
import dev.staithe.pki.ca.PersonCertificateRequest;
import dev.staithe.pki.grid.ClientChainRules;
import dev.staithe.pki.grid.ClientChainValidator;
import dev.staithe.pki.grid.ClientTrustFolder;
import dev.staithe.pki.grid.ClientVerdict;
import dev.staithe.pki.grid.ProxySigner;
import dev.staithe.pki.grid.ProxySigning;
import dev.staithe.pki.grid.ProxyTerms;
import dev.staithe.pki.grid.VomsTrust;
import dev.staithe.pki.seal.MasterKeySource;
import dev.staithe.pki.seal.MasterKeys;
import dev.staithe.service.log.AuditLog;
import dev.staithe.testkit.MutableClock;
import dev.staithe.tls.TlsProvider;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.springframework.jdbc.core.simple.JdbcClient;

/** An authority, people, one database, and nodes of the service on it, without any wire. */
final class Site implements AutoCloseable {
  static final Duration HOUR = Duration.ofHours(1);
  private static final String NAMES = "/DC=org/DC=staithe/O=Example/CN=";
  private static final List<String> TABLES =
      List.of("delegation", "delegation_acquirer", "delegation_request", "delegation_key");

  // A certificate's times are whole seconds.
  final MutableClock clock;

  /** By which nodes judge that begin from now on. */
  ClientChainRules rules = ClientChainRules.DEFAULT;

  final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private final Path folder;
  private final Path trust;
  private final DataSource source;
  private final CertificateIssuer authority;
  private final KeyPool keys =
      new KeyPool(0, 1, TlsProvider.choose(TlsProvider.Choice.JDK)::rsaKeyPair);
  private final List<AuditLog> logs = new ArrayList<>();
  private ClientTrustFolder trusted;
  private final List<Path> masters = new ArrayList<>();

  Site(Path folder, DataSource source, Instant begin) throws IOException {
    this.clock = MutableClock.at(begin.truncatedTo(ChronoUnit.SECONDS));
    this.folder = folder;
    this.source = source;
    this.trust = Files.createDirectories(folder.resolve("trust"));
    this.authority =
        CertificateIssuer.create(
            "CN=Example authority", KeyKind.EC_P256, Duration.ofDays(3650), clock);
    Pem.writeCertificates(trust.resolve("ca.pem"), List.of(authority.certificate()));
    authority.write(folder.resolve("ca.pem"), folder.resolve("ca-key.pem"));
    this.trusted = ClientTrustFolder.read(trust);
    masters.add(masterKey("first"));
    Migrations.run(source, "delegation");
  }

  // --- people ----------------------------------------------------------------------------------

  Credential person(String name) {
    return person(name, KeyKind.EC_P256);
  }

  Credential person(String name, KeyKind kind) {
    RequestedKey key = RequestedKey.make(kind);
    return new Credential(
        key.key(),
        List.of(
            authority.issuePerson(
                PersonCertificateRequest.of(
                    DistinguishedName.parse(NAMES + name), key.publicKey(), Duration.ofDays(11)),
                CertificateProfile.plain())));
  }

  static GridSubject subject(String name) {
    return GridSubject.parse(NAMES + name);
  }

  /** As the door tells who somebody is, here by the certificates themselves. */
  static Owner owner(Credential shown) {
    List<String> proxies = new ArrayList<>();
    X509Certificate own = shown.certificate();
    for (X509Certificate each : shown.chain()) {
      own = each;
      if (each.getSubjectX500Principal().getName().split(",").length == 4) {
        break;
      }
      proxies.add(SealedKeys.digest(each.getPublicKey()));
    }
    return new Owner(
        GridSubject.of(own.getSubjectX500Principal()), List.of(), proxies, KeyKind.EC_P256);
  }

  /** A proxy of somebody for the key of a request. */
  String sign(Credential by, String requestPem, ProxyTerms terms) {
    return Pem.encode(signed(by, key(requestPem), terms));
  }

  String sign(Credential by, String requestPem) {
    return sign(by, requestPem, ProxyTerms.of(Duration.ofHours(6)));
  }

  List<X509Certificate> signed(Credential by, PublicKey key, ProxyTerms terms) {
    return switch (ProxySigner.sign(by, key, terms, clock)) {
      case ProxySigning.Signed signed -> signed.chain();
      case ProxySigning.Refused(String line) -> throw new AssertionError(line);
    };
  }

  /** A proxy of somebody with a key of its own. */
  Credential proxy(Credential by, ProxyTerms terms) {
    RequestedKey key = RequestedKey.make(KeyKind.EC_P256);
    return new Credential(key.key(), signed(by, key.publicKey(), terms));
  }

  static PublicKey key(String requestPem) {
    return switch (CertificateRequest.read(
        requestPem.getBytes(StandardCharsets.US_ASCII), KeyRules.standard())) {
      case CertificateRequest.Accepted accepted -> accepted.key();
      case CertificateRequest.Refused(String line) -> throw new AssertionError(line);
    };
  }

  /** Revokes somebody, and has the list read. */
  void revoke(Credential person) throws Exception {
    X509CRL list = authority.revocationList(List.of(person.chain().getLast()), Duration.ofDays(1));
    Files.writeString(
        trust.resolve("ca.crl"),
        "-----BEGIN X509 CRL-----\n"
            + Base64.getMimeEncoder().encodeToString(list.getEncoded())
            + "\n-----END X509 CRL-----\n");
    trusted = ClientTrustFolder.read(trust);
  }

  /** What a service of the site thinks of a chain. */
  ClientVerdict verdict(List<X509Certificate> chain) {
    return new ClientChainValidator(trusted, rules, clock).validate(chain);
  }

  Path folder() {
    return folder;
  }

  // --- nodes -----------------------------------------------------------------------------------

  Path masterKey(String name) throws IOException {
    byte[] key = new byte[32];
    new SecureRandom().nextBytes(key);
    return Files.writeString(
        folder.resolve("master-" + name), Base64.getEncoder().encodeToString(key) + "\n");
  }

  /** Puts a master key before the others, for nodes that begin from now on. */
  void rotate(Path master) {
    masters.addFirst(master);
  }

  /** Forgets the master key that is there for the longest time. */
  void forgetOldestMaster() {
    masters.removeLast();
  }

  /** What tests that say nothing else begin with: nobody may acquire unless he is named. */
  static DelegationSettings settings() {
    return new DelegationSettings(
        new AcquireRules(List.of(), null, 1, false, Duration.ofHours(12)),
        KeyChoice.P_256,
        Duration.ofDays(7),
        20,
        10,
        HOUR);
  }

  Delegations node() throws IOException {
    return node(settings());
  }

  Delegations node(DelegationSettings settings) throws IOException {
    return new Delegations(
        settings,
        new DelegationStore(source),
        keys,
        masterKeys(),
        new Delegations.Trust(() -> trusted, rules, VomsTrust::none),
        audit(),
        new DelegationMetrics(meters),
        clock);
  }

  /** One whose audit log cannot be written. */
  Delegations nodeWithoutAudit() throws IOException {
    Delegations node = node();
    logs.getLast().close();
    return node;
  }

  /** What somebody does who can write to the database. */
  int tamper(String sql, Object... values) {
    return JdbcClient.create(source).sql(sql).params(values).update();
  }

  /** Makes a delegation one from before keys were sealed for rules. */
  void unbind(String name, String id) throws IOException {
    DelegationRow row = new DelegationStore(source).find(subject(name).name(), id).orElseThrow();
    MasterKeys keysOf = masterKeys();
    byte[] clear =
        ((MasterKeys.Opening.Opened) keysOf.open(SealedKeys.place(row), row.sealed())).secret();
    String place = row.id() + " " + row.keyDigest() + " of " + row.owner();
    tamper(
        "update delegation set sealed = ?, bound = false where id = ?",
        keysOf.seal(place, clear),
        id);
  }

  private MasterKeys masterKeys() throws IOException {
    return MasterKeys.of(
        masters.stream()
            .map(file -> (MasterKeySource) new MasterKeySource.Base64File(file))
            .toList());
  }

  Sweeper sweeper() throws IOException {
    return new Sweeper(
        new Upkeep(source), masterKeys(), audit(), new DelegationMetrics(meters), HOUR, clock);
  }

  private AuditLog audit() throws IOException {
    AuditLog log = new AuditLog(folder.resolve("audit-" + logs.size() + ".log"), 30, clock);
    logs.add(log);
    return log;
  }

  /** All lines of the audit logs of all nodes. */
  String audited() throws IOException {
    StringBuilder all = new StringBuilder();
    for (int i = 0; i < logs.size(); i++) {
      all.append(Files.readString(folder.resolve("audit-" + i + ".log")));
    }
    return all.toString();
  }

  /** Everything that is in the database, for comparing. */
  List<String> rows() {
    JdbcClient client = JdbcClient.create(source);
    List<String> all = new ArrayList<>();
    for (String table : TABLES) {
      client
          .sql("select * from " + table)
          .query()
          .listOfRows()
          .forEach(row -> all.add(table + " " + text(row)));
    }
    all.sort(null);
    return all;
  }

  private static String text(Map<String, Object> row) {
    StringBuilder text = new StringBuilder();
    row.forEach(
        (name, value) ->
            text.append(name)
                .append('=')
                .append(value instanceof byte[] bytes ? HexFormat.of().formatHex(bytes) : value)
                .append(' '));
    return text.toString();
  }

  // --- steps -----------------------------------------------------------------------------------

  static String request(Outcome<ProxyRequest> begun) {
    return done(begun).pem();
  }

  static AcquireRules allowing(String... names) {
    return new AcquireRules(
        List.of(names).stream().map(Site::subject).toList(), null, 1, false, Duration.ofHours(12));
  }

  /** A whole delegation. */
  Delegation delegate(Delegations node, Credential by, String id, AcquireRules rules) {
    String request = request(node.begin(owner(by), new DelegationId(id), rules, null));
    return stored(node.put(owner(by), new DelegationId(id), sign(by, request)));
  }

  static Delegation stored(Outcome<Delegation> put) {
    return done(put);
  }

  static <T> T done(Outcome<T> outcome) {
    return switch (outcome) {
      case Outcome.Done<T>(T value) -> value;
      case Outcome.Refused<T>(DelegationFault fault) -> throw new AssertionError(fault);
    };
  }

  static DelegationFault.Kind kind(Object outcome) {
    return fault(outcome).kind();
  }

  static DelegationFault fault(Object outcome) {
    return switch (outcome) {
      case Outcome.Refused<?>(DelegationFault fault) -> fault;
      default -> throw new AssertionError("no refusal: " + outcome);
    };
  }

  /** A service with a proxy from a delegation. */
  Credential acquired(Delegations node, Credential service, WantedDelegation which, ProxyWish wish)
      throws Exception {
    RequestedKey key = RequestedKey.make(KeyKind.EC_P256);
    AcquiredProxy acquired = done(node.acquire(owner(service), which, key.pem(), wish));
    return new Credential(key.key(), Pem.parseCertificates(acquired.chainPem(), "chain"));
  }

  static WantedDelegation named(String id) {
    return new WantedDelegation(new DelegationId(id), null);
  }

  @Override
  public void close() {
    logs.forEach(AuditLog::close);
    keys.close();
  }
}
