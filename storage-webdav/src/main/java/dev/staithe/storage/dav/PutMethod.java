package dev.staithe.storage.dav;

import dev.staithe.storage.authz.Admission;
import dev.staithe.storage.checksum.Checksum;
import dev.staithe.storage.checksum.ChecksumAlgorithm;
import dev.staithe.storage.exchange.BeforeCommit;
import dev.staithe.storage.exchange.DavMethod;
import dev.staithe.storage.exchange.DigestHeaders;
import dev.staithe.storage.exchange.Exchange;
import dev.staithe.storage.exchange.FileInTheWay;
import dev.staithe.storage.files.FileEntry;
import dev.staithe.storage.files.FileStore;
import dev.staithe.storage.files.Outcome;
import dev.staithe.storage.files.StoragePath;
import dev.staithe.storage.files.Upload;
import dev.staithe.storage.flows.FlowMarks;
import dev.staithe.storage.locks.LockTable.Lock;
import dev.staithe.storage.locks.Locking;
import dev.staithe.storage.locks.WriteConsent;
import java.io.IOException;
import java.time.Instant;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.jspecify.annotations.Nullable;

/**
 * PUT: everything that can be judged without the content is judged first (so {@code 100 Continue}
 * means that the file would be taken), then the bytes are staged and the file appears whole.
 */
public final class PutMethod implements DavMethod {
  private static final String OF_A_PART =
      "the checksum of a part is stated by the header Content-MD5 and nothing else";
  private static final Pattern CONTENT_RANGE =
      Pattern.compile("bytes (\\d{1,18})-(\\d{1,18})/(\\d{1,18}|\\*)");

  private final Locking locking;
  private final ResumableUploads resumable;
  private final FlowMarks marks;

  /** Respects these locks; hands uploads in parts to {@code resumable}. */
  public PutMethod(Locking locking, ResumableUploads resumable) {
    this(locking, resumable, FlowMarks.OFF);
  }

  /** Marks the flows of uploads too, where the client asks for that. */
  public PutMethod(Locking locking, ResumableUploads resumable, FlowMarks marks) {
    this.locking = locking;
    this.resumable = resumable;
    this.marks = marks;
  }

  @Override
  public void handle(Exchange exchange) throws IOException {
    handle(exchange, BeforeCommit.NOTHING);
  }

  /** The same, with what is done before a whole file gets its name; parts of one do without. */
  public void handle(Exchange exchange, BeforeCommit before) throws IOException {
    StoragePath path = exchange.path();
    HttpFields headers = exchange.request().getHeaders();
    Admission admission = exchange.admissionToWrite(path);
    // What else would be changed about the file is not the creation that a lock has begun.
    Optional<Lock> filling =
        admission instanceof Admission.Refused
                && !headers.contains(HttpHeader.CONTENT_RANGE)
                && !ResumableUploads.concerns(headers)
            ? locking.filling(exchange, path)
            : Optional.empty();
    if (filling.isEmpty() && !exchange.admitted(admission)) {
      return;
    }
    if (path.isRoot() || path.collectionForm()) {
      exchange.refuse(409, "the path ends in a slash: a file cannot be put there");
      return;
    }
    String encoding = headers.get(HttpHeader.CONTENT_ENCODING);
    if (encoding != null && !encoding.equalsIgnoreCase("identity")) {
      exchange.refuse(415, "files are stored as they are: send no Content-Encoding");
      return;
    }
    if (!Locking.wellFormed(exchange)) {
      return;
    }
    WriteConsent consent = WriteConsent.filling(exchange, locking, filling.orElse(null));
    Optional<Outcome.Refused<FileStore.Replace>> obstacle = consent.obstacle();
    if (obstacle.isPresent()) {
      refuse(exchange, obstacle.get());
      return;
    }
    DigestHeaders.Stated stated = DigestHeaders.stated(headers);
    if (!stated.malformed().isEmpty()) {
      refuse(exchange, stated);
      return;
    }
    String contentRange = headers.get(HttpHeader.CONTENT_RANGE);
    if (contentRange != null) {
      putRange(exchange, contentRange, consent, stated.checksums());
      return;
    }
    if (ResumableUploads.concerns(headers)) {
      resumable.begin(exchange);
      return;
    }
    putWhole(exchange, consent, stated.checksums(), before);
  }

  private void putWhole(
      Exchange exchange,
      WriteConsent consent,
      Map<ChecksumAlgorithm, Checksum> stated,
      BeforeCommit before)
      throws IOException {
    switch (exchange
        .area()
        .store()
        .stage(
            exchange.caller().label(),
            exchange.path(),
            exchange.length(),
            algorithms(exchange, stated.keySet()))) {
      case Outcome.Refused<Upload> refused -> exchange.refuse(refused);
      case Outcome.Done<Upload> staged -> {
        try (Upload upload = staged.value()) {
          before.staged(upload);
          receive(exchange, upload);
          Optional<Map<ChecksumAlgorithm, Checksum>> last = statedLast(exchange);
          if (last.isEmpty()) {
            return;
          }
          String mismatch = mismatch(stated, upload.checksums());
          if (mismatch == null) {
            Map<ChecksumAlgorithm, Checksum> computed = new EnumMap<>(ChecksumAlgorithm.class);
            for (ChecksumAlgorithm algorithm : last.get().keySet()) {
              computed.put(algorithm, upload.checksum(algorithm));
            }
            mismatch = mismatch(last.get(), computed);
          }
          if (mismatch != null) {
            exchange.refuse(412, mismatch);
            return;
          }
          Optional<String> notNow = before.complete(upload);
          if (notNow.isPresent()) {
            exchange.refuse(503, notNow.get());
            return;
          }
          boolean dated = dateFrom(exchange.header("X-OC-Mtime"), upload);
          Outcome<FileEntry> committed = upload.commit(consent);
          if (committed instanceof Outcome.Done) {
            before.named();
          }
          answer(exchange, upload.checksums(), committed, consent, dated);
        }
      }
    }
  }

  /**
   * The checksums that will be asked for when the content has come.
   *
   * @param stated those that the client has told
   */
  static Set<ChecksumAlgorithm> algorithms(Exchange exchange, Set<ChecksumAlgorithm> stated) {
    HttpFields headers = exchange.request().getHeaders();
    Set<ChecksumAlgorithm> algorithms = EnumSet.noneOf(ChecksumAlgorithm.class);
    algorithms.addAll(exchange.options().checksums());
    algorithms.addAll(stated);
    DigestHeaders.wanted(headers).stream().findFirst().ifPresent(algorithms::add);
    DigestHeaders.wantedRepr(headers).stream().findFirst().ifPresent(algorithms::add);
    if (headers.contains(HttpHeader.TRAILER) && !exchange.area().store().stagesInPlace()) {
      // Which of them comes behind the content cannot be known, and not be made good then.
      algorithms.addAll(EnumSet.allOf(ChecksumAlgorithm.class));
    }
    return algorithms;
  }

  /** Reads the content into the upload. */
  private void receive(Exchange exchange, Upload upload) throws IOException {
    try (FlowMarks.Mark _ = exchange.mark(marks, false)) {
      Content.Chunk chunk;
      while ((chunk = exchange.read()) != null) {
        try {
          upload.append(chunk.getByteBuffer());
        } finally {
          chunk.release();
        }
      }
    }
  }

  /**
   * The checksums that the client told behind the content, when it had computed them; empty where
   * they are refused and the refusal is on its way.
   */
  static Optional<Map<ChecksumAlgorithm, Checksum>> statedLast(Exchange exchange)
      throws IOException {
    DigestHeaders.Stated last = DigestHeaders.stated(exchange.trailers());
    if (!last.malformed().isEmpty()) {
      refuse(exchange, last);
      return Optional.empty();
    }
    return Optional.of(last.checksums());
  }

  private static void refuse(Exchange exchange, Outcome.Refused<?> refused) throws IOException {
    if (Exchange.statusOf(refused.why()) == 412) {
      FileInTheWay.tell(exchange);
    }
    exchange.refuse(refused);
  }

  static void refuse(Exchange exchange, DigestHeaders.Stated stated) throws IOException {
    exchange.refuse(
        400,
        "the value of the "
            + stated.malformed().getFirst()
            + " digest is broken or contradicts another one");
  }

  static @Nullable String mismatch(
      Map<ChecksumAlgorithm, Checksum> stated, Map<ChecksumAlgorithm, Checksum> computed) {
    for (Checksum checksum : stated.values()) {
      Checksum ours = computed.get(checksum.algorithm());
      if (ours != null && !ours.equals(checksum)) {
        return "checksum mismatch "
            + checksum.algorithm().rfc3230Name()
            + " stated="
            + checksum.hex()
            + " received="
            + ours.hex();
      }
    }
    return null;
  }

  private static void answer(
      Exchange exchange,
      Map<ChecksumAlgorithm, Checksum> checksums,
      Outcome<FileEntry> committed,
      WriteConsent consent,
      boolean dated)
      throws IOException {
    switch (committed) {
      case Outcome.Refused<FileEntry> refused -> refuse(exchange, refused);
      case Outcome.Done<FileEntry> done -> {
        HttpFields.Mutable out = exchange.response().getHeaders();
        out.put(HttpHeader.ETAG, done.value().etag());
        HttpFields headers = exchange.request().getHeaders();
        DigestHeaders.wanted(headers).stream()
            .map(checksums::get)
            .filter(c -> c != null)
            .findFirst()
            .or(() -> Optional.ofNullable(checksums.get(ChecksumAlgorithm.ADLER32)))
            .ifPresent(c -> out.put("Digest", c.rfc3230()));
        DigestHeaders.wantedRepr(headers).stream()
            .map(checksums::get)
            .filter(c -> c != null)
            .findFirst()
            .ifPresent(c -> out.put("Repr-Digest", c.rfc9530()));
        if (dated) {
          out.put("X-OC-Mtime", "accepted");
        }
        exchange.reply(consent.replaced() ? 204 : 201);
      }
    }
  }

  private static boolean dateFrom(@Nullable String seconds, Upload upload) {
    if (seconds == null || !seconds.matches("\\d{1,11}(\\.\\d{1,9})?")) {
      return false;
    }
    return upload.modified(Instant.ofEpochSecond(Long.parseLong(seconds.split("\\.")[0])));
  }

  /** A partial PUT (RFC 9110 section 14.5): a new version of the file, with that part replaced. */
  private void putRange(
      Exchange exchange,
      String contentRange,
      WriteConsent consent,
      Map<ChecksumAlgorithm, Checksum> stated)
      throws IOException {
    if (!exchange.area().store().stagesInPlace()) {
      exchange.refuse(501, "the store of this area keeps whole files: no part of one is replaced");
      return;
    }
    HttpFields headers = exchange.request().getHeaders();
    if (headers.contains("Digest")
        || headers.contains("Repr-Digest")
        || headers.contains("OC-Checksum")) {
      exchange.refuse(400, OF_A_PART);
      return;
    }
    Matcher m = CONTENT_RANGE.matcher(contentRange.trim());
    if (!m.matches()) {
      exchange.refuse(400, "Content-Range is not of the form bytes FIRST-LAST/SIZE");
      return;
    }
    long first = Long.parseLong(m.group(1));
    long last = Long.parseLong(m.group(2));
    Optional<FileEntry> current = exchange.area().store().find(exchange.path());
    long size = current.map(FileEntry::size).orElse(0L);
    long finalSize = Math.max(size, last + 1);
    if (last < first || exchange.length() != last - first + 1) {
      exchange.refuse(400, "Content-Range and Content-Length do not say the same length");
      return;
    }
    if (!m.group(3).equals("*") && Long.parseLong(m.group(3)) != finalSize) {
      exchange.refuse(400, "Content-Range states another size than the file would have");
      return;
    }
    if (current.isPresent() && current.get().collection()) {
      exchange.refuse(405, "there is a collection at this path");
      return;
    }
    if (first > size) {
      exchange.response().getHeaders().put(HttpHeader.CONTENT_RANGE, "bytes */" + size);
      exchange.refuse(416, "the range begins beyond the end of the file, " + size + " bytes");
      return;
    }
    switch (exchange
        .area()
        .store()
        .stage(exchange.caller().label(), exchange.path(), exchange.length(), stated.keySet())) {
      case Outcome.Refused<Upload> refused -> exchange.refuse(refused);
      case Outcome.Done<Upload> staged -> {
        try (Upload upload = staged.value()) {
          receive(exchange, upload);
          if (!DigestHeaders.stated(exchange.trailers()).checksums().isEmpty()) {
            exchange.refuse(400, OF_A_PART);
            return;
          }
          String mismatch = mismatch(stated, upload.checksums());
          if (mismatch != null) {
            exchange.refuse(412, mismatch);
            return;
          }
          answer(exchange, Map.of(), upload.commitRange(first, consent), consent, false);
        }
      }
    }
  }
}
