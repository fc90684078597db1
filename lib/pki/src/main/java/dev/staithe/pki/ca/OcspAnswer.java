package dev.staithe.pki.ca;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An answer about certificates.
 *
 * @param encoded the OCSPResponse of RFC 6960 §4.2.1
 * @param outcome what kind it is
 * @param goodUntil until when anyone may be given it again; null where it is for one asker only
 */
public record OcspAnswer(byte[] encoded, Outcome outcome, @Nullable Instant goodUntil) {
  /** The kinds of answer. */
  public enum Outcome {
    /** Signed, with a status for each certificate asked about. */
    ANSWERED,
    /** What was asked cannot be read. */
    MALFORMED,
    /** It asks about other authorities only. */
    NOT_OURS,
    /** The key did not sign. */
    FAILED,
    /** What is known of certificates cannot be asked at present. */
    TRY_LATER
  }

  /** OCSPResponse { responseStatus tryLater }. */
  private static final byte[] TRY_LATER = {0x30, 3, 0x0a, 1, 3};

  /** An answer for when nothing can be told. */
  public static OcspAnswer tryLater() {
    return new OcspAnswer(TRY_LATER, Outcome.TRY_LATER, null);
  }

  /** Copies the bytes. */
  public OcspAnswer {
    encoded = encoded.clone();
  }

  @Override
  public byte[] encoded() {
    return encoded.clone();
  }
}
