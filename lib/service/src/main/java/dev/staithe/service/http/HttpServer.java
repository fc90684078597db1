package dev.staithe.service.http;

import dev.staithe.service.Networks;
import dev.staithe.service.process.DirectMemory;
import dev.staithe.service.properties.SharedProperties;
import dev.staithe.tls.ServerTls;
import dev.staithe.tls.TlsProvider;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;
import java.util.function.UnaryOperator;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.http2.server.HTTP2ServerConnectionFactory;
import org.eclipse.jetty.io.ArrayByteBufferPool;
import org.eclipse.jetty.io.ByteBufferPool;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.ssl.SslConnection;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.RequestLog;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.jetty.JettyServerCustomizer;
import org.springframework.boot.jetty.servlet.JettyServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;

/**
 * Shapes the embedded Jetty: one connector with our TLS below it, pooled direct buffers that hold
 * many TLS records, HTTP/2 where it is asked for, requests on virtual threads, limits for slow
 * clients, and the service's own handler in front of the servlets.
 */
public final class HttpServer
    implements WebServerFactoryCustomizer<JettyServletWebServerFactory>, MeterBinder {
  /** For services that move files: several TLS records at once, on the way in and out. */
  public static final int LARGE_CONTENT_BUFFER = 128 * 1024;

  /** For services of short questions and answers. */
  public static final int SMALL_CONTENT_BUFFER = 16 * 1024;

  private static final int LARGEST_POOLED = 512 * 1024;

  /** Bytes of a head that any answer may have. */
  private static final int LEAST_OF_AN_ANSWER = 64 * 1024;

  /** What the pool keeps of idle buffers of all sizes must leave room for those in use. */
  private static final long POOLED_DIRECT = Math.min(256L << 20, DirectMemory.limit() / 4);

  /**
   * What a service puts in front of its servlets; a bean where it has such.
   *
   * @param handler puts its own handler in front of that of the servlets, which it is given
   * @param contentBuffer bytes that are read or written at once
   * @param paths which paths Jetty lets pass; {@link UriCompliance#UNSAFE} only where the handler
   *     reads paths itself and more strictly
   */
  public record Front(UnaryOperator<Handler> handler, int contentBuffer, UriCompliance paths) {
    /** For short questions and answers. */
    public static Front of(UnaryOperator<Handler> handler) {
      return new Front(handler, SMALL_CONTENT_BUFFER, UriCompliance.DEFAULT);
    }
  }

  private final SharedProperties properties;
  private final Networks trustedProxies;
  private final @Nullable ServerTls tls;
  private final Front front;
  private final RequestLog accessLog;
  private final ConnectionCounts counts = new ConnectionCounts();

  /**
   * To be made a bean, which Spring Boot finds by its type.
   *
   * @param tls null for plain HTTP
   */
  public HttpServer(
      SharedProperties properties, @Nullable ServerTls tls, Front front, RequestLog accessLog) {
    this.properties = properties;
    this.trustedProxies = Networks.parse(properties.proxy().trusted());
    this.tls = tls;
    this.front = front;
    this.accessLog = accessLog;
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    counts.bindTo(registry);
  }

  @Override
  public void customize(JettyServletWebServerFactory factory) {
    QueuedThreadPool threads = new QueuedThreadPool(64, 8);
    threads.setName("http");
    threads.setVirtualThreadsExecutor(
        Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("request-", 0).factory()));
    factory.setThreadPool(threads);
    // Boot's own way, which it takes by itself on some platforms, believes every peer.
    factory.setUseForwardHeaders(false);
    factory.addServerCustomizers((JettyServerCustomizer) this::apply);
  }

  private void apply(Server server) {
    ServerConnector original = (ServerConnector) server.getConnectors()[0];
    ByteBufferPool buffers =
        new ArrayByteBufferPool(0, 4096, LARGEST_POOLED, -1, 64L << 20, POOLED_DIRECT);
    ServerConnector connector =
        LingeringClose.connector(
            server, buffers, LingeringClose.Limits.STANDARD, connectionFactories());
    connector.setHost(original.getHost());
    connector.setPort(original.getPort());
    connector.setIdleTimeout(properties.limits().idleTimeout().toMillis());
    // Else a stop ends whoever pauses for a second. Spring waits for requests, not for connections.
    connector.setShutdownIdleTimeout(properties.limits().idleTimeout().toMillis());
    connector.setAcceptQueueSize(1024);
    connector.setReuseAddress(true);
    server.setConnectors(new Connector[] {connector});
    // Conscrypt frees an engine's descriptors at once only where it is told that it has ended.
    connector.addBean(
        new Connection.Listener() {
          @Override
          public void onClosed(Connection connection) {
            if (connection instanceof SslConnection ssl) {
              TlsProvider.release(ssl.getSSLEngine());
            }
          }
        });
    connector.addBean(new FailedHandshakes(System::nanoTime));
    connector.addBean(
        new AddressShare(properties.limits().connectionsPerAddress(), trustedProxies, counts));
    server.addBean(new NetworkConnectionLimit(properties.limits().connections(), connector));
    server.setErrorHandler(new PlainErrors());
    server.setRequestLog(accessLog);
    SlowClients slow = new SlowClients(properties.limits(), connector.getScheduler(), counts);
    slow.setHandler(front.handler().apply(server.getHandler()));
    connector.addEventListener(slow);
    server.setHandler(slow);
  }

  private ConnectionFactory[] connectionFactories() {
    HttpConfiguration configuration = new HttpConfiguration();
    configuration.setSendServerVersion(false);
    configuration.setSendXPoweredBy(false);
    int head = (int) properties.limits().headerSize().toBytes();
    configuration.setRequestHeaderSize(head);
    // A redirect may repeat all of a request, percent-encoded. Only such an answer takes so much.
    configuration.setMaxResponseHeaderSize(Math.max(LEAST_OF_AN_ANSWER, 4 * head));
    // To find a token of a thousand bytes in a connection's cache costs more than to read it anew,
    // and each cache has 100 KB of heap.
    configuration.setHeaderCacheSize(0);
    configuration.setInputBufferSize(front.contentBuffer());
    configuration.setUriCompliance(front.paths());
    configuration.setNotifyRemoteAsyncErrors(true);
    TrustedProxies proxies = new TrustedProxies(trustedProxies);
    HttpConnectionFactory http = new HttpConnectionFactory(configuration);
    if (tls == null) {
      configuration.addCustomizer(proxies);
      return new ConnectionFactory[] {http};
    }
    SecureRequestCustomizer secure = new SecureRequestCustomizer();
    // Clients call by address and by alias; what a name means is the service's affair.
    secure.setSniHostCheck(false);
    configuration.addCustomizer(secure);
    configuration.addCustomizer(proxies);
    SslContextFactory.Server context = new SslContextFactory.Server();
    context.setSslContext(tls.context());
    context.setSniRequired(false);
    // Else Jetty takes back what the context set on its engines.
    context.setWantClientAuth(tls.asksClients());
    SslConnectionFactory ssl =
        new SslConnectionFactory(
            context, properties.http2() ? AlpnConnectionFactory.NAME : http.getProtocol());
    ssl.setDirectBuffersForEncryption(true);
    ssl.setDirectBuffersForDecryption(true);
    if (!properties.http2()) {
      return new ConnectionFactory[] {ssl, http};
    }
    HTTP2ServerConnectionFactory http2 = new HTTP2ServerConnectionFactory(configuration);
    http2.setRateControlFactory(new FrameRates.Factory());
    return new ConnectionFactory[] {ssl, new AlpnConnectionFactory("h2", "http/1.1"), http2, http};
  }

  /** Errors that Jetty itself answers, such as a malformed head: one line, never HTML. */
  private static final class PlainErrors extends ErrorHandler {
    private static final int LONGEST_REASON = 200;

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
      int status = response.getStatus() >= 400 ? response.getStatus() : 500;
      String line = "the request cannot be served: " + why(request, status) + "\n";
      byte[] body = line.getBytes(StandardCharsets.UTF_8);
      response.getHeaders().put(HttpHeader.CONTENT_TYPE, "text/plain;charset=utf-8");
      response.getHeaders().put(HttpHeader.CONTENT_LENGTH, body.length);
      response.write(true, ByteBuffer.wrap(body), callback);
      return true;
    }

    private static String oneLine(String text) {
      String safe = text.replaceAll("[^\\x20-\\x7e]", "?");
      return safe.length() <= LONGEST_REASON ? safe : safe.substring(0, LONGEST_REASON);
    }

    private static String why(Request request, int status) {
      if (request.getAttribute(TrustedProxies.REFUSAL) instanceof String refusal) {
        return refusal;
      }
      String why = HttpStatus.getMessage(status);
      // What Jetty says of a malformed head: which rule it breaks, sometimes with a piece of it.
      return status < 500
              && request.getAttribute(ERROR_EXCEPTION) instanceof HttpException http
              && http.getReason() != null
          ? why + " (" + oneLine(http.getReason()) + ")"
          : why;
    }
  }
}
