package dev.staithe.contracts.log;

import dev.staithe.contracts.signature.BadSignature;
import dev.staithe.contracts.signature.Hash;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;

/**
 * What a log commits itself to: its size and root, as a C2SP checkpoint in a signed note.
 *
 * @param size entries
 * @param root 32 bytes
 * @param note the signed text
 */
public record Checkpoint(long size, byte[] root, String note) {
  private static final int MOST_CHARS = 4096;

  static Checkpoint sign(long size, byte[] root, LogKey key) {
    LogVerifier verifier = key.verifier();
    String body =
        verifier.name() + "\n" + size + "\n" + Base64.getEncoder().encodeToString(root) + "\n";
    byte[] signature = key.sign(body.getBytes(StandardCharsets.UTF_8));
    byte[] whole = Arrays.copyOf(verifier.id(), LogVerifier.ID_BYTES + signature.length);
    System.arraycopy(signature, 0, whole, LogVerifier.ID_BYTES, signature.length);
    return new Checkpoint(
        size,
        root,
        body
            + "\n\u2014 "
            + verifier.name()
            + " "
            + Base64.getEncoder().encodeToString(whole)
            + "\n");
  }

  /**
   * Reads a checkpoint and verifies that the log signed it.
   *
   * @throws BadSignature where it did not
   */
  public static Checkpoint verify(String note, LogVerifier key) throws BadSignature {
    int end = note.indexOf("\n\n");
    if (note.length() > MOST_CHARS || end < 0) {
      throw new BadSignature("the checkpoint is no signed note");
    }
    String body = note.substring(0, end + 1);
    List<String> lines = body.lines().toList();
    try {
      if (lines.size() < 3 || !lines.get(0).equals(key.name())) {
        throw new BadSignature("the checkpoint is of another log");
      }
      long size = Long.parseLong(lines.get(1));
      byte[] root = Base64.getDecoder().decode(lines.get(2));
      String mark = "\u2014 " + key.name() + " ";
      for (String line : note.substring(end + 2).lines().toList()) {
        if (line.startsWith(mark)) {
          byte[] whole = Base64.getDecoder().decode(line.substring(mark.length()));
          byte[] id = Arrays.copyOf(whole, LogVerifier.ID_BYTES);
          byte[] value = Arrays.copyOfRange(whole, LogVerifier.ID_BYTES, whole.length);
          if (size >= 0
              && root.length == Hash.BYTES
              && Arrays.equals(id, key.id())
              && key.verify(body.getBytes(StandardCharsets.UTF_8), value)) {
            return new Checkpoint(size, root, note);
          }
        }
      }
    } catch (IllegalArgumentException malformed) {
      throw new BadSignature("the checkpoint is malformed");
    }
    throw new BadSignature("the checkpoint is not signed by the log's key");
  }
}
