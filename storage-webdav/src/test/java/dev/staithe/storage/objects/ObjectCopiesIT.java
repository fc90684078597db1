package dev.staithe.storage.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.staithe.peers.VersityServer;
import dev.staithe.s3.EngineTraits;
import dev.staithe.s3.ListPage;
import dev.staithe.s3.ObjectHead;
import dev.staithe.s3.S3Client;
import dev.staithe.s3.S3Failure;
import dev.staithe.s3.WriteCondition;
import dev.staithe.s3.Written;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Copies within the engine, of which those of more than a few bytes are brought in parts. */
final class ObjectCopiesIT {
  /** As small as engines take them. */
  private static final int PART = 5 << 20;

  private static final EngineTraits TRAITS =
      new EngineTraits(true, true, true, true, true, true, true, true, true);
  private static final Map<String, String> METADATA = Map.of("their", "metadata");
  private static final Map<String, String> CONTENT =
      Map.of("content-type", "text/csv", "cache-control", "max-age=60");
  private static final Map<String, String> TAGS = Map.of("their", "tag");

  private static VersityServer engine;
  private static BucketFixture bucket;
  private final String prefix = BucketFixture.prefix();

  @BeforeAll
  static void start() {
    engine = VersityServer.start(BucketFixture.BUCKET);
    bucket = BucketFixture.of(engine);
  }

  @AfterAll
  static void end() {
    engine.close();
  }

  private static ObjectCopies copies(S3Client client) {
    return new ObjectCopies(client, TRAITS, new KeptTags(client, true), PART);
  }

  /** As another tool leaves it. */
  private ObjectHead theirs(S3Client client, String name, int size) throws IOException {
    String key = prefix + "/" + name;
    client.put(key, List.of(ByteBuffer.allocate(size)), METADATA, CONTENT, WriteCondition.NONE);
    client.tag(key, TAGS);
    return client.head(key).orElseThrow();
  }

  private static void isTheirs(S3Client client, String key, long size) throws IOException {
    ObjectHead head = client.head(key).orElseThrow();
    assertThat(head.size()).isEqualTo(size);
    assertThat(head.metadata()).containsAllEntriesOf(METADATA);
    assertThat(head.content()).containsAllEntriesOf(CONTENT);
    assertThat(client.tags(key)).containsAllEntriesOf(TAGS);
  }

  @Test
  void copyInPartsThatFailsLeavesNothingInTheEngine() throws IOException {
    bucket.other(
        client -> {
          ObjectHead from = theirs(client, "from", PART + 1);
          client.delete(from.key());
          assertThatThrownBy(() -> copies(client).begin(from, prefix + "/to"))
              .isInstanceOf(S3Failure.class);
        });
    assertThat(bucket.engineUploads(prefix)).isZero();
  }

  @Test
  void metadataAndTagsOfOtherToolsGoWithACopyOfAnySize() throws IOException {
    bucket.other(
        client -> {
          for (int size : List.of(0, 7, PART + 7)) {
            String to = prefix + "/to-" + size;
            ObjectHead from = theirs(client, "from-" + size, size);
            for (boolean absent : List.of(true, false)) {
              try (ObjectCopies.Copy copy = copies(client).begin(from, to)) {
                assertThat(copy.finish(absent)).isInstanceOf(Written.Stored.class);
              }
              isTheirs(client, to, size);
            }
          }
        });
  }

  @Test
  void soTheyDoWithAFileOfACollection() throws IOException {
    bucket.other(
        client -> {
          for (int size : List.of(0, 7, PART + 7)) {
            theirs(client, "from/" + size, size);
          }
          for (ListPage.Entry each : client.list(prefix + "/from/", true, "", 10).entries()) {
            String to = each.key().replace("/from/", "/to/");
            assertThat(copies(client).copy(each, to)).isInstanceOf(Written.Stored.class);
            isTheirs(client, to, each.size());
          }
        });
  }

  @Test
  void fileThatWasReplacedSinceItWasListedIsNotCopied() throws IOException {
    bucket.other(
        client -> {
          theirs(client, "from", PART + 1);
          ListPage.Entry listed = client.list(prefix + "/from", true, "", 1).entries().getFirst();
          theirs(client, "from", PART + 2);
          assertThat(copies(client).copy(listed, prefix + "/to"))
              .isInstanceOf(Written.SourceMissing.class);
        });
    assertThat(bucket.engineUploads(prefix)).isZero();
  }

  @Test
  void tagsOfOthersGoBeforeOurChecksumsWhereNotAllFit() throws IOException {
    Map<String, String> ten = new TreeMap<>();
    for (int i = 0; i < 10; i++) {
      ten.put("their-" + i, "tag");
    }
    bucket.other(
        client -> {
          ObjectHead from = theirs(client, "from", PART + 1);
          client.tag(from.key(), ten);
          try (ObjectCopies.Copy copy = copies(client).begin(from, prefix + "/to")) {
            copy.finish(false);
          }
          assertThat(client.tags(prefix + "/to")).isEqualTo(ten);
        });
  }
}
