package dev.staithe.storage.objects;

import dev.staithe.s3.ListPage;
import dev.staithe.s3.S3Client;
import dev.staithe.storage.files.FileEntry;
import dev.staithe.storage.files.Listing;
import dev.staithe.storage.files.StoragePath;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * The members of a collection, a thousand a request, in the order of their keys. Where other tools
 * have made an object {@code x} beside objects below {@code x/}, the object is what the path names.
 */
final class ObjectListing implements Listing {
  private final S3Client client;
  private final ObjectKeys keys;
  private final StoragePath collection;
  private final Queue<FileEntry> ready = new ArrayDeque<>();

  /** Objects with whose keys what follows may begin; each begins with the one before it. */
  private final Deque<String> above = new ArrayDeque<>();

  private String next;
  private boolean more = true;

  /** Goes on from the first page. */
  ObjectListing(S3Client client, ObjectKeys keys, StoragePath collection, ListPage first) {
    this.client = client;
    this.keys = keys;
    this.collection = collection;
    this.next = first.next();
    take(first);
  }

  @Override
  public @Nullable FileEntry next() throws IOException {
    while (ready.isEmpty() && more) {
      take(
          EngineTrouble.told(
              () -> client.list(keys.collection(collection), false, next, S3Client.PAGE)));
    }
    return ready.poll();
  }

  private record Member(byte[] order, String key, ListPage.@Nullable Entry object) {
    static Member of(String key, ListPage.@Nullable Entry object) {
      return new Member(key.getBytes(StandardCharsets.UTF_8), key, object);
    }
  }

  private void take(ListPage page) {
    next = page.next();
    more = !next.isEmpty();
    List<Member> members = new ArrayList<>();
    page.entries().forEach(each -> members.add(Member.of(each.key(), each)));
    page.prefixes().forEach(each -> members.add(Member.of(each, null)));
    members.sort((a, b) -> Arrays.compareUnsigned(a.order, b.order));
    String own = keys.collection(collection);
    for (Member each : members) {
      if (each.key.equals(own)) {
        continue; // The collection's own mark.
      }
      while (!above.isEmpty() && !each.key.startsWith(above.getLast())) {
        above.removeLast();
      }
      Optional<StoragePath> path = keys.member(collection, each.key);
      if (path.isEmpty()) {
        continue;
      }
      if (each.object != null && !each.key.endsWith("/")) {
        above.addLast(each.key);
        ready.add(ObjectPlace.listed(path.get(), each.object));
      } else if (!above.contains(each.key.substring(0, each.key.length() - 1))) {
        ready.add(ObjectPlace.collection(path.get(), each.key));
      }
    }
  }

  @Override
  public void close() {
    ready.clear();
    more = false;
  }
}
