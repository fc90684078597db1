package dev.staithe.gateway.publish;

import dev.staithe.http.BoundedFetch;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * Where the documents of one description are, and the only place that they are taken from: one
 * host's port, or one folder. What a document refers to beyond is never fetched.
 */
sealed interface Origin {
  /** The description itself. */
  URI start() throws IOException;

  /** Whether that is here. */
  boolean has(URI address);

  /**
   * Reads one document.
   *
   * @param most bytes
   * @throws IOException with one line for the log
   */
  byte[] read(URI address, int most) throws IOException;

  /**
   * A back end that describes itself at {@code ?wsdl}. Redirects are not followed.
   *
   * @param address its own
   * @param client asked for each time, as its trust may change
   * @param timeout for each document
   */
  record Service(URI address, Supplier<HttpClient> client, Duration timeout) implements Origin {
    @Override
    public URI start() {
      String query = address.getRawQuery();
      String text = address.toString();
      return URI.create(query == null ? text + "?wsdl" : text + "&wsdl");
    }

    @Override
    public boolean has(URI other) {
      return other.getHost() != null
          && other.getHost().equalsIgnoreCase(address.getHost())
          && scheme(other).equals(scheme(address))
          && port(other) == port(address)
          && other.getRawUserInfo() == null;
    }

    private static String scheme(URI uri) {
      return uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
    }

    private static int port(URI uri) {
      return uri.getPort() >= 0 ? uri.getPort() : scheme(uri).equals("https") ? 443 : 80;
    }

    @Override
    public byte[] read(URI document, int most) throws IOException {
      HttpResponse<byte[]> response;
      try {
        response =
            new BoundedFetch(client.get(), timeout, most)
                .send(HttpRequest.newBuilder(document).build());
      } catch (IOException e) {
        throw new IOException(document + ": " + e.getMessage(), e);
      }
      if (response.statusCode() != 200) {
        throw new IOException(document + " answers " + response.statusCode());
      }
      return response.body();
    }
  }

  /** A file, with others in its folder and below. */
  record Folder(Path file) implements Origin {
    @Override
    public URI start() throws IOException {
      return file.toRealPath().toUri();
    }

    @Override
    public boolean has(URI other) {
      if (!"file".equals(other.getScheme()) || other.getRawQuery() != null) {
        return false;
      }
      try {
        // Links are followed first, so that none leads out of the folder.
        Path folder = Objects.requireNonNull(file.toRealPath().getParent());
        return Path.of(other).toRealPath().startsWith(folder);
      } catch (IOException | IllegalArgumentException e) {
        return false;
      }
    }

    @Override
    public byte[] read(URI document, int most) throws IOException {
      try (InputStream in = Files.newInputStream(Path.of(document))) {
        byte[] bytes = in.readNBytes(most + 1);
        if (bytes.length <= most) {
          return bytes;
        }
      } catch (IOException e) {
        throw new IOException(document + " cannot be read", e);
      }
      throw new IOException(document + " has more than " + most + " bytes");
    }
  }
}
