package dev.staithe.storage.objects;

import dev.staithe.s3.EngineTraits;
import dev.staithe.s3.ObjectHead;
import dev.staithe.s3.PartUpload;
import dev.staithe.s3.S3Client;
import dev.staithe.s3.S3Failure;
import dev.staithe.s3.WriteCondition;
import dev.staithe.s3.Written;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Copies of one object within the engine, with what is kept of it. A large one is brought in parts,
 * so that only its last step is done while a path is held; and so is one that must replace nothing,
 * for a completion has a condition where the copy of an object has none. Safe for many threads.
 */
final class ObjectCopies {
  /** More is brought in parts of so many bytes, or as many more as the number of parts demands. */
  private static final long PART = 256L << 20;

  private static final int MOST_PARTS = 10_000;

  private final S3Client client;
  private final EngineTraits traits;
  private final KeptTags tags;

  ObjectCopies(S3Client client, EngineTraits traits, KeptTags tags) {
    this.client = client;
    this.traits = traits;
    this.tags = tags;
  }

  /** A copy that nobody sees before {@link #finish}; for one thread. */
  final class Copy implements AutoCloseable {
    private final ObjectHead from;
    private final String to;
    private final KeptTags.Kept kept;
    private final List<String> etags = new ArrayList<>();
    private Optional<PartUpload> upload = Optional.empty();

    private Copy(ObjectHead from, String to) throws S3Failure {
      this.from = from;
      this.to = to;
      this.kept = tags.read(from);
      if (from.size() > PART) {
        bring();
      }
    }

    private void bring() throws S3Failure {
      PartUpload begun = client.begin(to, from.metadata());
      upload = Optional.of(begun);
      long part = Math.max(PART, from.size() / MOST_PARTS + 1);
      for (long at = 0; at < from.size(); at += part) {
        long end = Math.min(from.size(), at + part);
        etags.add(client.copyPart(begun, etags.size() + 1, from, at, end));
      }
    }

    /**
     * Makes it visible.
     *
     * @param absent whether nothing may be there
     */
    Written finish(boolean absent) throws S3Failure {
      Written written = visible(absent);
      if (written instanceof Written.Stored) {
        upload = Optional.empty();
        Optional<ObjectHead> made = client.head(to);
        if (made.isPresent()) {
          tags.add(made.get(), kept.checksums(), kept.compared());
        }
      }
      return written;
    }

    private Written visible(boolean absent) throws S3Failure {
      WriteCondition condition = absent ? WriteCondition.ABSENT : WriteCondition.NONE;
      if (from.size() == 0) {
        return client.put(to, List.of(), from.metadata(), condition);
      }
      if (upload.isEmpty() && absent && traits.completesOnce()) {
        bring();
      }
      return upload.isPresent()
          ? client.complete(
              upload.get(), etags, traits.completesOnce() ? condition : WriteCondition.NONE)
          : client.copy(from, to, WriteCondition.NONE);
    }

    @Override
    public void close() throws S3Failure {
      if (upload.isPresent()) {
        client.abort(upload.get());
        upload = Optional.empty();
      }
    }
  }

  /** Begins to copy an object, which must stay as it is. */
  Copy begin(ObjectHead from, String to) throws S3Failure {
    return new Copy(from, to);
  }

  /** Copies an object over whatever is there. */
  Written copy(ObjectHead from, String to) throws S3Failure {
    try (Copy copy = begin(from, to)) {
      return copy.finish(false);
    }
  }

  /** Copies an object without what is kept with it, as the mark of a collection. */
  void copyMark(String to) throws S3Failure {
    client.put(to, List.of(), Map.of(), WriteCondition.NONE);
  }
}
