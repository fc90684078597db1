package dev.staithe.perf.cxf;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URL;

/**
 * The plain service behind. By the JDK's oldest client, which is the cheapest that it has: CXF's
 * own would be counted against CXF. Thread-safe.
 */
final class BackEnd {
  static {
    // Connections that are kept, and no request sent twice.
    System.setProperty("http.maxConnections", "256");
    System.setProperty("sun.net.http.retryPost", "false");
  }

  private final URL url;

  BackEnd(URI address) {
    try {
      url = address.toURL();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Asks once; an answer with a fault is an answer. */
  byte[] ask(byte[] envelope, String contentType) throws IOException {
    var connection = (HttpURLConnection) url.openConnection();
    connection.setRequestMethod("POST");
    connection.setDoOutput(true);
    connection.setUseCaches(false);
    connection.setConnectTimeout(10_000);
    connection.setReadTimeout(60_000);
    connection.setFixedLengthStreamingMode(envelope.length);
    connection.setRequestProperty("Content-Type", contentType);
    try (OutputStream out = connection.getOutputStream()) {
      out.write(envelope);
    }
    int status = connection.getResponseCode();
    if (status != 200 && status != 500) {
      throw new IOException("the back end answered " + status);
    }
    try (InputStream in =
        status == 200 ? connection.getInputStream() : connection.getErrorStream()) {
      if (in == null) {
        throw new IOException("the back end answered nothing");
      }
      return in.readAllBytes();
    }
  }
}
