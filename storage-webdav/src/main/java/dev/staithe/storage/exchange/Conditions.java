package dev.staithe.storage.exchange;

import dev.staithe.storage.files.FileEntry;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;

/** Conditional requests (RFC 9110 section 13), in the order of its section 13.2.2. */
public final class Conditions {
  private Conditions() {}

  /** What the conditions come to. */
  public enum Verdict {
    /** Go on. */
    MET,
    /** 304. */
    NOT_MODIFIED,
    /** 412. */
    FAILED
  }

  public static Verdict judge(HttpFields headers, Optional<FileEntry> current, boolean safeMethod) {
    List<String> ifMatch = headers.getValuesList(HttpHeader.IF_MATCH);
    if (!ifMatch.isEmpty()) {
      if (!matches(ifMatch, current, true)) {
        return Verdict.FAILED;
      }
    } else {
      Optional<Instant> unmodifiedSince = date(headers, HttpHeader.IF_UNMODIFIED_SINCE);
      if (unmodifiedSince.isPresent()
          && current.isPresent()
          && seconds(current.get()).isAfter(unmodifiedSince.get())) {
        return Verdict.FAILED;
      }
    }
    List<String> ifNoneMatch = headers.getValuesList(HttpHeader.IF_NONE_MATCH);
    if (!ifNoneMatch.isEmpty()) {
      if (matches(ifNoneMatch, current, false)) {
        return safeMethod ? Verdict.NOT_MODIFIED : Verdict.FAILED;
      }
    } else if (safeMethod) {
      Optional<Instant> modifiedSince = date(headers, HttpHeader.IF_MODIFIED_SINCE);
      if (modifiedSince.isPresent()
          && current.isPresent()
          && !seconds(current.get()).isAfter(modifiedSince.get())) {
        return Verdict.NOT_MODIFIED;
      }
    }
    return Verdict.MET;
  }

  /** The fields that make the change of a file conditional. */
  private static final List<String> KEPT =
      List.of("If-Match", "If-None-Match", "If-Unmodified-Since", "If");

  /** The conditions of a request that goes on in later ones, in one line; see {@link #restored}. */
  public static String kept(HttpFields headers) {
    return KEPT.stream()
        .filter(headers::contains)
        .map(
            name ->
                name
                    + "="
                    + URLEncoder.encode(
                        String.join(", ", headers.getValuesList(name)), StandardCharsets.UTF_8))
        .collect(Collectors.joining(" "));
  }

  /** What {@link #kept} made one line of. */
  public static HttpFields.Mutable restored(String kept) {
    HttpFields.Mutable headers = HttpFields.build();
    for (String field : kept.split(" ")) {
      int equals = field.indexOf('=');
      if (equals > 0) {
        headers.put(
            field.substring(0, equals),
            URLDecoder.decode(field.substring(equals + 1), StandardCharsets.UTF_8));
      }
    }
    return headers;
  }

  /** Whether the request insists that nothing is there yet. */
  public static boolean demandsAbsence(HttpFields headers) {
    return headers.getValuesList(HttpHeader.IF_NONE_MATCH).stream()
        .anyMatch(v -> v.trim().equals("*"));
  }

  /**
   * Whether a Range counts, given {@code If-Range} (RFC 9110 section 13.1.5). A date never makes it
   * so: it would have to be known that the file did not change twice within its second (section
   * 8.8.2.2), and a MOVE, a COPY or a client gives a file any time there is.
   */
  public static boolean rangeApplies(HttpFields headers, FileEntry file) {
    String ifRange = headers.get(HttpHeader.IF_RANGE);
    return ifRange == null || ifRange.trim().equals(file.etag());
  }

  private static boolean matches(List<String> values, Optional<FileEntry> current, boolean strong) {
    for (String value : values) {
      for (String candidate : value.split(",")) {
        String tag = candidate.trim();
        if (tag.equals("*") && current.isPresent()) {
          return true;
        }
        if (!strong && tag.startsWith("W/")) {
          tag = tag.substring(2);
        }
        if (current.isPresent() && tag.equals(current.get().etag())) {
          return true;
        }
      }
    }
    return false;
  }

  /** HTTP dates have whole seconds. */
  private static Instant seconds(FileEntry file) {
    return file.modified().truncatedTo(ChronoUnit.SECONDS);
  }

  /** One that is not valid is passed over (RFC 9110 section 13.1.3). */
  private static Optional<Instant> date(HttpFields headers, HttpHeader field) {
    String text = headers.get(field);
    return text == null ? Optional.empty() : Dates.parse(text.trim());
  }
}
