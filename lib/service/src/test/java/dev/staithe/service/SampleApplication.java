package dev.staithe.service;

import dev.staithe.service.http.HttpServer;
import dev.staithe.service.log.AccessLog;
import dev.staithe.service.start.StartLines;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/** A service of nothing but what this module does: {@code /front/…} is answered before servlets. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
@EnableConfigurationProperties(SampleProperties.class)
public class SampleApplication {
  /** How many characters the address has that {@code /front/far} redirects to, and some more. */
  public static final int FAR = 40_000;

  @Bean
  AccessLog.Knowledge accessLogKnowledge() {
    return new AccessLog.Knowledge(
        "part", r -> r.getAttribute("part") == null ? null : "front", r -> null);
  }

  @Bean
  StartLines startLines() {
    return development -> {};
  }

  @Bean
  HttpServer.Front front() {
    return HttpServer.Front.of(Front::new);
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
      if (Request.getPathInContext(request).equals("/front/far")) {
        Response.sendRedirect(
            request, response, callback, "https://far.example.org/?" + "x".repeat(FAR));
        return true;
      }
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
