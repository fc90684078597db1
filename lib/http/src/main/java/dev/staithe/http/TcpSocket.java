package dev.staithe.http;

import static dev.staithe.http.CFunction.impossible;
import static dev.staithe.http.CFunction.there;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A TCP connection of this process as the kernel has it: what it knows of it, and the options that
 * Java has no name for. Java does not tell a socket's descriptor; it is found among those of the
 * process by its two addresses, which no other connection has. Each use looks whether the
 * descriptor still is that connection. Safe for use by many threads.
 */
public final class TcpSocket {
  private static final Path DESCRIPTORS = Path.of("/proc/self/fd");
  private static final Path ALGORITHMS =
      Path.of("/proc/sys/net/ipv4/tcp_available_congestion_control");

  private static final int AF_INET = 2;
  private static final int AF_INET6 = 10;
  private static final int SOCK_STREAM_CLOEXEC = 1 | 02000000;
  private static final int SOL_SOCKET = 1;
  private static final int SO_MAX_PACING_RATE = 47;
  private static final int IPPROTO_TCP = 6;
  private static final int TCP_INFO = 11;
  private static final int TCP_CONGESTION = 13;

  /** Bytes of the kernel's longest name of an algorithm, with its end (TCP_CA_NAME_MAX). */
  private static final int NAME_BYTES = 16;

  private static final int ADDRESS_BYTES = 128;

  /** Of {@code struct tcp_info} (linux/tcp.h), whose fields never move. */
  private static final int INFO_BYTES = 256;

  private static final int SEGMENT_AT = 16;
  private static final int RTT_AT = 68;
  private static final int WINDOW_AT = 80;
  private static final int RECEIVED_RTT_AT = 92;
  private static final int RETRANSMITS_AT = 100;
  private static final int LEAST_RTT_AT = 148;

  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
  private static final MemoryLayout POINTER = ValueLayout.ADDRESS;
  private static final FunctionDescriptor NAME = FunctionDescriptor.of(INT, INT, POINTER, POINTER);

  private static final @Nullable MethodHandle SOCKET =
      CFunction.find("socket", FunctionDescriptor.of(INT, INT, INT, INT));
  private static final @Nullable MethodHandle CLOSE =
      CFunction.find("close", FunctionDescriptor.of(INT, INT));
  private static final @Nullable MethodHandle GETSOCKNAME = CFunction.find("getsockname", NAME);
  private static final @Nullable MethodHandle GETPEERNAME = CFunction.find("getpeername", NAME);
  private static final @Nullable MethodHandle GETSOCKOPT =
      CFunction.find("getsockopt", FunctionDescriptor.of(INT, INT, INT, INT, POINTER, POINTER));
  private static final @Nullable MethodHandle SETSOCKOPT =
      CFunction.find("setsockopt", FunctionDescriptor.of(INT, INT, INT, INT, POINTER, INT));

  /** Whether the calls can be made: on Linux, where the Java runtime does not forbid them. */
  public static final boolean AVAILABLE =
      CFunction.areThere(SOCKET, CLOSE, GETSOCKNAME, GETPEERNAME, GETSOCKOPT, SETSOCKOPT);

  private final int descriptor;
  private final InetSocketAddress local;
  private final InetSocketAddress remote;

  private TcpSocket(int descriptor, InetSocketAddress local, InetSocketAddress remote) {
    this.descriptor = descriptor;
    this.local = local;
    this.remote = remote;
  }

  /**
   * The connection between these two addresses; empty where this process has none, or cannot tell.
   * Looks at each descriptor of the process, a microsecond or two for each.
   */
  public static Optional<TcpSocket> find(InetSocketAddress local, InetSocketAddress remote) {
    if (!AVAILABLE) {
      return Optional.empty();
    }
    try (DirectoryStream<Path> all = Files.newDirectoryStream(DESCRIPTORS)) {
      for (Path each : all) {
        var socket = new TcpSocket(Integer.parseInt(each.getFileName().toString()), local, remote);
        if (socket.stands()) {
          return Optional.of(socket);
        }
      }
    } catch (IOException | NumberFormatException noProc) {
      return Optional.empty();
    }
    return Optional.empty();
  }

  /** The algorithms of congestion control that the kernel has loaded, for messages. */
  public static String algorithms() {
    try {
      return Files.readString(ALGORITHMS).strip();
    } catch (IOException notLinux) {
      return "none that can be chosen";
    }
  }

  /** Whether the kernel lets this process use that algorithm; loads it where it may. */
  public static boolean knows(String congestionControl) {
    if (!AVAILABLE || congestionControl.length() >= NAME_BYTES) {
      return false;
    }
    try {
      int probe = (int) there(SOCKET).invokeExact(AF_INET, SOCK_STREAM_CLOEXEC, 0);
      if (probe < 0) {
        return false;
      }
      try {
        return algorithm(probe, congestionControl);
      } finally {
        int unused = (int) there(CLOSE).invokeExact(probe);
      }
    } catch (Throwable e) {
      throw impossible(e);
    }
  }

  /** What the kernel knows of it; empty once it is closed. */
  public Optional<TcpInfo> info() {
    try (var arena = Arena.ofConfined()) {
      MemorySegment info = arena.allocate(INFO_BYTES);
      if (!stands() || !option(arena, descriptor, IPPROTO_TCP, TCP_INFO, info)) {
        return Optional.empty();
      }
      MemorySegment name = arena.allocate(NAME_BYTES);
      boolean named = option(arena, descriptor, IPPROTO_TCP, TCP_CONGESTION, name);
      return Optional.of(
          new TcpInfo(
              number(info, RTT_AT),
              number(info, LEAST_RTT_AT),
              number(info, RECEIVED_RTT_AT),
              number(info, RETRANSMITS_AT),
              number(info, WINDOW_AT),
              number(info, SEGMENT_AT),
              named ? name.getString(0, StandardCharsets.US_ASCII) : ""));
    } catch (Throwable e) {
      throw impossible(e);
    }
  }

  /** Has that algorithm govern what is sent from now on; false where the kernel refuses. */
  public boolean congestionControl(String name) {
    return stands() && algorithm(descriptor, name);
  }

  /**
   * Sends no faster from now on ({@code SO_MAX_PACING_RATE} of socket(7)); false where the kernel
   * refuses.
   *
   * @param bytesPerSecond more than 0
   */
  public boolean pacing(long bytesPerSecond) {
    try (var arena = Arena.ofConfined()) {
      MemorySegment value = arena.allocateFrom(ValueLayout.JAVA_LONG, bytesPerSecond);
      return stands()
          && (int)
                  there(SETSOCKOPT)
                      .invokeExact(descriptor, SOL_SOCKET, SO_MAX_PACING_RATE, value, Long.BYTES)
              == 0;
    } catch (Throwable e) {
      throw impossible(e);
    }
  }

  /** The limit of {@link #pacing}, bytes a second; -1, all bits set, where there is none. */
  long pacing() {
    try (var arena = Arena.ofConfined()) {
      MemorySegment value = arena.allocate(Long.BYTES);
      return option(arena, descriptor, SOL_SOCKET, SO_MAX_PACING_RATE, value)
          ? value.get(ValueLayout.JAVA_LONG, 0)
          : -1;
    } catch (Throwable e) {
      throw impossible(e);
    }
  }

  private static boolean algorithm(int descriptor, String name) {
    try (var arena = Arena.ofConfined()) {
      MemorySegment value = arena.allocateFrom(name, StandardCharsets.US_ASCII);
      return (int)
              there(SETSOCKOPT)
                  .invokeExact(descriptor, IPPROTO_TCP, TCP_CONGESTION, value, name.length())
          == 0;
    } catch (Throwable e) {
      throw impossible(e);
    }
  }

  private static boolean option(
      Arena arena, int descriptor, int level, int option, MemorySegment value) throws Throwable {
    MemorySegment length = arena.allocateFrom(INT, (int) value.byteSize());
    return (int) there(GETSOCKOPT).invokeExact(descriptor, level, option, value, length) == 0;
  }

  private static long number(MemorySegment info, int at) {
    return Integer.toUnsignedLong(info.get(INT, at));
  }

  /** Whether the descriptor is this connection, and not another that came after it. */
  private boolean stands() {
    return remote.equals(end(there(GETPEERNAME), descriptor))
        && local.equals(end(there(GETSOCKNAME), descriptor));
  }

  private static @Nullable InetSocketAddress end(MethodHandle which, int descriptor) {
    try (var arena = Arena.ofConfined()) {
      MemorySegment address = arena.allocate(ADDRESS_BYTES, Integer.BYTES);
      MemorySegment length = arena.allocateFrom(INT, ADDRESS_BYTES);
      if ((int) which.invokeExact(descriptor, address, length) != 0) {
        return null;
      }
      int port =
          Short.toUnsignedInt(
              address.get(ValueLayout.JAVA_SHORT.withOrder(ByteOrder.BIG_ENDIAN), Short.BYTES));
      return switch (address.get(ValueLayout.JAVA_SHORT, 0)) {
        case AF_INET -> new InetSocketAddress(host(address.asSlice(4, 4)), port);
        // That of IPv4 in IPv6 becomes IPv4 again, as Java tells it.
        case AF_INET6 -> new InetSocketAddress(host(address.asSlice(8, 16)), port);
        default -> null;
      };
    } catch (Throwable e) {
      throw impossible(e);
    }
  }

  private static InetAddress host(MemorySegment address) throws UnknownHostException {
    return InetAddress.getByAddress(address.toArray(ValueLayout.JAVA_BYTE));
  }
}
