package dev.staithe.s3;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Tries by some twenty requests what an engine does, below a prefix of its own, which is empty
 * again when it ends. No document is believed: engines of the same name differ by version.
 */
public final class EngineProbe {
  private static final Set<Integer> REFUSED = Set.of(400, 412);

  private final S3Client client;
  private final String prefix;

  private EngineProbe(S3Client client, String prefix) {
    this.client = client;
    this.prefix = prefix;
  }

  /**
   * Asks.
   *
   * @param prefix below which nothing else is; with a slash at its end
   * @throws S3Failure where the engine does not do the least, as write, read, list and remove
   */
  public static EngineTraits of(S3Client client, String prefix) throws S3Failure {
    EngineProbe probe = new EngineProbe(client, prefix + UUID.randomUUID() + "/");
    try {
      return probe.run();
    } finally {
      probe.clean();
    }
  }

  private EngineTraits run() throws S3Failure {
    String first = stored(client.put(key("a"), bytes("one"), Map.of(), WriteCondition.ABSENT));
    boolean createsOnce =
        client.put(key("a"), bytes("two"), Map.of(), WriteCondition.ABSENT)
                instanceof Written.ConditionFailed
            && etag("a").equals(first);
    return new EngineTraits(
        createsOnce,
        completesOnce(),
        replacesMatching(),
        refuses("content-md5", Base64.getEncoder().encodeToString(digest("MD5"))),
        refuses("x-amz-content-sha256", SignatureV4.hex(digest("SHA-256"))),
        hidesParts(),
        keepsTags(),
        copiesTags(),
        listsAtOnce());
  }

  private String key(String name) {
    return prefix + name;
  }

  private static List<ByteBuffer> bytes(String text) {
    return List.of(ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)));
  }

  private static byte[] digest(String algorithm) {
    return SignatureV4.digest(algorithm).digest("other bytes".getBytes(StandardCharsets.US_ASCII));
  }

  private String stored(Written written) throws S3Failure {
    if (written instanceof Written.Stored(String etag)) {
      return etag;
    }
    throw new S3Failure(
        S3Failure.Kind.REFUSED,
        "the object store " + client.endpoint().hostPort() + " does not write a new object");
  }

  private String etag(String name) throws S3Failure {
    return client.head(key(name)).map(ObjectHead::etag).orElse("");
  }

  /** Over one that is there. */
  private boolean completesOnce() throws S3Failure {
    PartUpload upload = client.begin(key("a"), Map.of());
    String part = client.part(upload, 1, bytes("three"));
    Written written;
    try {
      written = client.complete(upload, List.of(part), WriteCondition.ABSENT);
    } catch (S3Failure refused) {
      written = new Written.ConditionFailed(); // Not even known: then it is never asked.
    }
    boolean kept = written instanceof Written.ConditionFailed && size("a") == "one".length();
    if (!(written instanceof Written.Stored)) {
      client.abort(upload);
    }
    if (!kept) {
      return false;
    }
    // One that refuses every such completion keeps nothing either.
    PartUpload other = client.begin(key("once"), Map.of());
    try {
      List<String> parts = List.of(client.part(other, 1, bytes("four")));
      if (client.complete(other, parts, WriteCondition.ABSENT) instanceof Written.Stored) {
        return true;
      }
    } catch (S3Failure refused) {
      // Given up below.
    }
    client.abort(other);
    return false;
  }

  private long size(String name) throws S3Failure {
    return client.head(key(name)).map(ObjectHead::size).orElse(-1L);
  }

  private boolean replacesMatching() throws S3Failure {
    String now = etag("a");
    String other = "\"00000000000000000000000000000000\"";
    try {
      return client.put(key("a"), bytes("wrong"), Map.of(), new WriteCondition.Matching(other))
              instanceof Written.ConditionFailed
          && client.put(key("a"), bytes("right"), Map.of(), new WriteCondition.Matching(now))
              instanceof Written.Stored;
    } catch (S3Failure refused) {
      return false; // Some say that they have no such condition.
    }
  }

  /** Whether a body is refused that is not what a field says. */
  private boolean refuses(String field, String wrong) throws S3Failure {
    S3Request request =
        S3Request.of("PUT", key(field)).with(field, wrong).sending(bytes("these bytes"));
    try {
      return REFUSED.contains(client.perform(request, REFUSED).status());
    } catch (S3Failure refused) {
      if (refused.kind() == S3Failure.Kind.CORRUPTED || refused.kind() == S3Failure.Kind.DENIED) {
        return true; // Some call it a signature of something else.
      }
      throw refused;
    }
  }

  private boolean hidesParts() throws S3Failure {
    PartUpload upload = client.begin(key("parts"), Map.of());
    String part = client.part(upload, 1, bytes("five"));
    boolean hidden = size("parts") < 0;
    return client.complete(upload, List.of(part), WriteCondition.NONE) instanceof Written.Stored
        && hidden
        && size("parts") == "five".length();
  }

  /**
   * Not whether the time stays: with Ceph it is that of the tags, which in the same second is no
   * other one.
   */
  private boolean keepsTags() throws S3Failure {
    Optional<ObjectHead> before = client.head(key("parts"));
    try {
      client.tag(key("parts"), Map.of("adler32", "0a0b0c0d"));
    } catch (S3Failure refused) {
      return false;
    }
    Optional<ObjectHead> after = client.head(key("parts"));
    return client.tags(key("parts")).equals(Map.of("adler32", "0a0b0c0d"))
        && before.isPresent()
        && after.isPresent()
        && before.get().etag().equals(after.get().etag());
  }

  private boolean copiesTags() throws S3Failure {
    Optional<ObjectHead> from = client.head(key("parts"));
    return from.isPresent()
        && client.copy(from.get(), key("copy")) instanceof Written.Stored
        && client.tags(key("copy")).equals(client.tags(key("parts")))
        && !client.tags(key("copy")).isEmpty();
  }

  private boolean listsAtOnce() throws S3Failure {
    client.put(key("b/c"), bytes("six"), Map.of(), WriteCondition.NONE);
    ListPage there = client.list(prefix, false, "", S3Client.PAGE);
    client.delete(key("b/c"));
    ListPage gone = client.list(prefix, false, "", S3Client.PAGE);
    return there.prefixes().contains(key("b/"))
        && there.entries().stream().anyMatch(each -> each.key().equals(key("a")))
        && !gone.prefixes().contains(key("b/"));
  }

  private void clean() throws S3Failure {
    List<String> names =
        List.of("a", "once", "parts", "copy", "b/c", "content-md5", "x-amz-content-sha256");
    for (String left : client.delete(names.stream().map(this::key).toList()).keySet()) {
      client.delete(left);
    }
  }
}
