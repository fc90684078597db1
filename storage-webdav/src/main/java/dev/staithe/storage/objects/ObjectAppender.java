package dev.staithe.storage.objects;

import dev.staithe.s3.PartUpload;
import dev.staithe.s3.S3Client;
import dev.staithe.s3.S3Failure;
import dev.staithe.s3.SentParts;
import dev.staithe.storage.checksum.RunningChecksum;
import dev.staithe.storage.files.PartialUploads;
import dev.staithe.storage.files.StoreAwayException;
import dev.staithe.storage.objects.PartRecords.Kept;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Appends what one request brings to an upload. The record is replaced when the engine has all that
 * it will name, and what it named before goes after that: whenever this process is killed, the
 * record tells bytes that are there. For one thread.
 */
final class ObjectAppender implements PartialUploads.Appender {
  private final ObjectUploads uploads;
  private final S3Client client;
  private final PartRecords records;
  private final UploadRests rests;
  private final ObjectRoom.Share share;
  private final ObjectBytes bytes;
  private final CarriedChecksums sums;
  private Kept kept;
  private long position;
  private boolean takenUp;

  /** Whether something failed on the way, so that no more can be kept than is. */
  private boolean broken;

  ObjectAppender(
      ObjectUploads uploads,
      S3Client client,
      PartRecords records,
      UploadRests rests,
      ObjectRoom.Share share,
      ObjectBytes bytes,
      Kept kept) {
    this.uploads = uploads;
    this.client = client;
    this.records = records;
    this.rests = rests;
    this.share = share;
    this.bytes = bytes;
    this.sums = CarriedChecksums.of(kept.sums());
    this.kept = kept;
    this.position = kept.offset();
  }

  /** Something after which there is no going on unless it is done. */
  private interface Step {
    void run() throws IOException;
  }

  private void whole(Step step) throws IOException {
    if (broken) {
      throw new IOException("an upload that has failed takes no more");
    }
    broken = true;
    try {
      step.run();
      broken = false;
    } catch (S3Failure e) {
      if (e.kind() == S3Failure.Kind.REFUSED && isGone()) {
        uploads.giveUp(kept);
        throw new StoreAwayException("parts of this upload were lost: begin another", e);
      }
      throw EngineTrouble.told(e);
    } catch (IOException e) {
      throw EngineTrouble.told(e);
    }
  }

  /** Whether somebody else has ended the engine's upload. */
  private boolean isGone() throws IOException {
    SentParts sent = kept.sent();
    if (sent == null) {
      return false;
    }
    PartUpload upload = sent.upload();
    return !EngineTrouble.told(() -> client.isUnderWay(upload));
  }

  @Override
  public void append(ByteBuffer some) throws IOException {
    int n = some.remaining();
    share.reach(position + n);
    whole(
        () -> {
          if (!takenUp) {
            takenUp = true;
            uploads.takeUp(kept, bytes);
          }
          sums.update(some);
          bytes.append(some);
        });
    position += n;
  }

  @Override
  public long position() {
    return position;
  }

  @Override
  public void keep() throws IOException {
    if (position > kept.offset()) {
      whole(this::keepAll);
    }
  }

  private void keepAll() throws IOException {
    if (position == kept.partial().length()) {
      bytes.flush(); // The last part may be a short one.
    }
    SentParts sent = bytes.settle();
    List<ByteBuffer> rest = bytes.rest();
    RunningChecksum.Adler sum = new RunningChecksum.Adler();
    rest.forEach(sum::update);
    long left = rest.stream().mapToLong(ByteBuffer::remaining).sum();
    Kept before = kept;
    Kept next =
        new Kept(
            before.partial(),
            before.planned(),
            sent,
            position - left,
            left,
            sum.value(),
            sums.text());
    rests.put(next, rest);
    records.write(next);
    kept = next;
    rests.remove(before);
  }

  /** Keeps what has come, unless the upload was given up. */
  @Override
  public void close() throws IOException {
    try (bytes) {
      if (!broken && records.read(kept.partial().id()).isPresent()) {
        keep();
      }
    } finally {
      if (kept.sent() == null) {
        bytes.abandon(); // No record names what was begun.
      }
      uploads.appended(kept, share);
    }
  }
}
