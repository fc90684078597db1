package dev.staithe.storage.authz;

import java.text.ParseException;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;

/**
 * The keys of the trusted issuers, fetched over https and kept (WLCG JWT profile 1.3). Thread-safe.
 *
 * <p>Every issuer has its own thread; nothing that one of them does delays a request of another,
 * and nothing is ever fetched for an issuer that is not in the list.
 */
public final class IssuerKeys implements AutoCloseable {
  private final Map<String, IssuerKeyring> fetched = new LinkedHashMap<>();
  private final Map<String, KeySet> fixed = new LinkedHashMap<>();
  private final Instant fixedSince;
  private final IssuerFetch source;

  /**
   * Takes the issuers; {@link #start} begins to fetch.
   *
   * @param fixedKeySets JWK sets (JSON) of issuers that are never asked over the network, by issuer
   * @param ssl verifies the issuers' certificates; host names are checked besides. The JDK's own
   *     provider is the one that its HTTP client is made for
   * @throws IllegalArgumentException with one line where a fixed key set has no usable key
   */
  public IssuerKeys(
      List<TrustedIssuer> issuers,
      Map<String, String> fixedKeySets,
      SSLContext ssl,
      KeyPolicy policy,
      Clock clock) {
    source = new IssuerFetch(ssl);
    fixedSince = clock.instant();
    for (TrustedIssuer issuer : issuers) {
      String keySet = fixedKeySets.get(issuer.issuer());
      if (keySet == null) {
        fetched.put(issuer.issuer(), new IssuerKeyring(issuer, source, policy, clock));
        continue;
      }
      try {
        fixed.put(issuer.issuer(), KeySet.parse(keySet));
      } catch (ParseException e) {
        throw new IllegalArgumentException("issuer " + issuer.issuer() + ": " + e.getMessage(), e);
      }
    }
  }

  /** Begins to fetch, in the background; call once. */
  public IssuerKeys start() {
    fetched.values().forEach(IssuerKeyring::start);
    return this;
  }

  /** How it stands with each issuer. */
  public List<IssuerStatus> status() {
    List<IssuerStatus> all = new ArrayList<>();
    fixed.forEach(
        (issuer, keys) ->
            all.add(new IssuerStatus(issuer, keys.keys().size(), true, fixedSince, null)));
    fetched.values().forEach(keyring -> all.add(keyring.status()));
    return List.copyOf(all);
  }

  /** The key; a stranger's is not there and nobody is asked for it. */
  KeyAnswer find(String issuer, String kid, TokenAlgorithm algorithm) {
    KeySet keys = fixed.get(issuer);
    if (keys != null) {
      var key = keys.find(kid, algorithm);
      return key == null ? new KeyAnswer.NotThere() : new KeyAnswer.Found(key);
    }
    IssuerKeyring keyring = fetched.get(issuer);
    if (keyring == null) {
      return new KeyAnswer.NotThere();
    }
    try {
      return keyring.find(kid, algorithm);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new KeyAnswer.Unreachable("the service is stopping", 1);
    }
  }

  /** Ends the background threads; waiting requests are answered at once. */
  @Override
  public void close() {
    fetched.values().forEach(IssuerKeyring::close);
    source.close();
  }
}
