package dev.staithe.service;

import java.net.InetAddress;
import java.nio.ByteBuffer;

/**
 * The addresses that begin with the same bits: a network as a key of maps. An IPv4-mapped IPv6
 * address is the IPv4 address that it maps.
 *
 * @param six whether these are IPv6 addresses
 * @param prefix how many bits are the same: 0 to 32, or to 128
 * @param high the first 64 bits of IPv6, all others zero
 * @param low the last 64 bits of IPv6, or the 32 of IPv4, those beyond the prefix zero
 */
public record NetworkBlock(boolean six, int prefix, long high, long low) {
  private static final int MAPPED = 0xffff;

  /** One address alone. */
  public static NetworkBlock of(InetAddress address) {
    ByteBuffer bytes = ByteBuffer.wrap(address.getAddress());
    if (bytes.remaining() == 4) {
      return new NetworkBlock(false, 32, 0, Integer.toUnsignedLong(bytes.getInt()));
    }
    long high = bytes.getLong();
    long low = bytes.getLong();
    return high == 0 && low >>> 32 == MAPPED
        ? new NetworkBlock(false, 32, 0, low & 0xffffffffL)
        : new NetworkBlock(true, 128, high, low);
  }

  /** The wider block of that prefix length around this one. */
  public NetworkBlock around(int shorter) {
    if (six) {
      return new NetworkBlock(
          true,
          shorter,
          shorter == 0 ? 0 : shorter >= 64 ? high : high & -1L << 64 - shorter,
          shorter <= 64 ? 0 : low & -1L << 128 - shorter);
    }
    return new NetworkBlock(
        false, shorter, 0, shorter == 0 ? 0 : low & -1L << 32 - shorter & 0xffffffffL);
  }
}
