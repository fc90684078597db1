package dev.staithe.storage.dav;

import dev.staithe.storage.authz.Right;
import dev.staithe.storage.files.Checksum;
import dev.staithe.storage.files.ChecksumAlgorithm;
import dev.staithe.storage.files.FileEntry;
import dev.staithe.storage.files.OpenFile;
import dev.staithe.storage.files.Outcome;
import dev.staithe.storage.files.Refusal;
import dev.staithe.storage.flows.FlowMarks;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.util.BufferUtil;
import org.jspecify.annotations.Nullable;

/**
 * GET and HEAD: the file's bytes go from the page cache into a direct buffer and from there to the
 * connection; no byte array, nothing in proportion to the file.
 */
public final class GetMethod implements DavMethod {
  private final TransferBuffers buffers = new TransferBuffers();
  private final DavMethod collectionPage;
  private final @Nullable AccelRedirect accel;
  private final FlowMarks marks;

  /** Answers GET of a collection by {@code collectionPage}, and sends files itself. */
  public GetMethod(DavMethod collectionPage) {
    this(collectionPage, null, FlowMarks.OFF);
  }

  /**
   * Leaves the sending of files to the proxy by {@code accel}, where it may; marks the flows of
   * those that it sends itself, where the client asks for that.
   */
  public GetMethod(DavMethod collectionPage, @Nullable AccelRedirect accel, FlowMarks marks) {
    this.collectionPage = collectionPage;
    this.accel = accel;
    this.marks = marks;
  }

  @Override
  public void handle(Exchange exchange) throws IOException {
    boolean head = exchange.request().getMethod().equals("HEAD");
    if (!exchange.admitted(exchange.path(), head ? Right.STAT : Right.READ)) {
      return;
    }
    if (head) {
      describe(exchange);
      return;
    }
    switch (exchange.area().store().open(exchange.path())) {
      case Outcome.Refused<OpenFile> refused when refused.why() == Refusal.IS_COLLECTION -> {
        if (exchange.admitted(exchange.path(), Right.LIST)) {
          collectionPage.handle(exchange);
        }
      }
      case Outcome.Refused<OpenFile> refused when refused.why() == Refusal.NOT_FOUND ->
          missing(exchange);
      case Outcome.Refused<OpenFile> refused -> exchange.refuse(refused);
      case Outcome.Done<OpenFile> opened -> {
        try (OpenFile file = opened.value()) {
          if (exchange.path().collectionForm()) {
            missing(exchange);
            return;
          }
          describe(exchange, file.entry(), false, file::kept);
          judge(exchange, file.entry(), file);
        }
      }
    }
  }

  private void describe(Exchange exchange) throws IOException {
    Optional<FileEntry> found = exchange.area().store().find(exchange.path());
    if (found.isPresent() && found.get().collection()) {
      exchange.response().getHeaders().put(HttpHeader.CONTENT_TYPE, "text/html;charset=utf-8");
      exchange.reply(200);
    } else if (found.isEmpty() || exchange.path().collectionForm()) {
      missing(exchange);
    } else {
      FileEntry file = found.get();
      describe(exchange, file, true, algorithm -> exchange.area().store().kept(file, algorithm));
      judge(exchange, file, null);
    }
  }

  private static void missing(Exchange exchange) throws IOException {
    exchange.refuse(
        404,
        exchange.path().collectionForm()
            ? "there is no such collection"
            : "there is no such file or collection");
  }

  /** Where the checksums of a file are found that are kept with it. */
  private interface KeptChecksums {
    Optional<Checksum> of(ChecksumAlgorithm algorithm) throws IOException;
  }

  private static void describe(
      Exchange exchange, FileEntry file, boolean compute, KeptChecksums kept) throws IOException {
    HttpFields.Mutable headers = exchange.response().getHeaders();
    headers.put(HttpHeader.ETAG, file.etag());
    headers.put(HttpHeader.LAST_MODIFIED, Conditions.httpDate(file.modified()));
    headers.put(HttpHeader.ACCEPT_RANGES, "bytes");
    headers.put(HttpHeader.CONTENT_TYPE, MediaTypes.of(file.path().name()));
    // A stored page must not run as one of ours.
    headers.put("X-Content-Type-Options", "nosniff");
    headers.put("Content-Security-Policy", "sandbox; default-src 'none'");
    HttpFields wishes = exchange.request().getHeaders();
    List<ChecksumAlgorithm> wanted = DigestHeaders.wanted(wishes);
    Optional<Checksum> digest =
        checksum(
            exchange,
            file,
            wishes.contains("Want-Digest") ? wanted : List.of(ChecksumAlgorithm.ADLER32),
            compute && !wanted.isEmpty(),
            kept);
    digest.ifPresent(c -> headers.put("Digest", c.rfc3230()));
    List<ChecksumAlgorithm> wantedRepr = DigestHeaders.wantedRepr(wishes);
    checksum(exchange, file, wantedRepr, compute, kept)
        .ifPresent(c -> headers.put("Repr-Digest", c.rfc9530()));
  }

  /** The best checksum that is kept; for HEAD, the best one is computed where none is. */
  private static Optional<Checksum> checksum(
      Exchange exchange,
      FileEntry file,
      List<ChecksumAlgorithm> wanted,
      boolean compute,
      KeptChecksums kept)
      throws IOException {
    for (ChecksumAlgorithm algorithm : wanted) {
      Optional<Checksum> known = kept.of(algorithm);
      if (known.isPresent()) {
        return known;
      }
    }
    return compute && !wanted.isEmpty()
        ? Optional.of(exchange.area().store().checksum(file, wanted.getFirst()))
        : Optional.empty();
  }

  private void judge(Exchange exchange, FileEntry entry, @Nullable OpenFile file)
      throws IOException {
    HttpFields wishes = exchange.request().getHeaders();
    switch (Conditions.judge(wishes, Optional.of(entry), true)) {
      case FAILED -> exchange.refuse(412, "a condition of the request does not hold");
      case NOT_MODIFIED -> exchange.reply(304);
      case MET -> {
        String range = wishes.get(HttpHeader.RANGE);
        ByteRanges ranges =
            range != null && file != null && Conditions.rangeApplies(wishes, entry)
                ? ByteRanges.of(range, entry.size())
                : new ByteRanges.Whole();
        boolean left =
            accel != null
                && file != null
                && !(ranges instanceof ByteRanges.Unsatisfiable)
                && accel.answer(exchange, file);
        if (!left && file == null) {
          send(exchange, entry, null, ranges);
        } else if (!left) {
          try (FlowMarks.Mark _ = exchange.mark(marks, true)) {
            send(exchange, entry, file, ranges);
          }
        }
      }
    }
  }

  private void send(Exchange exchange, FileEntry entry, @Nullable OpenFile file, ByteRanges ranges)
      throws IOException {
    HttpFields.Mutable headers = exchange.response().getHeaders();
    switch (ranges) {
      case ByteRanges.Unsatisfiable none -> {
        headers.put(HttpHeader.CONTENT_RANGE, "bytes */" + entry.size());
        exchange.refuse(416, "the file has " + entry.size() + " bytes");
      }
      case ByteRanges.Whole whole -> {
        exchange.response().setStatus(200);
        headers.put(HttpHeader.CONTENT_LENGTH, entry.size());
        if (file == null || entry.size() == 0) {
          exchange.write(BufferUtil.EMPTY_BUFFER, true);
        } else {
          stream(exchange, file, new ByteRanges.Part(0, entry.size() - 1), true);
        }
      }
      case ByteRanges.Parts parts when file != null && parts.parts().size() == 1 -> {
        ByteRanges.Part part = parts.parts().getFirst();
        exchange.response().setStatus(206);
        headers.put(HttpHeader.CONTENT_RANGE, contentRange(part, entry.size()));
        headers.put(HttpHeader.CONTENT_LENGTH, part.length());
        stream(exchange, file, part, true);
      }
      case ByteRanges.Parts parts when file != null -> sendParts(exchange, entry, file, parts);
      case ByteRanges.Parts parts -> throw new IllegalStateException("ranges without a file");
    }
  }

  /** {@code multipart/byteranges} (RFC 9110 section 14.6), its length known before it is sent. */
  private void sendParts(Exchange exchange, FileEntry entry, OpenFile file, ByteRanges.Parts parts)
      throws IOException {
    HttpFields.Mutable headers = exchange.response().getHeaders();
    String boundary = Long.toHexString(ThreadLocalRandom.current().nextLong() | Long.MIN_VALUE);
    String type = headers.get(HttpHeader.CONTENT_TYPE);
    List<byte[]> heads =
        parts.parts().stream()
            .map(
                p ->
                    ("\r\n--"
                            + boundary
                            + "\r\nContent-Type: "
                            + type
                            + "\r\nContent-Range: "
                            + contentRange(p, entry.size())
                            + "\r\n\r\n")
                        .getBytes(StandardCharsets.US_ASCII))
            .toList();
    byte[] tail = ("\r\n--" + boundary + "--\r\n").getBytes(StandardCharsets.US_ASCII);
    long length =
        tail.length
            + heads.stream().mapToLong(h -> h.length).sum()
            + parts.parts().stream().mapToLong(ByteRanges.Part::length).sum();
    exchange.response().setStatus(206);
    headers.put(HttpHeader.CONTENT_TYPE, "multipart/byteranges; boundary=" + boundary);
    headers.put(HttpHeader.CONTENT_LENGTH, length);
    for (int i = 0; i < heads.size(); i++) {
      exchange.write(ByteBuffer.wrap(heads.get(i)), false);
      stream(exchange, file, parts.parts().get(i), false);
    }
    exchange.write(ByteBuffer.wrap(tail), true);
  }

  private static String contentRange(ByteRanges.Part part, long size) {
    return "bytes " + part.first() + "-" + part.last() + "/" + size;
  }

  private void stream(Exchange exchange, OpenFile file, ByteRanges.Part part, boolean last)
      throws IOException {
    ByteBuffer buffer = buffers.take();
    try {
      long at = part.first();
      long left = part.length();
      while (left > 0) {
        buffer.clear().limit((int) Math.min(buffer.capacity(), left));
        int n = file.read(buffer, at);
        if (n <= 0) {
          throw new IOException("the file became shorter while it was sent");
        }
        at += n;
        left -= n;
        exchange.write(buffer.flip(), last && left == 0);
      }
    } finally {
      buffers.give(buffer);
    }
  }
}
