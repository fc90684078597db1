package dev.staithe.gateway.route;

import dev.staithe.gateway.backend.BackEnd;
import dev.staithe.gateway.backend.CallerFields;
import dev.staithe.gateway.publish.Wsdl;
import java.net.URI;
import java.util.Collections;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A path that stands for a service behind. Thread-safe; its policy changes while it runs. */
public final class Endpoint {
  /**
   * What does not change.
   *
   * @param path as clients ask for it
   * @param address the same as a whole URL, by the gateway's name
   * @param names of its host, that in the URL among them
   * @param callers subjects that may; empty: everybody whom the policy admits
   * @param told what the service is told of callers
   * @param largest bytes of a request, all parts of MTOM together
   */
  public record Settings(
      String path,
      URI address,
      Set<String> names,
      Set<String> callers,
      CallerFields told,
      long largest) {
    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

    /** Keeps its own sets; names of hosts have no case (RFC 3986 section 3.2.2). */
    public Settings {
      Set<String> hosts = new HashSet<>();
      names.forEach(name -> hosts.add(name.toLowerCase(Locale.ROOT)));
      hosts.add(address.getHost().toLowerCase(Locale.ROOT));
      if (!Collections.disjoint(hosts, LOOPBACK)) {
        hosts.addAll(LOOPBACK);
      }
      names = Set.copyOf(hosts);
      callers = Set.copyOf(callers);
    }

    /** Whether a host is this gateway's, by one of its names; null is not. */
    boolean isNamed(@Nullable String host) {
      return host != null && names.contains(host.toLowerCase(Locale.ROOT));
    }

    /**
     * Whether an address is that of this endpoint: by host and path. Scheme and port are those of
     * whatever stands in front.
     */
    boolean isHere(URI to) {
      String host = to.getHost();
      String asked = to.getPath();
      return isNamed(host) && (path.equals(asked) || address.getPath().equals(asked));
    }
  }

  private final Settings settings;
  private final BackEnd backEnd;
  private final Wsdl wsdl;
  private final AtomicReference<InForce> inForce;

  /**
   * @param backEnd where requests go
   * @param wsdl its description and the document of its policy
   * @param first what is in force to begin with
   */
  public Endpoint(Settings settings, BackEnd backEnd, Wsdl wsdl, InForce first) {
    this.settings = settings;
    this.backEnd = backEnd;
    this.wsdl = wsdl;
    this.inForce = new AtomicReference<>(first);
  }

  /** What does not change. */
  public Settings settings() {
    return settings;
  }

  /** Where requests go. */
  public URI backEndAddress() {
    return backEnd.address();
  }

  BackEnd backEnd() {
    return backEnd;
  }

  Wsdl wsdl() {
    return wsdl;
  }

  /** For requests that begin now. */
  public InForce inForce() {
    return inForce.get();
  }

  /** From now on; requests that have begun end under what they began with. */
  public void put(InForce next) {
    inForce.set(next);
  }
}
