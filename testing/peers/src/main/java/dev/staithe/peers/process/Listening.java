package dev.staithe.peers.process;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** Who listens at which TCP port, as {@code /proc} tells it. */
public final class Listening {
  /** The state of a listening socket in {@code /proc/net/tcp}, see proc(5). */
  private static final String LISTEN = "0A";

  private static final int FIRST = 10_240;
  private static final int END = 32_768; // Linux's net.ipv4.ip_local_port_range begins there

  private static final Set<Integer> GIVEN = ConcurrentHashMap.newKeySet();

  private Listening() {}

  /**
   * Free ports of the loopback address that this has not given before. None is of the range from
   * which the system takes those of outgoing connections and of servers that ask for any: while a
   * server starts, nobody gets its port by chance.
   */
  public static List<Integer> freePorts(int count) {
    return IntStream.range(0, count).mapToObj(i -> freePort()).toList();
  }

  private static int freePort() {
    while (true) {
      int port = ThreadLocalRandom.current().nextInt(FIRST, END);
      if (!isTaken(port) && GIVEN.add(port)) {
        return port;
      }
    }
  }

  /** Whether anybody takes connections at that port of the loopback address. */
  static boolean somebodyAt(int port) {
    try (var socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1000);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** Whether somebody else keeps that port from us. */
  static boolean isTaken(int port) {
    try (var _ = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return false;
    } catch (IOException e) {
      return true;
    }
  }

  /**
   * Whether that process or a descendant of it listens at that port, in its own network namespace.
   * Connecting would not tell it from a stranger who took the port first. Where this machine hides
   * the open files of other users' processes, anybody's listening counts.
   */
  static boolean at(int port, ProcessHandle process) {
    Set<String> listening = socketsAt(port, process.pid());
    if (listening.isEmpty()) {
      return false;
    }
    boolean hidden = false;
    long[] tree =
        LongStream.concat(
                LongStream.of(process.pid()), process.descendants().mapToLong(ProcessHandle::pid))
            .toArray();
    for (long pid : tree) {
      try (DirectoryStream<Path> open =
          Files.newDirectoryStream(Path.of("/proc", Long.toString(pid), "fd"))) {
        for (Path file : open) {
          if (listening.contains(target(file))) {
            return true;
          }
        }
      } catch (IOException e) {
        hidden |= ProcessHandle.of(pid).isPresent();
      }
    }
    return hidden;
  }

  /** Sockets as the links in {@code /proc/PID/fd} name them: {@code socket:[4711]}. */
  private static Set<String> socketsAt(int port, long pid) {
    String suffix = ":%04X".formatted(port);
    Set<String> sockets = new HashSet<>();
    for (String table : List.of("tcp", "tcp6")) {
      try {
        for (String line : Files.readAllLines(Path.of("/proc", Long.toString(pid), "net", table))) {
          String[] field = line.strip().split("\\s+");
          if (field.length > 9 && field[1].endsWith(suffix) && field[3].equals(LISTEN)) {
            sockets.add("socket:[" + field[9] + "]");
          }
        }
      } catch (IOException e) {
        // It has ended, or this machine has no IPv6.
      }
    }
    return sockets;
  }

  private static String target(Path link) {
    try {
      return Files.readSymbolicLink(link).toString();
    } catch (IOException e) {
      return ""; // closed meanwhile
    }
  }
}
