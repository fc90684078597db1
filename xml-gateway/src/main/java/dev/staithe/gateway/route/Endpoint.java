package dev.staithe.gateway.route;

import dev.staithe.gateway.publish.Wsdl;
import java.net.URI;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

/** A path that stands for a service behind. Thread-safe; its policy changes while it runs. */
public final class Endpoint {
  /**
   * What does not change.
   *
   * @param path as clients ask for it
   * @param address the same as a whole URL, by the gateway's name
   * @param callers subjects that may; empty: everybody whom the policy admits
   * @param largest bytes of a request, all parts of MTOM together
   */
  public record Settings(String path, URI address, Set<String> callers, long largest) {
    /** Keeps its own set. */
    public Settings {
      callers = Set.copyOf(callers);
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
