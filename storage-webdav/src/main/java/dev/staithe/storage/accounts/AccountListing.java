package dev.staithe.storage.accounts;

import dev.staithe.storage.files.FileEntry;
import dev.staithe.storage.files.Listing;
import dev.staithe.storage.files.StoragePath;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/** The members of a collection, as many at a time as go into one packet of the helper's. */
final class AccountListing implements Listing {
  /** What the helper says after the last; every other number is a place to go on. */
  private static final long END = -1;

  private final AccountStore store;
  private final StoragePath collection;
  private final Queue<FileEntry> ready = new ArrayDeque<>();
  private long next;

  /** Goes on from the first of them. */
  AccountListing(AccountStore store, StoragePath collection, HelperAnswer first) {
    this.store = store;
    this.collection = collection;
    take(first);
  }

  private void take(HelperAnswer answer) {
    ready.addAll(answer.members(collection));
    next = answer.number();
  }

  @Override
  public @Nullable FileEntry next() throws IOException {
    while (ready.isEmpty() && next != END) {
      take(store.members(collection, next));
    }
    return ready.poll();
  }

  @Override
  public void close() {
    ready.clear();
    next = END;
  }
}
