package dev.staithe.authn.clients;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A scope (RFC 6749 section 3.3), with the path that storage scopes have (WLCG profile 1.3,
 * "Capability-based Authorization"). Paths are canonical: absolute, without empty segments or dots,
 * and compared by decoded segments, so that {@code /foo} holds {@code /foo/bar} but not {@code
 * /foobar}.
 *
 * @param name what comes before the path, as {@code storage.read}; all of a scope without one
 * @param path as it was written, or null
 */
public record Scope(String name, @Nullable String path) {
  private static final int LONGEST = 1000;

  /** Reads one scope; empty where it is none, or has a path that is not canonical. */
  public static Optional<Scope> parse(String text) {
    if (text.isEmpty() || text.length() > LONGEST || !text.chars().allMatch(Scope::allowed)) {
      return Optional.empty();
    }
    int colon = text.indexOf(":/");
    if (colon <= 0) {
      // Storage scopes without a path make services refuse the whole token.
      return text.startsWith("storage.") ? Optional.empty() : Optional.of(new Scope(text, null));
    }
    String path = text.substring(colon + 1);
    return segments(path) == null
        ? Optional.empty()
        : Optional.of(new Scope(text.substring(0, colon), path));
  }

  /** As {@link #parse}, for what an administrator wrote. */
  public static Scope of(String text) {
    return parse(text)
        .orElseThrow(() -> new IllegalArgumentException("\"" + text + "\" is no scope"));
  }

  private static boolean allowed(int c) {
    return c > 0x20 && c < 0x7f && c != '"' && c != '\\';
  }

  /** Whether this asks for no more than {@code granted} gives. */
  public boolean within(Scope granted) {
    if (!name.equals(granted.name)) {
      return false;
    }
    if (granted.path == null || path == null) {
      return granted.path == null && path == null;
    }
    List<String> mine = segments(path);
    List<String> theirs = segments(granted.path);
    if (mine == null || theirs == null || mine.size() < theirs.size()) {
      return false;
    }
    // A grant of the folder /foo/ does not hold a file /foo.
    boolean folderOnly = granted.path.endsWith("/") && !granted.path.equals("/");
    if (folderOnly && mine.size() == theirs.size() && !path.endsWith("/")) {
      return false;
    }
    return mine.subList(0, theirs.size()).equals(theirs);
  }

  /** Whether there is something at or below both paths, whatever the names are. */
  boolean overlaps(Scope other) {
    if (path == null || other.path == null) {
      return true;
    }
    List<String> mine = segments(path);
    List<String> theirs = segments(other.path);
    if (mine == null || theirs == null) {
      return true;
    }
    int common = Math.min(mine.size(), theirs.size());
    return mine.subList(0, common).equals(theirs.subList(0, common));
  }

  /** The decoded segments, or null where the path is not canonical. */
  private static @Nullable List<String> segments(String path) {
    if (!path.startsWith("/")) {
      return null;
    }
    List<String> segments = new ArrayList<>();
    String[] parts = path.substring(1).split("/", -1);
    for (int i = 0; i < parts.length; i++) {
      if (parts[i].isEmpty()) {
        if (i == parts.length - 1) {
          continue; // a trailing slash, or the root
        }
        return null;
      }
      String segment = decoded(parts[i]);
      if (segment == null) {
        return null;
      }
      segments.add(segment);
    }
    return segments;
  }

  private static @Nullable String decoded(String segment) {
    String decoded;
    try {
      // The decoder is one for forms, where a plus is a blank.
      decoded = URLDecoder.decode(segment.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      return null;
    }
    boolean control = decoded.chars().anyMatch(c -> c < 0x20 || c == 0x7f || c == 0xfffd);
    // What is encoded twice would mean something else to whoever decodes once more.
    return control
            || decoded.equals(".")
            || decoded.equals("..")
            || decoded.indexOf('/') >= 0
            || decoded.indexOf('\\') >= 0
            || decoded.indexOf('%') >= 0
        ? null
        : decoded;
  }

  /** As it is written in a request or a token. */
  @Override
  public String toString() {
    return path == null ? name : name + ":" + path;
  }
}
