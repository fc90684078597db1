package dev.staithe.storage.accounts;

import dev.staithe.storage.checksum.Checksum;
import dev.staithe.storage.checksum.ChecksumAlgorithm;
import dev.staithe.storage.files.FileEntry;
import dev.staithe.storage.files.OpenFile;
import dev.staithe.storage.files.StoragePath;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/** A file that the helper has opened; read by its descriptor, whoever may open it now. */
final class AccountFile implements OpenFile {
  private final FileEntry entry;
  private final Descriptor file;

  /** Takes the descriptor over. */
  AccountFile(FileEntry entry, Descriptor file) {
    this.entry = entry;
    this.file = file;
  }

  @Override
  public FileEntry entry() {
    return entry;
  }

  @Override
  public Optional<Checksum> kept(ChecksumAlgorithm algorithm) {
    return Optional.empty();
  }

  /** None: no other program of this machine need be allowed to read it. */
  @Override
  public Optional<StoragePath> place() {
    return Optional.empty();
  }

  @Override
  public int read(ByteBuffer into, long position) throws IOException {
    int n = file.read(into, position);
    return n == 0 && into.hasRemaining() ? -1 : n;
  }

  @Override
  public void close() {
    file.close();
  }
}
