package dev.staithe.storage;

import static dev.staithe.service.OneLineFailure.started;

import dev.staithe.service.Networks;
import dev.staithe.service.certificates.CertificateHealth;
import dev.staithe.service.certificates.ClientDoor;
import dev.staithe.service.certificates.RevocationMetrics;
import dev.staithe.service.certificates.TlsEnd;
import dev.staithe.service.http.HttpServer;
import dev.staithe.service.http.MetricsGate;
import dev.staithe.service.log.AccessLog;
import dev.staithe.service.start.StartLines;
import dev.staithe.storage.authz.Caller;
import dev.staithe.storage.authz.CertificateDoor;
import dev.staithe.storage.contracts.ContractController;
import dev.staithe.storage.contracts.Contracts;
import dev.staithe.storage.dav.CollectionPage;
import dev.staithe.storage.dav.CopyMoveMethod;
import dev.staithe.storage.dav.DavHandler;
import dev.staithe.storage.dav.DeleteMethod;
import dev.staithe.storage.dav.GetMethod;
import dev.staithe.storage.dav.LockMethod;
import dev.staithe.storage.dav.MkcolMethod;
import dev.staithe.storage.dav.PropfindMethod;
import dev.staithe.storage.dav.ProppatchMethod;
import dev.staithe.storage.dav.PutMethod;
import dev.staithe.storage.dav.ResumableUploads;
import dev.staithe.storage.dav.RootCollection;
import dev.staithe.storage.dav.SmallGet;
import dev.staithe.storage.dav.UnlockMethod;
import dev.staithe.storage.exchange.AccelRedirect;
import dev.staithe.storage.exchange.Answers;
import dev.staithe.storage.exchange.Areas;
import dev.staithe.storage.exchange.DavMethod;
import dev.staithe.storage.exchange.TransferBuffers;
import dev.staithe.storage.files.ChecksumJobs;
import dev.staithe.storage.files.StoragePath;
import dev.staithe.storage.flows.FlowMarks;
import dev.staithe.storage.issuers.IssuerKeys;
import dev.staithe.storage.issuers.TokenDoor;
import dev.staithe.storage.locks.Locking;
import dev.staithe.storage.locks.OwnAuthorities;
import dev.staithe.storage.operation.CopyOperation;
import dev.staithe.storage.operation.ExplainEndpoint;
import dev.staithe.storage.operation.Explanation;
import dev.staithe.storage.operation.SpaceReport;
import dev.staithe.storage.operation.StorageHealth;
import dev.staithe.storage.operation.StorageMeters;
import dev.staithe.storage.redirect.Redirects;
import dev.staithe.storage.remote.CopySettings;
import dev.staithe.storage.remote.RemoteClient;
import dev.staithe.storage.settings.StorageProperties;
import dev.staithe.storage.tokens.GivenTokens;
import dev.staithe.storage.tpc.ActiveCopies;
import dev.staithe.storage.tpc.DelegatedCredentials;
import dev.staithe.storage.tpc.OwnServer;
import dev.staithe.storage.tpc.ThirdPartyCopy;
import dev.staithe.storage.tpc.Transfers;
import dev.staithe.storage.tpc.TransfersDesk;
import dev.staithe.tls.ClientCertificates;
import dev.staithe.tls.ClientTls;
import dev.staithe.tls.ServerTls;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.web.server.context.WebServerInitializedEvent;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;

/** Puts the parts together; all that is decided here comes from the properties. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(StorageProperties.class)
final class StorageConfiguration {
  @Bean
  OwnAuthorities ownAuthorities(StorageProperties properties) {
    return new OwnAuthorities(properties.hosts());
  }

  @Bean
  Answers answers() {
    return new Answers();
  }

  @Bean
  CopySettings copySettings(StorageProperties properties) {
    return started("staithe.copy", () -> CopyOperation.settings(properties));
  }

  @Bean
  RemoteClient remoteClient(CopySettings settings, ClientTls tls, ListeningPort port) {
    return new RemoteClient(settings, tls::engine, port);
  }

  /** The port that the server listens on, once it does. */
  static final class ListeningPort implements IntPredicate {
    private volatile int port = -1;

    @EventListener
    void started(WebServerInitializedEvent event) {
      port = event.getWebServer().getPort();
    }

    @Override
    public boolean test(int candidate) {
      return candidate == port;
    }
  }

  @Bean
  ListeningPort listeningPort() {
    return new ListeningPort();
  }

  @Bean
  ActiveCopies activeCopies(CopySettings settings) {
    return new ActiveCopies(settings);
  }

  @Bean
  CopyOperation copyOperation(ActiveCopies active, MeterRegistry registry) {
    return new CopyOperation(active, registry);
  }

  @Bean
  ThirdPartyCopy thirdPartyCopy(
      CopySettings settings,
      RemoteClient client,
      ActiveCopies active,
      Transfers transfers,
      CopyMoveMethod copyMove,
      OwnAuthorities names,
      Areas areas,
      TokenDoor tokens,
      GivenTokens given,
      Locking locking,
      Contracts contracts,
      CopyOperation operation,
      FlowMarks marks,
      DelegatedCredentials delegated,
      Redirects redirects,
      Clock clock) {
    return new ThirdPartyCopy(
        settings,
        client,
        active,
        transfers,
        copyMove,
        new OwnServer(names, areas, given.before(tokens::identify)),
        locking,
        contracts,
        operation::ended,
        marks,
        delegated,
        redirects::sendCopy,
        clock);
  }

  @Bean
  CopyMoveMethod copyMoveMethod(Locking locking, Areas areas, OwnAuthorities own) {
    return new CopyMoveMethod(locking, areas, own);
  }

  /** Answers where nothing stands before GET: no proxy that sends, no data nodes, no contracts. */
  @Bean
  SmallGet smallGet(
      Areas areas,
      TokenDoor tokens,
      Redirects redirects,
      Contracts contracts,
      StorageProperties properties) {
    boolean alone =
        properties.proxy().accelPrefix() == null && !redirects.head() && !contracts.areMade();
    return new SmallGet(
        areas,
        area -> alone && area.views() == null && area.options().direct() == null,
        tokens::known);
  }

  @Bean
  DavHandler davHandler(
      Areas areas,
      DavHandler.Door door,
      SmallGet smallGet,
      Locking locking,
      ResumableUploads uploads,
      ThirdPartyCopy copy,
      CopyMoveMethod copyMove,
      Answers answers,
      FlowMarks marks,
      Redirects redirects,
      TransferBuffers buffers,
      ChecksumJobs checksums,
      TapeConfiguration.Tape tape,
      TransfersDesk transfers,
      Contracts contracts,
      StorageProperties properties) {
    String accel = properties.proxy().accelPrefix();
    DavMethod get =
        new GetMethod(
            buffers,
            checksums,
            new CollectionPage(),
            accel == null ? null : new AccelRedirect(StoragePath.of(accel)),
            marks);
    PutMethod put = new PutMethod(locking, uploads, marks);
    Map<String, DavMethod> methods =
        new HashMap<>(
            Map.ofEntries(
                Map.entry("GET", redirects.before(contracts.before(get), locking)),
                Map.entry("HEAD", redirects.head() ? get : contracts.before(get)),
                Map.entry("PUT", redirects.before(contracts.beforePut(put), locking)),
                Map.entry("DELETE", new DeleteMethod(locking)),
                Map.entry("MKCOL", new MkcolMethod(locking)),
                Map.entry("COPY", copy),
                Map.entry("MOVE", copyMove),
                Map.entry("PROPFIND", new PropfindMethod(locking)),
                Map.entry("PROPPATCH", new ProppatchMethod(locking)),
                Map.entry("LOCK", new LockMethod(locking)),
                Map.entry("UNLOCK", new UnlockMethod(locking))));
    contracts
        .offers((exchange, size, signer) -> redirects.sendOffer(exchange, locking, size, signer))
        .ifPresent(post -> methods.put("POST", post));
    methods.replaceAll((name, method) -> redirects.guarded(method));
    RootCollection root = new RootCollection(answers);
    List<DavHandler.Desk> desks = new ArrayList<>(tape.desks());
    desks.add(transfers);
    contracts.receipts().ifPresent(desks::add);
    return new DavHandler(
        areas, redirects.before(door), methods, answers, root, uploads, desks, smallGet);
  }

  @Bean
  DavHandler.Door door(TokenDoor tokens, GivenTokens given, ClientDoor clients) {
    DavHandler.Door ofTokens = given.before(DavHandler.Door.ofHeaders(tokens::identify));
    ClientCertificates certificates = clients.certificates();
    return certificates == null
        ? ofTokens
        : DavHandler.Door.orOfCertificate(ofTokens, new CertificateDoor(certificates)::identify);
  }

  @Bean
  AccessLog.Knowledge accessLogKnowledge() {
    return new AccessLog.Knowledge(
        "area",
        StorageConfiguration::area,
        StorageConfiguration::caller,
        Map.of("contract", StorageConfiguration::contract));
  }

  private static @Nullable String contract(Request request) {
    return request.getAttribute(DavHandler.CONTRACT) instanceof String id ? id : null;
  }

  private static @Nullable String area(Request request) {
    return request.getAttribute(DavHandler.AREA) instanceof String area ? area : null;
  }

  private static @Nullable String caller(Request request) {
    return request.getAttribute(DavHandler.CALLER) instanceof Caller caller ? caller.label() : null;
  }

  @Bean
  HttpServer.Front davInFront(
      StorageProperties properties,
      DavHandler handler,
      TokensConfiguration.Front tokens,
      SpaceReport report) {
    return new HttpServer.Front(
        servlets -> {
          handler.setHandler(servlets);
          return new SmallFirst(
              handler,
              CrossOrigin.around(report.before(tokens.before(handler)), properties.cors()));
        },
        HttpServer.LARGE_CONTENT_BUFFER,
        // StoragePath reads the path itself, and more strictly; what Jetty would refuse as
        // ambiguous (an encoded percent sign) is a name like any other here.
        UriCompliance.UNSAFE);
  }

  @Bean
  ExplainEndpoint explainEndpoint(
      StorageProperties properties,
      AreasConfiguration.Stores stores,
      TokenDoor tokens,
      GivenTokens given) {
    return new ExplainEndpoint(
        new Explanation(properties.areas(), stores.policies()), given.before(tokens::identify));
  }

  @Bean
  HealthIndicator issuersHealthIndicator(IssuerKeys keys) {
    return StorageHealth.issuers(keys);
  }

  @Bean
  HealthIndicator certificatesHealthIndicator(
      TlsEnd tlsEnd, ClientTls client, ClientDoor clients, Clock clock) {
    return CertificateHealth.of(tlsEnd.tls(), client, clients, clock);
  }

  @Bean
  MeterBinder clientRevocationMetrics(ClientDoor clients, Clock clock) {
    return RevocationMetrics.of(clients, clock);
  }

  @Bean
  MeterBinder serverRevocationMetrics(ClientTls client, Clock clock) {
    return new RevocationMetrics("servers", client::anchors, clock);
  }

  @Bean
  MeterBinder storageMeters(
      AreasConfiguration.Stores stores,
      Locking locking,
      ResumableUploads uploads,
      TokenDoor tokens,
      SmallGet smallGet,
      TlsEnd tlsEnd,
      Clock clock) {
    ServerTls tls = tlsEnd.tls();
    return new StorageMeters(
        stores.served(),
        locking,
        uploads,
        tokens,
        smallGet,
        () -> tls == null ? null : tls.status().notAfter(),
        clock);
  }

  @Bean
  MetricsGate metricsGate(StorageProperties properties) {
    // Partners of contracts are elsewhere: keys and log are for everybody, receipts are signed.
    return new MetricsGate(
        Networks.parse(properties.metrics().allowFrom()), ContractController::isForEveryone);
  }

  @Bean
  StartLines startLines(StorageProperties properties, AreasConfiguration.Stores stores) {
    return new StorageStartLines(properties, stores.served());
  }
}
