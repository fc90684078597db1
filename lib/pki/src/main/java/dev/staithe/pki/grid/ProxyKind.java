package dev.staithe.pki.grid;

import eu.emi.security.authn.x509.helpers.proxy.ExtendedProxyType;
import eu.emi.security.authn.x509.helpers.proxy.ProxyCertInfoExtension;
import eu.emi.security.authn.x509.helpers.proxy.ProxyHelper;
import eu.emi.security.authn.x509.proxy.ProxyPolicy;
import java.io.IOException;
import java.security.cert.X509Certificate;
import java.util.Set;

/** What sort of proxy a certificate is, by what itself says. */
enum ProxyKind {
  /** No proxy. */
  NONE,
  /** RFC 3820, with all rights of the one who made it. */
  FULL,
  /** RFC 3820, limited in the sense of Globus: no new processes in its holder's name. */
  LIMITED,
  /** RFC 3820 section 3.8.2: a new identity, which has none of its maker's rights. */
  INDEPENDENT,
  /**
   * Rights told in a language that is not spoken here: to be refused (RFC 3820 section 3.8.2). Of
   * the proxies by drafts of the RFC the independent ones too.
   */
  FOREIGN,
  /** RFC 3820 with an extension that is not critical, against section 3.8, or is malformed. */
  MALFORMED,
  /** Globus Toolkit 2 or 3, from before the RFC. */
  LEGACY,
  /** The same, limited. */
  LEGACY_LIMITED;

  static final String PROXY_CERT_INFO = "1.3.6.1.5.5.7.1.14";

  static ProxyKind of(X509Certificate certificate) {
    ExtendedProxyType type = ProxyHelper.getProxyType(certificate);
    if (type == ExtendedProxyType.NOT_A_PROXY) {
      return NONE;
    }
    try {
      if (type == ExtendedProxyType.LEGACY) {
        return ProxyHelper.isLimited(certificate) ? LEGACY_LIMITED : LEGACY;
      }
      boolean draft = type == ExtendedProxyType.DRAFT_RFC;
      Set<String> critical = certificate.getCriticalExtensionOIDs();
      if (!draft && (critical == null || !critical.contains(PROXY_CERT_INFO))) {
        return MALFORMED;
      }
      ProxyPolicy policy = ProxyCertInfoExtension.getInstance(certificate).getPolicy();
      String language = policy.getPolicyOID();
      if (language.equals(ProxyPolicy.INHERITALL_POLICY_OID)) {
        return policy.getPolicyASN1() != null ? MALFORMED : draft ? LEGACY : FULL;
      }
      if (language.equals(ProxyPolicy.LIMITED_PROXY_OID)) {
        return draft ? LEGACY_LIMITED : LIMITED;
      }
      return !draft && language.equals(ProxyPolicy.INDEPENDENT_POLICY_OID) ? INDEPENDENT : FOREIGN;
    } catch (IOException | RuntimeException malformed) {
      return MALFORMED;
    }
  }

  boolean limited() {
    return this == LIMITED || this == LEGACY_LIMITED;
  }

  boolean legacy() {
    return this == LEGACY || this == LEGACY_LIMITED;
  }
}
