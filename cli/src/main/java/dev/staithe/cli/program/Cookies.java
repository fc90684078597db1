package dev.staithe.cli.program;

import java.net.URI;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Cookies by host (RFC 6265). What a browser forgets when it is closed is kept too: the next call
 * of the command is the same user at the same desk. Not thread-safe.
 */
public final class Cookies {
  /** A server that sets more is not logged in to. */
  private static final int MOST = 300;

  private static final int LONGEST = 8192;

  private final Clock clock;
  private final List<Cookie> cookies = new ArrayList<>();

  /** None yet. */
  public Cookies(Clock clock) {
    this.clock = clock;
  }

  /**
   * One cookie.
   *
   * @param host in small letters; with {@code below} also of all hosts below it
   * @param expires null where its server decides
   */
  record Cookie(
      String name,
      String value,
      String host,
      boolean below,
      String path,
      boolean secure,
      @Nullable Instant expires) {
    private boolean same(Cookie other) {
      return name.equals(other.name) && host.equals(other.host) && path.equals(other.path);
    }

    private boolean goesTo(URI address) {
      String called = hostOf(address);
      return (host.equals(called) || below && called.endsWith("." + host))
          && pathMatches(address.getRawPath())
          // A machine's own loopback is as good as TLS, as in browsers.
          && (!secure || "https".equals(address.getScheme()) || Addresses.isLoopback(address));
    }

    /** RFC 6265 §5.1.4. */
    private boolean pathMatches(@Nullable String requested) {
      String asked = requested == null || requested.isEmpty() ? "/" : requested;
      return asked.equals(path)
          || asked.startsWith(path) && (path.endsWith("/") || asked.charAt(path.length()) == '/');
    }

    /** Without the value. */
    @Override
    public String toString() {
      return "Cookie[" + name + " of " + host + path + "]";
    }
  }

  /** Those that have not ended. */
  public List<Cookie> all() {
    Instant now = clock.instant();
    cookies.removeIf(cookie -> cookie.expires() != null && !cookie.expires().isAfter(now));
    return List.copyOf(cookies);
  }

  void add(Cookie cookie) {
    cookies.removeIf(cookie::same);
    if (cookies.size() < MOST) {
      cookies.add(cookie);
    }
  }

  /** Keeps those of one host with one of these names, and no other. */
  public void keepOnly(URI at, Set<String> names) {
    cookies.removeIf(cookie -> !cookie.host().equals(hostOf(at)) || !names.contains(cookie.name()));
  }

  /** Whether there is one with one of these names. */
  public boolean has(URI at, Set<String> names) {
    return all().stream()
        .anyMatch(cookie -> cookie.host().equals(hostOf(at)) && names.contains(cookie.name()));
  }

  /** Whether a request there would carry any. */
  public boolean any(URI to) {
    return all().stream().anyMatch(cookie -> cookie.goesTo(to));
  }

  /** The value of the header {@code Cookie}, empty where there is none (RFC 6265 §5.4). */
  public String header(URI to) {
    return all().stream()
        .filter(cookie -> cookie.goesTo(to))
        .sorted(Comparator.comparing((Cookie cookie) -> -cookie.path().length()))
        .map(cookie -> cookie.name() + "=" + cookie.value())
        .collect(Collectors.joining("; "));
  }

  /**
   * Takes what an answer sets (RFC 6265 §5.2 and §5.3); a line that makes no sense is passed over.
   */
  public void take(URI from, List<String> lines) {
    for (String line : lines) {
      if (line.length() <= LONGEST) {
        take(from, line);
      }
    }
  }

  private void take(URI from, String line) {
    String[] parts = line.split(";", -1);
    int equals = parts[0].indexOf('=');
    if (equals < 1) {
      return;
    }
    String name = parts[0].substring(0, equals).strip();
    String value = parts[0].substring(equals + 1).strip();
    String called = hostOf(from);
    String host = called;
    String path = defaultPath(from);
    boolean below = false;
    boolean secure = false;
    Instant expires = null;
    boolean hasAge = false;
    for (int i = 1; i < parts.length; i++) {
      int at = parts[i].indexOf('=');
      String key = (at < 0 ? parts[i] : parts[i].substring(0, at)).strip().toLowerCase(Locale.ROOT);
      String set = at < 0 ? "" : parts[i].substring(at + 1).strip();
      switch (key) {
        case "secure" -> secure = true;
        case "path" -> path = set.startsWith("/") ? set : path;
        case "domain" -> {
          String domain = (set.startsWith(".") ? set.substring(1) : set).toLowerCase(Locale.ROOT);
          if (!domain.isEmpty() && !domain.equals(called)) {
            if (!called.endsWith("." + domain) || !domain.contains(".")) {
              return;
            }
          }
          host = domain.isEmpty() ? called : domain;
          below = !domain.isEmpty();
        }
        case "max-age" -> {
          if (set.matches("-?[0-9]{1,10}")) {
            expires = clock.instant().plusSeconds(Long.parseLong(set));
            hasAge = true;
          }
        }
        case "expires" -> expires = hasAge ? expires : date(set);
        default -> {
          // HttpOnly and SameSite concern pages with scripts.
        }
      }
    }
    add(new Cookie(name, value, host, below, path, secure, expires));
  }

  private static String hostOf(URI address) {
    String host = address.getHost();
    return host == null ? "" : host.toLowerCase(Locale.ROOT);
  }

  private static String defaultPath(URI from) {
    String path = from.getRawPath();
    int last = path == null ? -1 : path.lastIndexOf('/');
    return path == null || last <= 0 ? "/" : path.substring(0, last);
  }

  /** Null where it cannot be read: then it lives as long as its server says. */
  private static @Nullable Instant date(String text) {
    try {
      return DateTimeFormatter.RFC_1123_DATE_TIME.parse(text.replace('-', ' '), Instant::from);
    } catch (DateTimeException e) {
      return null;
    }
  }
}
