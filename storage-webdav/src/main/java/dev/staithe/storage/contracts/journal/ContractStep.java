package dev.staithe.storage.contracts.journal;

import dev.staithe.contracts.record.ContractRecord;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What happened to a contract, as it stands in the journal. Immutable. */
sealed interface ContractStep {
  /** How a record begins that is of a contract that began. */
  int BEGUN = 0;

  /** The same of one that went on. */
  int CHANGED = 1;

  /** A contract began. */
  record Begun(ContractRow row) implements ContractStep {}

  /**
   * One went on.
   *
   * @param side of this host
   * @param id of the contract
   * @param state that it is in now
   * @param time when
   * @param received what the receiver says; null: as before
   * @param own our statement; null: as before
   * @param partner the other side's; null: as before
   */
  record Changed(
      ContractRow.Side side,
      String id,
      ContractRow.State state,
      Instant time,
      @Nullable String received,
      byte @Nullable [] own,
      byte @Nullable [] partner)
      implements ContractStep {}

  /** As a record. */
  default byte[] encoded() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(4096);
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      switch (this) {
        case Begun(ContractRow row) -> {
          out.writeByte(BEGUN);
          text(out, row.side().name());
          text(out, row.id());
          text(out, row.state().name());
          out.writeLong(row.opened().toEpochMilli());
          text(out, row.area());
          text(out, row.path());
          text(out, row.peer());
          out.writeLong(row.size());
          text(out, row.sha256());
          text(out, row.request().base());
          text(out, row.request().signature());
          text(out, row.answer().base());
          text(out, row.answer().signature());
          text(out, row.received());
        }
        case Changed changed -> {
          out.writeByte(CHANGED);
          text(out, changed.side().name());
          text(out, changed.id());
          text(out, changed.state().name());
          out.writeLong(changed.time().toEpochMilli());
          String received = changed.received();
          bytes(out, received == null ? null : received.getBytes(StandardCharsets.UTF_8));
          bytes(out, changed.own());
          bytes(out, changed.partner());
        }
      }
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return bytes.toByteArray();
  }

  private static void text(DataOutputStream out, String text) throws IOException {
    bytes(out, text.getBytes(StandardCharsets.UTF_8));
  }

  private static void bytes(DataOutputStream out, byte @Nullable [] bytes) throws IOException {
    out.writeInt(bytes == null ? -1 : bytes.length);
    if (bytes != null) {
      out.write(bytes);
    }
  }

  /**
   * Reads one.
   *
   * @throws UncheckedIOException where it is none
   */
  static ContractStep decoded(byte[] record) {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(record))) {
      boolean begun = in.readByte() == BEGUN;
      ContractRow.Side side = ContractRow.Side.valueOf(text(in));
      String id = text(in);
      ContractRow.State state = ContractRow.State.valueOf(text(in));
      Instant time = Instant.ofEpochMilli(in.readLong());
      if (!begun) {
        byte[] received = bytes(in);
        return new Changed(
            side,
            id,
            state,
            time,
            received == null ? null : new String(received, StandardCharsets.UTF_8),
            bytes(in),
            bytes(in));
      }
      return new Begun(
          new ContractRow(
              side,
              id,
              state,
              text(in),
              text(in),
              text(in),
              time,
              in.readLong(),
              text(in),
              new ContractRecord.Part(text(in), text(in)),
              new ContractRecord.Part(text(in), text(in)),
              text(in),
              null,
              null));
    } catch (IOException e) {
      throw new UncheckedIOException("the journal of contracts cannot be read", e);
    }
  }

  private static String text(DataInputStream in) throws IOException {
    byte[] bytes = bytes(in);
    if (bytes == null) {
      throw new IOException("a text is missing");
    }
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private static byte @Nullable [] bytes(DataInputStream in) throws IOException {
    int length = in.readInt();
    if (length < 0) {
      return null;
    }
    byte[] bytes = new byte[length];
    in.readFully(bytes);
    return bytes;
  }
}
