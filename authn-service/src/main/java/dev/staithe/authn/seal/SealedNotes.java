package dev.staithe.authn.seal;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Notes that a client carries from one step to the next, so that any node can go on with what
 * another began: text {@code n1.<kid>.<payload>.<mac>} under a key of their own per purpose.
 * Whoever holds a note can read it and, until it expires, present it again: it must hold no secret,
 * and a step that may happen once needs more than a note. Safe for many threads.
 */
public final class SealedNotes {
  /** Longest text of a note, in characters. */
  public static final int LONGEST = 4096;

  private final SealedText text;
  private final Clock clock;

  /**
   * For one purpose.
   *
   * @param purpose what they are for, as {@code "login step"}: a note of another one is not genuine
   */
  public SealedNotes(String purpose, TokenKeys keys, Clock clock) {
    this.text = new SealedText("n1", "note: " + purpose, LONGEST, keys);
    this.clock = clock;
  }

  /**
   * Seals a note.
   *
   * @param fields at most 255, some 3,000 characters in all
   * @param expires until when it is good, to the millisecond
   * @throws IllegalArgumentException where there is too much in it
   */
  public String seal(Map<String, String> fields, Instant expires) {
    if (fields.size() > 255) {
      throw new IllegalArgumentException("a note has at most 255 fields");
    }
    var bytes = new ByteArrayOutputStream();
    try (var out = new DataOutputStream(bytes)) {
      out.writeLong(expires.toEpochMilli());
      out.writeByte(fields.size());
      // In order, so that one content has one spelling.
      for (Map.Entry<String, String> field : new TreeMap<>(fields).entrySet()) {
        out.writeUTF(field.getKey());
        out.writeUTF(field.getValue());
      }
    } catch (IOException e) {
      throw new IllegalArgumentException("too long for a note", e);
    }
    return text.seal(bytes.toByteArray());
  }

  /** Reads what may be a note. */
  public NoteReading open(String presented) {
    if (!(text.open(presented) instanceof SealedText.Opened.Payload payload)) {
      return new NoteReading.NotGenuine();
    }
    try (var in = new DataInputStream(new ByteArrayInputStream(payload.bytes()))) {
      long expires = in.readLong();
      Map<String, String> fields = fields(in);
      if (fields == null) {
        return new NoteReading.NotGenuine();
      }
      return clock.millis() < expires
          ? new NoteReading.Genuine(Collections.unmodifiableMap(fields))
          : new NoteReading.Expired();
    } catch (IOException e) {
      return new NoteReading.NotGenuine();
    }
  }

  private static @Nullable Map<String, String> fields(DataInputStream in) throws IOException {
    Map<String, String> fields = new TreeMap<>();
    int count = in.readUnsignedByte();
    for (int i = 0; i < count; i++) {
      fields.put(in.readUTF(), in.readUTF());
    }
    return in.read() < 0 && fields.size() == count ? fields : null;
  }
}
