package dev.staithe.perf.peers;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;

/** Who listens at which TCP port, as {@code /proc} tells it. */
final class Listening {
  /** The state of a listening socket in {@code /proc/net/tcp}, see proc(5). */
  private static final String LISTEN = "0A";

  private Listening() {}

  /**
   * Free ports of the loopback address, all different. Nothing keeps them free: servers that cannot
   * choose a port and tell it are started again at others where somebody was faster.
   */
  static List<Integer> freePorts(int count) throws IOException {
    List<ServerSocket> held = new ArrayList<>();
    try {
      List<Integer> ports = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        held.add(socket);
        ports.add(socket.getLocalPort());
      }
      return ports;
    } finally {
      for (ServerSocket socket : held) {
        socket.close();
      }
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
