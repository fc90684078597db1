package dev.staithe.perf.tokens;

import dev.staithe.peers.process.Program;
import dev.staithe.perf.peers.Accounts;
import dev.staithe.perf.peers.ShortProgram;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * Gives our session service the accounts of a load, by its administration interface, as the
 * administrator whose password it prints at its first start.
 *
 * @param url of a node
 * @param output what that node prints
 */
public record StaitheAccounts(String url, Path output) {
  private static final Pattern PRINTED = Pattern.compile("Administrator: (\\S+), password: (\\S+)");

  /**
   * Makes them.
   *
   * @throws IOException where the service refuses one, in one line
   */
  void make(Accounts accounts) throws IOException {
    try (var client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(10))
            .build()) {
      String token = token(client);
      for (int i = 0; i < accounts.count(); i++) {
        String body =
            "{\"name\":\"%s\",\"password\":\"%s\"}"
                .formatted(Accounts.name(i), accounts.password());
        send(client, asked("/admin/users", body).header("Authorization", "Bearer " + token));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while accounts were made", e);
    }
  }

  private String token(HttpClient client) throws IOException, InterruptedException {
    Matcher printed = PRINTED.matcher(Files.readString(output, StandardCharsets.UTF_8));
    if (!printed.find()) {
      throw new IOException("authn-service has not printed an administrator's password");
    }
    String answer =
        send(
            client,
            asked("/json/authenticate", "{}")
                .header("X-OpenAM-Username", printed.group(1))
                .header("X-OpenAM-Password", printed.group(2)));
    try {
      return JsonMapper.shared().readTree(answer).path("tokenId").asString("");
    } catch (JacksonException e) {
      throw new IOException("authn-service answered a login with something else", e);
    }
  }

  private HttpRequest.Builder asked(String path, String body) {
    return HttpRequest.newBuilder(URI.create(url + path))
        .header("Content-Type", "application/json")
        .timeout(Duration.ofSeconds(30))
        .POST(HttpRequest.BodyPublishers.ofString(body));
  }

  private static String send(HttpClient client, HttpRequest.Builder request)
      throws IOException, InterruptedException {
    HttpRequest made = request.build();
    HttpResponse<String> answer = client.send(made, HttpResponse.BodyHandlers.ofString());
    if (answer.statusCode() / 100 != 2) {
      throw new IOException(
          "authn-service answered %s with %d: %s"
              .formatted(
                  made.uri().getPath(),
                  answer.statusCode(),
                  answer.body().lines().findFirst().orElse("")));
    }
    return answer.body();
  }

  /** Has a database do something. */
  public static void psql(int port, String command) throws IOException {
    ShortProgram.run(
        new ProcessBuilder(
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
            command),
        said -> "PostgreSQL refuses: " + said.lines().findFirst().orElse(""));
  }
}
