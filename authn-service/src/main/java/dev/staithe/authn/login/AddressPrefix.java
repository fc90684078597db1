package dev.staithe.authn.login;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.HexFormat;

/** What counts as one client: an IPv4 address, or the IPv6 /64 that one host can use all of. */
final class AddressPrefix {
  private AddressPrefix() {}

  static String of(InetAddress address) {
    byte[] bytes = address.getAddress();
    // RFC 4291 section 2.5.4: the lower 64 bits are the host's own to choose.
    byte[] prefix = address instanceof Inet6Address ? Arrays.copyOf(bytes, 8) : bytes;
    return "a:" + HexFormat.of().formatHex(prefix);
  }
}
