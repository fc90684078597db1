package dev.staithe.storage.contracts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;

import dev.staithe.storage.RunningStorage;
import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.FreePort;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import dev.staithe.tls.ClientTls;
import dev.staithe.tls.ClientTlsSettings;
import dev.staithe.tls.TlsProvider;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Requests to a partner, a real one, that closes connections while they rest. */
final class PartnerConnectionsTests {
  private static final String ASKED = "/.staithe/contracts/00000000-0000-7000-8000-000000000000";
  private static final byte[] RECEIPT = "{}".getBytes(StandardCharsets.UTF_8);

  @TempDir private Path folder;
  private final int port = FreePort.next();
  private ClientTls tls;
  private PartnerConnections connections;

  @BeforeEach
  void prepare() throws IOException {
    tls =
        ClientTls.open(
            ClientTlsSettings.of(RunningStorage.shared().authority().certificateFile()),
            TlsProvider.choose(TlsProvider.Choice.AUTO),
            Clock.systemUTC());
    connections = new PartnerConnections(tls::engine, 1 << 16);
  }

  @AfterEach
  void finish() {
    connections.close();
    tls.close();
  }

  private RunningStorage partner() {
    return RunningStorage.beside(
        RunningStorage.shared(),
        folder.resolve("p"),
        Map.of("server.port", port, "staithe.access-log.file", folder.resolve("access.jsonl")));
  }

  private int send(int toPort) throws IOException {
    return connections.send("localhost:" + toPort, ASKED, List.of(), RECEIPT).status();
  }

  /** What has reached the partner. */
  private long asked() {
    try (Stream<String> lines = Files.lines(folder.resolve("access.jsonl"))) {
      return lines.filter(line -> line.contains(ASKED)).count();
    } catch (IOException notYet) {
      return 0;
    }
  }

  @Test
  void partnerThatWasStartedAnewIsAskedOnANewConnection() throws IOException {
    int before;
    try (RunningStorage _ = partner()) {
      before = send(port);
    }
    assertThat(asked()).isOne();
    try (RunningStorage _ = partner()) {
      assertThat(send(port)).isEqualTo(before);
    }
    assertThat(asked()).isEqualTo(2);
  }

  @Test
  void requestOnAConnectionThatIsClosedAsItIsUsedIsMadeOnceAgainAndCountsOnce() throws IOException {
    try (RunningStorage _ = partner();
        Line line = new Line(port)) {
      int before = send(line.port());
      assertThat(send(line.port())).isEqualTo(before);
      assertThat(line.passed()).as("both over one").isOne();

      line.hangUpOn(1);
      assertThat(send(line.port())).isEqualTo(before);
      assertThat(line.passed()).isEqualTo(2);
      assertThat(line.hungUp()).isOne();
      Eventually.holds("each has reached it", () -> asked() >= 3);
    }
    assertThat(asked()).as("once each").isEqualTo(3);
  }

  @Test
  void requestIsNotMadeAThirdTime() throws IOException {
    try (RunningStorage _ = partner();
        Line line = new Line(port)) {
      send(line.port());
      line.hangUpOn(Integer.MAX_VALUE);
      assertThatIOException().isThrownBy(() -> send(line.port()));
      assertThat(line.passed()).isEqualTo(2);
      assertThat(line.hungUp()).isEqualTo(2);
    }
    assertThat(asked()).isOne();
  }

  /** That nobody listens at another address of its host would hide it. */
  @Test
  void certificateOfAPartnerThatIsNotTrustedIsTold() throws IOException {
    ThrowAwayAuthority another =
        ThrowAwayAuthority.in(folder.resolve("another"), Clock.systemUTC());
    try (RunningStorage partner = partner();
        ClientTls strange =
            ClientTls.open(
                ClientTlsSettings.of(another.certificateFile()),
                TlsProvider.choose(TlsProvider.Choice.AUTO),
                Clock.systemUTC());
        PartnerConnections connections =
            new PartnerConnections(
                strange::engine, 1 << 16, host -> addresses("127.0.0.1", "127.0.0.2"))) {
      String host = "localhost:" + partner.port();
      assertThatIOException()
          .isThrownBy(() -> connections.send(host, ASKED, List.of(), RECEIPT))
          .withMessageContaining("certificate");
    }
  }

  @Test
  void partnerIsReachedByTheAddressAtWhichItListens() throws IOException {
    try (RunningStorage partner = partner();
        PartnerConnections connections =
            new PartnerConnections(
                tls::engine, 1 << 16, host -> addresses("127.0.0.2", "127.0.0.1"))) {
      assertThat(
              connections.send("localhost:" + partner.port(), ASKED, List.of(), RECEIPT).status())
          .isEqualTo(send(port));
    }
  }

  private static InetAddress[] addresses(String... literals) {
    return Stream.of(literals).map(InetAddress::ofLiteral).toArray(InetAddress[]::new);
  }

  /** One that does not answer would keep a processor from all virtual threads. */
  @Test
  void nameServerIsAskedOnNoVirtualThread() {
    AtomicBoolean virtual = new AtomicBoolean(true);
    try (PartnerConnections unknown =
            new PartnerConnections(
                tls::engine,
                1 << 16,
                host -> {
                  virtual.set(Thread.currentThread().isVirtual());
                  throw new UnknownHostException(host);
                });
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<PartnerConnections.Answer> asked =
          threads.submit(() -> unknown.send("p.example", ASKED, List.of(), RECEIPT));
      assertThatExceptionOfType(ExecutionException.class)
          .isThrownBy(asked::get)
          .withMessageEndingWith("the host is unknown");
    }
    assertThat(virtual).isFalse();
  }

  /** Passes connections on, until it closes them at the next that a client says. */
  private static final class Line implements AutoCloseable {
    private final ServerSocket listener;
    private final int target;
    private final AtomicInteger passed = new AtomicInteger();
    private final AtomicInteger hungUp = new AtomicInteger();
    private volatile int last;

    Line(int target) throws IOException {
      this.listener = new ServerSocket(0, 50, InetAddress.ofLiteral("127.0.0.1"));
      this.target = target;
      Thread.ofVirtual().start(this::serve);
    }

    int port() {
      return listener.getLocalPort();
    }

    int passed() {
      return passed.get();
    }

    int hungUp() {
      return hungUp.get();
    }

    /** From now on those up to that number, the first being 1. */
    void hangUpOn(int last) {
      this.last = last;
    }

    private void serve() {
      try {
        while (true) {
          Socket client = listener.accept();
          int number = passed.incrementAndGet();
          Thread.ofVirtual().start(() -> pass(client, number));
        }
      } catch (IOException closed) {
        // The test is over.
      }
    }

    private void pass(Socket client, int number) {
      try (client;
          Socket server = new Socket("127.0.0.1", target)) {
        Thread.ofVirtual().start(() -> answer(server, client));
        InputStream in = client.getInputStream();
        OutputStream out = server.getOutputStream();
        byte[] buffer = new byte[8192];
        for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
          if (number <= last) {
            hungUp.incrementAndGet();
            return;
          }
          out.write(buffer, 0, n);
        }
      } catch (IOException closed) {
        // Nobody listens, or the other direction ended.
      }
    }

    private static void answer(Socket server, Socket client) {
      try {
        server.getInputStream().transferTo(client.getOutputStream());
        client.shutdownOutput();
      } catch (IOException closed) {
        // The other direction ended.
      }
    }

    @Override
    public void close() throws IOException {
      listener.close();
    }
  }
}
