package dev.staithe.perf.study;

import java.util.ArrayList;
import java.util.List;

/** Sizes of files: those of the size axis, and how people write them. */
final class Sizes {
  private static final long KIB = 1L << 10;
  private static final long SMALLEST = KIB;

  private Sizes() {}

  /** The size axis, in bytes, ascending: each eight (full) or 32 times the one before. */
  static List<Long> of(Form form) {
    var sizes = new ArrayList<Long>();
    int factor = form == Form.FULL ? 8 : 32;
    for (long size = SMALLEST; size <= form.largest(); size *= factor) {
      sizes.add(size);
    }
    if (sizes.getLast() < form.largest()) {
      sizes.add(form.largest());
    }
    return sizes;
  }

  /** As {@code 1 GiB}. */
  static String text(long bytes) {
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
