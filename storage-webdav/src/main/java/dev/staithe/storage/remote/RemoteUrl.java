package dev.staithe.storage.remote;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The URL of a file on a remote server. Path and query are kept as they were written, since they
 * are the other server's business.
 *
 * @param https whether it is reached by TLS
 * @param host name or address in lower case, an IPv6 address without brackets
 * @param port 1 to 65535
 * @param target path and query, begins with a slash
 */
public record RemoteUrl(boolean https, String host, int port, String target) {
  /** Longest URL taken. */
  static final int MAX_LENGTH = 8192;

  /** What came of reading a URL. */
  public sealed interface Parsed {
    /** It is usable. */
    record Valid(RemoteUrl url) implements Parsed {}

    /** It is not; {@code reason} is one line without the URL itself. */
    record Invalid(String reason) implements Parsed {}
  }

  /** Reads an absolute URL of scheme http, https, dav or davs, without user part and fragment. */
  public static Parsed parse(String text) {
    if (text.length() > MAX_LENGTH) {
      return new Parsed.Invalid("the URL is longer than " + MAX_LENGTH + " characters");
    }
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c <= 0x20 || c >= 0x7f || c == '"' || c == '<' || c == '>' || c == '\\') {
        return new Parsed.Invalid("the URL has a character that must be percent-encoded");
      }
    }
    int colon = text.indexOf("://");
    if (colon < 0) {
      return new Parsed.Invalid("the URL is not absolute");
    }
    if (text.indexOf('#') >= 0) {
      return new Parsed.Invalid("the URL has a fragment");
    }
    boolean https;
    switch (text.substring(0, colon).toLowerCase(Locale.ROOT)) {
      case "https", "davs" -> https = true;
      case "http", "dav" -> https = false;
      default -> {
        return new Parsed.Invalid("the URL's scheme is none of https, http, davs, dav");
      }
    }
    int from = colon + 3;
    int to = from;
    while (to < text.length() && text.charAt(to) != '/' && text.charAt(to) != '?') {
      to++;
    }
    String target = text.substring(to);
    if (!target.startsWith("/")) {
      target = "/" + target;
    }
    return authority(https, text.substring(from, to), target);
  }

  private static Parsed authority(boolean https, String authority, String target) {
    if (authority.indexOf('@') >= 0) {
      return new Parsed.Invalid("the URL has a user part; credentials go into TransferHeader");
    }
    String host;
    String rest;
    if (authority.startsWith("[")) {
      int close = authority.indexOf(']');
      if (close < 0) {
        return new Parsed.Invalid("the URL's IPv6 address lacks its closing bracket");
      }
      host = authority.substring(1, close);
      rest = authority.substring(close + 1);
      if (!host.matches("[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*")) {
        return new Parsed.Invalid("the URL's IPv6 address is none");
      }
    } else {
      int colon = authority.indexOf(':');
      host = colon < 0 ? authority : authority.substring(0, colon);
      rest = colon < 0 ? "" : authority.substring(colon);
      if (!host.matches("[A-Za-z0-9._-]{1,255}")) {
        return new Parsed.Invalid("the URL has no usable host");
      }
    }
    int port = https ? 443 : 80;
    if (rest.length() > 1) {
      if (!rest.matches(":[0-9]{1,5}")) {
        return new Parsed.Invalid("the URL's port is no number");
      }
      port = Integer.parseInt(rest.substring(1));
      if (port < 1 || port > 65535) {
        return new Parsed.Invalid("the URL's port is not 1 to 65535");
      }
    } else if (!rest.isEmpty() && !rest.equals(":")) {
      return new Parsed.Invalid("the URL has no usable host");
    }
    return new Parsed.Valid(new RemoteUrl(https, host.toLowerCase(Locale.ROOT), port, target));
  }

  /** Reads a {@code Location} relative to this URL (RFC 9110 section 10.2.2). */
  Parsed resolve(String location) {
    int hash = location.indexOf('#');
    String to = (hash < 0 ? location : location.substring(0, hash)).strip();
    String scheme = https ? "https://" : "http://";
    if (to.matches("(?s)[A-Za-z][A-Za-z0-9+.-]*:.*")) {
      return parse(to);
    }
    if (to.startsWith("//")) {
      return parse((https ? "https:" : "http:") + to);
    }
    if (to.startsWith("/")) {
      return parse(scheme + authority() + to);
    }
    String path = path();
    if (to.isEmpty() || to.startsWith("?")) {
      return parse(scheme + authority() + path + to);
    }
    return parse(scheme + authority() + merged(path, to));
  }

  /** A path relative to another, without dots, which servers refuse (RFC 3986 section 5.2.4). */
  private static String merged(String base, String relative) {
    int query = relative.indexOf('?');
    String path = query < 0 ? relative : relative.substring(0, query);
    List<String> segments = new ArrayList<>(List.of(base.split("/", -1)));
    segments.removeLast();
    boolean dots = false;
    for (String segment : path.split("/", -1)) {
      dots = segment.equals(".") || segment.equals("..");
      if (!dots) {
        segments.add(segment);
      } else if (segment.equals("..") && segments.size() > 1) {
        segments.removeLast();
      }
    }
    if (dots) {
      segments.add("");
    }
    return String.join("/", segments) + relative.substring(path.length());
  }

  /** Whether scheme, host and port are the same (RFC 6454 section 5). */
  boolean sameOrigin(RemoteUrl other) {
    return https == other.https && port == other.port && host.equals(other.host);
  }

  /** {@code host:port}, with brackets around an IPv6 address. */
  public String hostPort() {
    return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
  }

  /** The query as it is written, which may hold a credential; null: none. */
  public @Nullable String query() {
    int query = target.indexOf('?');
    return query < 0 ? null : target.substring(query + 1);
  }

  /** The target without its query. */
  public String path() {
    int query = target.indexOf('?');
    return query < 0 ? target : target.substring(0, query);
  }

  /** What the {@code Host} field says: the port only where it is not the scheme's own. */
  public String authority() {
    String name = host.indexOf(':') >= 0 ? "[" + host + "]" : host;
    return port == (https ? 443 : 80) ? name : name + ":" + port;
  }

  /** All of it, as it is asked for: with the query, which may hold a credential. */
  public String absolute() {
    return (https ? "https://" : "http://") + authority() + target;
  }

  /** For logs and messages: never the query, which may hold a credential. */
  @Override
  public String toString() {
    return (https ? "https://" : "http://") + authority() + path();
  }
}
