package dev.staithe.storage.posix;

import dev.staithe.storage.files.FileStore;
import dev.staithe.storage.files.StoreContract;
import dev.staithe.storage.state.Sync;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** What every store holds, on the file system of this machine. */
class PosixStoreTests extends StoreContract {
  @TempDir private Path area;

  @Override
  protected FileStore open() throws IOException {
    return PosixStore.open(area, new PosixStore.Settings(Sync.NONE, false, 0, 100, false));
  }
}
