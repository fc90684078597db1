package dev.staithe.slcs.ca;

import dev.staithe.pki.DistinguishedName;
import dev.staithe.pki.ca.CertificateIssuer;
import dev.staithe.pki.ca.CertificateProfile;
import dev.staithe.pki.ca.OcspAnswer;
import dev.staithe.pki.ca.PersonCertificateRequest;
import dev.staithe.pki.ca.RevocationReason;
import dev.staithe.pki.ca.TrustAnchorFiles;
import dev.staithe.service.log.AuditLog;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.PublicKey;
import java.security.cert.CertificateFactory;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.security.interfaces.RSAPublicKey;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DuplicateKeyException;

/**
 * Issues short-lived certificates and withdraws them. Whatever it issues is in the store and on the
 * disk of the audit log before anybody gets it. Thread-safe; many nodes may share a store.
 *
 * <p>Methods throw {@link DataAccessException} where the store does not answer, and nothing is
 * issued then.
 */
public final class CertificateAuthority {
  private static final Logger LOG = LoggerFactory.getLogger(CertificateAuthority.class);
  private static final int MOST_LISTED = 200;

  private final CertificateIssuer issuer;
  private final CaSettings settings;
  private final CertificateProfile profile;
  private final List<DistinguishedName> namespaces;
  private final CertificateStore store;
  private final RevocationLists lists;
  private final SharedPrimes primes;
  private final StatusAnswers answers;
  private final AuditLog audit;
  private final Clock clock;
  private final LongAdder issued = new LongAdder();
  private final LongAdder revoked = new LongAdder();
  private final Map<Issuance.Reason, LongAdder> refused = new EnumMap<>(Issuance.Reason.class);

  /**
   * Opens the authority's key.
   *
   * @param source whose tables the migrations of {@code db/ca} have made
   * @throws IOException with one line where the key cannot be used
   * @throws IllegalArgumentException with one line where a setting does not fit the certificate
   */
  public CertificateAuthority(CaSettings settings, DataSource source, AuditLog audit, Clock clock)
      throws IOException {
    this.issuer = CaKeys.open(settings.key(), clock);
    this.settings = settings;
    this.audit = audit;
    this.clock = clock;
    String base = settings.published().toString();
    this.profile =
        new CertificateProfile(
            settings.policies(),
            List.of(URI.create(base + "/crl.der")),
            URI.create(base + "/ocsp"),
            URI.create(base + "/ca.der"));
    var own = DistinguishedName.of(issuer.certificate().getSubjectX500Principal());
    this.namespaces = namespaces(settings, own);
    String key = digest(issuer.certificate().getPublicKey());
    this.store = new CertificateStore(source, key);
    this.lists = new RevocationLists(issuer, store, settings, clock);
    this.primes = new SharedPrimes(store.newestOfRsa(SharedPrimes.MOST));
    this.answers = new StatusAnswers(issuer, store, settings.ocspValidity(), clock);
    for (Issuance.Reason reason : Issuance.Reason.values()) {
      refused.put(reason, new LongAdder());
    }
    // Nobody gets a certificate for the authority's own key.
    store.claim(key, own);
  }

  private static List<DistinguishedName> namespaces(CaSettings settings, DistinguishedName own) {
    if (!settings.namespaces().isEmpty()) {
      return settings.namespaces();
    }
    if (own.parts().size() < 2) {
      throw new IllegalArgumentException(
          "namespaces: say what the names it gives begin with, as its own has one part only: "
              + own);
    }
    return List.of(DistinguishedName.of(own.parts().subList(0, own.parts().size() - 1)));
  }

  /** Whether a name is one that its certificates may have. */
  public boolean gives(DistinguishedName name) {
    return namespaces.stream().anyMatch(each -> each.isAbove(name));
  }

  /**
   * Issues a certificate.
   *
   * @param request whose key was judged and proven, and whose name is the person's
   * @param owner whose it will be in {@link #issuedTo}, at most 600 characters
   */
  public Issuance issue(PersonCertificateRequest request, String owner) {
    String key = digest(request.key());
    if (!gives(request.subject())) {
      return refuse(
          Issuance.Reason.OUTSIDE_NAMESPACE, "this authority gives no such name", request, owner);
    }
    if (!store.claim(key, request.subject())) {
      return refuse(
          Issuance.Reason.KEY_REUSED,
          "this key belongs to another name: make a new one",
          request,
          owner);
    }
    if (request.key() instanceof RSAPublicKey rsa && primes.share(rsa.getModulus())) {
      return refuse(
          Issuance.Reason.WEAK_KEY,
          "this key has a prime in common with another one: the machine that made it has too little"
              + " randomness",
          request,
          owner);
    }
    try {
      X509Certificate certificate = signed(request, owner, key);
      audit(certificate, request, owner, key);
      issued.increment();
      return new Issuance.Issued(
          certificate,
          issuer.key().chain().stream()
              .filter(each -> !each.getSubjectX500Principal().equals(each.getIssuerX500Principal()))
              .toList());
    } catch (IllegalStateException e) {
      LOG.error("no certificate can be signed", e);
      return refuse(
          Issuance.Reason.NOT_WORKING, "the authority does not work at present", request, owner);
    }
  }

  private X509Certificate signed(PersonCertificateRequest request, String owner, String key) {
    while (true) {
      X509Certificate certificate = issuer.issuePerson(request, profile);
      try {
        store.add(
            new IssuedCertificate(
                certificate.getSerialNumber().toString(16),
                request.subject().slashes(),
                owner,
                key,
                clock.instant(),
                certificate.getNotAfter().toInstant(),
                null,
                null),
            certificate.getEncoded());
        return certificate;
      } catch (DuplicateKeyException e) {
        LOG.warn("a serial number was taken: another one is tried");
      } catch (GeneralSecurityException e) {
        throw new IllegalStateException("a certificate without an encoding", e);
      }
    }
  }

  private void audit(
      X509Certificate certificate, PersonCertificateRequest request, String owner, String key) {
    audit
        .line("certificate.issue", "ok")
        .with("serial", certificate.getSerialNumber().toString(16))
        .with("subject", request.subject().slashes())
        .with("owner", owner)
        .with("not-after", certificate.getNotAfter().toInstant().toString())
        .with("key", key)
        .writeDurably();
  }

  private Issuance refuse(
      Issuance.Reason reason, String line, PersonCertificateRequest request, String owner) {
    refused.getOrDefault(reason, new LongAdder()).increment();
    audit
        .line("certificate.issue", reason.name().toLowerCase(Locale.ROOT).replace('_', '-'))
        .with("subject", request.subject().slashes())
        .with("owner", owner)
        .with("key", digest(request.key()))
        .write();
    return new Issuance.Refused(reason, line);
  }

  /** A person's certificates that have not ended, the newest first, revoked ones too. */
  public List<IssuedCertificate> issuedTo(String owner) {
    return store.ofOwner(owner, clock.instant(), MOST_LISTED);
  }

  /**
   * Says that owners are called otherwise: those that begin with one text begin with the other from
   * now on. Part of the transaction that the calling thread has on the same database.
   *
   * @param becomes with which no owner is longer than {@link #issue} has it
   */
  public void renameOwners(String before, String becomes) {
    store.renameOwners(before, becomes);
  }

  /**
   * Withdraws a certificate and makes a new list of revoked ones.
   *
   * @param serial hexadecimal
   * @param owner whose it must be, or null for anybody's
   */
  public Revocation revoke(String serial, @Nullable String owner, RevocationReason reason) {
    var found = store.find(serial).filter(each -> owner == null || owner.equals(each.owner()));
    if (found.isEmpty()) {
      return Revocation.NOT_FOUND;
    }
    if (!store.revoke(serial, clock.instant(), reason)) {
      return Revocation.ALREADY_REVOKED;
    }
    revoked.increment();
    try {
      audit
          .line("certificate.revoke", "ok")
          .with("serial", serial)
          .with("subject", found.get().subject())
          .with("owner", found.get().owner())
          .with("reason", reason.name())
          .writeDurably();
    } finally {
      // Whether it is told or not: it is revoked.
      renewList();
    }
    return Revocation.REVOKED;
  }

  private void renewList() {
    try {
      lists.renew();
    } catch (IllegalStateException | DataAccessException e) {
      // It is revoked all the same; OCSP says so at once and the next round makes the list.
      LOG.error("the list of revoked certificates is not made", e);
    }
  }

  /** The authority's own certificate. */
  public X509Certificate certificate() {
    return issuer.certificate();
  }

  /** Its certificate and all above it that are known, a root too. */
  List<X509Certificate> chain() {
    var chain = new ArrayList<X509Certificate>();
    chain.add(certificate());
    issuer.key().chain().stream().filter(each -> !chain.contains(each)).forEach(chain::add);
    return chain;
  }

  /**
   * Whether this is one of its own certificates that was withdrawn; asked of the store, which knows
   * before any list does.
   */
  public boolean withdrew(X509Certificate certificate) {
    return certificate.getIssuerX500Principal().equals(certificate().getSubjectX500Principal())
        && store
            .find(certificate.getSerialNumber().toString(16))
            .filter(each -> each.revoked() != null)
            .isPresent();
  }

  /** Which authority this is, in one line for people. */
  public String description() {
    String name = DistinguishedName.of(certificate().getSubjectX500Principal()).slashes();
    return switch (settings.key()) {
      case CaSettings.Key.Development development ->
          name + ", for development only, kept in " + development.folder();
      case CaSettings.Key.PemFiles pem -> name + ", key in " + pem.key();
      case CaSettings.Key.Pkcs12 p12 -> name + ", key in " + p12.file();
      case CaSettings.Key.Token token -> name + ", key in " + token.token();
    };
  }

  /** Where its certificates say that its lists and answers are. */
  public URI published() {
    return settings.published();
  }

  /** Whether the key was made here to try things out. */
  public boolean isForDevelopment() {
    return settings.key() instanceof CaSettings.Key.Development;
  }

  OcspAnswer status(byte[] request) {
    return answers.answer(request);
  }

  CertificateStore.Crl crl() {
    return lists.current();
  }

  void renewCrl() {
    lists.renew();
  }

  TrustAnchorFiles trustAnchors() {
    try {
      var crl =
          (X509CRL)
              CertificateFactory.getInstance("X.509")
                  .generateCRL(new ByteArrayInputStream(crl().der()));
      return TrustAnchorFiles.of(
              new TrustAnchorFiles.Authority(
                  settings.alias(),
                  certificate(),
                  crl,
                  URI.create(settings.published() + "/crl.pem"),
                  namespaces.stream().map(DistinguishedName::slashes).toList(),
                  settings.contact()))
          .with(settings.alias(), certificate(), chain());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("a list of our own that cannot be read", e);
    }
  }

  long issuedCount() {
    return issued.sum();
  }

  long revokedCount() {
    return revoked.sum();
  }

  long refusedCount(Issuance.Reason reason) {
    return refused.getOrDefault(reason, new LongAdder()).sum();
  }

  /** Seconds until the list of revoked certificates is too old; negative where it is. */
  double crlSecondsLeft() {
    try {
      return Duration.between(clock.instant(), crl().nextUpdate()).toMillis() / 1000.0;
    } catch (DataAccessException | IllegalStateException e) {
      return Double.NaN;
    }
  }

  /** Days until the authority's certificate ends. */
  double daysLeft() {
    Instant end = certificate().getNotAfter().toInstant();
    return Duration.between(clock.instant(), end).toMinutes() / 1440.0;
  }

  private static String digest(PublicKey key) {
    try {
      return HexFormat.of()
          .formatHex(MessageDigest.getInstance("SHA-256").digest(key.getEncoded()));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java runtime has SHA-256", e);
    }
  }
}
