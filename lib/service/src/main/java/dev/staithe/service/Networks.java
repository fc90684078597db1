package dev.staithe.service;

import java.net.InetAddress;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A set of IP networks in CIDR notation (RFC 4632, RFC 4291 section 2.3), such as {@code
 * 10.0.0.0/8} or {@code 2001:db8::/32}; an address without a prefix length is that one address.
 *
 * <p>An IPv4-mapped IPv6 address (RFC 4291 section 2.5.5.2) is the IPv4 address that it maps, both
 * in the set and when asked for, so that {@code ::ffff:10.0.0.1} cannot step around a rule for
 * {@code 10.0.0.0/8}. Names are never resolved. Immutable.
 */
public final class Networks {
  private static final int MAPPED_PREFIX_BITS = 96;

  private final List<Network> members;

  private Networks(List<Network> members) {
    this.members = members;
  }

  /**
   * Reads networks.
   *
   * @throws IllegalArgumentException with one line that names the first one which is none
   */
  public static Networks parse(List<String> cidrs) {
    return new Networks(cidrs.stream().map(Networks::network).toList());
  }

  /** Whether the address lies in one of the networks; a zone index of IPv6 does not count. */
  public boolean contains(InetAddress address) {
    byte[] bytes = unmapped(address.getAddress());
    for (Network network : members) {
      if (network.contains(bytes)) {
        return true;
      }
    }
    return false;
  }

  /** Whether there are none, so that no address is contained. */
  public boolean isEmpty() {
    return members.isEmpty();
  }

  /** The networks as they would be written, separated by blanks. */
  @Override
  public String toString() {
    return String.join(" ", members.stream().map(Network::written).toList());
  }

  /** Reads one address as it is written, never a name; empty where it is none. */
  public static Optional<InetAddress> address(String literal) {
    try {
      return Optional.of(literal(literal, literal));
    } catch (IllegalArgumentException notAnAddress) {
      return Optional.empty();
    }
  }

  private static Network network(String written) {
    String cidr = written.strip();
    int slash = cidr.indexOf('/');
    String literal = slash < 0 ? cidr : cidr.substring(0, slash);
    InetAddress address = literal(literal, written);
    byte[] raw = address.getAddress();
    boolean mapped = literal.indexOf(':') >= 0 && raw.length == 4;
    int longest = mapped ? 128 : raw.length * 8;
    int prefix = slash < 0 ? longest : prefix(cidr.substring(slash + 1), longest, written);
    if (mapped) {
      if (prefix < MAPPED_PREFIX_BITS) {
        throw new IllegalArgumentException(
            "\"" + written + "\": an IPv4-mapped network has a prefix length of 96 to 128");
      }
      prefix -= MAPPED_PREFIX_BITS;
    }
    byte[] masked = masked(raw, prefix);
    if (!Arrays.equals(masked, raw)) {
      throw new IllegalArgumentException(
          "\"" + written + "\" has address bits beyond its prefix length");
    }
    return new Network(masked, prefix, cidr);
  }

  private static InetAddress literal(String literal, String written) {
    // ofLiteral never asks DNS, but takes the short forms of IPv4 ("10.1"), which nobody means.
    boolean four = literal.indexOf(':') < 0;
    if (!four || literal.matches("[0-9]{1,3}(\\.[0-9]{1,3}){3}")) {
      try {
        if (literal.indexOf('%') < 0) {
          return InetAddress.ofLiteral(literal);
        }
      } catch (IllegalArgumentException notAnAddress) {
        // told below, with what is allowed
      }
    }
    throw new IllegalArgumentException(
        "\"" + written + "\" is no network; write one like 10.0.0.0/8 or 2001:db8::/32");
  }

  private static int prefix(String text, int longest, String written) {
    if (text.matches("[0-9]{1,3}")) {
      int prefix = Integer.parseInt(text);
      if (prefix <= longest) {
        return prefix;
      }
    }
    throw new IllegalArgumentException(
        "\"" + written + "\": the prefix length must be a number from 0 to " + longest);
  }

  private static byte[] unmapped(byte[] address) {
    if (address.length != 16 || address[10] != -1 || address[11] != -1) {
      return address;
    }
    for (int i = 0; i < 10; i++) {
      if (address[i] != 0) {
        return address;
      }
    }
    return Arrays.copyOfRange(address, 12, 16);
  }

  private static byte[] masked(byte[] address, int prefix) {
    byte[] out = address.clone();
    for (int bit = prefix; bit < out.length * 8; bit++) {
      out[bit / 8] &= (byte) ~(0x80 >> bit % 8);
    }
    return out;
  }

  private record Network(byte[] address, int prefix, String written) {
    boolean contains(byte[] other) {
      return other.length == address.length && Arrays.equals(masked(other, prefix), address);
    }
  }
}
