package dev.staithe.tls;

import java.net.IDN;
import java.net.InetAddress;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The name under which a server is called, and whether a certificate is for it (RFC 9525 §6): only
 * subject alternative names count, and a star stands for one whole left-most label.
 */
final class HostIdentity {
  private static final int DNS_NAME = 2;
  private static final int IP_ADDRESS = 7;

  private final String name;
  private final @Nullable InetAddress address;

  private HostIdentity(String name, @Nullable InetAddress address) {
    this.name = name;
    this.address = address;
  }

  static HostIdentity of(String host) {
    String bare =
        host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
    InetAddress address = literal(bare);
    return new HostIdentity(address == null ? ascii(bare) : bare, address);
  }

  /**
   * The name as sent in the handshake, or null for an address (RFC 6066 §3) and for what is no host
   * name by the rules, as one with an underscore.
   */
  @Nullable String serverName() {
    if (address != null || name.isEmpty()) {
      return null;
    }
    try {
      return IDN.toASCII(name, IDN.USE_STD3_ASCII_RULES);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  boolean matches(X509Certificate certificate) {
    Collection<List<?>> names;
    try {
      names = certificate.getSubjectAlternativeNames();
    } catch (CertificateParsingException e) {
      return false;
    }
    if (names == null) {
      return false;
    }
    for (List<?> entry : names) {
      if (entry.get(0) instanceof Integer type && entry.get(1) instanceof String value) {
        if (address == null && type == DNS_NAME && matchesName(value)) {
          return true;
        }
        if (address != null && type == IP_ADDRESS && address.equals(literal(value))) {
          return true;
        }
      }
    }
    return false;
  }

  private boolean matchesName(String pattern) {
    String wanted = pattern.toLowerCase(Locale.ROOT);
    if (!wanted.startsWith("*.")) {
      return !wanted.isEmpty() && wanted.equals(name);
    }
    int dot = name.indexOf('.');
    String parent = wanted.substring(2);
    // A star directly above a top-level domain would be a star over strangers.
    return dot > 0 && parent.indexOf('.') > 0 && name.substring(dot + 1).equals(parent);
  }

  private static String ascii(String host) {
    String withoutDot = host.endsWith(".") ? host.substring(0, host.length() - 1) : host;
    try {
      return IDN.toASCII(withoutDot).toLowerCase(Locale.ROOT);
    } catch (IllegalArgumentException e) {
      return withoutDot.toLowerCase(Locale.ROOT);
    }
  }

  private static @Nullable InetAddress literal(String host) {
    try {
      return InetAddress.ofLiteral(host);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }
}
