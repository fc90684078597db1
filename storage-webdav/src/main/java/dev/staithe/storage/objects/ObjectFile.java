package dev.staithe.storage.objects;

import dev.staithe.s3.ObjectBody;
import dev.staithe.s3.ObjectHead;
import dev.staithe.s3.S3Client;
import dev.staithe.s3.S3Endpoint;
import dev.staithe.storage.checksum.Checksum;
import dev.staithe.storage.checksum.ChecksumAlgorithm;
import dev.staithe.storage.files.FileEntry;
import dev.staithe.storage.files.OpenFile;
import dev.staithe.storage.files.StoragePath;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An object that is read. Reads that follow one another are one request; one elsewhere begins
 * another. The engine gives bytes of the object that was opened or none. Reads of several threads
 * take turns.
 */
final class ObjectFile implements OpenFile {
  /** By which a request says what type the answer tells. */
  private static final String CONTENT_TYPE = "response-content-type";

  private final S3Client client;
  private final S3Endpoint outside;
  private final KeptTags tags;
  private final FileEntry entry;
  private final ObjectHead head;
  private final @Nullable ByteBuffer whole;
  private @Nullable ObjectBody body;
  private @Nullable ByteBuffer slice;
  private long position;
  private KeptTags.@Nullable Kept kept;
  private @Nullable String reader;

  /** Every byte after this one of a range is read by nobody. */
  private long end;

  /**
   * @param outside the bucket's address for clients
   * @param whole all its bytes, where they were read already
   */
  ObjectFile(
      S3Client client,
      S3Endpoint outside,
      KeptTags tags,
      FileEntry entry,
      @Nullable ByteBuffer whole) {
    this.outside = outside;
    this.client = client;
    this.tags = tags;
    this.entry = entry;
    this.head = ObjectPlace.head(entry);
    this.end = head.size();
    this.whole = whole;
  }

  /** All bytes of a small object. */
  static ByteBuffer bytes(ObjectBody body) throws IOException {
    ByteBuffer all = ByteBuffer.allocate((int) body.head().size());
    for (ByteBuffer some = body.next(); some != null; some = body.next()) {
      all.put(some);
    }
    return all.flip();
  }

  @Override
  public FileEntry entry() {
    return entry;
  }

  @Override
  public synchronized Optional<Checksum> kept(ChecksumAlgorithm algorithm) {
    if (kept == null) {
      kept = tags.read(head);
    }
    return Optional.ofNullable(kept.checksums().get(algorithm));
  }

  @Override
  public Optional<StoragePath> place() {
    return Optional.empty();
  }

  /** None where the clocks differ: it might be over when the client comes. */
  @Override
  public Optional<String> address(Duration life, String type) {
    if (client.clock().isOff()) {
      return Optional.empty();
    }
    return Optional.of(
        client.presignedGet(
            outside, head.key(), life, type.isEmpty() ? Map.of() : Map.of(CONTENT_TYPE, type)));
  }

  @Override
  public synchronized void readFor(String party) {
    reader = party;
  }

  @Override
  public synchronized void expect(long from, long to) {
    end = Math.min(to, head.size());
  }

  @Override
  public synchronized int read(ByteBuffer into, long from) throws IOException {
    if (from >= head.size()) {
      return -1;
    }
    if (!into.hasRemaining()) {
      return 0;
    }
    if (whole != null) {
      int n = Math.min(whole.limit() - (int) from, into.remaining());
      into.put(whole.slice((int) from, n));
      return n;
    }
    return EngineTrouble.told(() -> next(into, from));
  }

  private int next(ByteBuffer into, long from) throws IOException {
    ByteBuffer bytes = slice;
    if (body == null || from != position) {
      end();
      long to = from < end ? end : head.size();
      body = client.get(head, from, to, reader);
      position = from;
      bytes = null;
    }
    if (bytes == null || !bytes.hasRemaining()) {
      do {
        bytes = body.next();
      } while (bytes != null && !bytes.hasRemaining());
      slice = bytes;
    }
    if (bytes == null) {
      end();
      return next(into, from); // The range that was expected is over, the file is not.
    }
    int n = Math.min(bytes.remaining(), into.remaining());
    into.put(bytes.slice(bytes.position(), n));
    bytes.position(bytes.position() + n);
    position += n;
    return n;
  }

  private void end() {
    slice = null;
    if (body != null) {
      body.close();
      body = null;
    }
  }

  @Override
  public synchronized void close() {
    end();
  }
}
