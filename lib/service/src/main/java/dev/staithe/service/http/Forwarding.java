package dev.staithe.service.http;

import dev.staithe.service.Networks;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.util.HostPort;
import org.jspecify.annotations.Nullable;

/**
 * What a proxy tells about the request that it passes on, by {@code Forwarded} (RFC 7239) or the
 * {@code X-Forwarded-…} headers.
 *
 * <p>Proxies append, so whoever stands furthest right was seen by our own proxy, and what is left
 * of the first address that is no proxy of ours is that client's invention.
 *
 * @param client the rightmost address that is no trusted proxy; {@link #UNKNOWN} where it is hidden
 * @param scheme {@code http} or {@code https} towards the client, null where it is not told
 * @param authority what the client called us, null where it is not told
 */
record Forwarding(InetAddress client, @Nullable String scheme, @Nullable HostPort authority) {
  /**
   * The client that a proxy does not name. Not the proxy's own address, which may have rights, such
   * as loopback to read metrics.
   */
  static final InetAddress UNKNOWN = InetAddress.ofLiteral("0.0.0.0");

  private static final String STANDARD = "Forwarded";
  private static final String FOR = "X-Forwarded-For";
  private static final String PROTO = "X-Forwarded-Proto";
  private static final String HOST = "X-Forwarded-Host";
  private static final String PORT = "X-Forwarded-Port";

  /**
   * {@code token=value} and what ends it (RFC 7239 section 4); quoted or, leniently, bare. What is
   * quoted is taken possessively: else each character of it takes some of the stack.
   */
  private static final Pattern PAIR =
      Pattern.compile(
          "\\s*([\\w!#$%&'*+.^`|~-]+)=(?:\"((?:[^\"\\\\]|\\\\.)*+)\"|([^\\s\",;]*))\\s*");

  private static final Pattern PORT_AFTER_IPV4 = Pattern.compile("([0-9]+\\.[0-9.]+):[^:]*");
  private static final Pattern BRACKETS = Pattern.compile("\\[(.*)](?::.*)?");

  /** Headers that cannot be believed; the text is one line for the client. */
  static final class Ambiguous extends Exception {
    private static final long serialVersionUID = 1;

    Ambiguous(String line) {
      super(line);
    }
  }

  /**
   * Reads what trusted proxies tell, or nothing where there is no such header.
   *
   * @throws Ambiguous where a header is malformed, or both kinds came: a proxy sets one kind and
   *     passes on the other as the client wrote it, and we cannot know which
   */
  static Optional<Forwarding> read(HttpFields headers, Networks trusted) throws Ambiguous {
    boolean standard = headers.contains(STANDARD);
    boolean customary =
        headers.contains(FOR)
            || headers.contains(PROTO)
            || headers.contains(HOST)
            || headers.contains(PORT);
    if (standard && customary) {
      throw new Ambiguous("Forwarded and X-Forwarded headers came both; the proxy must remove one");
    }
    if (standard) {
      List<Map<String, String>> elements = elements(headers);
      List<String> nodes =
          elements.stream().map(element -> element.getOrDefault("for", "unknown")).toList();
      Map<String, String> told = elements.get(outermost(nodes, trusted));
      return Optional.of(
          of(told.getOrDefault("for", "unknown"), told.get("proto"), told.get("host"), null));
    }
    if (!customary) {
      return Optional.empty();
    }
    List<String> nodes = list(headers, FOR);
    String client = nodes.isEmpty() ? "unknown" : nodes.get(outermost(nodes, trusted));
    return Optional.of(of(client, last(headers, PROTO), last(headers, HOST), last(headers, PORT)));
  }

  private static Forwarding of(
      String client, @Nullable String proto, @Nullable String host, @Nullable String port)
      throws Ambiguous {
    String scheme = proto == null ? null : proto.toLowerCase(Locale.ROOT);
    if (scheme != null && !scheme.equals("http") && !scheme.equals("https")) {
      throw new Ambiguous("the forwarded scheme is neither http nor https");
    }
    try {
      HostPort authority = host == null ? null : new HostPort(host);
      if (port != null && authority != null) {
        authority = new HostPort(authority.getHost(), HostPort.parsePort(port));
      }
      return new Forwarding(address(client), scheme, authority);
    } catch (IllegalArgumentException e) {
      throw new Ambiguous("the forwarded host is none");
    }
  }

  /** The index of the rightmost node that is no trusted proxy, or of the first of all. */
  private static int outermost(List<String> nodes, Networks trusted) {
    int i = nodes.size() - 1;
    while (i > 0 && trusted.contains(address(nodes.get(i)))) {
      i--;
    }
    return i;
  }

  private static InetAddress address(String node) {
    String literal = node;
    Matcher brackets = BRACKETS.matcher(node);
    Matcher port = PORT_AFTER_IPV4.matcher(node);
    if (brackets.matches()) {
      literal = brackets.group(1);
    } else if (port.matches()) {
      literal = port.group(1);
    }
    return Networks.address(literal).orElse(UNKNOWN);
  }

  private static List<String> list(HttpFields headers, String name) {
    List<String> all = new ArrayList<>();
    for (String line : headers.getValuesList(name)) {
      for (String each : line.split(",")) {
        if (!each.isBlank()) {
          all.add(each.strip());
        }
      }
    }
    return all;
  }

  /** These name no hop, so that only what the nearest proxy says can be told from inventions. */
  private static @Nullable String last(HttpFields headers, String name) {
    List<String> all = list(headers, name);
    return all.isEmpty() ? null : all.getLast();
  }

  /**
   * The elements of all {@code Forwarded} lines, leftmost first, at least one. A quotation mark
   * that a client leaves open must not swallow what the proxy appends: what does not match to the
   * end of its line is refused.
   */
  private static List<Map<String, String>> elements(HttpFields headers) throws Ambiguous {
    List<Map<String, String>> all = new ArrayList<>();
    for (String line : headers.getValuesList(STANDARD)) {
      Matcher pair = PAIR.matcher(line);
      Map<String, String> element = new HashMap<>();
      int at = 0;
      do {
        if (!pair.region(at, line.length()).lookingAt()) {
          throw new Ambiguous("the Forwarded header is malformed");
        }
        String value =
            pair.group(3) != null ? pair.group(3) : pair.group(2).replaceAll("\\\\(.)", "$1");
        element.put(pair.group(1).toLowerCase(Locale.ROOT), value);
        at = pair.end();
        if (at == line.length() || line.charAt(at) == ',') {
          all.add(element);
          element = new HashMap<>();
        } else if (line.charAt(at) != ';') {
          throw new Ambiguous("the Forwarded header is malformed");
        }
      } while (at++ < line.length());
    }
    return all;
  }
}
