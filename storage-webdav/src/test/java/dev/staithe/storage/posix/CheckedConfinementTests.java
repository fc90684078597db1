package dev.staithe.storage.posix;

import dev.staithe.storage.files.FileStore;
import java.io.IOException;
import java.nio.file.Path;

/** The same where the kernel cannot hold folders. */
class CheckedConfinementTests extends FileStoreConfinementTests {
  @Override
  FileStore open(Path root) throws IOException {
    return PosixStore.open(root, PosixStore.Settings.DEFAULT, false);
  }
}
