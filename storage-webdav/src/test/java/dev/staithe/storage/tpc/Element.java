package dev.staithe.storage.tpc;

import dev.staithe.service.Networks;
import dev.staithe.storage.authz.Admission;
import dev.staithe.storage.authz.Caller;
import dev.staithe.storage.authz.Identification;
import dev.staithe.storage.authz.Scopes;
import dev.staithe.storage.authz.TokenCaller;
import dev.staithe.storage.contracts.Contracts;
import dev.staithe.storage.dav.DavHandler;
import dev.staithe.storage.dav.DeleteMethod;
import dev.staithe.storage.dav.GetMethod;
import dev.staithe.storage.dav.PutMethod;
import dev.staithe.storage.dav.ResumableUploads;
import dev.staithe.storage.dav.RootCollection;
import dev.staithe.storage.dav.SmallGet;
import dev.staithe.storage.exchange.Answers;
import dev.staithe.storage.exchange.Areas;
import dev.staithe.storage.exchange.DavMethod;
import dev.staithe.storage.exchange.ServedArea;
import dev.staithe.storage.exchange.TransferBuffers;
import dev.staithe.storage.files.ChecksumJobs;
import dev.staithe.storage.files.FileStore;
import dev.staithe.storage.files.SteadyClock;
import dev.staithe.storage.files.StorageArea;
import dev.staithe.storage.files.StoragePath;
import dev.staithe.storage.flows.FlowMarks;
import dev.staithe.storage.locks.LockTable;
import dev.staithe.storage.locks.Locking;
import dev.staithe.storage.locks.OwnAuthorities;
import dev.staithe.storage.posix.PosixStore;
import dev.staithe.storage.remote.CopySettings;
import dev.staithe.storage.remote.CopyTuning;
import dev.staithe.storage.remote.RemoteClient;
import dev.staithe.storage.state.Sync;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** A storage element as small as it can be: one area, any bearer token may do everything. */
final class Element implements AutoCloseable {
  private static final int KEPT_FREE = 0;

  private final Server server = new Server(threads());
  private final ServerConnector connector;
  private final FileStore store;
  private final Path root;
  private final boolean tls;
  private final RemoteClient client;
  private volatile Runnable onFinish = () -> {};
  final ActiveCopies active;
  final List<FinishedCopy> finished = new CopyOnWriteArrayList<>();

  /** The answer to a COPY. */
  record Answer(int status, Map<String, String> headers, String body) {
    String last() {
      String[] lines = body.split("\n");
      return lines[lines.length - 1];
    }
  }

  /**
   * Limits of time that only what hangs comes to, however busy the machine is; a test of one of
   * them shortens it. Loopback is allowed.
   */
  static CopySettings settings() {
    return new CopySettings(
        new CopySettings.Limits(8, 8, 16, 8, Duration.ofSeconds(7)),
        new CopySettings.Timeouts(
            Duration.ofSeconds(60),
            Duration.ofSeconds(60),
            Duration.ofSeconds(60),
            Duration.ofSeconds(60),
            Duration.ofSeconds(60),
            0,
            Duration.ofMillis(400),
            Duration.ofSeconds(60),
            Duration.ofMillis(50),
            Duration.ofSeconds(20)),
        Duration.ofMillis(200),
        Duration.ofSeconds(30),
        8,
        64 * 1024,
        false,
        true,
        Networks.parse(List.of("127.0.0.0/8")),
        CopyTuning.NONE);
  }

  private static QueuedThreadPool threads() {
    QueuedThreadPool pool = new QueuedThreadPool(20);
    pool.setVirtualThreadsExecutor(Executors.newVirtualThreadPerTaskExecutor());
    return pool;
  }

  static Element start(Path folder) {
    return start(folder, settings -> settings, null, null);
  }

  static Element start(Path folder, UnaryOperator<CopySettings> change) {
    return start(folder, change, null, null);
  }

  /** One that serves by {@code own} context, if any, and calls others by those engines. */
  static Element start(
      Path folder,
      UnaryOperator<CopySettings> change,
      SSLContext own,
      BiFunction<String, Integer, SSLEngine> engines) {
    try {
      return new Element(folder, change.apply(settings()), own, engines);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private Element(
      Path folder,
      CopySettings settings,
      SSLContext own,
      BiFunction<String, Integer, SSLEngine> engines)
      throws Exception {
    root = Files.createDirectories(folder);
    store = PosixStore.open(root, new PosixStore.Settings(Sync.DATA, true, KEPT_FREE, 100, false));
    tls = own != null;
    connector = tls ? secure(own) : new ServerConnector(server);
    connector.setHost("127.0.0.1");
    server.addConnector(connector);
    active = new ActiveCopies(settings);
    client = new RemoteClient(settings, engines, port -> port == connector.getLocalPort());
    Locking locking =
        new Locking(
            Map.of(
                "data", new LockTable(store.state("locks"), new SteadyClock(Clock.systemUTC()))));
    Answers answers = new Answers();
    Map<String, DavMethod> methods = new HashMap<>();
    GetMethod get =
        new GetMethod(
            new TransferBuffers(1 << 26),
            new ChecksumJobs(new ChecksumJobs.Limits(1, 1)),
            exchange -> exchange.refuse(404, "no page"),
            null,
            FlowMarks.OFF);
    methods.put("GET", get);
    methods.put("HEAD", get);
    methods.put("PUT", new PutMethod(locking, new ResumableUploads(Map.of(), locking)));
    methods.put("DELETE", new DeleteMethod(locking));
    Areas areas =
        new Areas(
            List.of(
                new ServedArea(
                    new StorageArea("data", List.of(StoragePath.of("/data")), store),
                    (asked, path, right) ->
                        asked.caller() instanceof Caller.Anonymous
                            ? new Admission.Refused(true, "no credential")
                            : new Admission.Allowed(),
                    ServedArea.Options.DEFAULT)));
    methods.put(
        "COPY",
        new ThirdPartyCopy(
            settings,
            client,
            active,
            new Transfers(100, Clock.systemUTC()),
            exchange -> exchange.refuse(418, "local copy"),
            new OwnServer(new OwnAuthorities(List.of()), areas, Element::identify),
            locking,
            Contracts.OFF,
            this::finished,
            FlowMarks.OFF,
            DelegatedCredentials.NONE,
            (exchange, pull) -> false,
            Clock.systemUTC()));
    server.setHandler(
        new DavHandler(
            areas,
            DavHandler.Door.ofHeaders(Element::identify),
            methods,
            answers,
            new RootCollection(answers),
            new ResumableUploads(Map.of(), locking),
            List.of(),
            new SmallGet(areas, area -> false, authorization -> null)));
    server.start();
  }

  private static Identification identify(List<String> credentials) {
    return new Identification.Identified(
        credentials.isEmpty()
            ? new Caller.Anonymous()
            : new TokenCaller(
                "https://issuer.example/" + credentials.getFirst().length(),
                "me",
                Scopes.NONE,
                List.of(),
                List.of(),
                null,
                Instant.EPOCH));
  }

  private ServerConnector secure(SSLContext context) {
    SslContextFactory.Server factory = new SslContextFactory.Server();
    factory.setSslContext(context);
    HttpConfiguration configuration = new HttpConfiguration();
    configuration.addCustomizer(new SecureRequestCustomizer(false));
    return new ServerConnector(server, factory, new HttpConnectionFactory(configuration));
  }

  private void finished(FinishedCopy copy) {
    finished.add(copy);
    onFinish.run();
  }

  /** Runs that whenever a copy has ended. */
  void onFinish(Runnable action) {
    onFinish = action;
  }

  int port() {
    return connector.getLocalPort();
  }

  String url(String path) {
    return (tls ? "https" : "http") + "://127.0.0.1:" + port() + path;
  }

  FileStore store() {
    return store;
  }

  /** A file of the area as the file system has it. */
  Path file(String name) {
    return root.resolve(name);
  }

  void put(String name, byte[] content) {
    try {
      Files.write(file(name), content);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What is staged and not yet visible. */
  List<Path> staged() throws IOException {
    try (Stream<Path> all = Files.walk(root.resolve(".staithe"))) {
      return all.filter(Files::isRegularFile)
          .filter(path -> path.toString().contains("stage") && !path.endsWith("lock"))
          .toList();
    }
  }

  /** Opens a connection and sends a COPY; the caller reads or leaves. */
  Socket begin(String path, String... headers) throws IOException {
    Socket socket = new Socket("127.0.0.1", port());
    request(socket, path, headers);
    return socket;
  }

  /** Sends a COPY on a connection that stands. */
  static void request(Socket socket, String path, String... headers) throws IOException {
    StringBuilder text = new StringBuilder("COPY " + path + " HTTP/1.1\r\n");
    text.append("Host: 127.0.0.1:").append(socket.getPort()).append("\r\n");
    for (String header : headers) {
      text.append(header).append("\r\n");
    }
    OutputStream out = socket.getOutputStream();
    out.write(text.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1));
    out.flush();
  }

  /** A COPY with a token, to its end. */
  Answer copy(String path, String... headers) throws IOException {
    String[] all =
        Stream.concat(Stream.of("Authorization: Bearer own-token"), Stream.of(headers))
            .toArray(String[]::new);
    try (Socket socket = begin(path, all)) {
      return read(socket);
    }
  }

  /** A COPY as it is, to its end. */
  Answer send(String path, String... headers) throws IOException {
    try (Socket socket = begin(path, headers)) {
      return read(socket);
    }
  }

  static Answer read(Socket socket) throws IOException {
    socket.setSoTimeout(180_000);
    return RawAnswer.read(socket.getInputStream());
  }

  @Override
  public void close() {
    active.abortAll("server shutting down");
    try {
      server.stop();
      client.close();
      store.close();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
