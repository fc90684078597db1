package dev.staithe.storage.accounts;

import static dev.staithe.http.CFunction.impossible;
import static dev.staithe.http.CFunction.there;

import dev.staithe.http.CFunction;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The calls of Linux that Java does not make: packets over a local socket with a descriptor beside
 * them, and files that are known by their descriptor alone. Opening {@code /proc/self/fd} instead
 * would ask for the permissions of this process, which it need not have. All block the thread of
 * the system that calls. Stateless.
 */
final class LinuxSockets {
  /** Longest packet in bytes, either way; the helper has the same. */
  static final int PACKET = 65536;

  private static final int AF_UNIX = 1;
  private static final int SOCK_SEQPACKET_CLOEXEC = 5 | 02000000;
  private static final int SOL_SOCKET = 1;
  private static final int SO_RCVTIMEO = 20;
  private static final int SO_SNDTIMEO = 21;
  private static final int SCM_RIGHTS = 1;
  private static final int MSG_NOSIGNAL = 0x4000;
  private static final int MSG_CMSG_CLOEXEC = 0x40000000;
  private static final int MSG_TRUNC = 0x20;
  private static final int MSG_CTRUNC = 0x08;
  private static final int EINTR = 4;
  private static final int ADDRESS_BYTES = 110;
  private static final int LONGEST_NAME = 107;

  /** {@code struct msghdr}, an {@code iovec}, and room for one descriptor. */
  private static final int MESSAGE_BYTES = 56;

  private static final int VECTOR_BYTES = 16;
  private static final int CONTROL_BYTES = 24;
  private static final long CONTROL_LENGTH = 20;

  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
  private static final MemoryLayout POINTER = ValueLayout.ADDRESS;

  private static final @Nullable MethodHandle SOCKET =
      CFunction.find("socket", FunctionDescriptor.of(INT, INT, INT, INT), CFunction.ERRNO);
  private static final @Nullable MethodHandle SETSOCKOPT =
      CFunction.find(
          "setsockopt", FunctionDescriptor.of(INT, INT, INT, INT, POINTER, INT), CFunction.ERRNO);
  private static final @Nullable MethodHandle CONNECT =
      CFunction.find("connect", FunctionDescriptor.of(INT, INT, POINTER, INT), CFunction.ERRNO);
  private static final @Nullable MethodHandle SENDMSG =
      CFunction.find("sendmsg", FunctionDescriptor.of(LONG, INT, POINTER, INT), CFunction.ERRNO);
  private static final @Nullable MethodHandle RECVMSG =
      CFunction.find("recvmsg", FunctionDescriptor.of(LONG, INT, POINTER, INT), CFunction.ERRNO);
  private static final @Nullable MethodHandle PREAD =
      CFunction.find(
          "pread64", FunctionDescriptor.of(LONG, INT, POINTER, LONG, LONG), CFunction.ERRNO);
  private static final @Nullable MethodHandle PWRITE =
      CFunction.find(
          "pwrite64", FunctionDescriptor.of(LONG, INT, POINTER, LONG, LONG), CFunction.ERRNO);
  private static final @Nullable MethodHandle FDATASYNC =
      CFunction.find("fdatasync", FunctionDescriptor.of(INT, INT), CFunction.ERRNO);
  private static final @Nullable MethodHandle CLOSE =
      CFunction.find("close", FunctionDescriptor.of(INT, INT));

  /** Whether the calls can be made. */
  static final boolean AVAILABLE = CLOSE != null;

  private LinuxSockets() {}

  /** A failure with the number that the kernel gave for it. */
  static final class Failure extends IOException {
    private static final long serialVersionUID = 1L;
    private final int errno;

    Failure(String call, int errno) {
      super(call + " failed with error " + errno + " of the operating system");
      this.errno = errno;
    }

    /** The number. */
    int errno() {
      return errno;
    }
  }

  /** Makes a call, given memory for what it leaves in {@code errno}. */
  @FunctionalInterface
  private interface Call {
    long make(Arena arena, MemorySegment state) throws Throwable;
  }

  /** What it gave, never negative; begun again where a signal has ended it. */
  private static long made(String name, Call call) throws Failure {
    try (var arena = Arena.ofConfined()) {
      MemorySegment state = CFunction.state(arena);
      while (true) {
        long result = call.make(arena, state);
        if (result >= 0) {
          return result;
        }
        int errno = CFunction.errno(state);
        if (errno != EINTR) {
          throw new Failure(name, errno);
        }
      }
    } catch (Failure failure) {
      throw failure;
    } catch (Throwable e) {
      throw impossible(e);
    }
  }

  /** Whether the path of a socket is short enough for the kernel. */
  static boolean isName(Path socket) {
    return socket.toString().getBytes(StandardCharsets.UTF_8).length <= LONGEST_NAME;
  }

  /**
   * Connects to a socket of packets; the descriptor is to be closed.
   *
   * @param seconds until an answer is waited for no more
   */
  static int connect(Path socket, int seconds) throws Failure {
    int descriptor =
        (int)
            made(
                "socket",
                (unused, state) ->
                    (int) there(SOCKET).invokeExact(state, AF_UNIX, SOCK_SEQPACKET_CLOEXEC, 0));
    try {
      limit(descriptor, SO_RCVTIMEO, seconds);
      // Of connect(2) too: where nobody accepts any more it waits as soon as some others do.
      limit(descriptor, SO_SNDTIMEO, seconds);
      made(
          "connect",
          (arena, state) -> {
            MemorySegment address = arena.allocate(ADDRESS_BYTES);
            address.set(ValueLayout.JAVA_SHORT, 0, (short) AF_UNIX);
            address.setString(2, socket.toString());
            return (int) there(CONNECT).invokeExact(state, descriptor, address, ADDRESS_BYTES);
          });
    } catch (Failure e) {
      close(descriptor);
      throw e;
    }
    return descriptor;
  }

  private static void limit(int socket, int option, int seconds) throws Failure {
    made(
        "setsockopt",
        (arena, state) -> {
          MemorySegment time = arena.allocate(LONG, 2);
          time.setAtIndex(LONG, 0, seconds);
          return (int)
              there(SETSOCKOPT)
                  .invokeExact(state, socket, SOL_SOCKET, option, time, 2 * Long.BYTES);
        });
  }

  /**
   * Sends one packet.
   *
   * @param beside a descriptor that goes along, or -1
   */
  static void send(int socket, byte[] packet, int beside) throws Failure {
    made(
        "sendmsg",
        (arena, state) -> {
          MemorySegment message =
              message(arena, arena.allocateFrom(ValueLayout.JAVA_BYTE, packet), beside >= 0);
          if (beside >= 0) {
            MemorySegment control = control(message);
            control.set(LONG, 0, CONTROL_LENGTH);
            control.set(INT, 8, SOL_SOCKET);
            control.set(INT, 12, SCM_RIGHTS);
            control.set(INT, 16, beside);
          }
          return (long) there(SENDMSG).invokeExact(state, socket, message, MSG_NOSIGNAL);
        });
  }

  /**
   * A packet that has come.
   *
   * @param bytes empty where the other side is gone
   * @param descriptor that came along, or -1
   */
  record Packet(byte[] bytes, int descriptor) {}

  /** Waits for the next packet. */
  static Packet receive(int socket) throws Failure {
    try (var arena = Arena.ofConfined()) {
      MemorySegment bytes = arena.allocate(PACKET);
      MemorySegment message = message(arena, bytes, true);
      long length =
          made(
              "recvmsg",
              (unused, state) ->
                  (long) there(RECVMSG).invokeExact(state, socket, message, MSG_CMSG_CLOEXEC));
      int flags = message.get(INT, 48);
      if ((flags & MSG_CTRUNC) != 0) {
        // A descriptor came along, and this process may have no more of them.
        throw new Failure("recvmsg", HelperErrors.EMFILE);
      }
      MemorySegment control = control(message);
      int descriptor =
          message.get(LONG, 40) >= CONTROL_LENGTH
                  && control.get(INT, 8) == SOL_SOCKET
                  && control.get(INT, 12) == SCM_RIGHTS
              ? control.get(INT, 16)
              : -1;
      if ((flags & MSG_TRUNC) != 0) {
        length = 0;
      }
      return new Packet(bytes.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE), descriptor);
    }
  }

  private static MemorySegment message(Arena arena, MemorySegment bytes, boolean withControl) {
    MemorySegment message =
        arena.allocate(MESSAGE_BYTES + VECTOR_BYTES + CONTROL_BYTES, Long.BYTES);
    MemorySegment vector = message.asSlice(MESSAGE_BYTES, VECTOR_BYTES);
    vector.set(ValueLayout.ADDRESS, 0, bytes);
    vector.set(LONG, 8, bytes.byteSize());
    message.set(ValueLayout.ADDRESS, 16, vector);
    message.set(LONG, 24, 1);
    if (withControl) {
      message.set(ValueLayout.ADDRESS, 32, control(message));
      message.set(LONG, 40, CONTROL_BYTES);
    }
    return message;
  }

  private static MemorySegment control(MemorySegment message) {
    return message.asSlice(MESSAGE_BYTES + VECTOR_BYTES, CONTROL_BYTES);
  }

  /**
   * Reads into a direct buffer's remaining space.
   *
   * @return bytes read, 0 at the end
   */
  static int read(int file, ByteBuffer into, long position) throws Failure {
    MemorySegment space = MemorySegment.ofBuffer(into);
    int n =
        (int)
            made(
                "read",
                (unused, state) ->
                    (long)
                        there(PREAD).invokeExact(state, file, space, space.byteSize(), position));
    into.position(into.position() + n);
    return n;
  }

  /** Writes a direct buffer's remaining bytes. */
  static void write(int file, ByteBuffer bytes, long position) throws Failure {
    long at = position;
    while (bytes.hasRemaining()) {
      MemorySegment left = MemorySegment.ofBuffer(bytes);
      long from = at;
      int n =
          (int)
              made(
                  "write",
                  (unused, state) ->
                      (long) there(PWRITE).invokeExact(state, file, left, left.byteSize(), from));
      bytes.position(bytes.position() + n);
      at += n;
    }
  }

  /** Brings the bytes of a file to the device. */
  static void sync(int file) throws Failure {
    made("fdatasync", (unused, state) -> (int) there(FDATASYNC).invokeExact(state, file));
  }

  /** Gives a descriptor back: once, for whatever close(2) says the number may be another's now. */
  static void close(int descriptor) {
    try {
      int unused = (int) there(CLOSE).invokeExact(descriptor);
    } catch (Throwable e) {
      throw impossible(e);
    }
  }
}
