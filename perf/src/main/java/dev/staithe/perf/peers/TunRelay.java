package dev.staithe.perf.peers;

import java.io.IOException;
import java.lang.foreign.AddressLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.LockSupport;

/**
 * Gives every IPv4 packet that leaves by a tun device back to it after a delay, source and
 * destination address exchanged: who calls {@code 10.9.0.2} reaches the server at {@code 10.9.0.1},
 * which sees {@code 10.9.0.2} calling. The exchange leaves the checksums of IP and TCP as they are.
 * So two programs of one network namespace talk through the kernel's real TCP over a link with a
 * delay and no limit of its own.
 */
@SuppressWarnings("restricted") // four system calls, whose signatures are right
final class TunRelay implements AutoCloseable {
  /** The largest packet, bytes. */
  static final int PACKET = 65_000;

  private static final int O_RDWR = 2;
  private static final long TUNSETIFF = 0x400454caL;
  private static final short IFF_TUN = 0x0001;
  private static final short IFF_NO_PI = 0x1000;

  /** struct ifreq: the name, the flags, room for the rest of the union. */
  private static final int IFREQ = 40;

  private static final int IFREQ_FLAGS = 16;
  private static final int SOURCE_ADDRESS = 12;
  private static final int DESTINATION_ADDRESS = 16;
  private static final int IPV4_HEADER = 20;

  private static final Linker LINKER = Linker.nativeLinker();
  private static final AddressLayout POINTER = ValueLayout.ADDRESS;
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
  private static final MethodHandle OPEN =
      handle("open", FunctionDescriptor.of(INT, POINTER, INT), Linker.Option.firstVariadicArg(2));
  private static final MethodHandle IOCTL =
      handle(
          "ioctl",
          FunctionDescriptor.of(INT, INT, LONG, POINTER),
          Linker.Option.firstVariadicArg(2));
  private static final MethodHandle READ =
      handle("read", FunctionDescriptor.of(LONG, INT, POINTER, LONG));
  private static final MethodHandle WRITE =
      handle("write", FunctionDescriptor.of(LONG, INT, POINTER, LONG));

  /** A packet and when it is due, by {@link System#nanoTime()}. */
  private record Held(byte[] packet, long due) {}

  private final int descriptor;
  private final long delayNanos;
  private final BlockingQueue<Held> held = new LinkedBlockingQueue<>();
  private final Thread reader = new Thread(this::read, "link-in");
  private final Thread writer = new Thread(this::write, "link-out");
  private volatile boolean closed;

  private TunRelay(int descriptor, Duration delay) {
    this.descriptor = descriptor;
    this.delayNanos = delay.toNanos();
  }

  /**
   * Makes the device.
   *
   * @throws IOException where this process may not
   */
  static TunRelay open(String device, Duration delay) throws IOException {
    try (var arena = Arena.ofConfined()) {
      int descriptor = (int) OPEN.invokeExact(arena.allocateFrom("/dev/net/tun"), O_RDWR);
      if (descriptor < 0) {
        throw new IOException("/dev/net/tun cannot be opened, and the kernel has no netem");
      }
      MemorySegment request = arena.allocate(IFREQ);
      request.setString(0, device);
      request.set(ValueLayout.JAVA_SHORT, IFREQ_FLAGS, (short) (IFF_TUN | IFF_NO_PI));
      if ((int) IOCTL.invokeExact(descriptor, TUNSETIFF, request) < 0) {
        throw new IOException("a tun device cannot be made, and the kernel has no netem");
      }
      return new TunRelay(descriptor, delay);
    } catch (IOException e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("a system call could not be made", e);
    }
  }

  /** Begins to relay. */
  void start() {
    for (Thread thread : new Thread[] {reader, writer}) {
      thread.setDaemon(true);
      thread.start();
    }
  }

  /** CPU seconds of the relay so far. */
  double cpuSeconds() {
    var threads = ManagementFactory.getThreadMXBean();
    return (Math.max(0, threads.getThreadCpuTime(reader.threadId()))
            + Math.max(0, threads.getThreadCpuTime(writer.threadId())))
        / 1e9;
  }

  private void read() {
    try (var arena = Arena.ofConfined()) {
      MemorySegment buffer = arena.allocate(PACKET + 1L);
      while (!closed) {
        long length = (long) READ.invokeExact(descriptor, buffer, buffer.byteSize());
        // The first four bits are the version; IPv6 has its own ideas of a new device.
        if (length < IPV4_HEADER || (buffer.get(ValueLayout.JAVA_BYTE, 0) >> 4) != 4) {
          continue;
        }
        byte[] packet = buffer.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE);
        for (int i = 0; i < 4; i++) {
          byte swapped = packet[SOURCE_ADDRESS + i];
          packet[SOURCE_ADDRESS + i] = packet[DESTINATION_ADDRESS + i];
          packet[DESTINATION_ADDRESS + i] = swapped;
        }
        held.add(new Held(packet, System.nanoTime() + delayNanos));
      }
    } catch (Throwable e) {
      throw new IllegalStateException("packets cannot be read", e);
    }
  }

  private void write() {
    try (var arena = Arena.ofConfined()) {
      MemorySegment buffer = arena.allocate(PACKET);
      while (!closed) {
        Held next = held.take();
        long left;
        while ((left = next.due() - System.nanoTime()) > 0) {
          LockSupport.parkNanos(left);
        }
        MemorySegment.copy(
            next.packet(), 0, buffer, ValueLayout.JAVA_BYTE, 0, next.packet().length);
        // A packet that the kernel does not take is lost, as on any link: TCP sends it again.
        long unused = (long) WRITE.invokeExact(descriptor, buffer, (long) next.packet().length);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Throwable e) {
      throw new IllegalStateException("packets cannot be written", e);
    }
  }

  /** Stops relaying; the device goes with the process. */
  @Override
  public void close() {
    closed = true;
    writer.interrupt();
  }

  private static MethodHandle handle(
      String function, FunctionDescriptor type, Linker.Option... options) {
    return LINKER.downcallHandle(
        LINKER.defaultLookup().find(function).orElseThrow(), type, options);
  }
}
