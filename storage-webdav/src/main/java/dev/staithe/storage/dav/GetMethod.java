package dev.staithe.storage.dav;

import dev.staithe.service.http.KernelSending;
import dev.staithe.storage.authz.Admission;
import dev.staithe.storage.authz.Right;
import dev.staithe.storage.checksum.Checksum;
import dev.staithe.storage.checksum.ChecksumAlgorithm;
import dev.staithe.storage.exchange.AccelRedirect;
import dev.staithe.storage.exchange.ByteRanges;
import dev.staithe.storage.exchange.Conditions;
import dev.staithe.storage.exchange.Dates;
import dev.staithe.storage.exchange.DavMethod;
import dev.staithe.storage.exchange.DigestHeaders;
import dev.staithe.storage.exchange.DirectReading;
import dev.staithe.storage.exchange.Exchange;
import dev.staithe.storage.exchange.MediaTypes;
import dev.staithe.storage.exchange.TransferBuffers;
import dev.staithe.storage.files.ChecksumJobs;
import dev.staithe.storage.files.FileChangedException;
import dev.staithe.storage.files.FileEntry;
import dev.staithe.storage.files.OpenFile;
import dev.staithe.storage.files.Outcome;
import dev.staithe.storage.files.Refusal;
import dev.staithe.storage.flows.FlowMarks;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.List;
import java.util.Optional;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.util.BufferUtil;
import org.jspecify.annotations.Nullable;

/**
 * GET and HEAD: the file's bytes go from the page cache into a direct buffer and from there to the
 * connection; no byte array, nothing in proportion to the file.
 */
public final class GetMethod implements DavMethod {
  static final String SHRUNK = "the file became shorter while it was sent";

  /** How long an answer waits for a buffer before it is refused: others go on meanwhile. */
  private static final long FIRST_WAIT_MILLIS = 5_000;

  /** Bytes of which the kernel takes less to send them than it takes to ask for that. */
  private static final long LEAST_BY_KERNEL = 512 << 10;

  /** Bytes that are sent as others are, in between: until they are taken the thread waits. */
  private static final int WAITING = 4 << 10;

  private final TransferBuffers buffers;
  private final ChecksumJobs checksums;
  private final DavMethod collectionPage;
  private final @Nullable AccelRedirect accel;
  private final FlowMarks marks;

  /**
   * Sends files with {@code buffers}, computes by {@code checksums} what is not kept, and answers
   * GET of a collection by {@code collectionPage}. Leaves the sending of files to the proxy by
   * {@code accel}, where it may; marks the flows of those that it sends itself, where the client
   * asks for that.
   */
  public GetMethod(
      TransferBuffers buffers,
      ChecksumJobs checksums,
      DavMethod collectionPage,
      @Nullable AccelRedirect accel,
      FlowMarks marks) {
    this.buffers = buffers;
    this.checksums = checksums;
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
          file.readFor(exchange.party());
          if (exchange.path().collectionForm()) {
            missing(exchange);
            return;
          }
          if (describe(exchange, file.entry(), exchange.isSealed(), file::kept)) {
            judge(exchange, file.entry(), file);
          }
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
      // To know what is in a file is to read it.
      boolean compute =
          exchange.admission(exchange.path(), Right.READ) instanceof Admission.Allowed;
      if (describe(
          exchange, file, compute, algorithm -> exchange.area().store().kept(file, algorithm))) {
        judge(exchange, file, null);
      }
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

  /** Sets the headers of the answer; false where it is refused. */
  private boolean describe(Exchange exchange, FileEntry file, boolean compute, KeptChecksums kept)
      throws IOException {
    HttpFields wishes = exchange.request().getHeaders();
    List<ChecksumAlgorithm> wanted = DigestHeaders.wanted(wishes);
    List<ChecksumAlgorithm> shown =
        wishes.contains("Want-Digest") ? wanted : List.of(ChecksumAlgorithm.ADLER32);
    List<ChecksumAlgorithm> wantedRepr = DigestHeaders.wantedRepr(wishes);
    Optional<Checksum> digest = kept(shown, kept);
    Optional<Checksum> repr = kept(wantedRepr, kept);
    // For an answer that is none of the file it is not read.
    if (compute && Conditions.judge(wishes, Optional.of(file), true) == Conditions.Verdict.MET) {
      if (digest.isEmpty() && !wanted.isEmpty()) {
        digest = computed(exchange, file, wanted.getFirst());
        if (digest.isEmpty()) {
          return false;
        }
      }
      if (repr.isEmpty() && !wantedRepr.isEmpty()) {
        repr = computed(exchange, file, wantedRepr.getFirst());
        if (repr.isEmpty()) {
          return false;
        }
      }
    }
    HttpFields.Mutable headers = exchange.response().getHeaders();
    describe(headers, file);
    digest.ifPresent(c -> headers.put("Digest", c.rfc3230()));
    repr.ifPresent(c -> headers.put("Repr-Digest", c.rfc9530()));
    return true;
  }

  /** What every answer says of a file. */
  static void describe(HttpFields.Mutable headers, FileEntry file) {
    headers.put(HttpHeader.ETAG, file.etag());
    headers.put(HttpHeader.LAST_MODIFIED, Dates.http(file.modified()));
    headers.put(HttpHeader.ACCEPT_RANGES, "bytes");
    headers.put(HttpHeader.CONTENT_TYPE, MediaTypes.of(file.path().name()));
    // A stored page must not run as one of ours.
    headers.put("X-Content-Type-Options", "nosniff");
    headers.put("Content-Security-Policy", "sandbox; default-src 'none'");
  }

  /** The best checksum that is kept. */
  private static Optional<Checksum> kept(List<ChecksumAlgorithm> wanted, KeptChecksums kept)
      throws IOException {
    for (ChecksumAlgorithm algorithm : wanted) {
      Optional<Checksum> known = kept.of(algorithm);
      if (known.isPresent()) {
        return known;
      }
    }
    return Optional.empty();
  }

  /** The checksum by reading the file; where it is empty, the refusal is on its way. */
  private Optional<Checksum> computed(
      Exchange exchange, FileEntry file, ChecksumAlgorithm algorithm) throws IOException {
    if (!exchange.area().store().locality(file).onDisk()) {
      exchange.refuse(Exchange.statusOf(Refusal.OFFLINE), Refusal.OFFLINE.text());
      return Optional.empty();
    }
    Optional<Checksum> computed;
    try {
      computed =
          checksums.compute(
              exchange.area().store(), file, algorithm, exchange.party(), exchange::clientGone);
    } catch (FileChangedException changed) {
      // The other headers are of the version that was asked about.
      exchange.refuseForNow(String.valueOf(changed.getMessage()));
      return Optional.empty();
    }
    if (computed.isEmpty()) {
      exchange.refuseForNow("too many checksums are being computed");
    }
    return computed;
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
            !exchange.isSealed()
                && file != null
                && !(ranges instanceof ByteRanges.Unsatisfiable)
                && leave(exchange, file, ranges);
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

  /** Has another program send the file, where one may. */
  private boolean leave(Exchange exchange, OpenFile file, ByteRanges ranges) throws IOException {
    DirectReading direct = exchange.options().direct();
    return accel != null && accel.answer(exchange, file)
        || direct != null && direct.answer(exchange, file, ranges);
  }

  private void send(Exchange exchange, FileEntry entry, @Nullable OpenFile file, ByteRanges ranges)
      throws IOException {
    HttpFields.Mutable headers = exchange.response().getHeaders();
    switch (ranges) {
      case ByteRanges.Unsatisfiable none -> {
        headers.put(HttpHeader.CONTENT_RANGE, "bytes */" + entry.size());
        exchange.refuse(416, "the file has " + entry.size() + " bytes");
      }
      case ByteRanges.Whole whole when file != null && entry.size() > 0 ->
          stream(exchange, file, new ByteRanges.Part(0, entry.size() - 1), 200);
      case ByteRanges.Whole whole -> {
        exchange.response().setStatus(200);
        headers.put(HttpHeader.CONTENT_LENGTH, entry.size());
        exchange.write(BufferUtil.EMPTY_BUFFER, true);
      }
      case ByteRanges.Parts parts when file != null && parts.parts().size() == 1 ->
          stream(exchange, file, parts.parts().getFirst(), 206);
      case ByteRanges.Parts parts when file != null -> sendParts(exchange, file, parts);
      case ByteRanges.Parts parts -> throw new IllegalStateException("ranges without a file");
    }
  }

  private void sendParts(Exchange exchange, OpenFile file, ByteRanges.Parts parts)
      throws IOException {
    try (TransferBuffers.Share share = first(exchange)) {
      if (share != null) {
        String type = exchange.response().getHeaders().get(HttpHeader.CONTENT_TYPE);
        new RangesAnswer(exchange, file, parts.parts(), type).send(share);
      }
    }
  }

  /** A buffer to begin an answer with; null where there is none and the refusal is on its way. */
  private TransferBuffers.@Nullable Share first(Exchange exchange) throws IOException {
    TransferBuffers.Share share = buffers.take(exchange.party(), FIRST_WAIT_MILLIS);
    if (share == null) {
      exchange.refuseForNow("too many clients take what they asked for slowly");
    }
    return share;
  }

  private void stream(Exchange exchange, OpenFile file, ByteRanges.Part part, int status)
      throws IOException {
    try (TransferBuffers.Share share = first(exchange)) {
      if (share == null) {
        return;
      }
      HttpFields.Mutable headers = exchange.response().getHeaders();
      exchange.response().setStatus(status);
      headers.put(HttpHeader.CONTENT_LENGTH, part.length());
      if (status == 206) {
        headers.put(HttpHeader.CONTENT_RANGE, part.contentRange(file.entry().size()));
      }
      long at = part.first();
      long left = part.length();
      file.expect(at, at + left);
      KernelSending kernel = left < LEAST_BY_KERNEL ? null : KernelSending.of(exchange.request());
      FileChannel source = kernel == null ? null : file.forKernel();
      while (left > 0) {
        ByteBuffer buffer = share.buffer();
        // Where the kernel sends, this is what is waited with for a client that takes no more.
        buffer.limit((int) Math.min(source == null ? buffer.capacity() : WAITING, left));
        int n = file.read(buffer, at);
        if (n <= 0) {
          throw new IOException(SHRUNK);
        }
        at += n;
        left -= n;
        exchange.write(buffer.flip(), left == 0);
        int sent = kernel == null || source == null ? 0 : kernel.send(source, at, left);
        if (sent > 0) {
          at += sent;
          left -= sent;
          exchange.write(KernelSending.sent(sent), left == 0);
        }
        if (left > 0) {
          share.renew();
        }
      }
    }
  }
}
