package dev.staithe.perf.harness;

import dev.staithe.perf.result.Form;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Sizes of files: those of the size axis, and how people write them. */
public final class Sizes {
  private static final long KIB = 1L << 10;
  private static final int FEW = 32;
  private static final long SMALLEST = KIB;
  private static final long BYTES_BY_PIECE = 256L << 20;
  private static final int REQUESTS_BY_PIECE = 200;

  private Sizes() {}

  /** The size axis, in bytes, ascending: each eight (full) or 32 times the one before. */
  public static List<Long> of(Form form) {
    return upTo(form.largest(), form == Form.FULL ? 8 : FEW);
  }

  /** The size axis where a piece of work takes long, each 32 times the one before. */
  public static List<Long> few(Form form) {
    return upTo(form.largest(), FEW);
  }

  private static List<Long> upTo(long largest, int factor) {
    var sizes = new ArrayList<Long>();
    for (long size = SMALLEST; size <= largest; size *= factor) {
      sizes.add(size);
    }
    if (sizes.getLast() < largest) {
      sizes.add(largest);
    }
    return sizes;
  }

  /** A point for each of them. */
  public static List<Map<String, String>> points(List<Long> sizes) {
    return sizes.stream().map(size -> Map.of("size", "" + size)).toList();
  }

  /** How many requests of a size make up a piece of work: as many as 256 MiB hold, 1 to 200. */
  public static long repeats(long size) {
    return Math.clamp(BYTES_BY_PIECE / size, 1, REQUESTS_BY_PIECE);
  }

  /** As {@code 1 GiB}. */
  public static String text(long bytes) {
    String[] units = {"B", "KiB", "MiB", "GiB"};
    int unit = 0;
    long number = bytes;
    while (unit < units.length - 1 && number >= KIB && number % KIB == 0) {
      number /= KIB;
      unit++;
    }
    return number + " " + units[unit];
  }
}
