package dev.staithe.storage.locks;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.eclipse.jetty.http.HttpURI;
import org.eclipse.jetty.server.Request;

/**
 * The {@code host:port} pairs by which clients know this server: those of the configuration and the
 * one that the request itself was sent to. Host and port both count: another port of the same host
 * is another server.
 */
public final class OwnAuthorities {
  private final Set<String> configured;

  /** Takes host names with ports, such as {@code se.example.org:8443}. */
  public OwnAuthorities(List<String> hostsWithPort) {
    Set<String> lower = new HashSet<>();
    hostsWithPort.forEach(h -> lower.add(h.toLowerCase(Locale.ROOT)));
    this.configured = Set.copyOf(lower);
  }

  /** The authorities that mean this server for this request, in lower case. */
  public Set<String> of(Request request) {
    Set<String> all = new HashSet<>(configured);
    HttpURI uri = request.getHttpURI();
    String host = Request.getServerName(request);
    if (host != null) {
      int port = Request.getServerPort(request);
      int known = port > 0 ? port : "https".equals(uri.getScheme()) ? 443 : 80;
      all.add(host.toLowerCase(Locale.ROOT) + ":" + known);
    }
    return all;
  }
}
