package dev.staithe.storage.objects;

import dev.staithe.s3.EngineTraits;
import dev.staithe.s3.ListPage;
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
  private static final long PART = 256L << 20;

  private static final int MOST_PARTS = 10_000;

  private final S3Client client;
  private final EngineTraits traits;
  private final KeptTags tags;
  private final long part;

  ObjectCopies(S3Client client, EngineTraits traits, KeptTags tags) {
    this(client, traits, tags, PART);
  }

  /**
   * @param part more is brought in parts of so many bytes, or as many more as the number of parts
   *     demands
   */
  ObjectCopies(S3Client client, EngineTraits traits, KeptTags tags, long part) {
    this.client = client;
    this.traits = traits;
    this.tags = tags;
    this.part = part;
  }

  /** A copy that nobody sees before {@link #finish}; for one thread. */
  final class Copy implements AutoCloseable {
    private final ObjectHead from;
    private final String to;
    private final KeptTags.Kept kept;
    private final List<String> etags = new ArrayList<>();
    private Optional<PartUpload> upload = Optional.empty();

    /** Tags of others, where the engine does not bring them itself. */
    private Map<String, String> others = Map.of();

    private Copy(ObjectHead from, String to) {
      this.from = from;
      this.to = to;
      this.kept = tags.read(from);
    }

    private void bring() throws S3Failure {
      others = tags.others(from);
      PartUpload begun = client.begin(to, from.metadata(), from.content());
      upload = Optional.of(begun);
      long length = Math.max(part, from.size() / MOST_PARTS + 1);
      for (long at = 0; at < from.size(); at += length) {
        long end = Math.min(from.size(), at + length);
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
          tags.carry(made.get(), others, kept);
        }
      }
      return written;
    }

    private Written visible(boolean absent) throws S3Failure {
      WriteCondition condition = absent ? WriteCondition.ABSENT : WriteCondition.NONE;
      if (from.size() == 0) {
        others = tags.others(from);
        return client.put(to, List.of(), from.metadata(), from.content(), condition);
      }
      if (upload.isEmpty() && absent && traits.completesOnce()) {
        bring();
      }
      return upload.isPresent()
          ? client.complete(
              upload.get(), etags, traits.completesOnce() ? condition : WriteCondition.NONE)
          : client.copy(from, to);
    }

    @Override
    public void close() {
      if (upload.isPresent()) {
        try {
          client.abort(upload.get());
        } catch (S3Failure later) {
          // The sweep of what was left finds it.
        }
        upload = Optional.empty();
      }
    }
  }

  /** Begins to copy an object, which must stay as it is. */
  Copy begin(ObjectHead from, String to) throws S3Failure {
    Copy copy = new Copy(from, to);
    if (from.size() <= part) {
      return copy;
    }
    boolean brought = false;
    try {
      copy.bring();
      brought = true;
      return copy;
    } finally {
      if (!brought) {
        copy.close();
      }
    }
  }

  /** Copies an object that was listed over whatever is there. */
  Written copy(ListPage.Entry listed, String to) throws S3Failure {
    Optional<ObjectHead> from = head(listed);
    if (from.isEmpty()) {
      return new Written.SourceMissing();
    }
    try (Copy copy = begin(from.get(), to)) {
      return copy.finish(false);
    }
  }

  /** With the metadata, where the engine does not bring it itself; empty where it is another. */
  private Optional<ObjectHead> head(ListPage.Entry listed) throws S3Failure {
    return listed.size() > 0 && listed.size() <= part
        ? Optional.of(
            new ObjectHead(
                listed.key(),
                listed.size(),
                listed.modified(),
                listed.etag(),
                Map.of(),
                Map.of(),
                0))
        : client.head(listed.key()).filter(head -> head.etag().equals(listed.etag()));
  }

  /** Copies an object without what is kept with it, as the mark of a collection. */
  void copyMark(String to) throws S3Failure {
    client.put(to, List.of(), Map.of(), WriteCondition.NONE);
  }
}
