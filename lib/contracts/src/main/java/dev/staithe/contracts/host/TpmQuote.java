package dev.staithe.contracts.host;

import dev.staithe.contracts.signature.BadSignature;
import dev.staithe.contracts.signature.Hash;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.HexFormat;
import java.util.StringJoiner;
import java.util.TreeSet;

/**
 * What a TPM says of the machine that it is in: a TPMS_ATTEST of type quote (TPM 2.0 Library, Part
 * 2, section 10.12), as TPM2_Quote makes it (Part 3, section 18). It was read, and is not yet
 * verified. Immutable.
 *
 * @param signer the qualified name of the key that signs, in hexadecimal
 * @param qualifyingData what whoever asked for the quote wanted in it, in hexadecimal
 * @param clock milliseconds that this TPM was powered, since it was last cleared
 * @param resets how often the TPM was reset, or that and a constant by which it hides the number
 * @param pcrs that are quoted, as {@code sha256:0,1,7}, banks with {@code +} between them
 * @param pcrDigest SHA-256 of the values of these in a row, in hexadecimal
 */
public record TpmQuote(
    String signer, String qualifyingData, long clock, long resets, String pcrs, String pcrDigest) {
  /** Longer ones are not read: with everything at its largest it has less than 300 bytes. */
  public static final int MOST_BYTES = 1024;

  /** The highest PCR that a selection of the usual three bytes can name. */
  public static final int LAST_PCR = 23;

  /** TPM_GENERATED_VALUE: a restricted key signs nothing from outside that begins so. */
  private static final int MAGIC = 0xff544347;

  private static final int TYPE_QUOTE = 0x8018; // TPM_ST_ATTEST_QUOTE
  private static final int MOST_NAME = 2 + 64; // TPM2B_NAME: algorithm and the longest hash
  private static final int MOST_DATA = 2 + 64; // TPM2B_DATA: as large as a TPMT_HA
  private static final int MOST_BANKS = 16;
  private static final int MOST_SELECT = 4; // PCR_SELECT_MAX of those that there are

  /**
   * Reads one.
   *
   * @throws BadSignature where this is not exactly one quote with a digest by SHA-256
   */
  public static TpmQuote parse(byte[] attest) throws BadSignature {
    if (attest.length > MOST_BYTES) {
      throw new BadSignature("the quote is longer than " + MOST_BYTES + " bytes");
    }
    try {
      ByteBuffer from = ByteBuffer.wrap(attest);
      if (from.getInt() != MAGIC) {
        throw new BadSignature("the quote was not made by a TPM: it begins otherwise");
      }
      if (Short.toUnsignedInt(from.getShort()) != TYPE_QUOTE) {
        throw new BadSignature("what the TPM attests to is not a quote");
      }
      String signer = sized(from, MOST_NAME);
      String qualifyingData = sized(from, MOST_DATA);
      long clock = from.getLong();
      long resets = Integer.toUnsignedLong(from.getInt());
      from.getInt(); // restartCount
      if ((from.get() & 0xfe) != 0) {
        throw malformed(); // TPMI_YES_NO
      }
      from.getLong(); // firmwareVersion
      String pcrs = selection(from);
      String pcrDigest = sized(from, Hash.BYTES);
      if (from.hasRemaining() || pcrDigest.length() != 2 * Hash.BYTES) {
        throw malformed();
      }
      return new TpmQuote(signer, qualifyingData, clock, resets, pcrs, pcrDigest);
    } catch (BufferUnderflowException cut) {
      throw malformed();
    }
  }

  /** PCRs of the bank of SHA-256, as {@link #pcrs} has them. */
  public static String ofSha256(Collection<Integer> pcrs) {
    StringJoiner text = new StringJoiner(",", "sha256:", "");
    new TreeSet<>(pcrs).forEach(pcr -> text.add(pcr.toString()));
    return text.toString();
  }

  private static BadSignature malformed() {
    return new BadSignature("the quote cannot be read");
  }

  /** Bytes behind their number (TPM2B, Part 2, section 10.4). */
  private static String sized(ByteBuffer from, int most) throws BadSignature {
    int size = Short.toUnsignedInt(from.getShort());
    if (size > most) {
      throw malformed();
    }
    byte[] bytes = new byte[size];
    from.get(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  /** TPML_PCR_SELECTION: a bank with no PCR of it selected is not named. */
  private static String selection(ByteBuffer from) throws BadSignature {
    int banks = from.getInt();
    if (banks < 0 || banks > MOST_BANKS) {
      throw malformed();
    }
    StringJoiner all = new StringJoiner("+");
    for (int bank = 0; bank < banks; bank++) {
      int algorithm = Short.toUnsignedInt(from.getShort());
      int bytes = Byte.toUnsignedInt(from.get());
      if (bytes > MOST_SELECT) {
        throw malformed();
      }
      StringJoiner pcrs = new StringJoiner(",", bank(algorithm) + ":", "").setEmptyValue("");
      for (int at = 0; at < bytes; at++) {
        int bits = Byte.toUnsignedInt(from.get());
        for (int bit = 0; bit < Byte.SIZE; bit++) {
          if ((bits >> bit & 1) == 1) {
            pcrs.add(Integer.toString(at * Byte.SIZE + bit));
          }
        }
      }
      if (!pcrs.toString().isEmpty()) {
        all.add(pcrs.toString());
      }
    }
    return all.toString();
  }

  /** TPM_ALG_ID (Part 2, section 6.3), as the tools of the TPM's stack name it. */
  private static String bank(int algorithm) {
    return switch (algorithm) {
      case 0x0004 -> "sha1";
      case 0x000b -> "sha256";
      case 0x000c -> "sha384";
      case 0x000d -> "sha512";
      case 0x0012 -> "sm3_256";
      default -> "0x%04x".formatted(algorithm);
    };
  }
}
