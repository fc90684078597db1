package dev.staithe.service;

import dev.staithe.tls.TlsProvider;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;

/** A service of nothing but what this module does: {@code /front/…} is answered before servlets. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
@EnableConfigurationProperties(SampleProperties.class)
public class SampleApplication {
  @Bean
  Clock clock() {
    return Clock.systemUTC();
  }

  @Bean
  TlsEnd tlsEnd(SampleProperties properties, Clock clock) {
    TlsProvider provider = TlsEnd.provider(properties.tls());
    return TlsEnd.open(properties.tls(), 0, provider, clock);
  }

  @Bean
  AccessLog accessLog(SampleProperties properties, MeterRegistry registry, Clock clock) {
    return new AccessLog(
        properties.accessLog(),
        new AccessLog.Knowledge(
            "part", r -> r.getAttribute("part") == null ? null : "front", r -> null),
        registry,
        clock);
  }

  @Bean
  HttpServer httpServer(SampleProperties properties, TlsEnd tls, AccessLog accessLog) {
    return new HttpServer(
        new HttpServer.Shape(
            properties.limits(),
            Networks.parse(properties.proxy().trusted()),
            properties.http2(),
            HttpServer.SMALL_CONTENT_BUFFER,
            UriCompliance.DEFAULT),
        tls.tls(),
        Front::new,
        accessLog);
  }

  @Bean
  FilterRegistrationBean<MetricsGate> metricsGate(SampleProperties properties) {
    return MetricsGate.beforeOwnPaths(Networks.parse(properties.metrics().allowFrom()));
  }

  @Bean
  HealthIndicator certificatesHealthIndicator(TlsEnd tls, Clock clock) {
    return CertificateHealth.of(tls.tls(), null, clock);
  }

  /** A hot path: the address of the client and the scheme as the handler sees them. */
  private static final class Front extends Handler.Wrapper {
    Front(Handler servlets) {
      super(servlets);
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
      if (!Request.getPathInContext(request).startsWith("/front/")) {
        return super.handle(request, response, callback);
      }
      request.setAttribute("part", "front");
      String seen =
          Request.getRemoteAddr(request)
              + " "
              + request.getHttpURI().getScheme()
              + " "
              + request.getConnectionMetaData().getHttpVersion().asString();
      response.write(true, ByteBuffer.wrap(seen.getBytes(StandardCharsets.UTF_8)), callback);
      return true;
    }
  }
}
