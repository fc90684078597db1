package dev.staithe.storage;

import dev.staithe.peers.CephServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

/**
 * Two storage elements on one CephFS, each by a mount of its own. {@code ./verify --all} runs it,
 * by its name.
 */
final class CephFsAreaTrial extends SharedAreaIT {
  private final String folder = "nodes-" + UUID.randomUUID();

  @Override
  Path oneWay() throws IOException {
    return Files.createDirectories(CephServer.shared().oneMount().resolve(folder));
  }

  @Override
  Path otherWay() {
    return CephServer.shared().otherMount().resolve(folder);
  }
}
