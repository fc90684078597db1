package dev.staithe.storage.dav;

import dev.staithe.storage.exchange.ByteRanges.Part;
import dev.staithe.storage.exchange.Exchange;
import dev.staithe.storage.exchange.TransferBuffers;
import dev.staithe.storage.files.OpenFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.jspecify.annotations.Nullable;

/**
 * {@code multipart/byteranges} (RFC 9110 section 14.6), its length known before it is sent, written
 * as it is read: short parts go out together, and not two TLS records each, and parts that lie
 * close to one another are read together, and not by a call of the kernel, or a request to an
 * engine, each. For one answer.
 */
final class RangesAnswer {
  /** Bytes between two parts that cost less than another read. */
  private static final int GAP = 4 * 1024;

  /** Most that is read at once for several parts. */
  private static final int SPAN = 64 * 1024;

  private final Exchange exchange;
  private final OpenFile file;
  private final List<Part> parts;
  private final String boundary =
      Long.toHexString(ThreadLocalRandom.current().nextLong() | Long.MIN_VALUE);
  private final String type;
  private final byte[] tail = ("\r\n--" + boundary + "--\r\n").getBytes(StandardCharsets.US_ASCII);
  private @Nullable ByteBuffer together;

  /** Of those parts, whose media type is that. */
  RangesAnswer(Exchange exchange, OpenFile file, List<Part> parts, @Nullable String type) {
    this.exchange = exchange;
    this.file = file;
    this.parts = parts;
    this.type = type == null ? "application/octet-stream" : type;
  }

  private byte[] head(Part part) {
    return ("\r\n--"
            + boundary
            + "\r\nContent-Type: "
            + type
            + "\r\nContent-Range: "
            + part.contentRange(file.entry().size())
            + "\r\n\r\n")
        .getBytes(StandardCharsets.US_ASCII);
  }

  /** Answers 206, by way of that buffer. */
  void send(TransferBuffers.Share share) throws IOException {
    List<byte[]> heads = parts.stream().map(this::head).toList();
    HttpFields.Mutable headers = exchange.response().getHeaders();
    exchange.response().setStatus(206);
    headers.put(HttpHeader.CONTENT_TYPE, "multipart/byteranges; boundary=" + boundary);
    headers.put(
        HttpHeader.CONTENT_LENGTH,
        tail.length
            + heads.stream().mapToLong(h -> h.length).sum()
            + parts.stream().mapToLong(Part::length).sum());
    for (int i = 0; i < parts.size(); ) {
      int end = neighbours(i);
      if (end == i + 1) {
        collect(share, heads.get(i));
        read(share, parts.get(i));
      } else {
        ByteBuffer read = read(parts.get(i).first(), parts.get(end - 1).last());
        for (int k = i; k < end; k++) {
          Part part = parts.get(k);
          collect(share, heads.get(k));
          int at = (int) (part.first() - parts.get(i).first());
          collect(share, read.slice(at, (int) part.length()));
        }
      }
      i = end;
    }
    collect(share, tail);
    exchange.write(share.buffer().flip(), true);
  }

  /** Which part is the first behind {@code from} that is not read together with it. */
  private int neighbours(int from) {
    int end = from + 1;
    while (end < parts.size()
        && parts.get(end).first() > parts.get(end - 1).last()
        && parts.get(end).first() - parts.get(end - 1).last() <= GAP
        && parts.get(end).last() - parts.get(from).first() < SPAN) {
      end++;
    }
    return end;
  }

  private ByteBuffer read(long first, long last) throws IOException {
    ByteBuffer into = together == null ? ByteBuffer.allocate(SPAN) : together;
    together = into;
    into.clear().limit((int) (last - first + 1));
    while (into.hasRemaining()) {
      if (file.read(into, first + into.position()) <= 0) {
        throw new IOException(GetMethod.SHRUNK);
      }
    }
    return into.flip();
  }

  private void collect(TransferBuffers.Share share, byte[] bytes) throws IOException {
    collect(share, ByteBuffer.wrap(bytes));
  }

  private void collect(TransferBuffers.Share share, ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      if (!share.buffer().hasRemaining()) {
        exchange.write(share.buffer().flip(), false);
        share.renew();
      }
      ByteBuffer buffer = share.buffer();
      int n = Math.min(buffer.remaining(), bytes.remaining());
      buffer.put(buffer.position(), bytes, bytes.position(), n);
      buffer.position(buffer.position() + n);
      bytes.position(bytes.position() + n);
    }
  }

  private void read(TransferBuffers.Share share, Part part) throws IOException {
    long at = part.first();
    while (at <= part.last()) {
      if (!share.buffer().hasRemaining()) {
        exchange.write(share.buffer().flip(), false);
        share.renew();
      }
      ByteBuffer buffer = share.buffer();
      int room = (int) Math.min(buffer.remaining(), part.last() - at + 1);
      buffer.limit(buffer.position() + room);
      int n = file.read(buffer, at);
      buffer.limit(buffer.capacity());
      if (n <= 0) {
        throw new IOException(GetMethod.SHRUNK);
      }
      at += n;
    }
  }
}
