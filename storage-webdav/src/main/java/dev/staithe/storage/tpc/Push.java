package dev.staithe.storage.tpc;

import dev.staithe.http.HeaderField;
import dev.staithe.http.HttpConnection;
import dev.staithe.http.HttpFailure;
import dev.staithe.http.ResponseHead;
import dev.staithe.storage.checksum.Checksum;
import dev.staithe.storage.checksum.ChecksumAlgorithm;
import dev.staithe.storage.checksum.RunningChecksum;
import dev.staithe.storage.files.FileEntry;
import dev.staithe.storage.files.FileStore;
import dev.staithe.storage.files.OpenFile;
import dev.staithe.storage.files.Outcome;
import dev.staithe.storage.files.StoragePath;
import dev.staithe.storage.remote.CopyProgress;
import dev.staithe.storage.remote.CopyResult;
import dev.staithe.storage.remote.Problem;
import dev.staithe.storage.remote.RemoteFailure;
import dev.staithe.storage.remote.RemoteRemoval;
import dev.staithe.storage.remote.RemoteSession;
import dev.staithe.storage.remote.RemoteUrl;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Sends a file to a remote server: {@code PUT}, then {@code HEAD} to compare size and checksum
 * where the answer to PUT tells no checksum that is ours. What was begun there and did not end well
 * is removed there: by its entity tag where the destination told one, or another's file that came
 * meanwhile would be removed instead; and not where the file of before is still in its place. For
 * one thread.
 */
final class Push {
  /** One full network buffer's worth of records. */
  private static final int PART = 256 * 1024;

  private static final long LOOK_EVERY = 8L << 20;

  private static final List<HeaderField> ABSENT = List.of(new HeaderField("If-None-Match", "*"));

  private final CopyRequest request;
  private final String caller;
  private final FileStore store;
  private final StoragePath path;
  private final RemoteSession session;
  private final @Nullable ContractedPush contract;
  private final CopyProgress progress;
  private Map<ChecksumAlgorithm, Checksum> sent = Map.of();
  private boolean expectContinue = true;
  private boolean begun;

  /** When the first byte was sent, by {@link System#nanoTime}. */
  private long begunAt;

  /** Whether the destination says that it has the file. */
  private boolean taken;

  /** The strong entity tag of what the destination took; null where it does not say. */
  private @Nullable String takenTag;

  /**
   * Prepares the copy.
   *
   * @param caller whom it counts against
   * @param contract that the file leaves under, where the area has contracts
   */
  Push(
      CopyRequest request,
      String caller,
      FileStore store,
      StoragePath path,
      RemoteSession session,
      @Nullable ContractedPush contract) {
    this.request = request;
    this.caller = caller;
    this.store = store;
    this.path = path;
    this.session = session;
    this.contract = contract;
    this.progress = session.progress();
  }

  /**
   * Performs the copy.
   *
   * @throws RemoteFailure where the destination does not do its part
   * @throws IOException where the storage fails
   */
  CopyResult run() throws IOException {
    switch (store.open(path)) {
      case Outcome.Refused<OpenFile> refused -> {
        return CopyResult.Failed.refused(refused);
      }
      case Outcome.Done<OpenFile>(OpenFile file) -> {
        try (file) {
          file.readFor(caller);
          return push(file);
        } finally {
          if (contract != null) {
            contract.ended();
          }
        }
      }
    }
  }

  private CopyResult push(OpenFile file) throws IOException {
    progress.expect(file.entry().size());
    Map<ChecksumAlgorithm, Checksum> kept = kept(file.entry());
    Optional<String> different = Digests.mismatch(kept, request.expected());
    if (different.isPresent()) {
      return new CopyResult.Failed("the file is another than requested: " + different.get(), 412);
    }
    boolean signed = contract != null && contract.wanted();
    if (!request.overwrite()) {
      refuseExisting();
    }
    if (contract != null && signed) {
      Checksum sha256 = store.checksum(file.entry(), ChecksumAlgorithm.SHA_256);
      kept.put(ChecksumAlgorithm.SHA_256, sha256);
      contract.offer(file.entry().size(), sha256.value());
    }
    boolean settled = false;
    try {
      RemoteSession.Reply reply = put(file, kept);
      if (!accepted(reply.head().status())) {
        // After an orderly refusal nothing of ours is there, but perhaps another's file is. Who has
        // agreed to take the file and then says that it has not is believed.
        settled = reply.head().status() < 500 || contract != null && contract.agreed();
        throw RemoteFailure.rejected("PUT", reply.head(), detail(reply));
      }
      taken = true;
      takenTag = strongTag(reply);
      session.conditionsMet();
      if (begun && !sent.containsKey(ChecksumAlgorithm.ADLER32)) {
        throw tooEarly();
      }
      progress.moved(file.entry().size());
      if (contract != null) {
        contract.taken();
      }
      progress.enter(CopyProgress.Phase.VERIFYING);
      boolean verified = verify(file.entry(), kept, reply.head());
      settled = true;
      Checksum shown = sent.get(ChecksumAlgorithm.ADLER32);
      return new CopyResult.Copied(
          file.entry().size(),
          shown == null ? RunningChecksum.of(ChecksumAlgorithm.ADLER32).finish() : shown,
          verified);
    } catch (HttpFailure | RemoteFailure failed) {
      if (settled || !begun) {
        throw failed;
      }
      settled = true;
      throw new RemoteFailure(failed.getMessage() + remove(), RemoteFailure.status(failed));
    } finally {
      if (!settled && begun) {
        remove();
      }
    }
  }

  private String remove() {
    return taken
        ? RemoteRemoval.ofTaken(session, takenTag)
        : RemoteRemoval.ofBegun(session, begunAt);
  }

  /** That of another server, to which a redirect led, means nothing where it is removed. */
  private @Nullable String strongTag(RemoteSession.Reply reply) {
    String tag = reply.head().field("ETag");
    return tag != null && tag.startsWith("\"") && reply.place().equals(session.named())
        ? tag
        : null;
  }

  private static RemoteFailure tooEarly() {
    return RemoteFailure.late("the destination accepted the file before all of it was sent");
  }

  private Map<ChecksumAlgorithm, Checksum> kept(FileEntry file) throws IOException {
    Map<ChecksumAlgorithm, Checksum> kept = new EnumMap<>(ChecksumAlgorithm.class);
    for (ChecksumAlgorithm algorithm : ChecksumAlgorithm.values()) {
      store.kept(file, algorithm).ifPresent(checksum -> kept.put(algorithm, checksum));
    }
    return kept;
  }

  private void refuseExisting() throws IOException {
    RemoteSession.Reply reply = session.request("HEAD", List.of(RemoteSession.IDENTITY));
    int status = reply.head().status();
    // 304: by a condition that the client forwards, such as If-None-Match.
    if (status >= 200 && status < 300 || status == 304) {
      throw new RemoteFailure("File exists at the destination and Overwrite is F", 412);
    }
    if (status != 404 && status != 410) {
      throw RemoteFailure.rejected("HEAD", reply.head());
    }
  }

  private String detail(RemoteSession.Reply refusal) {
    if (contract != null) {
      return Problem.detail(refusal);
    }
    return refusal.head().status() == 412 && !request.overwrite()
        ? "Overwrite is F, and the file may be there by now"
        : "";
  }

  private static boolean accepted(int status) {
    return switch (status) {
      case 200, 201, 202, 204, 205 -> true;
      default -> false;
    };
  }

  private RemoteSession.Reply put(OpenFile file, Map<ChecksumAlgorithm, Checksum> kept)
      throws IOException {
    List<ByteBuffer> buffer =
        session.client().buffers().take(1, session.settings().timeouts().connect());
    try {
      List<HeaderField> own = fields(file.entry().size(), kept);
      RemoteSession.Exchange exchange =
          (connection, url, forwarded) -> {
            // Wherever a redirect leads: nothing is replaced there that must not be.
            List<HeaderField> all = new ArrayList<>(request.forwarded().conditions());
            RemoteSession.replace(all, forwarded);
            if (!request.overwrite()) {
              // It was not there when it was asked for, and may be now.
              RemoteSession.replace(all, ABSENT);
            }
            all.addAll(own);
            if (contract != null) {
              contract.deliver(url, all);
            }
            return put(connection, url, all, file, buffer.getFirst());
          };
      RemoteSession.Place at = contract == null ? session.named() : contract.place();
      RemoteSession.Reply reply = session.request(exchange, at, next -> true);
      if (reply.head().status() == 417 && expectContinue) {
        // RFC 9110 section 10.1.1: repeat without the expectation.
        expectContinue = false;
        session.dropConnection();
        reply = session.request(exchange, at, next -> true);
      }
      return reply;
    } finally {
      session.client().buffers().give(buffer);
    }
  }

  private List<HeaderField> fields(long size, Map<ChecksumAlgorithm, Checksum> kept) {
    List<HeaderField> fields = new ArrayList<>();
    fields.add(new HeaderField("Content-Length", String.valueOf(size)));
    fields.addAll(Digests.WANTED);
    Map<ChecksumAlgorithm, Checksum> known = new EnumMap<>(ChecksumAlgorithm.class);
    known.putAll(kept);
    known.putAll(request.expected());
    if (!known.isEmpty()) {
      Collection<Checksum> values = known.values();
      fields.add(
          new HeaderField(
              "Repr-Digest",
              values.stream().map(Checksum::rfc9530).collect(Collectors.joining(", "))));
      fields.add(
          new HeaderField(
              "Digest", values.stream().map(Checksum::rfc3230).collect(Collectors.joining(","))));
    }
    return fields;
  }

  private ResponseHead put(
      HttpConnection connection,
      RemoteUrl url,
      List<HeaderField> fields,
      OpenFile file,
      ByteBuffer buffer)
      throws IOException {
    long size = file.entry().size();
    sent = Map.of();
    if (size > 0 && expectContinue) {
      fields.add(new HeaderField("Expect", "100-continue"));
    }
    connection.begin("PUT", size > 0);
    connection.send(RemoteSession.head("PUT", url, fields));
    ResponseHead answer = size > 0 && expectContinue ? connection.awaitContinue() : null;
    if (answer == null) {
      progress.enter(CopyProgress.Phase.TRANSFERRING);
      begunAt = begun ? begunAt : System.nanoTime();
      begun = true;
      answer = sendBody(connection, file, buffer);
    }
    if (answer.status() == 303) {
      throw RemoteFailure.rejected("PUT", answer);
    }
    return answer;
  }

  private ResponseHead sendBody(HttpConnection connection, OpenFile file, ByteBuffer buffer)
      throws IOException {
    Map<ChecksumAlgorithm, RunningChecksum> sums = new EnumMap<>(ChecksumAlgorithm.class);
    sums.put(ChecksumAlgorithm.ADLER32, RunningChecksum.of(ChecksumAlgorithm.ADLER32));
    request.expected().keySet().forEach(a -> sums.computeIfAbsent(a, RunningChecksum::of));
    long size = file.entry().size();
    long nextLook = LOOK_EVERY;
    file.expect(0, size);
    for (long at = 0; at < size; ) {
      buffer.clear().limit((int) Math.min(PART, size - at));
      long before = System.nanoTime();
      int n = file.read(buffer, at);
      progress.stored(System.nanoTime() - before);
      if (n < 0) {
        throw new IOException("the file became shorter while it was read");
      }
      buffer.flip();
      sums.values().forEach(sum -> sum.update(buffer));
      try {
        connection.send(buffer);
      } catch (HttpFailure broken) {
        ResponseHead answer = connection.lastWords();
        if (answer == null) {
          throw broken;
        }
        return answer;
      }
      at += n;
      progress.moved(at);
      session.pace(connection, n);
      if (at >= nextLook && at < size) {
        nextLook = at + LOOK_EVERY;
        ResponseHead early = connection.earlyResponse();
        if (early != null) {
          return early;
        }
      }
    }
    connection.bodySent();
    if (contract != null && contract.agreed()) {
      contract.sent();
      progress.enter(CopyProgress.Phase.ACKNOWLEDGING);
    }
    Map<ChecksumAlgorithm, Checksum> finished = new EnumMap<>(ChecksumAlgorithm.class);
    sums.forEach((algorithm, sum) -> finished.put(algorithm, sum.finish()));
    sent = finished;
    return connection.receive();
  }

  /**
   * Compares what arrived with what was read; whether a checksum of the other side was compared.
   *
   * @throws RemoteFailure where it is not the same, or must be compared and cannot
   */
  private boolean verify(FileEntry file, Map<ChecksumAlgorithm, Checksum> kept, ResponseHead answer)
      throws IOException {
    refuseMismatch("the local file is damaged: ", kept);
    refuseMismatch("the file is another than requested: ", request.expected());
    Map<ChecksumAlgorithm, Checksum> local = new EnumMap<>(ChecksumAlgorithm.class);
    local.putAll(kept);
    local.putAll(sent);
    // 202 speaks of what will be, perhaps.
    Map<ChecksumAlgorithm, Checksum> offered =
        answer.status() == 202 ? Map.of() : Digests.in(answer.fields());
    boolean agreed =
        Digests.comparable(local, offered) && Digests.mismatch(local, offered).isEmpty();
    boolean told = contract != null && contract.agreed();
    // Whoever says so has all of it; one request less, and the credential may end meanwhile.
    if (request.checkAfterPush() && !agreed) {
      List<HeaderField> fields = new ArrayList<>(Digests.WANTED);
      fields.add(RemoteSession.IDENTITY);
      RemoteSession.Reply reply = session.requestReady("HEAD", fields, file.size());
      ResponseHead head = reply.head();
      if (head.status() != 200) {
        throw RemoteFailure.late(
            "verification failed: rejected HEAD after PUT: " + RemoteFailure.statusLine(head));
      }
      long length = head.contentLength();
      if (length >= 0 && length != file.size()) {
        throw RemoteFailure.late(
            "verification failed: size mismatch local=" + file.size() + " remote=" + length);
      }
      told |= length >= 0;
      Map<ChecksumAlgorithm, Checksum> stated = Digests.in(head.fields());
      // That of an answer to PUT may be of the words in that answer.
      offered = stated.isEmpty() ? offered : stated;
    }
    if (sent.isEmpty() && offered.isEmpty() && !told) {
      // Not a byte went out: a proxy, say, that answers 200 to everything.
      throw tooEarly();
    }
    if (!offered.isEmpty() && !Digests.comparable(local, offered)) {
      ChecksumAlgorithm theirs = offered.keySet().iterator().next();
      local.put(theirs, store.checksum(file, theirs));
    }
    Optional<String> mismatch = Digests.mismatch(local, offered);
    if (mismatch.isPresent()) {
      throw RemoteFailure.late("verification failed: " + mismatch.get());
    }
    if (offered.isEmpty() && request.checkAfterPush() && request.requireVerification()) {
      throw RemoteFailure.late(
          "verification failed: the destination offers no checksum and"
              + " RequireChecksumVerification is set");
    }
    return !offered.isEmpty();
  }

  private void refuseMismatch(String what, Map<ChecksumAlgorithm, Checksum> wanted)
      throws RemoteFailure {
    Optional<String> mismatch = Digests.mismatch(sent, wanted);
    if (mismatch.isPresent()) {
      throw RemoteFailure.late(what + mismatch.get());
    }
  }
}
