package dev.staithe.storage.accounts;

import dev.staithe.storage.files.FileEntry;
import dev.staithe.storage.files.StoragePath;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What the helper has answered.
 *
 * @param error of the kernel, or one of {@link HelperCall}; 0 where it is done
 * @param count members that follow, of a listing
 * @param number where a listing goes on, -1 at its end
 * @param data what else it told
 * @param file a descriptor that came along, to be closed, or -1
 */
record HelperAnswer(int error, int count, long number, ByteBuffer data, int file) {
  private static final int HEAD = 16;

  /** Reads a packet; null where it is none. */
  static @Nullable HelperAnswer of(LinuxSockets.Packet packet) {
    if (packet.bytes().length < HEAD) {
      return null;
    }
    ByteBuffer bytes = ByteBuffer.wrap(packet.bytes()).order(ByteOrder.nativeOrder());
    return new HelperAnswer(
        bytes.getInt(), bytes.getInt(), bytes.getLong(), bytes, packet.descriptor());
  }

  /** Room where a staged file is; absent where the helper is of a time when it did not tell. */
  OptionalLong available() {
    return data.hasRemaining() ? OptionalLong.of(data.getLong(HEAD)) : OptionalLong.empty();
  }

  /** The one file or collection that it tells of; null where what is there is neither. */
  @Nullable FileEntry entry(StoragePath path) {
    ByteBuffer bytes = data.duplicate().order(ByteOrder.nativeOrder());
    Found found = Found.read(bytes);
    return found.isServed() ? found.entry(path) : null;
  }

  /** The members of a collection, those left out that no request can name. */
  List<FileEntry> members(StoragePath collection) {
    ByteBuffer bytes = data.duplicate().order(ByteOrder.nativeOrder());
    List<FileEntry> members = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      Found found = Found.read(bytes);
      ByteBuffer name = bytes.slice(bytes.position(), found.name);
      bytes.position(bytes.position() + found.name);
      try {
        String text = StandardCharsets.UTF_8.newDecoder().decode(name).toString();
        members.add(found.entry(collection.child(text)));
      } catch (CharacterCodingException | IllegalArgumentException nothingToNameItBy) {
        continue;
      }
    }
    return members;
  }

  /** As the helper lays it out, {@code struct entry}. */
  private record Found(int mode, long inode, long size, long seconds, int nanos, int name) {
    private static final int TYPE = 0170000;
    private static final int FOLDER = 0040000;
    private static final int REGULAR = 0100000;

    static Found read(ByteBuffer bytes) {
      int mode = bytes.getInt();
      bytes.position(bytes.position() + Integer.BYTES); // How many names it has.
      return new Found(
          mode, bytes.getLong(), bytes.getLong(), bytes.getLong(), bytes.getInt(), bytes.getInt());
    }

    boolean isServed() {
      return (mode & TYPE) == FOLDER || (mode & TYPE) == REGULAR;
    }

    FileEntry entry(StoragePath path) {
      return AccountPlace.entry(path, (mode & TYPE) == FOLDER, inode, size, seconds, nanos);
    }
  }
}
