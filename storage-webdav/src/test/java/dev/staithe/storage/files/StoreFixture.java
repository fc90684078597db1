package dev.staithe.storage.files;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.storage.checksum.ChecksumAlgorithm;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** A store, with the short forms of what tests do to it. */
public final class StoreFixture {
  private StoreFixture() {}

  public static StoragePath path(String path) {
    return StoragePath.of(path);
  }

  public static Outcome<FileEntry> put(
      FileStore store, String path, String content, FileStore.Replace replace) throws IOException {
    byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
    return switch (store.stage(null, path(path), bytes.length, Set.of(ChecksumAlgorithm.ADLER32))) {
      case Outcome.Refused<Upload> refused -> refused.as();
      case Outcome.Done<Upload> staged -> {
        try (Upload upload = staged.value()) {
          upload.append(ByteBuffer.wrap(bytes));
          yield upload.commit(replace);
        }
      }
    };
  }

  public static FileEntry put(FileStore store, String path, String content) throws IOException {
    return done(put(store, path, content, FileStore.Replace.ALLOWED));
  }

  public static <T> T done(Outcome<T> outcome) {
    assertThat(outcome).isInstanceOf(Outcome.Done.class);
    return ((Outcome.Done<T>) outcome).value();
  }

  public static Refusal refusal(Outcome<?> outcome) {
    assertThat(outcome).isInstanceOf(Outcome.Refused.class);
    return ((Outcome.Refused<?>) outcome).why();
  }

  public static String text(FileStore store, StoragePath path) throws IOException {
    try (OpenFile file = done(store.open(path))) {
      ByteBuffer bytes = ByteBuffer.allocate((int) file.entry().size());
      while (bytes.hasRemaining() && file.read(bytes, bytes.position()) > 0) {
        // Until all of it is there.
      }
      return new String(bytes.array(), StandardCharsets.UTF_8);
    }
  }

  public static String text(FileStore store, String path) throws IOException {
    return text(store, path(path));
  }

  /** Every path below the root with its content; collections end in a slash and have none. */
  public static Map<String, String> tree(FileStore store) throws IOException {
    Map<String, String> tree = new TreeMap<>();
    collect(store, StoragePath.root(), tree);
    return tree;
  }

  private static void collect(FileStore store, StoragePath at, Map<String, String> tree)
      throws IOException {
    try (Listing listing = done(store.list(at))) {
      FileEntry member;
      while ((member = listing.next()) != null) {
        tree.put(member.path().toString(), member.collection() ? "" : text(store, member.path()));
        if (member.collection()) {
          collect(store, member.path(), tree);
        }
      }
    }
  }
}
