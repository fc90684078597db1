package dev.staithe.perf.peers;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/**
 * Gives our session service the accounts of a load, by its administration interface.
 *
 * @param url of a node
 * @param database the port of its PostgreSQL
 */
record StaitheAccounts(String url, int database) {
  private static final String USERS = "/admin/users";

  /**
   * Makes them.
   *
   * @param hash how passwords are to be kept
   * @throws IOException where the service refuses one, in one line
   */
  void make(Accounts accounts, String hash) throws IOException {
    try (var client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(10))
            .build()) {
      for (int i = 0; i < accounts.count(); i++) {
        String body =
            "{\"name\":\"%s\",\"password\":\"%s\"}"
                .formatted(Accounts.name(i), accounts.password());
        var request =
            HttpRequest.newBuilder(URI.create(url + USERS))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        var answer = client.send(request, HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() / 100 != 2) {
          throw new IOException(
              "authn-service answered %d to a new account with the hash %s"
                  .formatted(answer.statusCode(), hash));
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while accounts were made", e);
    }
  }

  /** Has a database do something. */
  static void psql(int port, String command) throws IOException {
    Process process =
        new ProcessBuilder(
                List.of(
                    new Program("psql", "postgresql-client").path(),
                    "-X",
                    "-q",
                    "-h",
                    "127.0.0.1",
                    "-p",
                    "" + port,
                    "-U",
                    "postgres",
                    "-c",
                    command))
            .redirectErrorStream(true)
            .redirectInput(ManagedProcess.NOTHING.toFile())
            .start();
    String said =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    try {
      if (process.waitFor() != 0) {
        throw new IOException("PostgreSQL refuses: " + said.lines().findFirst().orElse(""));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }
}
