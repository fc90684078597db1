package dev.staithe.storage.tpc;

import dev.staithe.http.HeaderField;
import dev.staithe.http.HttpConnection;
import dev.staithe.http.ResponseBody;
import dev.staithe.http.ResponseHead;
import dev.staithe.storage.checksum.Checksum;
import dev.staithe.storage.checksum.ChecksumAlgorithm;
import dev.staithe.storage.contracts.PullContract;
import dev.staithe.storage.files.Consent;
import dev.staithe.storage.files.FileEntry;
import dev.staithe.storage.files.FileStore;
import dev.staithe.storage.files.Outcome;
import dev.staithe.storage.files.StoragePath;
import dev.staithe.storage.files.Upload;
import dev.staithe.storage.remote.CopyProgress;
import dev.staithe.storage.remote.CopyResult;
import dev.staithe.storage.remote.Problem;
import dev.staithe.storage.remote.RemoteFailure;
import dev.staithe.storage.remote.RemoteSession;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Brings a file from a remote server: {@code GET} into a staged file, checksums on the way, and a
 * rename when length and checksums are right. Until then nothing is visible; after a failure
 * nothing is left. For one thread.
 */
final class Pull {
  /** Bytes that are not worth a connection of their own to find out that they come in vain. */
  private static final long FEW = 1 << 20;

  private static final String NO_CHECKSUM =
      "the source offers no checksum and RequireChecksumVerification is set";

  private final CopyRequest request;
  private final String caller;
  private final FileStore store;
  private final StoragePath target;
  private final Consent consent;
  private final Set<ChecksumAlgorithm> kept;
  private final RemoteSession session;
  private final @Nullable PullContract contract;
  private final CopyProgress progress;
  private Map<ChecksumAlgorithm, Checksum> stated = Map.of();

  /**
   * Prepares the copy.
   *
   * @param caller who asked
   * @param consent asked when all bytes are there
   * @param kept checksums to compute in any case
   * @param contract that the file comes under, if there is one
   */
  Pull(
      CopyRequest request,
      String caller,
      FileStore store,
      StoragePath target,
      Consent consent,
      Set<ChecksumAlgorithm> kept,
      RemoteSession session,
      @Nullable PullContract contract) {
    this.request = request;
    this.caller = caller;
    this.store = store;
    this.target = target;
    this.consent = consent;
    this.kept = kept;
    this.session = session;
    this.contract = contract;
    this.progress = session.progress();
  }

  /**
   * Performs the copy.
   *
   * @throws RemoteFailure where the source does not do its part
   * @throws IOException where the storage fails
   */
  CopyResult run() throws IOException {
    if (contract == null) {
      return bring();
    }
    session.under(contract);
    try {
      return bring();
    } finally {
      contract.ended();
    }
  }

  private CopyResult bring() throws IOException {
    if (request.streams() > 1) {
      RemoteSession.Reply probe = session.requestReady("HEAD", asking(), 0);
      if (probe.head().status() == 200 && probe.head().contentLength() >= 0) {
        // Where HEAD tells no checksum that is needed GET may, which is asked for the whole.
        Optional<StripedSource> striped =
            StripedSource.of(probe.head(), session.settings())
                .filter(source -> store.stagesInPlace())
                .filter(source -> !needed() || !source.offered().isEmpty());
        if (striped.isPresent() && contract != null) {
          striped = agreedInParts(contract);
        }
        if (striped.isPresent()) {
          return needed() && striped.get().offered().isEmpty()
              ? new CopyResult.Failed(NO_CHECKSUM, 0)
              : inStripes(striped.get());
        }
      }
    }
    return inOneStream(sure(get()));
  }

  /**
   * The source as it signs that it is; empty where it does not agree to a contract for parts. GET
   * then says why, or is answered to for the whole.
   */
  private Optional<StripedSource> agreedInParts(PullContract with) throws IOException {
    RemoteSession.Reply reply = session.agree(asking());
    if (with.mayAskAgain(reply.head().status(), reply.head().fields().list())) {
      reply = session.agree(asking());
    }
    ResponseHead head = reply.head();
    if (head.status() == 200 && head.all("Contract").isPresent()) {
      underContract(step -> step.answered(head.fields().list()));
    }
    return with.agreed()
        ? Optional.of(
            StripedSource.of(head, session.settings()).orElseThrow(StripedSource::changed))
        : Optional.empty();
  }

  /** Whether it is the source's checksum, and no other, that the copy depends on. */
  private boolean needed() {
    return request.requireVerification() && request.expected().isEmpty();
  }

  /**
   * The answer to GET, once it is known that there is a checksum to compare with. Where GET tells
   * none, HEAD may; it is asked before many bytes are moved that must be thrown away without.
   */
  private RemoteSession.Reply sure(RemoteSession.Reply reply) throws IOException {
    ResponseHead head = reply.head();
    long length = head.contentLength();
    if (!needed()
        || head.status() != 200
        || length >= 0 && length <= FEW
        || head.all("Trailer").isPresent()
        || !Digests.in(head.fields()).isEmpty()) {
      return reply;
    }
    session.dropConnection();
    stated = statedByHead(Math.max(0, length));
    if (stated.isEmpty()) {
      throw RemoteFailure.late(NO_CHECKSUM);
    }
    return get();
  }

  private Map<ChecksumAlgorithm, Checksum> statedByHead(long size) throws IOException {
    RemoteSession.Reply reply = session.requestReady("HEAD", asking(), size);
    return switch (reply.head().status()) {
      case 200 -> Digests.in(reply.head().fields());
      // Presigned addresses of object stores are good for one method, which is GET.
      case 401, 403, 405, 501 -> statedWithTheFirstByte(size);
      default ->
          throw RemoteFailure.rejected(
              "HEAD, which was to tell the checksum that GET did not", reply.head());
    };
  }

  /** What GET tells of the whole file where it is asked for one byte; nothing where it refuses. */
  private Map<ChecksumAlgorithm, Checksum> statedWithTheFirstByte(long size) throws IOException {
    List<HeaderField> fields = asking();
    fields.add(new HeaderField("Range", "bytes=0-0"));
    ResponseHead head = session.requestReady("GET", fields, size).head();
    session.dropConnection();
    return switch (head.status()) {
      case 200 -> Digests.in(head.fields());
      case 206 -> Digests.inPart(head.fields());
      default -> Map.of();
    };
  }

  /**
   * The answer to GET. Some servers fail with 500 where they cannot compute the checksum asked for,
   * even because the file is missing: they are asked again more modestly.
   */
  private RemoteSession.Reply get() throws IOException {
    RemoteSession.Reply reply = session.requestReady("GET", asking(), 0);
    if (contract != null
        && contract.mayAskAgain(reply.head().status(), reply.head().fields().list())) {
      session.dropConnection();
      reply = session.requestReady("GET", asking(), 0);
    }
    if (reply.head().status() != 500) {
      return reply;
    }
    RemoteSession.Reply plain = session.requestReady("HEAD", List.of(RemoteSession.IDENTITY), 0);
    if (plain.head().status() != 200) {
      throw RemoteFailure.rejected("GET", plain.head());
    }
    return session.requestReady("GET", List.of(RemoteSession.IDENTITY), 0);
  }

  private static List<HeaderField> asking() {
    List<HeaderField> fields = new ArrayList<>(Digests.WANTED);
    fields.add(RemoteSession.IDENTITY);
    fields.add(new HeaderField("TE", "trailers"));
    fields.add(new HeaderField("Connection", "TE"));
    return fields;
  }

  private CopyResult inOneStream(RemoteSession.Reply reply) throws IOException {
    ResponseHead head = reply.head();
    if (head.status() != 200) {
      throw contract == null
          ? RemoteFailure.rejected("GET", head)
          : RemoteFailure.rejected("GET", head, Problem.detail(reply));
    }
    refuseEncoded(head);
    underContract(step -> step.answered(head.fields().list()));
    ResponseBody body = reply.connection().body();
    Map<ChecksumAlgorithm, Checksum> offered = Digests.in(head.fields());
    stated.forEach(offered::putIfAbsent);
    Set<ChecksumAlgorithm> algorithms = algorithms(offered);
    // What is staged where it cannot be read again is counted by whatever the source may tell.
    if (head.all("Trailer").isPresent()
        || offered.isEmpty() && needed() && !store.stagesInPlace()) {
      algorithms.addAll(EnumSet.of(ChecksumAlgorithm.MD5, ChecksumAlgorithm.SHA_256));
    }
    Optional<CopyResult> different = differsFromExpected(offered);
    if (different.isPresent()) {
      return different.get();
    }
    return staged(
        body.length(),
        algorithms,
        upload -> {
          receive(reply.connection(), upload);
          Digests.in(body.trailers()).forEach(offered::putIfAbsent);
          return verifyAndCommit(upload, offered);
        });
  }

  /** Fills what is staged, and commits it. */
  @FunctionalInterface
  private interface Filling {
    CopyResult fill(Upload upload) throws IOException;
  }

  private CopyResult staged(long length, Set<ChecksumAlgorithm> algorithms, Filling filling)
      throws IOException {
    switch (store.stage(caller, target, length, algorithms)) {
      case Outcome.Refused<Upload> refused -> {
        return CopyResult.Failed.refused(refused);
      }
      case Outcome.Done<Upload>(Upload upload) -> {
        try (upload) {
          if (agreed() != null) {
            upload.beside(ChecksumAlgorithm.SHA_256);
          }
          progress.expect(length);
          progress.enter(CopyProgress.Phase.TRANSFERRING);
          return filling.fill(upload);
        }
      }
    }
  }

  private void receive(HttpConnection connection, Upload upload) throws IOException {
    ResponseBody body = connection.body();
    for (ByteBuffer part = body.next(); part != null; part = body.next()) {
      int bytes = part.remaining();
      long before = System.nanoTime();
      upload.append(part);
      progress.stored(System.nanoTime() - before);
      progress.moved(upload.written());
      session.pace(connection, bytes);
    }
    if (connection.sentTooMuch()) {
      throw RemoteFailure.late(
          "the source sent more than the " + body.length() + " bytes that it announced");
    }
  }

  private CopyResult inStripes(StripedSource source) throws IOException {
    Optional<CopyResult> different = differsFromExpected(source.offered());
    if (different.isPresent()) {
      return different.get();
    }
    RemoteSession.Reply first = source.request(session, asking(), 0, request.streams());
    if (first.head().status() == 200) {
      // The source does not serve ranges: this is the whole file.
      if (agreed() != null) {
        throw StripedSource.changed();
      }
      return inOneStream(first);
    }
    return staged(
        source.length(),
        algorithms(source.offered()),
        upload -> {
          new StripedPull(source, asking(), request.streams(), upload, session).run(first);
          return verifyAndCommit(upload, new EnumMap<>(source.offered()));
        });
  }

  static void refuseEncoded(ResponseHead head) throws RemoteFailure {
    String coding = head.all("Content-Encoding").orElse("identity");
    if (!coding.equalsIgnoreCase("identity")) {
      throw RemoteFailure.late("the source encodes the file although it was asked not to");
    }
  }

  private Set<ChecksumAlgorithm> algorithms(Map<ChecksumAlgorithm, Checksum> offered) {
    Set<ChecksumAlgorithm> algorithms = EnumSet.of(ChecksumAlgorithm.ADLER32);
    algorithms.addAll(kept);
    algorithms.addAll(offered.keySet());
    algorithms.addAll(request.expected().keySet());
    return algorithms;
  }

  /** A source whose checksum is not the client's is refused before a byte of it is stored. */
  private Optional<CopyResult> differsFromExpected(Map<ChecksumAlgorithm, Checksum> offered) {
    return Digests.mismatch(request.expected(), offered)
        .map(
            line ->
                new CopyResult.Failed("the source is another file than requested: " + line, 412));
  }

  private CopyResult verifyAndCommit(Upload upload, Map<ChecksumAlgorithm, Checksum> offered)
      throws IOException {
    progress.enter(CopyProgress.Phase.VERIFYING);
    if (offered.isEmpty() && needed()) {
      offered.putAll(statedByHead(upload.written()));
    }
    Map<ChecksumAlgorithm, Checksum> received = new EnumMap<>(upload.checksums());
    for (Map<ChecksumAlgorithm, Checksum> other : List.of(offered, request.expected())) {
      for (ChecksumAlgorithm algorithm : other.keySet()) {
        received.put(algorithm, upload.checksum(algorithm));
      }
      Optional<String> mismatch = Digests.mismatch(received, other);
      if (mismatch.isPresent()) {
        PullContract agreed = agreed();
        if (agreed != null) {
          agreed.refused(upload.written(), upload.checksum(ChecksumAlgorithm.SHA_256).value());
        }
        return new CopyResult.Failed(mismatch.get(), 0);
      }
    }
    boolean verified = !offered.isEmpty() || !request.expected().isEmpty();
    if (!verified && request.requireVerification()) {
      return new CopyResult.Failed(NO_CHECKSUM, 0);
    }
    progress.refuseIfCancelled();
    long bytes = upload.written();
    Checksum shown = upload.checksum(ChecksumAlgorithm.ADLER32);
    acknowledge(upload);
    return switch (upload.commit(consent)) {
      case Outcome.Done<FileEntry> done -> {
        if (contract != null) {
          contract.acknowledgeSoon();
        }
        yield new CopyResult.Copied(bytes, shown, verified);
      }
      case Outcome.Refused<FileEntry> refused -> CopyResult.Failed.refused(refused);
    };
  }

  /** The contract that the bytes come under, if the source agreed to one. */
  private @Nullable PullContract agreed() {
    return contract != null && contract.agreed() ? contract : null;
  }

  /** A step of the contract, whose failure ends the copy. */
  private interface Step {
    void take(PullContract with) throws IOException;
  }

  private void underContract(Step step) throws RemoteFailure {
    if (contract != null) {
      try {
        step.take(contract);
      } catch (IOException | UncheckedIOException failed) {
        throw RemoteFailure.late(String.valueOf(failed.getMessage()));
      }
    }
  }

  /** What came is kept as received; where the area waits for the sender's word, it is had first. */
  private void acknowledge(Upload upload) throws IOException {
    PullContract agreed = agreed();
    if (agreed == null) {
      return;
    }
    byte[] came = upload.checksum(ChecksumAlgorithm.SHA_256).value();
    underContract(step -> step.verified(upload.written(), came));
    if (agreed.waits()) {
      progress.enter(CopyProgress.Phase.ACKNOWLEDGING);
      underContract(PullContract::acknowledge);
    }
  }
}
