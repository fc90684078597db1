package dev.staithe.perf.study;

import dev.staithe.perf.harness.Bench;
import dev.staithe.perf.harness.Contestant;
import dev.staithe.perf.lean.CampusTask;
import dev.staithe.perf.lean.CampusTask.Act;
import dev.staithe.perf.lean.CampusTask.Reuse;
import dev.staithe.perf.lean.CampusTask.Way;
import dev.staithe.perf.peers.Accounts;
import dev.staithe.perf.result.Form;
import dev.staithe.perf.services.CredentialServer;
import dev.staithe.perf.services.IdentityProvider;
import dev.staithe.perf.services.StaitheSlcsPeer.Variant;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.DoubleSupplier;

/** Visits of campus users to our services, as contestants and as loads of their own. */
final class CampusVisits {
  /** Unprotected; what they say is the same. */
  private static final String OPEN_ECHO = "/echo/open";

  private static final String PROTECTED_ECHO = "/echo";
  private static final String CERTIFICATE_ECHO = "/echo/certificate";

  /** Each has asked for certificates with a key of its own; as many as clients at most. */
  private static final int ACCOUNTS = 50;

  /** Seconds after which a service is as warm as it will be. */
  private static final double WARMING = 120;

  private final Bench bench;
  private final CampusCast cast;
  private final Set<String> warmed = new HashSet<>();

  CampusVisits(Bench bench, CampusCast cast) {
    this.bench = bench;
    this.cast = cast;
  }

  /**
   * What kind of visits.
   *
   * @param certificate whether the client has one for TLS
   * @param keepAlive whether connections outlive visits
   */
  record Kind(Act act, Way way, Reuse reuse, boolean certificate, boolean keepAlive) {
    /** {@code echoString} without any session over kept connections. */
    static final Kind ECHO = new Kind(Act.ECHO, Way.ECP, Reuse.ANONYMOUS, false, true);

    Kind act(Act other) {
      return new Kind(other, way, reuse, certificate, keepAlive);
    }

    Kind by(Way other) {
      return new Kind(act, other, reuse, certificate, keepAlive);
    }

    Kind with(Reuse other) {
      return new Kind(act, way, other, certificate, keepAlive);
    }

    Kind withCertificate() {
      return new Kind(act, way, reuse, true, keepAlive);
    }

    Kind connecting() {
      return new Kind(act, way, reuse, certificate, false);
    }
  }

  /** How many accounts have a request for a certificate. */
  int accounts() {
    return bench.form() == Form.SMOKE ? 2 : ACCOUNTS;
  }

  /**
   * Such visits at one of our services as a contestant, where it runs.
   *
   * @param users at once where the point does not say
   */
  Optional<Contestant> contestant(
      String name, Variant variant, Kind kind, int users, double seconds) throws IOException {
    Optional<CredentialServer> server = cast.server(variant);
    if (server.isEmpty()) {
      return Optional.empty();
    }
    // Before anything is measured.
    task(server.get(), kind, users, seconds, 0, Optional.empty());
    CredentialServer running = server.get();
    return Optional.of(
        bench
            .visited(
                name,
                running,
                point -> {
                  int asked = Integer.parseInt(point.getOrDefault("clients", "" + users));
                  return task(running, kind, asked, seconds, 0, Optional.empty());
                })
            .between(providerCpu()));
  }

  /** CPU seconds so far of the identity provider, which is neither server nor client. */
  DoubleSupplier providerCpu() {
    return cast.provider().map(each -> Bench.cpu(each)).orElse(() -> 0);
  }

  /**
   * Some visits by browser that nobody measures, for the response of the provider.
   *
   * @param response where it goes
   */
  void keepResponse(CredentialServer server, Path response) throws IOException {
    bench.unmeasured(
        task(
            server,
            Kind.ECHO.by(Way.BROWSER).with(Reuse.NOTHING),
            1,
            30,
            1,
            Optional.of(response)));
  }

  /**
   * Visits that nobody measures, so that the service is as warm as one that has run for a while: it
   * is their number that counts. A second time nothing is done.
   *
   * @param count none where figures do not count; a fifth of them in the short form
   */
  void warm(Variant variant, Kind kind, int users, long count) throws IOException {
    long enough = bench.form().choose(count, count / 5, 0, 0);
    Optional<CredentialServer> server = cast.server(variant);
    if (server.isPresent() && enough > 0 && warmed.add(variant + " " + kind)) {
      bench.progress().line("warming " + variant.peer());
      bench.unmeasured(task(server.get(), kind, users, WARMING, enough, Optional.empty()));
    }
  }

  private CampusTask task(
      CredentialServer server,
      Kind kind,
      int users,
      double seconds,
      long count,
      Optional<Path> response)
      throws IOException {
    boolean certificates = kind.act() != Act.ECHO;
    return new CampusTask(
        kind.act(),
        kind.way(),
        kind.reuse(),
        server.url(),
        path(kind),
        PROTECTED_ECHO,
        cast.provider().map(IdentityProvider::enhancedUrl).orElse(""),
        users,
        kind.keepAlive(),
        seconds,
        count,
        accounts(),
        Accounts.USUAL.password(),
        bench.site().authority().toString(),
        kind.certificate() ? cast.credential().toString() : "",
        certificates ? cast.requests(accounts()).toString() : "",
        response.map(Path::toString).orElse(""));
  }

  private static String path(Kind kind) {
    return switch (kind.act()) {
      case ECHO -> {
        if (kind.certificate()) {
          yield CERTIFICATE_ECHO;
        }
        yield kind.reuse() == Reuse.ANONYMOUS ? OPEN_ECHO : PROTECTED_ECHO;
      }
      case CERTIFICATE -> "/certificates";
      case SOAP_CERTIFICATE -> "/soap/slcs";
    };
  }
}
