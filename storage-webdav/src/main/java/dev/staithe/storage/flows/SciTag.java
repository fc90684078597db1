package dev.staithe.storage.flows;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a transfer is for, as the {@code SciTag} header tells (HTTP-TPC, SciTags technical
 * specification): the experiment in the upper bits, its activity in the lower six.
 *
 * @param value 65 to 65535
 */
public record SciTag(int value) {
  private static final int LEAST = 65;
  private static final int MOST = 65535;

  /**
   * Checks the range.
   *
   * @throws IllegalArgumentException where it is left
   */
  public SciTag {
    if (value < LEAST || value > MOST) {
      throw new IllegalArgumentException("a SciTag is " + LEAST + " to " + MOST);
    }
  }

  /** The header's value; one that is none marks nothing, rather than ending a transfer. */
  public static Optional<SciTag> parse(@Nullable String header) {
    if (header == null || !header.strip().matches("[0-9]{2,5}")) {
      return Optional.empty();
    }
    int value = Integer.parseInt(header.strip());
    return value < LEAST || value > MOST ? Optional.empty() : Optional.of(new SciTag(value));
  }

  /** The number of the experiment, 1 or more. */
  public int experiment() {
    return value >> 6;
  }

  /** The number of the activity, 0 to 63. */
  public int activity() {
    return value & 63;
  }
}
