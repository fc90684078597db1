package dev.staithe.pki.grid;

import dev.staithe.pki.ChainValidator;
import dev.staithe.pki.GridSubject;
import dev.staithe.pki.grid.ChainFinding.Bad;
import dev.staithe.pki.grid.ChainFinding.Good;
import dev.staithe.pki.grid.ChainFinding.Use;
import dev.staithe.pki.grid.ClientVerdict.Accepted;
import dev.staithe.pki.grid.ClientVerdict.Refused;
import dev.staithe.pki.grid.DelegatedChainVerdict.Reason;
import java.io.ByteArrayInputStream;
import java.security.PublicKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.security.interfaces.DSAPublicKey;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Judges the certificates of TLS clients at the clock's time: a person's or a service's own, or
 * proxies of it (RFC 3820). Everything that is looked at is in memory. Immutable and thread-safe;
 * {@link ChainValidator} is its counterpart for servers.
 *
 * <p>canl judges path and proxies. Added here is what it leaves open: rights that a proxy does not
 * carry on, weak algorithms, purposes, revocation by lists that are overdue, namespaces of the path
 * alone.
 */
public final class ClientChainValidator {
  /** How far ahead the clock of one who makes a proxy or a list may be. */
  static final Duration SKEW = Duration.ofMinutes(5);

  /** A client that sends more is not worth the search. */
  private static final int MAX_CHAIN = 16;

  private static final int LONGEST_RSA = 8192;
  private static final int LONGEST_EXPONENT = 64;
  private static final int LONGEST_DSA = 4096;
  private static final int LONGEST_SUBGROUP = 512;

  private static final Set<String> CLIENT_PURPOSES =
      Set.of("1.3.6.1.5.5.7.3.2", "2.5.29.37.0"); // clientAuth, anyExtendedKeyUsage

  private final ClientTrustFolder trust;
  private final ClientChainRules rules;
  private final Clock clock;

  /** Judges by that trust and those rules. */
  public ClientChainValidator(ClientTrustFolder trust, ClientChainRules rules, Clock clock) {
    this.trust = trust;
    this.rules = rules;
    this.clock = clock;
  }

  /**
   * Judges a chain.
   *
   * @param chain as the client sent it, its own certificate first; the order of the others does not
   *     matter, nor whether the authority's own is among them
   */
  public ClientVerdict validate(List<X509Certificate> chain) {
    return switch (examine(chain, Use.CLIENT)) {
      case Good good -> accepted(good.path(), good.lineage());
      case Bad bad -> new Refused(bad.fault().line());
    };
  }

  /**
   * What organizations say of the holder of a chain that {@link #validate} accepts: the attributes
   * of VOMS that are in force, each with the doubt that there is; empty for a chain that is not
   * accepted, or carries none that can be read.
   */
  public List<VomsAttributes> attributes(List<X509Certificate> chain, VomsTrust voms) {
    if (chain.stream().noneMatch(VomsCertificate::isIn)
        || !(examine(chain, Use.CLIENT) instanceof Good good)) {
      return List.of();
    }
    List<X509Certificate> path = good.path().certificates();
    X509Certificate person = path.get(good.lineage().count());
    Instant now = clock.instant();
    List<VomsAttributes> all = new ArrayList<>();
    for (VomsCertificate each : VomsCertificate.inForce(path).certificates()) {
      String fault = VomsFault.of(each, person, now);
      all.add(each.attributes(fault == null ? voms.doubt(each, this) : "they " + fault));
    }
    return List.copyOf(all);
  }

  /** Whether signatures over SHA-1 are believed. */
  boolean takesSha1() {
    return rules.legacyProxies();
  }

  /** The same rules for whatever a chain is for. */
  ChainFinding examine(List<X509Certificate> chain, Use use) {
    if (chain.isEmpty()) {
      return bad(Reason.MALFORMED, "the client sent no certificate");
    }
    if (chain.size() > MAX_CHAIN) {
      return bad(Reason.TOO_LONG, "the client sent more than " + MAX_CHAIN + " certificates");
    }
    List<X509Certificate> sent;
    try {
      sent = asOurs(chain);
    } catch (CertificateException e) {
      return bad(Reason.MALFORMED, "the client's certificates cannot be decoded");
    }
    if (sent.stream().anyMatch(ClientChainValidator::costly)) {
      return bad(Reason.MALFORMED, "a certificate of the client has a key that is too long");
    }
    List<PathSearch.Found> paths = PathSearch.from(sent, trust.anchors().certificates());
    Instant now = clock.instant();
    ChainFinding first = null;
    for (PathSearch.Found path : paths) {
      ChainFinding finding = judge(path, use, now);
      if (finding instanceof Good) {
        return finding;
      }
      first = first == null ? finding : first;
    }
    return first == null
        ? bad(Reason.UNTRUSTED, "the client certificate is not issued by a trusted authority")
        : first;
  }

  private static Bad bad(Reason reason, String line) {
    return new Bad(new ChainFault(reason, line));
  }

  /** Implementations of TLS have classes of their own; what reads them must be one for all. */
  private static List<X509Certificate> asOurs(List<X509Certificate> chain)
      throws CertificateException {
    CertificateFactory factory = CertificateFactory.getInstance("X.509");
    List<X509Certificate> ours = new ArrayList<>();
    for (X509Certificate theirs : chain) {
      ours.add(
          (X509Certificate)
              factory.generateCertificate(new ByteArrayInputStream(theirs.getEncoded())));
    }
    return ours;
  }

  /** Whether its key takes long for each signature: nobody shall make us compute with it. */
  public static boolean costly(X509Certificate certificate) {
    return switch (certificate.getPublicKey()) {
      case RSAPublicKey rsa ->
          rsa.getModulus().bitLength() > LONGEST_RSA
              || rsa.getPublicExponent().bitLength() > LONGEST_EXPONENT;
      case DSAPublicKey dsa ->
          dsa.getParams() != null
              && (dsa.getParams().getP().bitLength() > LONGEST_DSA
                  || dsa.getParams().getQ().bitLength() > LONGEST_SUBGROUP);
      // Curves have names, and come with no key.
      default -> false;
    };
  }

  private ChainFinding judge(PathSearch.Found path, Use use, Instant now) {
    ProxyLineage lineage = ProxyLineage.of(path.certificates());
    if (lineage.count() == path.certificates().size()) {
      return bad(Reason.UNTRUSTED, "a proxy certificate is issued by an authority");
    }
    ChainFault fault = fault(path, lineage, use, now);
    return fault == null ? new Good(path, lineage) : new Bad(fault);
  }

  private @Nullable ChainFault fault(
      PathSearch.Found path, ProxyLineage lineage, Use use, Instant now) {
    List<X509Certificate> certificates = path.certificates();
    int proxies = lineage.count();
    String holder = use == Use.ATTRIBUTES ? "server's" : "client";
    ChainFault fault = null;
    for (int i = certificates.size(); i >= 0 && fault == null; i--) {
      X509Certificate each = i == certificates.size() ? path.anchor() : certificates.get(i);
      String what = i < proxies ? "proxy" : i == proxies ? holder : "authority's";
      fault = time(each, what, i < proxies ? SKEW : Duration.ZERO, now);
      // Who is trusted by itself is so whatever others signed of it, and how.
      if (fault == null && !trust.anchors().certificates().contains(each)) {
        fault = strength(each, what);
      }
    }
    if (fault == null) {
      fault = proxyFault(lineage.proxies(), use);
    }
    if (fault == null && certificates.get(proxies).getBasicConstraints() >= 0) {
      fault = told(Reason.UNTRUSTED, holder, "is that of an authority");
    }
    if (fault == null && certificates.get(proxies).getSubjectX500Principal().getName().isEmpty()) {
      // Who is known by names alone has none: all of these would be one and the same.
      fault = told(Reason.UNTRUSTED, holder, "has an empty subject, and names nobody");
    }
    for (int i = 0; i <= proxies && fault == null; i++) {
      fault = purpose(certificates.get(i), i < proxies ? "proxy" : holder, use);
    }
    if (fault == null) {
      fault = ProxyPathRules.against(path, now);
    }
    // Proxies are not revoked, but all of them are worth what the certificate above them is.
    for (int i = proxies; i < certificates.size() && fault == null; i++) {
      String against =
          trust.lists().against(certificates.get(i), path.issuer(i), rules.revocation(), now);
      fault =
          against == null
              ? null
              : told(
                  against.equals(RevocationLists.REVOKED) ? Reason.REVOKED : Reason.UNTRUSTED,
                  i == proxies ? holder : "authority's",
                  against);
    }
    if (fault == null) {
      List<X509Certificate> signed = path.withAnchor().subList(proxies, certificates.size() + 1);
      String against = trust.namespaces().against(signed, rules.namespaces());
      fault = against == null ? null : told(Reason.UNTRUSTED, holder, against);
    }
    return fault;
  }

  private static Accepted accepted(PathSearch.Found path, ProxyLineage lineage) {
    return new Accepted(
        GridSubject.of(path.certificates().get(lineage.count()).getSubjectX500Principal()),
        lineage.limited(),
        path.certificates(),
        lineage.count(),
        path.notAfter());
  }

  private static ChainFault told(Reason reason, String what, String predicate) {
    return new ChainFault(reason, "the " + what + " certificate " + predicate);
  }

  private static @Nullable ChainFault time(
      X509Certificate certificate, String what, Duration early, Instant now) {
    Instant begin = certificate.getNotBefore().toInstant();
    Instant end = certificate.getNotAfter().toInstant();
    if (now.isAfter(end)) {
      return told(Reason.EXPIRED, what, "expired at " + end);
    }
    return now.plus(early).isBefore(begin)
        ? told(Reason.EXPIRED, what, "is not valid before " + begin)
        : null;
  }

  /** Bouncy Castle takes any algorithm and any length of key. */
  private @Nullable ChainFault strength(X509Certificate certificate, String what) {
    SignatureDigest digest = SignatureDigest.of(certificate);
    if (digest.forgeable(takesSha1())) {
      return told(
          Reason.OUTDATED, what, "is signed with " + digest.algorithm() + ", which is forgeable");
    }
    PublicKey key = certificate.getPublicKey();
    int leastRsa = rules.legacyProxies() ? 1024 : 2048;
    boolean weak =
        switch (key) {
          case RSAPublicKey rsa -> rsa.getModulus().bitLength() < leastRsa;
          case ECPublicKey ec -> ec.getParams().getOrder().bitLength() < 224;
          default -> key.getAlgorithm().equals("DSA");
        };
    return weak ? told(Reason.OUTDATED, what, "has a key that is too weak") : null;
  }

  private @Nullable ChainFault proxyFault(List<ProxyKind> proxies, Use use) {
    if (use == Use.ATTRIBUTES && !proxies.isEmpty()) {
      return told(Reason.VOMS, "server's", "is a proxy");
    }
    for (ProxyKind kind : proxies) {
      if (kind.legacy() && !rules.legacyProxies()) {
        return told(Reason.OUTDATED, "proxy", "is of a kind from before RFC 3820");
      }
      ChainFault fault =
          switch (kind) {
            case INDEPENDENT ->
                use == Use.DELEGATION
                    ? null
                    : told(
                        Reason.POLICY,
                        "proxy",
                        "is independent: it has no rights of the one who made it");
            case FOREIGN ->
                told(
                    Reason.POLICY,
                    "proxy",
                    "tells its rights in a language that is not known here");
            case MALFORMED -> told(Reason.MALFORMED, "proxy", "is malformed");
            case NONE, FULL, LIMITED, LEGACY, LEGACY_LIMITED -> null;
          };
      if (fault != null) {
        return fault;
      }
    }
    return null;
  }

  /** RFC 5280 sections 4.2.1.3 and 4.2.1.12: absent extensions allow every use. */
  private static @Nullable ChainFault purpose(X509Certificate certificate, String what, Use use) {
    boolean[] usage = certificate.getKeyUsage();
    if (usage != null && !usage[0]) {
      return told(Reason.UNTRUSTED, what, "may not sign (digitalSignature)");
    }
    try {
      List<String> purposes = certificate.getExtendedKeyUsage();
      return use == Use.ATTRIBUTES
              || purposes == null
              || purposes.stream().anyMatch(CLIENT_PURPOSES::contains)
          ? null
          : told(Reason.UNTRUSTED, what, "is not meant for clients");
    } catch (CertificateParsingException e) {
      return told(Reason.MALFORMED, what, "cannot be understood");
    }
  }
}
