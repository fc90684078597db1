package dev.staithe.storage.files;

import java.io.IOException;
import java.util.Optional;
import java.util.Set;

/** One storage area on a file system. Safe for use by many threads. */
public final class FileStore {
  /** How a staged file takes its place. */
  public enum Replace {
    /** Only where nothing is there; atomically so. */
    NEVER,
    /** Whatever file was there is replaced. */
    ALLOWED
  }

  /** What is at that path, if anything inside the area is. */
  public Optional<FileEntry> find(StoragePath path) throws IOException {
    throw new UnsupportedOperationException();
  }

  /**
   * Begins a file that nobody sees before {@link Upload#commit}. Missing parents are made at commit
   * where the area says so.
   *
   * @param expectedLength bytes announced, or -1; refused with NO_SPACE where they do not fit
   * @param algorithms checksums to compute while the bytes pass
   */
  public Outcome<Upload> stage(
      StoragePath target, long expectedLength, Set<ChecksumAlgorithm> algorithms)
      throws IOException {
    throw new UnsupportedOperationException();
  }

  /** Opens a file for reading. */
  public Outcome<OpenFile> open(StoragePath path) throws IOException {
    throw new UnsupportedOperationException();
  }

  /** The checksum kept for the file, if it is kept and the file has not changed since. */
  public Optional<Checksum> kept(FileEntry file, ChecksumAlgorithm algorithm) throws IOException {
    throw new UnsupportedOperationException();
  }

  /** The checksum of the file, kept or computed now by reading it once, and then kept. */
  public Checksum checksum(FileEntry file, ChecksumAlgorithm algorithm) throws IOException {
    throw new UnsupportedOperationException();
  }

  /** Removes a file or a whole collection. */
  public Outcome<Boolean> delete(StoragePath path) throws IOException {
    throw new UnsupportedOperationException();
  }
}
