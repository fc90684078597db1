package dev.staithe.slcs.ca;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.zip.GZIPOutputStream;

/** Packs small files and links for {@code tar xzf}: POSIX.1-1988 "ustar". Not thread-safe. */
final class TarGz {
  private static final int BLOCK = 512;
  private static final int LONGEST_NAME = 100;

  private final ByteArrayOutputStream packed = new ByteArrayOutputStream();
  private final GZIPOutputStream out;
  private final long seconds;

  /** All members have this time. */
  TarGz(Instant time) throws IOException {
    this.out = new GZIPOutputStream(packed);
    this.seconds = time.getEpochSecond();
  }

  void file(String name, byte[] content) throws IOException {
    out.write(header(name, '0', content.length, ""));
    out.write(content);
    out.write(new byte[(BLOCK - content.length % BLOCK) % BLOCK]);
  }

  void link(String name, String target) throws IOException {
    out.write(header(name, '2', 0, target));
  }

  byte[] bytes() throws IOException {
    out.write(new byte[2 * BLOCK]);
    out.close();
    return packed.toByteArray();
  }

  private byte[] header(String name, char type, int size, String target) {
    if (name.length() >= LONGEST_NAME || target.length() >= LONGEST_NAME) {
      throw new IllegalArgumentException("a file's name of 100 characters and more");
    }
    byte[] header = new byte[BLOCK];
    put(header, 0, name);
    put(header, 100, "0000644\0");
    put(header, 108, "0000000\0");
    put(header, 116, "0000000\0");
    put(header, 124, String.format("%011o\0", size));
    put(header, 136, String.format("%011o\0", seconds));
    // The sum is made with blanks in its own place.
    put(header, 148, "        ");
    header[156] = (byte) type;
    put(header, 157, target);
    put(header, 257, "ustar\00000");
    put(header, 265, "root");
    put(header, 297, "root");
    int sum = 0;
    for (byte each : header) {
      sum += each & 0xff;
    }
    put(header, 148, String.format("%06o\0 ", sum));
    return header;
  }

  private static void put(byte[] header, int at, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
    System.arraycopy(bytes, 0, header, at, bytes.length);
  }
}
