package dev.staithe.pki.ca;

import java.net.InetAddress;

/** Tells addresses from names without ever asking a name server. */
final class IpLiteral {
  private IpLiteral() {}

  static boolean isOne(String host) {
    try {
      InetAddress.ofLiteral(host);
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
