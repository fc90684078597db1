package dev.staithe.storage.files;

import java.io.IOException;
import java.nio.file.Path;

/** The same where the kernel cannot hold folders. */
class CheckedStoreTests extends FileStoreTests {
  @Override
  FileStore open(Path root) throws IOException {
    return FileStore.open(root, FileStore.Settings.DEFAULT, false);
  }
}
