package dev.staithe.pki;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.pki.ChainVerdict.Reason;
import dev.staithe.pki.ChainVerdict.Refused;
import dev.staithe.pki.ChainVerdict.Trusted;
import dev.staithe.pki.ca.AuthorityKey;
import dev.staithe.pki.ca.CertificateIssuer;
import dev.staithe.pki.ca.HostCertificateRequest;
import dev.staithe.pki.ca.RogueIssuer;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.math.BigInteger;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Date;
import java.util.List;
import java.util.Set;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChainValidatorTests {
  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private static final SecureRandom RANDOM = new SecureRandom();

  private final CertificateIssuer ca = authority("Test CA");
  private final Credential host =
      ca.issueHost(
          new HostCertificateRequest(List.of("se.test"), KeyKind.EC_P256, Duration.ofDays(10)));
  private final TrustAnchors anchors = TrustAnchors.of(List.of(ca.certificate()));

  @Test
  void chainBelowAnAnchorIsTrusted() {
    assertThat(judge(anchors, NOW, host.chain())).isEqualTo(new Trusted(host.chain()));
  }

  @Test
  void chainWithItsRootAndStrangersInAnyOrderIsTrusted() {
    var sent = List.of(host.certificate(), authority("Other").certificate(), ca.certificate());

    assertThat(judge(anchors, NOW, sent)).isInstanceOf(Trusted.class);
  }

  @Test
  void selfSignedCertificateThatIsNoAnchorIsRejected() {
    var stranger = authority("Stranger");

    assertThat(judge(anchors, NOW, List.of(stranger.certificate())))
        .isEqualTo(new Refused(Reason.UNKNOWN_ISSUER));
  }

  @Test
  void authorityOfTheSameNameButAnotherKeyIsRejected() {
    var impostor = authority("Test CA");
    var chain = impostor.issueHost(HostCertificateRequest.of("se.test")).chain();

    assertThat(judge(anchors, NOW, chain)).isEqualTo(new Refused(Reason.UNKNOWN_ISSUER));
  }

  @Test
  void hostCertificateCannotIssueAnother() {
    // The host's key signs as if it were an authority: the missing CA:TRUE must stop it.
    var rogue = RogueIssuer.sign(host, "bank.test", NOW);

    assertThat(judge(anchors, NOW, List.of(rogue, host.certificate())))
        .isEqualTo(new Refused(Reason.UNKNOWN_ISSUER));
  }

  @Test
  void timeOfTheHostCertificateIsRespected() {
    assertThat(judge(anchors, NOW.plus(Duration.ofDays(11)), host.chain()))
        .isEqualTo(new Refused(Reason.EXPIRED));
    assertThat(judge(anchors, NOW.minus(Duration.ofDays(1)), host.chain()))
        .isEqualTo(new Refused(Reason.NOT_YET_VALID));
  }

  @Test
  void anchorThatHasEndedIsNotTrusted() {
    var shortLived =
        CertificateIssuer.create(
            "Short", KeyKind.EC_P256, Duration.ofDays(5), Clock.fixed(NOW, ZoneOffset.UTC));
    var chain = shortLived.issueHost(HostCertificateRequest.of("se.test")).chain();
    var trust = TrustAnchors.of(List.of(shortLived.certificate()));

    assertThat(judge(trust, NOW.plus(Duration.ofDays(6)), chain))
        .isEqualTo(new Refused(Reason.EXPIRED));
  }

  @Test
  void anchorThatWasRenewedCountsBesideItsCertificatesOfBefore() throws Exception {
    KeyPair keys = KeyKind.EC_P256.generate();
    var all = new ArrayList<X509Certificate>();
    for (int i = 1; i < 9; i++) {
      Instant end = NOW.minus(Duration.ofDays(i));
      all.add(signed(keys, "CN=Root", "CN=Root", true, end.minus(Duration.ofDays(9)), end));
    }
    X509Certificate current =
        signed(keys, "CN=Root", "CN=Root", true, NOW, NOW.plus(Duration.ofDays(50)));
    all.add(current);
    var issuer =
        CertificateIssuer.of(
            AuthorityKey.of(new Credential(keys.getPrivate(), List.of(current))),
            Clock.fixed(NOW, ZoneOffset.UTC));
    var chain = issuer.issueHost(HostCertificateRequest.of("se.test")).chain();

    assertThat(judge(TrustAnchors.of(all), NOW, chain)).isInstanceOf(Trusted.class);
  }

  @Test
  void expiredCertificateOfAStrangerIsUnknownAndNotExpired() {
    var chain = authority("Stranger").issueHost(HostCertificateRequest.of("se.test")).chain();

    assertThat(judge(anchors, NOW.plus(Duration.ofDays(1000)), chain))
        .isEqualTo(new Refused(Reason.UNKNOWN_ISSUER));
  }

  @Test
  void revokedCertificateIsRejected() {
    var crl = ca.revocationList(List.of(host.certificate()), Duration.ofDays(1));
    var trust = new TrustAnchors(Set.of(ca.certificate()), List.of(crl), List.of());

    assertThat(judge(trust, NOW, host.chain())).isEqualTo(new Refused(Reason.REVOKED));
    assertThat(judge(trust, NOW.plus(Duration.ofDays(2)), host.chain()))
        .as("the list is overdue")
        .isEqualTo(new Refused(Reason.REVOKED));
  }

  @Test
  void authorityBesideItsRootThatTheRootHasWithdrawnIsRejected(@TempDir Path folder)
      throws Exception {
    ca.write(folder.resolve("ca.pem"), folder.resolve("ca.key"));
    KeyPair keys = KeyKind.EC_P256.generate();
    X509Certificate between =
        new JcaX509CertificateConverter()
            .getCertificate(
                new JcaX509v3CertificateBuilder(
                        ca.certificate().getSubjectX500Principal(),
                        BigInteger.TEN,
                        Date.from(NOW.minus(Duration.ofDays(1))),
                        Date.from(NOW.plus(Duration.ofDays(50))),
                        new X500Principal("CN=Between"),
                        keys.getPublic())
                    .addExtension(Extension.basicConstraints, true, new BasicConstraints(true))
                    .build(
                        new JcaContentSignerBuilder("SHA256withECDSA")
                            .build(Pem.readPrivateKey(folder.resolve("ca.key")))));
    var issuer =
        CertificateIssuer.of(
            AuthorityKey.of(new Credential(keys.getPrivate(), List.of(between))),
            Clock.fixed(NOW, ZoneOffset.UTC));
    var chain = issuer.issueHost(HostCertificateRequest.of("se.test")).chain();
    var both = Set.of(ca.certificate(), between);
    var crl = ca.revocationList(List.of(between), Duration.ofDays(1));

    assertThat(judge(new TrustAnchors(both, List.of(), List.of()), NOW, chain))
        .isInstanceOf(Trusted.class);
    assertThat(judge(new TrustAnchors(both, List.of(crl), List.of()), NOW, chain))
        .isEqualTo(new Refused(Reason.REVOKED));
  }

  @Test
  void revocationListForgedUnderTheAuthoritysNameIsIgnored() {
    var forged =
        authority("Test CA").revocationList(List.of(host.certificate()), Duration.ofDays(1));
    var trust = new TrustAnchors(Set.of(ca.certificate()), List.of(forged), List.of());

    assertThat(judge(trust, NOW, host.chain())).isInstanceOf(Trusted.class);
  }

  @Test
  void authoritysOwnCertificateIsNoServerCertificate() {
    assertThat(judge(anchors, NOW, List.of(ca.certificate())))
        .isEqualTo(new Refused(Reason.WRONG_PURPOSE));
  }

  @Test
  void floodOfCertificatesIsRejectedUnread() {
    var flood = new ArrayList<>(host.chain());
    flood.addAll(Collections.nCopies(20, ca.certificate()));

    assertThat(judge(anchors, NOW, flood)).isEqualTo(new Refused(Reason.UNKNOWN_ISSUER));
    assertThat(judge(anchors, NOW, List.of())).isEqualTo(new Refused(Reason.UNKNOWN_ISSUER));
  }

  /** Seven authorities that each of eight has issued, and these each of the seven; all ended. */
  @Test
  void mazeOfAuthoritiesThatIssueOneAnotherEndsTheSearch() {
    KeyPair keys = KeyKind.EC_P256.generate();
    Instant begin = NOW.minus(Duration.ofDays(9));
    Instant end = NOW.minus(Duration.ofDays(1));
    var maze = new ArrayList<X509Certificate>();
    maze.add(signed(keys, "CN=A", "CN=se.test", false, begin, end));
    for (int i = 0; i < 15; i++) {
      maze.add(
          i < 7
              ? signed(keys, "CN=B", "CN=A", true, begin, end)
              : signed(keys, "CN=A", "CN=B", true, begin, end));
    }

    // Never a matter of seconds, as all ways up would be: of what a usual chain takes, beside it.
    long usual = processorTime(() -> judge(anchors, NOW, host.chain()));
    long search =
        processorTime(
            () ->
                assertThat(judge(anchors, NOW, maze))
                    .isEqualTo(new Refused(Reason.UNKNOWN_ISSUER)));
    assertThat(search).isLessThan(500 * usual);
  }

  private static long processorTime(Runnable work) {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadCpuTime();
    work.run();
    return threads.getCurrentThreadCpuTime() - before;
  }

  private static X509Certificate signed(
      KeyPair keys, String issuer, String subject, boolean authority, Instant begin, Instant end) {
    try {
      var serial = new BigInteger(64, RANDOM);
      var builder =
          new JcaX509v3CertificateBuilder(
              new X500Principal(issuer),
              serial,
              Date.from(begin),
              Date.from(end),
              new X500Principal(subject),
              keys.getPublic());
      if (authority) {
        builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(true));
        // Those of one key and all names alike are taken for one by the search.
        builder.addExtension(
            Extension.subjectAlternativeName,
            false,
            new GeneralNames(new GeneralName(GeneralName.dNSName, serial + ".test")));
      }
      return new JcaX509CertificateConverter()
          .getCertificate(
              builder.build(
                  new JcaContentSignerBuilder("SHA256withECDSA").build(keys.getPrivate())));
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static ChainVerdict judge(TrustAnchors anchors, Instant at, List<X509Certificate> chain) {
    return new ChainValidator(anchors, Clock.fixed(at, ZoneOffset.UTC)).validateServer(chain);
  }

  private static CertificateIssuer authority(String name) {
    return CertificateIssuer.create(
        name, KeyKind.EC_P256, Duration.ofDays(100), Clock.fixed(NOW, ZoneOffset.UTC));
  }
}
