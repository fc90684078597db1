package dev.staithe.storage.contracts;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A part of a file as a contract has it: two positions, both included. None of the other forms that
 * {@code Range} may have (RFC 9110 section 14.1.2) can be signed for without knowing the file.
 *
 * @param first byte of it
 * @param last byte of it, not before the first
 */
record FilePart(long first, long last) {
  private static final Pattern RANGE = Pattern.compile("bytes=([0-9]{1,18})-([0-9]{1,18})");

  /** That of a field {@code Range}; empty where it is no part of a file of that many bytes. */
  static Optional<FilePart> of(String range, long size) {
    Matcher found = RANGE.matcher(range);
    if (!found.matches()) {
      return Optional.empty();
    }
    FilePart part = new FilePart(Long.parseLong(found.group(1)), Long.parseLong(found.group(2)));
    return Optional.of(part).filter(p -> p.first() <= p.last() && p.last() < size);
  }

  long length() {
    return last - first + 1;
  }

  /** The {@code Content-Range} of its answer. */
  String contentRange(long size) {
    return "bytes " + first + "-" + last + "/" + size;
  }
}
