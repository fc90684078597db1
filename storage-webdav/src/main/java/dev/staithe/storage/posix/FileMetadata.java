package dev.staithe.storage.posix;

import dev.staithe.storage.checksum.Checksum;
import dev.staithe.storage.checksum.ChecksumAlgorithm;
import dev.staithe.storage.files.NoSpaceException;
import dev.staithe.storage.linux.HeldFile;
import dev.staithe.storage.linux.LinuxFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.UserDefinedFileAttributeView;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is kept beside a file's content, in extended attributes of the {@code user} namespace.
 *
 * <p>Checksums stand in one attribute together with the size and modification time of the file that
 * they were computed from: where either differs, somebody changed the file behind our back and the
 * checksums are not used. StoRM WebDAV's Adler-32 attribute, which has no such guard, is read where
 * ours is missing, and written beside ours where the area says so.
 */
final class FileMetadata {
  private static final Logger log = LoggerFactory.getLogger(FileMetadata.class);
  private static final String CHECKSUMS = "staithe.checksums";
  static final String PROPERTIES = "staithe.properties";
  private static final String COMPARED = "staithe.compared";
  private static final String STORM_ADLER32 = "storm.checksum.adler32";

  /** What is told of the bytes, and not of the file. */
  private static final List<String> OF_CONTENT = List.of(CHECKSUMS, COMPARED, STORM_ADLER32);

  private static final int LONGEST_PROPERTIES = 65536;
  private static final int LONGEST_CHECKSUMS = 512;

  private FileMetadata() {}

  /** Whether the file system keeps extended attributes at all. */
  static boolean supported(Path folder) {
    try {
      UserDefinedFileAttributeView view = view(folder);
      if (view == null) {
        return false;
      }
      view.write("staithe.probe", ByteBuffer.wrap(new byte[] {'1'}));
      view.delete("staithe.probe");
      return true;
    } catch (IOException | UnsupportedOperationException e) {
      return false;
    }
  }

  static Map<ChecksumAlgorithm, Checksum> checksums(Path file, BasicFileAttributes attributes) {
    return checksums(name -> read(file, name), attributes);
  }

  static Map<ChecksumAlgorithm, Checksum> checksums(HeldFile file) {
    return checksums(name -> text(file.attribute(name, LONGEST_CHECKSUMS)), file.status());
  }

  private static Map<ChecksumAlgorithm, Checksum> checksums(
      Function<String, @Nullable String> values, BasicFileAttributes attributes) {
    Map<ChecksumAlgorithm, Checksum> kept = new EnumMap<>(ChecksumAlgorithm.class);
    String text = values.apply(CHECKSUMS);
    if (text != null) {
      String[] fields = text.split(" ");
      if (fields.length >= 2
          && fields[0].equals(Long.toString(attributes.size()))
          && fields[1].equals(stamp(attributes.lastModifiedTime()))) {
        for (String field : List.of(fields).subList(2, fields.length)) {
          int equals = field.indexOf('=');
          if (equals > 0) {
            ChecksumAlgorithm.byName(field.substring(0, equals))
                .flatMap(a -> Checksum.fromHex(a, field.substring(equals + 1)))
                .ifPresent(c -> kept.put(c.algorithm(), c));
          }
        }
      }
      return kept;
    }
    String storm = values.apply(STORM_ADLER32);
    if (storm != null) {
      Checksum.fromHex(ChecksumAlgorithm.ADLER32, storm).ifPresent(c -> kept.put(c.algorithm(), c));
    }
    return kept;
  }

  /**
   * Keeps checksums; a file system that can't is no failure, they are computed when asked for.
   *
   * @param storm whether Adler-32 is kept as StoRM WebDAV keeps it too: eight hexadecimal digits
   */
  static void keepChecksums(
      Path file, BasicFileAttributes attributes, Iterable<Checksum> checksums, boolean storm) {
    StringBuilder text =
        new StringBuilder()
            .append(attributes.size())
            .append(' ')
            .append(stamp(attributes.lastModifiedTime()));
    for (Checksum checksum : checksums) {
      text.append(' ')
          .append(checksum.algorithm().rfc3230Name())
          .append('=')
          .append(checksum.hex());
    }
    try {
      write(file, CHECKSUMS, text.toString());
      for (Checksum checksum : checksums) {
        if (storm && checksum.algorithm() == ChecksumAlgorithm.ADLER32) {
          write(file, STORM_ADLER32, checksum.hex());
        }
      }
    } catch (IOException | UnsupportedOperationException e) {
      log.debug("checksums are not kept: {}", e.toString());
    }
  }

  /** Takes away what is kept of the bytes, where nobody can say any more that it is of these. */
  static void forgetContent(Path file) throws IOException {
    UserDefinedFileAttributeView view = view(file);
    for (String name : OF_CONTENT) {
      if (view != null && read(file, name) != null) {
        view.delete(name);
      }
    }
  }

  /** When the bytes were last compared with the checksums, if that is known. */
  static Optional<Instant> compared(Path file) {
    return Optional.ofNullable(read(file, COMPARED))
        .filter(text -> text.matches("\\d{1,12}"))
        .map(text -> Instant.ofEpochSecond(Long.parseLong(text)));
  }

  static boolean keepCompared(Path file, Instant when) throws IOException {
    write(file, COMPARED, Long.toString(when.getEpochSecond()));
    return true;
  }

  /**
   * The dead properties' text as {@code dav} wrote it.
   *
   * @throws IOException where it cannot be read: who takes that for none writes over it
   */
  static Optional<String> properties(Path file) throws IOException {
    return Optional.ofNullable(
        LinuxFiles.AVAILABLE
            ? text(LinuxFiles.knownAttribute(file, PROPERTIES, LONGEST_PROPERTIES))
            : read(file, PROPERTIES));
  }

  static void keepProperties(Path file, String text) throws IOException {
    if (text.isEmpty()) {
      UserDefinedFileAttributeView view = view(file);
      if (view != null && view.list().contains(PROPERTIES)) {
        view.delete(PROPERTIES);
      }
    } else {
      write(file, PROPERTIES, text);
    }
  }

  private static String stamp(FileTime time) {
    var instant = time.toInstant();
    return instant.getEpochSecond() + "." + instant.getNano();
  }

  private static @Nullable String text(byte @Nullable [] value) {
    return value == null ? null : new String(value, StandardCharsets.UTF_8);
  }

  private static @Nullable String read(Path file, String name) {
    int longest = name.equals(PROPERTIES) ? LONGEST_PROPERTIES : LONGEST_CHECKSUMS;
    if (LinuxFiles.AVAILABLE) {
      // A third of what Java's way costs, which opens the file and throws where nothing is kept.
      return text(LinuxFiles.attribute(file, name, longest));
    }
    try {
      UserDefinedFileAttributeView view = view(file);
      if (view == null) {
        return null;
      }
      ByteBuffer buffer = ByteBuffer.allocate(longest);
      view.read(name, buffer);
      return StandardCharsets.UTF_8.decode(buffer.flip()).toString();
    } catch (IOException | UnsupportedOperationException absent) {
      return null;
    }
  }

  private static void write(Path file, String name, String text) throws IOException {
    byte[] value = text.getBytes(StandardCharsets.UTF_8);
    if (LinuxFiles.AVAILABLE) {
      // One call, where Java's way opens the file for it.
      try {
        LinuxFiles.attribute(file, name, value);
      } catch (IOException e) {
        throw NoSpaceException.tell(e);
      }
      return;
    }
    UserDefinedFileAttributeView view = view(file);
    if (view == null) {
      throw new UnsupportedOperationException("the file system keeps no extended attributes");
    }
    try {
      view.write(name, ByteBuffer.wrap(value));
    } catch (IOException e) {
      throw NoSpaceException.tell(e);
    }
  }

  private static @Nullable UserDefinedFileAttributeView view(Path file) {
    return Files.getFileAttributeView(
        file, UserDefinedFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
  }
}
