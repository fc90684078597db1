package dev.staithe.storage.issuers;

import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.proc.SecurityContext;
import dev.staithe.storage.state.StateFolder;
import dev.staithe.tls.Reloadable;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.text.ParseException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * The keys of the trusted issuers, fetched over https and kept (WLCG JWT profile 1.3). Thread-safe.
 *
 * <p>Every issuer has its own threads; nothing that one of them does delays a request of another,
 * and nothing is ever fetched for an issuer that is not in the list.
 */
public final class IssuerKeys implements AutoCloseable {
  private final Map<String, IssuerKeyring> fetched = new LinkedHashMap<>();
  private final Map<String, Reloadable<JWKSet>> fixed = new LinkedHashMap<>();
  private final IssuerFetch source;

  /**
   * Takes the issuers; {@link #start} begins to fetch.
   *
   * @param fixedKeySets files with the JWK sets of issuers that are never asked over the network,
   *     by issuer; read again when they change, and one that is broken leaves the keys before in
   *     use
   * @param checkInterval between two looks at these files; zero for none but by {@link
   *     #lookAtFiles}
   * @param ssl verifies the issuers' certificates; host names are checked besides. The JDK's own
   *     provider is the one that its HTTP client is made for
   * @throws IllegalArgumentException with one line where a fixed key set cannot be read or has no
   *     usable key
   */
  public IssuerKeys(
      List<TrustedIssuer> issuers,
      Map<String, Path> fixedKeySets,
      Duration checkInterval,
      SSLContext ssl,
      KeyPolicy policy,
      Clock clock) {
    source = new IssuerFetch(ssl);
    for (TrustedIssuer issuer : issuers) {
      Path file = fixedKeySets.get(issuer.issuer());
      if (file == null) {
        fetched.put(issuer.issuer(), new IssuerKeyring(issuer, source, policy, clock));
        continue;
      }
      try {
        fixed.put(
            issuer.issuer(),
            new Reloadable<>(
                "Key set of issuer " + issuer.issuer(),
                List.of(file),
                checkInterval,
                clock,
                () -> read(file)));
      } catch (IOException | GeneralSecurityException e) {
        throw new IllegalArgumentException("issuer " + issuer.issuer() + ": " + e.getMessage(), e);
      }
    }
  }

  private static JWKSet read(Path file) throws IOException {
    try {
      return SigningKeys.parse(StateFolder.text(file));
    } catch (ParseException e) {
      throw new IOException(file + ": " + e.getMessage(), e);
    } catch (NoSuchFileException e) {
      throw new IOException(file + " is not there", e);
    } catch (CharacterCodingException e) {
      throw new IOException(file + ": the key set is not text", e);
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
            all.add(
                new IssuerStatus(
                    issuer, keys.current().size(), true, keys.loadedAt(), keys.lastError())));
    fetched.values().forEach(keyring -> all.add(keyring.status()));
    return List.copyOf(all);
  }

  /** The issuer's keys; a stranger has none, and is asked for none. */
  JWKSource<SecurityContext> of(String issuer) {
    Reloadable<JWKSet> keys = fixed.get(issuer);
    IssuerKeyring keyring = fetched.get(issuer);
    return keys != null
        ? (selector, context) -> selector.select(keys.current())
        : keyring != null ? keyring : (selector, context) -> List.of();
  }

  /** In how many seconds it is worth asking again for the issuer's keys, where they are away. */
  int retryAfterSeconds(String issuer) {
    IssuerKeyring keyring = fetched.get(issuer);
    return keyring == null ? 1 : keyring.retryAfterSeconds();
  }

  /**
   * The keys that the issuer has now, another object after each reading of them; null where there
   * are none yet. Never waits.
   */
  @Nullable JWKSet current(String issuer) {
    Reloadable<JWKSet> keys = fixed.get(issuer);
    if (keys != null) {
      return keys.current();
    }
    IssuerKeyring keyring = fetched.get(issuer);
    return keyring == null ? null : keyring.current();
  }

  /** Looks at the files of fixed key sets now, beside the regular looks. */
  void lookAtFiles() {
    fixed.values().forEach(Reloadable::check);
  }

  /** Ends the background threads; waiting requests are answered at once. */
  @Override
  public void close() {
    fetched.values().forEach(IssuerKeyring::close);
    fixed.values().forEach(Reloadable::close);
    source.close();
  }
}
