package dev.staithe.service;

import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

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
  private final Set<NetworkBlock> blocks;

  /** The prefix lengths that occur, so that no more of them are tried than there are. */
  private final int[] four;

  private final int[] six;

  private Networks(List<Network> members) {
    this.members = members;
    this.blocks = members.stream().map(Network::block).collect(Collectors.toUnmodifiableSet());
    this.four = prefixes(false);
    this.six = prefixes(true);
  }

  private int[] prefixes(boolean ofSix) {
    return blocks.stream()
        .filter(block -> block.six() == ofSix)
        .mapToInt(NetworkBlock::prefix)
        .distinct()
        .toArray();
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
    NetworkBlock asked = NetworkBlock.of(address);
    for (int prefix : asked.six() ? six : four) {
      if (blocks.contains(asked.around(prefix))) {
        return true;
      }
    }
    return false;
  }

  /** The networks as keys, each once, in no order. */
  public Set<NetworkBlock> blocks() {
    return blocks;
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
    NetworkBlock whole = NetworkBlock.of(address);
    NetworkBlock block = whole.around(prefix);
    if (block.high() != whole.high() || block.low() != whole.low()) {
      throw new IllegalArgumentException(
          "\"" + written + "\" has address bits beyond its prefix length");
    }
    return new Network(block, cidr);
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

  private record Network(NetworkBlock block, String written) {}
}
