package dev.staithe.storage.posix;

import dev.staithe.storage.files.Refusal;
import dev.staithe.storage.files.Residence;
import dev.staithe.storage.linux.FileStatus;
import dev.staithe.storage.linux.LinuxFiles;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/** Whether the blocks of a file are there, or a mass storage has them on tape alone. Stateless. */
final class TapeBlocks {
  /**
   * Set by the mass storage on a file that has a copy on tape (in the {@code user} namespace), as
   * StoRM has it; what is written anew has none.
   */
  static final String ON_TAPE = "storm.migrated";

  /** Set by the mass storage on a file that is being copied to tape. */
  static final String GOES_TO_TAPE = "storm.premigrate";

  private TapeBlocks() {}

  /** Says that a file cannot be read because its content is on tape alone. */
  static final class OfflineException extends FileSystemException {
    private static final long serialVersionUID = 1;

    OfflineException(Path file) {
      super(file.toString(), null, Refusal.OFFLINE.text());
    }
  }

  /** Whether the file's content is not on disk, or not all of it. */
  static boolean isOffline(Residence residence, Path file, BasicFileAttributes attributes)
      throws IOException {
    // The blocks of attributes and of the file's own map count too, so that the first look may miss
    // a small file, and the second is what tells.
    return residence == Residence.TAPE
        && attributes instanceof FileStatus status
        && status.isRegularFile()
        && status.size() > 0
        && (status.allocated() < status.size()
            || LinuxFiles.firstHole(file, status.size()) < status.size());
  }

  /**
   * Opens a file for reading, which is no link.
   *
   * @throws OfflineException where there is nothing to read
   */
  static FileChannel open(Residence residence, Path file, BasicFileAttributes attributes)
      throws IOException {
    if (isOffline(residence, file, attributes)) {
      throw new OfflineException(file);
    }
    return Folder.open(file);
  }

  /** Whether an attribute tells of the file's own copy on tape, and means nothing for another's. */
  static boolean isOfTape(String attribute) {
    return attribute.equals(ON_TAPE) || attribute.equals(GOES_TO_TAPE);
  }
}
