package dev.staithe.storage.state;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/** What is on the device when a change is acknowledged, so that a power cut cannot take it back. */
public enum Sync {
  /** The bytes of a file, before it gets its name: whatever has a name is whole. */
  DATA,
  /** The names too, after each change of them. */
  ALL,
  /** Nothing: a power cut leaves acknowledged files empty or in part. */
  NONE;

  /** Brings the bytes of an open file to the device. */
  public void data(FileChannel file) throws IOException {
    if (this != NONE) {
      file.force(false);
    }
  }

  /** The same of a file that nobody has open; it need not be writable. */
  public void data(Path file) throws IOException {
    if (this != NONE) {
      force(file);
    }
  }

  /** Brings the names in a folder to the device, where names count. */
  public void names(@Nullable Path folder) throws IOException {
    if (this == ALL && folder != null) {
      force(folder);
    }
  }

  private static void force(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      channel.force(false);
    }
  }
}
