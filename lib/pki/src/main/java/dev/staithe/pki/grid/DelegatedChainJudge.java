package dev.staithe.pki.grid;

import dev.staithe.pki.GridSubject;
import dev.staithe.pki.grid.ChainFinding.Bad;
import dev.staithe.pki.grid.ChainFinding.Good;
import dev.staithe.pki.grid.DelegatedChainVerdict.Accepted;
import dev.staithe.pki.grid.DelegatedChainVerdict.Reason;
import dev.staithe.pki.grid.DelegatedChainVerdict.Refused;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.security.interfaces.RSAPublicKey;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Judges chains of proxies that people hand over (RFC 3820 section 4): by the rules that the
 * storage element applies to those who log in with one, and beyond these, that the chain is for the
 * key that was given out, and the sender's own. Immutable and thread-safe.
 */
public final class DelegatedChainJudge {
  private final ClientChainValidator validator;
  private final VomsTrust voms;
  private final Clock clock;

  /** Judges by that trust and those rules. */
  public DelegatedChainJudge(
      ClientTrustFolder trust, ClientChainRules rules, VomsTrust voms, Clock clock) {
    this.validator = new ClientChainValidator(trust, rules, clock);
    this.voms = voms;
    this.clock = clock;
  }

  /**
   * Judges what somebody sent as text; see {@link PemChain#parse}.
   *
   * @param pending the key that was given out
   * @param caller who sent it, without the names of proxies
   */
  public DelegatedChainVerdict judge(String pem, PublicKey pending, GridSubject caller) {
    return switch (PemChain.parse(pem)) {
      case PemChain.Certificates sent -> judge(sent.certificates(), pending, caller);
      case PemChain.Refused refused -> new Refused(refused.reason(), refused.line());
    };
  }

  /**
   * Judges a chain.
   *
   * @param chain the new proxy first; the order of the others does not matter
   * @param pending the key that was given out
   * @param caller who sent it, without the names of proxies
   */
  public DelegatedChainVerdict judge(
      List<X509Certificate> chain, PublicKey pending, GridSubject caller) {
    if (chain.isEmpty()) {
      return new Refused(Reason.MALFORMED, "the chain holds no certificate");
    }
    if (chain.size() > PemChain.MOST_CERTIFICATES) {
      return new Refused(
          Reason.TOO_LONG,
          "the chain has more than " + PemChain.MOST_CERTIFICATES + " certificates");
    }
    X509Certificate proxy = chain.getFirst();
    if (!same(proxy.getPublicKey(), pending)) {
      return new Refused(
          Reason.KEY, "the first certificate is not for the key of the request that was given out");
    }
    if (ProxyKind.of(proxy) == ProxyKind.NONE) {
      return new Refused(Reason.NOT_A_PROXY, "the first certificate is no proxy");
    }
    return switch (validator.examine(chain, ChainFinding.Use.DELEGATION)) {
      case Good good -> judge(good, caller);
      case Bad bad when bad.fault().reason() == Reason.UNTRUSTED -> {
        Refused broken = broken(chain);
        yield broken == null ? refused(bad) : broken;
      }
      case Bad bad -> refused(bad);
    };
  }

  private static Refused refused(Bad bad) {
    return new Refused(bad.fault().reason(), bad.fault().line());
  }

  private DelegatedChainVerdict judge(Good good, GridSubject caller) {
    List<X509Certificate> path = good.path().certificates();
    ProxyLineage lineage = good.lineage();
    X509Certificate person = path.get(lineage.count());
    GridSubject subject = GridSubject.of(person.getSubjectX500Principal());
    if (!subject.equals(caller)) {
      return new Refused(Reason.OWNER, "the chain is not of the one who sends it");
    }
    for (int i = 0; i < lineage.count(); i++) {
      Instant above = path.get(i + 1).getNotAfter().toInstant();
      if (path.get(i).getNotAfter().toInstant().isAfter(above)) {
        return new Refused(
            Reason.LIFETIME,
            "a proxy certificate ends after the one that it is made of, which ends at " + above);
      }
    }
    Integer pathLeft = lineage.pathLeft();
    if (pathLeft != null && pathLeft < 0) {
      return new Refused(
          Reason.PATH_LENGTH, "a proxy certificate has more proxies below it than it allows");
    }
    VomsCertificate.InForce inForce = VomsCertificate.inForce(path);
    if (inForce.malformed()) {
      return new Refused(Reason.VOMS, "the attributes of VOMS in the chain cannot be read");
    }
    Instant notAfter = good.path().notAfter();
    List<VomsAttributes> attributes = new ArrayList<>();
    for (VomsCertificate each : inForce.certificates()) {
      String fault = VomsFault.of(each, person, clock.instant());
      if (fault != null) {
        return new Refused(Reason.VOMS, "the attributes of VOMS in the chain " + fault);
      }
      notAfter = each.notAfter().isBefore(notAfter) ? each.notAfter() : notAfter;
      attributes.add(each.attributes(voms.doubt(each, validator)));
    }
    return new Accepted(
        subject,
        lineage.limited(),
        lineage.independent(),
        pathLeft,
        notAfter,
        attributes,
        lineage.legacy(),
        path);
  }

  /** Where, on the way up to the person's certificate, the chain breaks; null where it does not. */
  private static @Nullable Refused broken(List<X509Certificate> chain) {
    X509Certificate proxy = chain.getFirst();
    for (int i = 0; i < chain.size() && ProxyKind.of(proxy) != ProxyKind.NONE; i++) {
      boolean named = false;
      X509Certificate maker = null;
      for (X509Certificate each : chain) {
        if (each.getSubjectX500Principal().equals(proxy.getIssuerX500Principal())) {
          named = true;
          maker = PathSearch.signed(each.getPublicKey(), proxy) ? each : maker;
        }
      }
      if (maker == null) {
        return named
            ? new Refused(
                Reason.SIGNATURE,
                "a proxy certificate is not signed with the certificate that it names as its"
                    + " maker's")
            : new Refused(
                Reason.UNTRUSTED,
                "the chain does not hold the certificate of the one who made the proxy");
      }
      proxy = maker;
    }
    return null;
  }

  /** The kinds of software write the parameters of an RSA key's algorithm in different ways. */
  private static boolean same(PublicKey one, PublicKey other) {
    return one instanceof RSAPublicKey a && other instanceof RSAPublicKey b
        ? a.getModulus().equals(b.getModulus())
            && a.getPublicExponent().equals(b.getPublicExponent())
        : Arrays.equals(one.getEncoded(), other.getEncoded());
  }
}
