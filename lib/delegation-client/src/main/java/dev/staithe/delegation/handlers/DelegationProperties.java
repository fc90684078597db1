package dev.staithe.delegation.handlers;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What a service, or a program that calls services, says about delegation.
 *
 * @param trust authorities of those who are called and who call, as a folder such as {@code
 *     /etc/grid-security/certificates} or a PEM bundle
 * @param certificate PEM file of this service or program
 * @param key PEM file of its key
 * @param client calls that it makes
 * @param server calls that it serves
 */
@ConfigurationProperties("staithe.delegation")
public record DelegationProperties(
    @Nullable Path trust,
    @Nullable Path certificate,
    @Nullable Path key,
    @DefaultValue Client client,
    @DefaultValue Server server) {

  /**
   * Calls that are made: who is acted for delegates further, so that the one that is called may act
   * in its turn.
   *
   * @param enabled whether calls are made in the name of who is acted for
   * @param service to which is delegated
   * @param acquirers subjects of the services that are called, which may then act
   * @param uses how many proxies they may get; absent: any number
   * @param hops how many services further they may let act
   * @param limited whether their proxies are limited in the sense of Globus
   * @param lifetime of what is delegated
   * @param renewBefore how long before its end it is renewed
   * @param ownName whether calls that act for nobody delegate the certificate of this program
   *     itself: for programs of people
   * @param told where in a SOAP message
   * @param to servers that are called in somebody's name, as {@code https://se.example.org}; none
   *     for all
   */
  public record Client(
      @DefaultValue("false") boolean enabled,
      @Nullable URI service,
      @DefaultValue List<String> acquirers,
      @Nullable Integer uses,
      @DefaultValue("0") int hops,
      @DefaultValue("false") boolean limited,
      @DefaultValue("12h") Duration lifetime,
      @DefaultValue("30m") Duration renewBefore,
      @DefaultValue("false") boolean ownName,
      @DefaultValue("header") DelegationPlace told,
      @DefaultValue List<URI> to) {}

  /**
   * Calls that are served.
   *
   * @param enabled whether they may act for their callers
   * @param allowed the services of delegation that are asked for proxies; no other ever is
   * @param keys the kind of key of each proxy
   * @param lifetime of each; after it a revocation is noticed
   * @param renewBefore how long before its end another one is acquired
   * @param sessions how many proxies are kept
   * @param legacyProxies whether callers may show proxies from before RFC 3820
   */
  public record Server(
      @DefaultValue("false") boolean enabled,
      @DefaultValue List<Allowed> allowed,
      @DefaultValue("p-256") Keys keys,
      @DefaultValue("1h") Duration lifetime,
      @DefaultValue("5m") Duration renewBefore,
      @DefaultValue("10000") int sessions,
      @DefaultValue("false") boolean legacyProxies) {}

  /**
   * A service of delegation that may be asked.
   *
   * @param url its address, as callers tell it
   * @param language how it is spoken to
   */
  public record Allowed(@Nullable URI url, @DefaultValue("staithe") DelegationLanguage language) {}

  /** Kinds of key. */
  public enum Keys {
    /** NIST P-256. */
    P_256,
    /** RSA of 2048 bits, for services that know nothing else. */
    RSA_2048
  }
}
