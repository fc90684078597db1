package dev.staithe.storage.exchange;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Byte ranges of a request (RFC 9110 section 14). */
public sealed interface ByteRanges {
  /**
   * Above this number of ranges the header is ignored (RFC 9110 section 14.2 allows that): more
   * than a head may have (32 KB), so that no client that asks for parts gets a whole file. ROOT and
   * davix ask for a thousand at once.
   */
  int MAX_RANGES = 8 * 1024;

  Pattern SPEC = Pattern.compile("\\s*(\\d{1,18})?\\s*-\\s*(\\d{1,18})?\\s*");

  /** A part of the file, {@code first} and {@code last} included. */
  record Part(long first, long last) {
    /** Bytes. */
    public long length() {
      return last - first + 1;
    }

    /** The value of {@code Content-Range} for it in a file of that many bytes. */
    public String contentRange(long size) {
      return "bytes " + first + "-" + last + "/" + size;
    }
  }

  /** No range: the whole file is sent. */
  record Whole() implements ByteRanges {}

  /** One or more parts, in order of the request, overlapping and adjacent ones made one. */
  record Parts(List<Part> parts) implements ByteRanges {}

  /** 416: nothing that was asked for exists. */
  record Unsatisfiable() implements ByteRanges {}

  static ByteRanges of(String header, long size) {
    String text = header.trim();
    if (!text.regionMatches(true, 0, "bytes=", 0, 6)) {
      return new Whole();
    }
    String[] specs = text.substring(6).split(",");
    if (specs.length > MAX_RANGES) {
      return new Whole();
    }
    List<Part> parts = new ArrayList<>();
    boolean any = false;
    for (String spec : specs) {
      if (spec.isBlank()) {
        continue;
      }
      Matcher m = SPEC.matcher(spec);
      if (!m.matches() || m.group(1) == null && m.group(2) == null) {
        return new Whole();
      }
      any = true;
      long first;
      long last;
      if (m.group(1) == null) {
        long suffix = Long.parseLong(m.group(2));
        first = Math.max(0, size - suffix);
        last = suffix == 0 ? -1 : size - 1;
      } else {
        first = Long.parseLong(m.group(1));
        last = m.group(2) == null ? size - 1 : Long.parseLong(m.group(2));
        if (m.group(2) != null && last < first) {
          return new Whole();
        }
        last = Math.min(last, size - 1);
      }
      if (first <= last && first < size) {
        parts.add(new Part(first, last));
      }
    }
    if (!any) {
      return new Whole();
    }
    return parts.isEmpty() ? new Unsatisfiable() : new Parts(coalesced(parts));
  }

  /** Overlapping ranges are a way to ask for a file many times over: they are made one. */
  private static List<Part> coalesced(List<Part> parts) {
    boolean overlaps = false;
    List<Part> sorted = new ArrayList<>(parts);
    sorted.sort(Comparator.comparingLong(Part::first));
    List<Part> merged = new ArrayList<>();
    for (Part part : sorted) {
      Part previous = merged.isEmpty() ? null : merged.getLast();
      if (previous != null && part.first() <= previous.last() + 1) {
        merged.set(
            merged.size() - 1, new Part(previous.first(), Math.max(previous.last(), part.last())));
        overlaps = true;
      } else {
        merged.add(part);
      }
    }
    return overlaps ? List.copyOf(merged) : List.copyOf(parts);
  }
}
