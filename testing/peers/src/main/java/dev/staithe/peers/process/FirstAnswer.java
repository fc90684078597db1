package dev.staithe.peers.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;

/**
 * The question whether an HTTP server serves yet, and what it says. The first on plain sockets: an
 * HTTP client would take longer to start than some of the servers do.
 */
public final class FirstAnswer {
  private static final int LONGEST_MS = 5_000;

  private FirstAnswer() {}

  /** Whether a GET of that address gets a response, whatever it is but a failure of the server. */
  public static boolean comesFrom(URI address, Path authority) {
    try (var plain = new Socket()) {
      plain.connect(new InetSocketAddress("127.0.0.1", address.getPort()), LONGEST_MS);
      plain.setSoTimeout(LONGEST_MS);
      if (!address.getScheme().equals("https")) {
        return answers(plain, address);
      }
      try (Socket socket =
          trusting(authority)
              .getSocketFactory()
              .createSocket(plain, address.getHost(), address.getPort(), true)) {
        ((SSLSocket) socket).startHandshake();
        return answers(socket, address);
      }
    } catch (IOException e) {
      return false;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("no TLS in this Java", e);
    }
  }

  private static boolean answers(Socket socket, URI address) throws IOException {
    String request =
        "GET %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n"
            .formatted(address.getRawPath(), address.getAuthority());
    socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
    var reader =
        new BufferedReader(
            new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
    String status = reader.readLine();
    return status != null && status.matches("HTTP/1\\.1 [1-4].*");
  }

  /** The context of a client that trusts one authority. */
  public static SSLContext trusting(Path authority) throws IOException, GeneralSecurityException {
    KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
    trusted.load(null, null);
    try (InputStream pem = Files.newInputStream(authority)) {
      trusted.setCertificateEntry(
          "authority", CertificateFactory.getInstance("X.509").generateCertificate(pem));
    }
    var managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    managers.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, managers.getTrustManagers(), null);
    return context;
  }

  /**
   * What a server answers to a GET.
   *
   * @throws IOException where that is not 200
   */
  public static String fetched(URI address, Path authority) throws IOException {
    try (var client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .sslContext(trusting(authority))
            .build()) {
      HttpResponse<String> answer =
          client.send(
              HttpRequest.newBuilder(address).timeout(Duration.ofSeconds(30)).build(),
              HttpResponse.BodyHandlers.ofString());
      if (answer.statusCode() != 200) {
        throw new IOException(address + " was answered " + answer.statusCode());
      }
      return answer.body();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("no TLS in this Java", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while " + address + " was fetched", e);
    }
  }
}
