package dev.staithe.cli.delegation;

import dev.staithe.cli.program.Page;
import dev.staithe.cli.program.Profile;
import dev.staithe.cli.program.ServerTrust;
import dev.staithe.cli.program.StaitheCommand;
import dev.staithe.delegation.client.AcquireRules;
import dev.staithe.delegation.client.AcquireWish;
import dev.staithe.delegation.client.Acquired;
import dev.staithe.delegation.client.ArcClient;
import dev.staithe.delegation.client.ArcRestClient;
import dev.staithe.delegation.client.Connections;
import dev.staithe.delegation.client.Delegation;
import dev.staithe.delegation.client.DelegationApi;
import dev.staithe.delegation.client.DelegationWish;
import dev.staithe.delegation.client.GridSiteClient;
import dev.staithe.delegation.client.HeldDelegation;
import dev.staithe.delegation.client.Outcome;
import dev.staithe.pki.Credential;
import dev.staithe.pki.KeyRules;
import dev.staithe.pki.grid.ProxyTerms;
import dev.staithe.tls.ClientTls;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A service of delegation, in whichever language it is spoken to. What a language has no words for
 * is said so in one line. Not thread-safe.
 */
final class DelegationDoor implements AutoCloseable {
  /** Where delegation-service has its SOAP. */
  private static final String OUR_SOAP = "/services/delegation";

  /** Where ARC's computing elements are unless they say so. */
  private static final String ARC = "/arex";

  private final Profile.Delegations where;
  private final Credential as;
  private final ClientTls tls;
  private final HttpClient http;
  private final Language language;

  private sealed interface Language {
    record Json(DelegationApi api) implements Language {}

    record GridSite(GridSiteClient client) implements Language {}

    record Arc(ArcClient client) implements Language {}

    record ArcRest(ArcRestClient client) implements Language {}
  }

  private DelegationDoor(
      Profile.Delegations where, Credential as, ClientTls tls, boolean weakKeys, Clock clock)
      throws IOException {
    this.where = where;
    this.as = as;
    this.tls = tls;
    this.http = Connections.as(as, tls);
    this.language = language(where, http, weakKeys, clock);
  }

  /**
   * Opens nothing yet.
   *
   * @param as whom the service sees, and whose key signs
   * @throws IOException where the address or the authorities cannot be used
   */
  static DelegationDoor open(
      Profile.Delegations where, Credential as, boolean weakKeys, StaitheCommand staithe)
      throws IOException {
    // Before anything is opened.
    protocol(where.protocol());
    address(where);
    ClientTls tls =
        ServerTrust.tls(ServerTrust.of(where.trust(), staithe.profile()), staithe.clock());
    return new DelegationDoor(where, as, tls, weakKeys, staithe.clock());
  }

  private static Language language(
      Profile.Delegations where, HttpClient http, boolean weakKeys, Clock clock)
      throws IOException {
    URI url = address(where);
    KeyRules keys = weakKeys ? KeyRules.forOldServices() : KeyRules.standard();
    return switch (protocol(where.protocol())) {
      case JSON -> new Language.Json(new DelegationApi(http, url, clock));
      case GRIDSITE ->
          new Language.GridSite(
              new GridSiteClient(http, url, GridSiteClient.Version.V1_1, keys, clock));
      case GRIDSITE2 ->
          new Language.GridSite(
              new GridSiteClient(http, url, GridSiteClient.Version.V2_0, keys, clock));
      case ARC -> new Language.Arc(new ArcClient(http, url, clock));
      case ARC_REST -> new Language.ArcRest(new ArcRestClient(http, url, clock));
    };
  }

  private enum Protocol {
    JSON,
    GRIDSITE,
    GRIDSITE2,
    ARC,
    ARC_REST
  }

  private static Protocol protocol(String name) throws IOException {
    return switch (name) {
      case "json" -> Protocol.JSON;
      case "gridsite" -> Protocol.GRIDSITE;
      case "gridsite2" -> Protocol.GRIDSITE2;
      case "arc" -> Protocol.ARC;
      case "arc-rest" -> Protocol.ARC_REST;
      default ->
          throw new IOException(
              "--protocol " + Page.oneLine(name) + ": json, gridsite, gridsite2, arc or arc-rest");
    };
  }

  private static URI address(Profile.Delegations where) throws IOException {
    URI url;
    try {
      url = URI.create(where.url());
    } catch (IllegalArgumentException e) {
      throw new IOException(Page.oneLine(where.url()) + " is no URL");
    }
    if (url.getHost() == null || !"https".equals(url.getScheme())) {
      throw new IOException(Page.oneLine(where.url()) + ": delegation goes over https only");
    }
    boolean bare = url.getPath().isEmpty() || url.getPath().equals("/");
    return switch (protocol(where.protocol())) {
      case JSON -> url;
      case ARC_REST -> bare ? url.resolve(ARC) : url;
      case GRIDSITE, GRIDSITE2, ARC -> bare ? url.resolve(OUR_SOAP) : url;
    };
  }

  /** Which service it is, with the last id that was used there. */
  Profile.Delegations where() {
    return where;
  }

  /**
   * Delegates.
   *
   * @param id empty for the one that the service gives
   * @param rules null for those that the service has by default
   */
  HeldDelegation put(String id, @Nullable AcquireRules rules, ProxyTerms terms) throws IOException {
    String wanted = id.isEmpty() ? null : id;
    if (rules != null && !(language instanceof Language.Json)) {
      throw new IOException(
          "--acquirer and what goes with it: only --protocol json has words for that");
    }
    return given(
        switch (language) {
          case Language.Json(var api) ->
              api.delegate(as, new DelegationWish(wanted, null, rules, terms));
          case Language.GridSite(var client) -> client.delegate(as, wanted, terms);
          case Language.Arc(var client) -> {
            chosenByService(wanted);
            yield client.delegate(as, terms);
          }
          case Language.ArcRest(var client) -> {
            chosenByService(wanted);
            yield client.delegate(as, terms);
          }
        });
  }

  private static void chosenByService(@Nullable String id) throws IOException {
    if (id != null) {
      throw new IOException("the service chooses the id with --protocol arc and arc-rest");
    }
  }

  HeldDelegation renew(String id, ProxyTerms terms) throws IOException {
    return given(
        switch (language) {
          case Language.Json(var api) -> api.renew(as, id, terms);
          case Language.GridSite(var client) -> client.renew(as, id, terms);
          case Language.Arc _ ->
              throw new IOException("--protocol arc cannot renew: staithe delegate put again");
          case Language.ArcRest(var client) -> client.renew(as, id, terms);
        });
  }

  /** Ends it and tells its id. */
  String destroy(String id) throws IOException {
    return given(
        switch (language) {
          case Language.Json(var api) -> api.destroy(id);
          case Language.GridSite(var client) -> client.destroy(id);
          case Language.Arc _ ->
              throw new IOException("--protocol arc cannot end a delegation: it ends by itself");
          case Language.ArcRest(var client) -> client.destroy(id);
        });
  }

  /** Whether it tells more of a delegation than its end, and all that one has. */
  boolean tellsAll() {
    return language instanceof Language.Json;
  }

  /** All of one's own; for a language that {@link #tellsAll}. */
  List<Delegation> list() throws IOException {
    return given(json().list());
  }

  /** One of one's own; for a language that {@link #tellsAll}. */
  Delegation look(String id) throws IOException {
    return given(json().look(id));
  }

  /** When it ends. */
  Instant end(String id) throws IOException {
    return switch (language) {
      case Language.Json(var api) -> given(api.look(id)).notAfter();
      case Language.GridSite(var client) -> given(client.terminationTime(id));
      case Language.Arc _ -> throw new IOException("--protocol arc has no such question");
      case Language.ArcRest(var client) -> given(client.end(id));
    };
  }

  Acquired acquire(String id, AcquireWish wish) throws IOException {
    return given(
        switch (language) {
          case Language.Json(var api) -> api.acquire(id, wish);
          case Language.Arc(var client) -> {
            if (wish.lifetime() != null || wish.pathLength() != null || wish.limited()) {
              throw new IOException(
                  "--valid, --path-length and --limited: --protocol arc has no words for them");
            }
            yield client.acquire(id, wish);
          }
          case Language.GridSite _ ->
              throw new IOException("GridSite gives no proxies out: --protocol json or arc");
          case Language.ArcRest _ ->
              throw new IOException("a computing element gives no proxies out");
        });
  }

  private DelegationApi json() {
    if (language instanceof Language.Json(var api)) {
      return api;
    }
    throw new IllegalStateException("asked of a language that has no words for it");
  }

  private static <T> T given(Outcome<T> outcome) throws IOException {
    return switch (outcome) {
      case Outcome.Done<T>(T value) -> value;
      case Outcome.Refused<T> refused -> throw new IOException(refused.refusal().line());
    };
  }

  @Override
  public void close() {
    http.close();
    tls.close();
  }
}
