package dev.staithe.perf.peers;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.Properties;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/**
 * Stands in for StoRM WebDAV, of which there is no jar here: it takes what it serves, and where,
 * from the places where StoRM looks, and ends where one of them is missing. Nothing but the JDK, as
 * it runs from a jar of its own.
 */
public final class StandInStorm {
  private StandInStorm() {}

  private static String told(String variable) {
    String value = System.getenv("STORM_WEBDAV_" + variable);
    if (value == null) {
      throw new IllegalStateException(variable + " is missing");
    }
    return value;
  }

  /** As StoRM's. */
  public static void main(String[] arguments) throws Exception {
    var area = new Properties();
    try (InputStream file =
        Files.newInputStream(Path.of(told("SA_CONFIG_DIR"), "data.properties"))) {
      area.load(file);
    }
    if (!Files.readString(Path.of("config/application.yml")).contains("type: anyone")) {
      throw new IllegalStateException("nobody may do anything");
    }
    InetSocketAddress http = address("HTTP_PORT");
    InetSocketAddress https = address("HTTPS_PORT");
    var encrypted = HttpsServer.create(https, 0);
    encrypted.setHttpsConfigurator(new HttpsConfigurator(tls()));
    for (HttpServer server : new HttpServer[] {HttpServer.create(http, 0), encrypted}) {
      server.createContext(area.getProperty("accessPoints"), each -> serve(each, area));
      server.start();
    }
  }

  private static InetSocketAddress address(String port) {
    return new InetSocketAddress(told("SERVER_ADDRESS"), Integer.parseInt(told(port)));
  }

  private static void serve(HttpExchange exchange, Properties area) throws IOException {
    try (exchange) {
      String path = exchange.getRequestURI().getPath();
      String below = path.substring(area.getProperty("accessPoints").length());
      Path file = Path.of(area.getProperty("rootPath") + below);
      if (Files.isRegularFile(file)) {
        byte[] content = Files.readAllBytes(file);
        exchange.sendResponseHeaders(200, content.length);
        exchange.getResponseBody().write(content);
      } else {
        exchange.sendResponseHeaders(404, -1);
      }
    }
  }

  private static SSLContext tls() throws Exception {
    String pem = Files.readString(Path.of(told("PRIVATE_KEY_PATH"))).replaceAll("-----.*", "");
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    try (InputStream file = Files.newInputStream(Path.of(told("CERTIFICATE_PATH")))) {
      Certificate certificate = CertificateFactory.getInstance("X.509").generateCertificate(file);
      store.setKeyEntry(
          "host",
          KeyFactory.getInstance("EC")
              .generatePrivate(new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(pem))),
          new char[0],
          new Certificate[] {certificate});
    }
    var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(store, new char[0]);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), null, null);
    return context;
  }
}
