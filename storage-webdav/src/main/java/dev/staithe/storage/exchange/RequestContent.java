package dev.staithe.storage.exchange;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.Blocker;
import org.eclipse.jetty.util.BufferUtil;
import org.jspecify.annotations.Nullable;

/** The content of a request, by blocking reads for virtual threads. For one thread. */
public record RequestContent(Request request) {
  /**
   * The next part; release it after use. Asking for the first part sends {@code 100 Continue} where
   * the client waits for it.
   *
   * @return null at the end
   * @throws BrokenContent where the client went away, sent less than it announced, or was too slow
   */
  Content.@Nullable Chunk next() throws IOException {
    while (true) {
      Content.Chunk chunk = request.read();
      if (chunk == null) {
        try (Blocker.Runnable block = Blocker.runnable()) {
          request.demand(block);
          block.block();
        }
        continue;
      }
      if (Content.Chunk.isFailure(chunk)) {
        throw new BrokenContent(chunk.getFailure());
      }
      if (!chunk.hasRemaining()) {
        chunk.release();
        if (chunk.isLast()) {
          return null;
        }
        continue;
      }
      return chunk;
    }
  }

  /**
   * All of it, of a request that has little.
   *
   * @return null where it is longer than {@code limit} bytes
   */
  public byte @Nullable [] whole(int limit) throws IOException {
    if (request.getLength() > limit) {
      return null;
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Content.Chunk chunk;
    while ((chunk = next()) != null) {
      try {
        if (out.size() + chunk.remaining() > limit) {
          return null;
        }
        out.writeBytes(BufferUtil.toArray(chunk.getByteBuffer()));
      } finally {
        chunk.release();
      }
    }
    return out.toByteArray();
  }
}
