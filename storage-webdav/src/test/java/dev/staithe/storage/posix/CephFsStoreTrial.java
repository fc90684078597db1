package dev.staithe.storage.posix;

import dev.staithe.peers.CephServer;
import dev.staithe.storage.files.FileStore;
import dev.staithe.storage.files.StoreContract;
import dev.staithe.storage.state.Sync;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

/**
 * What every store holds, on a CephFS whose area others may serve too. {@code ./verify --all} runs
 * it, by its name.
 */
final class CephFsStoreTrial extends StoreContract {
  private final Path area = CephServer.shared().oneMount().resolve("area-" + UUID.randomUUID());

  @Override
  protected FileStore open() throws IOException {
    Files.createDirectories(area);
    return PosixStore.open(area, new PosixStore.Settings(Sync.NONE, false, 0, 100, true));
  }
}
