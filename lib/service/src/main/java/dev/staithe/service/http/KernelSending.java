package dev.staithe.service.http;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.io.EofException;
import org.eclipse.jetty.server.ConnectionMetaData;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/**
 * Sends bytes of a file by the kernel alone ({@code sendfile}) where an answer goes out without
 * TLS: from the page cache to the network, without a copy. The thread of the request does so, which
 * may wait for a disk as Jetty's selecting one may not; what Jetty has to count is written to the
 * response by {@link #sent}. For one thread.
 */
public final class KernelSending {
  /** Of one call: what a client's connection takes at once, so that Jetty is told of it once. */
  private static final int MOST = 2 << 20;

  /** Never sent: bytes of this memory stand for those of a file that were. */
  private static final ByteBuffer SENT = ByteBuffer.allocateDirect(MOST).asReadOnlyBuffer();

  private static final long FIRST = MemorySegment.ofBuffer(SENT).address();

  private final SocketChannel socket;

  private KernelSending(SocketChannel socket) {
    this.socket = socket;
  }

  /** For the answer to that request; null by TLS, and where several share a connection. */
  public static @Nullable KernelSending of(Request request) {
    ConnectionMetaData connection = request.getConnectionMetaData();
    return connection.getHttpVersion() == HttpVersion.HTTP_1_1
            && connection.getConnection().getEndPoint() instanceof LingeringClose.Lingering end
        ? new KernelSending(end.forKernel())
        : null;
  }

  /**
   * Hands bytes over, behind all that was written to the response and has gone out: its head above
   * all. What was handed over is then written to the response as {@link #sent}.
   *
   * @return how many, until the client takes no more now, the file has none, or {@value #MOST}; may
   *     be 0
   * @throws EofException where the client is gone
   * @throws IOException where the file cannot be read
   */
  public int send(FileChannel file, long from, long most) throws IOException {
    int sent = 0;
    try {
      long left = Math.min(most, MOST);
      for (long now = 1; now > 0 && left > 0; left -= now) {
        now = file.transferTo(from + sent, left, socket);
        sent += (int) now;
      }
      return sent;
    } catch (ClosedChannelException gone) {
      throw new EofException(gone);
    } catch (IOException failed) {
      String why = String.valueOf(failed.getMessage());
      throw why.startsWith("Broken pipe") || why.startsWith("Connection reset")
          ? new EofException(failed)
          : failed;
    }
  }

  /** What stands for bytes that were sent; each once, before anything else is written. */
  public static ByteBuffer sent(int bytes) {
    return SENT.duplicate().limit(bytes);
  }

  /** Counts what stands for bytes that were sent as written; whether there was any. */
  static boolean skip(ByteBuffer[] buffers) {
    boolean any = false;
    for (ByteBuffer each : buffers) {
      if (each.isDirect() && each.hasRemaining()) {
        long at = MemorySegment.ofBuffer(each).address() - FIRST;
        if (at >= 0 && at < MOST) {
          each.position(each.limit());
          any = true;
        }
      }
    }
    return any;
  }
}
