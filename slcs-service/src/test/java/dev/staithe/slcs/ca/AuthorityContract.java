package dev.staithe.slcs.ca;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.staithe.database.Migrations;
import dev.staithe.pki.DistinguishedName;
import dev.staithe.pki.HashChain;
import dev.staithe.pki.KeyKind;
import dev.staithe.pki.ca.PersonCertificateRequest;
import dev.staithe.pki.ca.RevocationReason;
import dev.staithe.service.log.AuditLog;
import dev.staithe.testkit.MutableClock;
import dev.staithe.testkit.Trials;
import java.io.ByteArrayInputStream;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.security.KeyFactory;
import java.security.KeyPairGenerator;
import java.security.PublicKey;
import java.security.cert.CRLReason;
import java.security.cert.CertificateFactory;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.security.spec.RSAPublicKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the authority promises on every database. */
abstract class AuthorityContract {
  private static final DistinguishedName ALICE =
      DistinguishedName.parse("/DC=org/DC=staithe/O=Example/CN=Alice");
  private static final DistinguishedName BOB =
      DistinguishedName.parse("/DC=org/DC=staithe/O=Example/CN=Bob");

  private static final Random RANDOM = new Random(4712);

  private final MutableClock clock = MutableClock.at(Instant.parse("2026-03-01T12:00:00Z"));
  private final List<AuditLog> logs = new ArrayList<>();

  @TempDir Path folder;
  private CertificateAuthority authority;

  /** An empty database. */
  abstract DataSource database() throws Exception;

  private DataSource source;

  @BeforeEach
  void openAuthority() throws Exception {
    source = database();
    Migrations.run(source, "ca");
    authority = node(1);
  }

  @AfterEach
  void closeLogs() {
    logs.forEach(AuditLog::close);
  }

  /** A node with a log of its own. */
  private CertificateAuthority node(int number) throws Exception {
    var audit = new AuditLog(folder.resolve("audit-" + number + ".log"), 30, clock);
    logs.add(audit);
    return new CertificateAuthority(settings(), source, audit, clock);
  }

  private CaSettings settings() {
    return new CaSettings(
        new CaSettings.Key.Development(folder.resolve("ca"), KeyKind.EC_P256),
        "test",
        List.of(),
        List.of("1.2.840.113612.5.2.2.3"),
        URI.create("http://ca.example.org"),
        null,
        List.of(),
        Duration.ofDays(1),
        Duration.ofDays(7),
        Duration.ofHours(1));
  }

  static PublicKey key() {
    try {
      var generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(256);
      return generator.generateKeyPair().getPublic();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static PersonCertificateRequest request(DistinguishedName name, PublicKey key) {
    return PersonCertificateRequest.of(name, key, Duration.ofHours(12));
  }

  private X509Certificate issued(DistinguishedName name, String owner) {
    return certificate(authority.issue(request(name, key()), owner));
  }

  private static X509Certificate certificate(Issuance issuance) {
    assertThat(issuance).isInstanceOf(Issuance.Issued.class);
    return ((Issuance.Issued) issuance).certificate();
  }

  private static String serial(X509Certificate certificate) {
    return certificate.getSerialNumber().toString(16);
  }

  private static X509CRL crl(CertificateAuthority node) throws Exception {
    return (X509CRL)
        CertificateFactory.getInstance("X.509")
            .generateCRL(new ByteArrayInputStream(node.crl().der()));
  }

  @Test
  void issuedCertificateIsTheAuthoritysAndKeptWithItsOwner() throws Exception {
    var certificate = issued(ALICE, "alice");

    certificate.verify(authority.certificate().getPublicKey());
    assertThat(authority.issuedTo("alice"))
        .singleElement()
        .satisfies(
            kept -> {
              assertThat(kept.serial()).isEqualTo(serial(certificate));
              assertThat(kept.subject()).isEqualTo(ALICE.slashes());
              assertThat(kept.notAfter()).isEqualTo(certificate.getNotAfter().toInstant());
              assertThat(kept.revoked()).isNull();
            });
    assertThat(authority.issuedTo("bob")).isEmpty();
    clock.advance(Duration.ofHours(13));
    assertThat(authority.issuedTo("alice")).as("ended").isEmpty();
  }

  @Test
  void issuedCertificateIsInTheAuditLogBeforeAnybodyHasIt() throws Exception {
    var certificate = issued(ALICE, "alice");

    Path log = folder.resolve("audit-1.log");
    assertThat(Files.readString(log))
        .contains("\"event\":\"certificate.issue\",\"outcome\":\"ok\"")
        .contains("\"serial\":\"" + serial(certificate) + "\"")
        .contains("\"subject\":\"/DC=org/DC=staithe/O=Example/CN=Alice\"");
    assertThat(HashChain.verify(List.of(log))).isInstanceOf(HashChain.Verdict.Intact.class);
  }

  @Test
  void keyOfAnotherNameIsRefusedAndAuditedAndNothingIssued() throws Exception {
    var shared = key();
    certificate(authority.issue(request(ALICE, shared), "alice"));

    var refused = authority.issue(request(BOB, shared), "bob");

    assertThat(refused)
        .isInstanceOfSatisfying(
            Issuance.Refused.class,
            refusal -> assertThat(refusal.reason()).isEqualTo(Issuance.Reason.KEY_REUSED));
    assertThat(authority.issuedTo("bob")).isEmpty();
    assertThat(Files.readString(folder.resolve("audit-1.log"))).contains("\"key-reused\"");
    certificate(authority.issue(request(ALICE, shared), "alice"));
  }

  /** Of a machine with too little randomness; whoever has two such keys can break both. */
  @Test
  void keyWithAPrimeOfAnotherOnesIsRefusedAndAuditedAlsoAfterARestart() throws Exception {
    BigInteger shared = prime();
    var first = rsa(shared);
    certificate(authority.issue(request(ALICE, first), "alice"));

    var restarted = node(2);
    for (var node : List.of(authority, restarted)) {
      assertThat(node.issue(request(BOB, rsa(shared)), "bob"))
          .isInstanceOfSatisfying(
              Issuance.Refused.class,
              refusal -> {
                assertThat(refusal.reason()).isEqualTo(Issuance.Reason.WEAK_KEY);
                assertThat(refusal.line()).contains("too little randomness");
              });
      assertThat(node.refusedCount(Issuance.Reason.WEAK_KEY)).isOne();
      Trials.held();
    }
    assertThat(authority.issuedTo("bob")).isEmpty();
    for (int node = 1; node <= 2; node++) {
      assertThat(Files.readString(folder.resolve("audit-" + node + ".log")))
          .contains("\"event\":\"certificate.issue\",\"outcome\":\"weak-key\"")
          .contains("\"owner\":\"bob\"");
    }
    // A renewal, and a key of their own.
    certificate(restarted.issue(request(ALICE, first), "alice"));
    certificate(restarted.issue(request(BOB, rsa(prime())), "bob"));
  }

  private static BigInteger prime() {
    return BigInteger.probablePrime(512, RANDOM);
  }

  private static PublicKey rsa(BigInteger prime) throws Exception {
    return KeyFactory.getInstance("RSA")
        .generatePublic(new RSAPublicKeySpec(prime.multiply(prime()), BigInteger.valueOf(65_537)));
  }

  @Test
  void keyOfTheAuthorityItselfIsRefused() {
    var own = authority.certificate().getPublicKey();

    assertThat(authority.issue(request(ALICE, own), "alice")).isInstanceOf(Issuance.Refused.class);
  }

  @Test
  void nameOutsideTheNamespaceIsRefused() {
    for (String name :
        List.of("/DC=org/DC=other/CN=Alice", "/DC=org/DC=staithe2/CN=x", "/CN=Alice")) {
      assertThat(authority.issue(request(DistinguishedName.parse(name), key()), "alice"))
          .isInstanceOfSatisfying(
              Issuance.Refused.class,
              refusal -> assertThat(refusal.reason()).isEqualTo(Issuance.Reason.OUTSIDE_NAMESPACE));
    }
  }

  @Test
  void sameKeyForTwoNamesAtOnceOnTwoNodesIsGivenToOneOnly() throws Exception {
    var other = node(2);
    for (int i = 0; i < 10; i++) {
      var shared = key();
      var outcomes =
          together(
              () -> authority.issue(request(ALICE, shared), "alice"),
              () -> other.issue(request(BOB, shared), "bob"));
      assertThat(outcomes).filteredOn(Issuance.Issued.class::isInstance).hasSize(1);
    }
  }

  private static <T> List<T> together(Callable<T> one, Callable<T> two) throws Exception {
    try (var threads = Executors.newFixedThreadPool(2)) {
      var results = new ArrayList<T>();
      for (var future : threads.invokeAll(List.of(one, two))) {
        results.add(future.get());
      }
      return results;
    }
  }

  @Test
  void revokedCertificateIsInTheNextListOfEveryNodeWithItsReason() throws Exception {
    var other = node(2);
    var certificate = issued(ALICE, "alice");
    assertThat(crl(other).isRevoked(certificate)).isFalse();

    assertThat(authority.revoke(serial(certificate), "alice", RevocationReason.KEY_COMPROMISE))
        .isEqualTo(Revocation.REVOKED);
    clock.advance(Duration.ofSeconds(3));

    for (var node : List.of(authority, other)) {
      var list = crl(node);
      list.verify(authority.certificate().getPublicKey());
      assertThat(list.getRevokedCertificate(certificate).getRevocationReason())
          .isEqualTo(CRLReason.KEY_COMPROMISE);
    }
    assertThat(authority.issuedTo("alice"))
        .singleElement()
        .satisfies(kept -> assertThat(kept.reason()).isEqualTo(RevocationReason.KEY_COMPROMISE));
  }

  @Test
  void listSaysWhatIsRevokedAlsoWhereTheAuditLogCannotBeWritten() throws Exception {
    var certificate = issued(ALICE, "alice");
    assertThat(crl(authority).isRevoked(certificate)).isFalse();
    logs.getFirst().close();

    assertThatThrownBy(
            () -> authority.revoke(serial(certificate), "alice", RevocationReason.KEY_COMPROMISE))
        .isInstanceOf(UncheckedIOException.class);

    assertThat(crl(authority).isRevoked(certificate)).isTrue();
  }

  @Test
  void certificateOfAnotherPersonIsNotRevoked() throws Exception {
    var certificate = issued(ALICE, "alice");

    assertThat(authority.revoke(serial(certificate), "bob", RevocationReason.UNSPECIFIED))
        .isEqualTo(Revocation.NOT_FOUND);
    assertThat(authority.revoke("7f", null, RevocationReason.UNSPECIFIED))
        .isEqualTo(Revocation.NOT_FOUND);
    assertThat(crl(authority).isRevoked(certificate)).isFalse();
  }

  @Test
  void certificatesFollowAnOwnerWhoIsCalledOtherwise() {
    var certificate = issued(ALICE, "urn:idp_1 alice");
    issued(BOB, "urn:idpx1 bob");
    issued(BOB, "urn:idp_1x bob");

    authority.renameOwners("urn:idp_1 ", "urn:becomes ");

    assertThat(authority.issuedTo("urn:idp_1 alice")).isEmpty();
    assertThat(authority.issuedTo("urn:becomes alice")).hasSize(1);
    assertThat(authority.issuedTo("urn:idpx1 bob")).as("another's").hasSize(1);
    assertThat(authority.issuedTo("urn:idp_1x bob")).as("another's").hasSize(1);
    assertThat(
            authority.revoke(
                serial(certificate), "urn:becomes alice", RevocationReason.UNSPECIFIED))
        .isEqualTo(Revocation.REVOKED);
  }

  @Test
  void secondRevocationChangesNothing() throws Exception {
    var certificate = issued(ALICE, "alice");
    authority.revoke(serial(certificate), null, RevocationReason.KEY_COMPROMISE);
    clock.advance(Duration.ofMinutes(1));

    assertThat(authority.revoke(serial(certificate), null, RevocationReason.SUPERSEDED))
        .isEqualTo(Revocation.ALREADY_REVOKED);
    assertThat(authority.issuedTo("alice").getFirst().reason())
        .isEqualTo(RevocationReason.KEY_COMPROMISE);
  }

  @Test
  void listIsMadeAnewWhenItIsDueAndNotBefore() throws Exception {
    long first = authority.crl().number();
    clock.advance(Duration.ofHours(23));
    authority.renewCrl();
    assertThat(authority.crl().number()).isEqualTo(first);

    clock.advance(Duration.ofHours(2));
    authority.renewCrl();

    assertThat(authority.crl().number()).isGreaterThan(first);
    assertThat(crl(authority).getNextUpdate().toInstant())
        .isEqualTo(clock.instant().plus(Duration.ofDays(7)));
    assertThat(authority.crlSecondsLeft()).isEqualTo(Duration.ofDays(7).toSeconds());
  }

  @Test
  void nodesThatFindAListDueAtOnceMakeOne() throws Exception {
    var other = node(2);
    authority.renewCrl();
    for (int i = 0; i < 5; i++) {
      clock.advance(Duration.ofDays(2));
      long before = authority.crl().number();
      together(
          () -> {
            authority.renewCrl();
            return 0;
          },
          () -> {
            other.renewCrl();
            return 0;
          });
      clock.advance(Duration.ofSeconds(3));
      assertThat(authority.crl().number()).isEqualTo(before + 1);
      assertThat(other.crl().der()).isEqualTo(authority.crl().der());
    }
  }

  @Test
  void endedCertificateStandsInOneMoreListThenInNone() throws Exception {
    var certificate = issued(ALICE, "alice");
    authority.revoke(serial(certificate), null, RevocationReason.UNSPECIFIED);
    clock.advance(Duration.ofHours(25));
    authority.renewCrl();
    assertThat(crl(authority).isRevoked(certificate)).isTrue();

    clock.advance(Duration.ofHours(25));
    authority.renewCrl();

    assertThat(crl(authority).isRevoked(certificate)).isFalse();
  }

  @Test
  void serialsAreLongAndNeverTheSame() {
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < 20; i++) {
      var certificate = issued(ALICE, "alice");
      assertThat(certificate.getSerialNumber().bitLength()).isBetween(65, 159);
      assertThat(seen.add(serial(certificate))).isTrue();
    }
  }

  @Test
  void restartedNodeSignsWithTheSameKeyWhichOnlyItsUserCanRead() throws Exception {
    var again = node(2);

    assertThat(again.certificate()).isEqualTo(authority.certificate());
    assertThat(Files.getPosixFilePermissions(folder.resolve("ca/ca.key")))
        .containsExactlyInAnyOrder(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);
  }

  @Test
  void nothingLeavesWhereTheAuditLogCannotBeWritten() {
    logs.getFirst().close();

    assertThatThrownBy(() -> authority.issue(request(ALICE, key()), "alice"))
        .isInstanceOf(UncheckedIOException.class);
    assertThat(authority.issuedCount()).isZero();
  }

  @Test
  void endedAuthorityIssuesNothing() {
    clock.advance(Duration.ofDays(4000));

    assertThat(authority.issue(request(ALICE, key()), "alice"))
        .isInstanceOfSatisfying(
            Issuance.Refused.class,
            refusal -> assertThat(refusal.reason()).isEqualTo(Issuance.Reason.NOT_WORKING));
    assertThat(authority.refusedCount(Issuance.Reason.NOT_WORKING)).isOne();
    assertThat(authority.daysLeft()).isNegative();
  }
}
