package dev.staithe.slcs.ca;

import dev.staithe.pki.ca.OcspResponder;
import dev.staithe.service.Networks;
import dev.staithe.service.OneLineFailure;
import dev.staithe.service.http.AddressShare;
import dev.staithe.service.http.SlowClients;
import dev.staithe.service.properties.LimitsProperties;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executors;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpHeaderValue;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.http.ResponseEntity;

/**
 * A way in by plain HTTP for what proves itself by its signature, and for nothing else: lists of
 * revoked certificates, answers about one, the authority's certificate. Clients that check a
 * certificate do not fetch these by https, for which they would have to check another (RFC 5280
 * §8). Thread-safe.
 */
public final class PlainDoor implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(PlainDoor.class);
  private static final int MOST_CONNECTIONS = 500;

  /** Of one address, so that nobody keeps all others from learning what was revoked. */
  private static final int MOST_OF_ONE = 100;

  /** A connection that is silent for as long is closed. */
  static final Duration IDLE = Duration.ofSeconds(15);

  private final Server server;

  /**
   * Opens it.
   *
   * @param address null for all
   * @param port 0 where none is wanted
   * @param paths those that questions of {@link OcspGet} need
   * @param trustedProxies behind which many clients are
   * @param limits of the service, of which those of slow clients hold here too
   * @throws OneLineFailure.NotStarted where the port cannot be had
   */
  public PlainDoor(
      @Nullable String address,
      int port,
      UriCompliance paths,
      Networks trustedProxies,
      LimitsProperties limits,
      CertificateAuthority authority,
      Clock clock) {
    var threads = new QueuedThreadPool(16, 2);
    threads.setName("plain-http");
    // A client may take its time over a question: it keeps no thread from others.
    threads.setVirtualThreadsExecutor(
        Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("plain-", 0).factory()));
    this.server = new Server(threads);
    if (port == 0) {
      return;
    }
    var configuration = new HttpConfiguration();
    configuration.setSendServerVersion(false);
    configuration.setUriCompliance(paths);
    var connector = new ServerConnector(server, new HttpConnectionFactory(configuration));
    connector.setHost(address);
    connector.setPort(port);
    connector.setIdleTimeout(IDLE.toMillis());
    server.addConnector(connector);
    AddressShare.of(connector, MOST_OF_ONE, trustedProxies);
    server.addBean(new NetworkConnectionLimit(MOST_CONNECTIONS, connector));
    server.setHandler(
        SlowClients.of(
            connector,
            limits,
            new OcspGet(
                new Files(authority, new AuthorityController(authority, clock)),
                authority,
                clock)));
    OneLineFailure.started(
        "staithe.ca.plain-port",
        () -> {
          try {
            server.start();
          } catch (IOException e) {
            throw e;
          } catch (Exception e) {
            throw new IOException(e.getMessage(), e);
          }
          return server;
        });
    log.info("what clients check certificates by is served by plain HTTP at port {}", port);
  }

  @Override
  public void close() {
    try {
      server.stop();
    } catch (Exception e) {
      log.warn("the plain way in does not close: {}", e.toString());
    }
  }

  private static final class Files extends Handler.Abstract {
    private final CertificateAuthority authority;
    private final AuthorityController files;

    Files(CertificateAuthority authority, AuthorityController files) {
      this.authority = authority;
      this.files = files;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
      String path = String.valueOf(request.getHttpURI().getPath());
      try {
        if (HttpMethod.POST.is(request.getMethod()) && path.equals("/ocsp")) {
          status(request, response, callback);
          return true;
        }
        Optional<ResponseEntity<byte[]>> file =
            HttpMethod.GET.is(request.getMethod()) || HttpMethod.HEAD.is(request.getMethod())
                ? file(path)
                : Optional.empty();
        if (file.isEmpty()) {
          line(
              404,
              "only lists of and answers about certificates are served here",
              response,
              callback);
        } else {
          ResponseEntity<byte[]> found = file.get();
          response.setStatus(found.getStatusCode().value());
          found.getHeaders().forEach((name, values) -> response.getHeaders().put(name, values));
          response.write(true, ByteBuffer.wrap(Objects.requireNonNull(found.getBody())), callback);
        }
      } catch (DataAccessException e) {
        log.warn("the database does not answer: {}", e.getMessage());
        line(503, "try again soon", response, callback);
      }
      return true;
    }

    private Optional<ResponseEntity<byte[]>> file(String path) throws Exception {
      try {
        return switch (path) {
          case "/crl.der" -> Optional.of(files.crl());
          case "/crl.pem" -> Optional.of(files.crlAsText());
          case "/ca.der" -> Optional.of(files.certificate());
          case "/ca.pem" -> Optional.of(files.certificateAsText());
          default -> Optional.empty();
        };
      } catch (IllegalStateException e) {
        return Optional.of(files.notSigned(e));
      }
    }

    private void status(Request request, Response response, Callback callback) throws Exception {
      byte[] asked;
      try (InputStream body = Content.Source.asInputStream(request)) {
        asked = body.readNBytes(OcspResponder.MAX_BYTES + 1);
      }
      if (asked.length > OcspResponder.MAX_BYTES) {
        // The rest is not read: the client must not send its next request behind it.
        response.getHeaders().put(HttpHeader.CONNECTION, HttpHeaderValue.CLOSE);
      }
      response.getHeaders().put(HttpHeader.CONTENT_TYPE, OcspGet.ANSWER_TYPE);
      response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-store");
      response.write(true, ByteBuffer.wrap(authority.status(asked).encoded()), callback);
    }

    private static void line(int status, String line, Response response, Callback callback) {
      response.setStatus(status);
      response.getHeaders().put(HttpHeader.CONTENT_TYPE, "text/plain");
      Content.Sink.write(response, true, line + "\n", callback);
    }
  }
}
