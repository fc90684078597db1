package dev.staithe.service.process;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;

/**
 * What this process may take of the machine.
 *
 * @param descriptors open at once
 * @param heap bytes
 * @param direct bytes of direct memory
 */
public record ProcessRoom(long descriptors, long heap, long direct) {
  /** The socket, what TLS opens beside it, and a file. */
  private static final long DESCRIPTORS = 4;

  /** Of a connection on which a request runs. */
  private static final long HEAP = 64 << 10;

  /** What a connection holds of content in one direction, where that is small. */
  private static final long LEAST_DIRECT = 32 << 10;

  /** That of this process. */
  public static ProcessRoom now() {
    long descriptors =
        ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
            ? unix.getMaxFileDescriptorCount()
            : Long.MAX_VALUE;
    return new ProcessRoom(descriptors, Runtime.getRuntime().maxMemory(), DirectMemory.limit());
  }

  /**
   * What does not suffice where as many connections are in use at once; each names both numbers.
   *
   * @param content bytes of an answer that are held at once
   */
  public List<String> lacking(int connections, long content) {
    long direct = Math.max(LEAST_DIRECT, content);
    List<String> lacking = new ArrayList<>();
    if (connections * DESCRIPTORS > descriptors) {
      lacking.add(connections * DESCRIPTORS + " descriptors (ulimit -n is " + descriptors + ")");
    }
    // The half of each is for all else.
    if (connections * HEAP > heap / 2) {
      lacking.add(mebibytes(connections * HEAP * 2) + " of heap (-Xmx is " + mebibytes(heap) + ")");
    }
    if (connections * direct > this.direct / 2) {
      lacking.add(
          mebibytes(connections * direct * 2)
              + " of direct memory (-XX:MaxDirectMemorySize is "
              + mebibytes(this.direct)
              + ")");
    }
    return lacking;
  }

  private static String mebibytes(long bytes) {
    return (bytes >> 20) + " MiB";
  }
}
