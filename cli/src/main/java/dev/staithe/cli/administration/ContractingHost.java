package dev.staithe.cli.administration;

import dev.staithe.cli.program.Page;
import dev.staithe.cli.program.Unreachable;
import dev.staithe.contracts.log.LogVerifier;
import dev.staithe.contracts.signature.BadSignature;
import dev.staithe.contracts.signature.PartyKey;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.time.Duration;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** The host that a person has a contract with, as far as both directions ask it. Stateless. */
final class ContractingHost {
  /** For an answer, before which the host may have to read the file. */
  static final Duration PATIENCE = Duration.ofSeconds(60);

  private static final int MOST_ANSWER = 128 * 1024;
  private static final int TRIES = 3;

  private final HttpClient http;
  private final URI url;

  /** That of the file's URL. */
  ContractingHost(HttpClient http, URI url) {
    this.http = http;
    this.url = url;
  }

  /** What the host publishes. */
  record Published(String keySet, Map<String, PartyKey> keys, String logKey, LogVerifier log) {}

  /** {@code host:port}. */
  String name() {
    return String.valueOf(url.getAuthority());
  }

  Published published() throws IOException {
    String keySet = text("/.well-known/http-message-signatures-directory");
    String described = text("/.well-known/staithe-host");
    try {
      String logKey = JsonMapper.shared().readTree(described).path("log").asString("");
      return new Published(keySet, PartyKey.readSet(keySet), logKey, LogVerifier.parse(logKey));
    } catch (ParseException | IllegalArgumentException | JacksonException e) {
      throw new IOException(name() + " publishes keys that cannot be read", e);
    }
  }

  private String text(String path) throws IOException {
    HttpResponse<InputStream> answer = send(HttpRequest.newBuilder(url.resolve(path)).GET());
    if (answer.statusCode() == 404) {
      answer.body().close();
      throw new IOException(name() + " has no contracts: others move files without");
    }
    String body = new String(body(answer), StandardCharsets.UTF_8);
    if (answer.statusCode() != 200) {
      throw new IOException(url.resolve(path) + " answered " + answer.statusCode());
    }
    return body;
  }

  HttpResponse<InputStream> send(HttpRequest.Builder request) throws IOException {
    return send(request, PATIENCE);
  }

  HttpResponse<InputStream> send(HttpRequest.Builder request, Duration patience)
      throws IOException {
    try {
      return http.send(request.timeout(patience).build(), BodyHandlers.ofInputStream());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } catch (IOException e) {
      throw Unreachable.of(name(), e);
    }
  }

  /** The first bytes of an answer, which is read no further. */
  static byte[] body(HttpResponse<InputStream> answer) throws IOException {
    return body(answer, PATIENCE);
  }

  /** The same; the time that the client is given for an answer ends with its head. */
  static byte[] body(HttpResponse<InputStream> answer, Duration patience) throws IOException {
    InputStream body = answer.body();
    StallWatch watch = new StallWatch(body, patience);
    try (body;
        watch) {
      return body.readNBytes(MOST_ANSWER);
    } catch (IOException e) {
      throw watch.stall() == StallWatch.Stall.NONE
          ? e
          : new IOException(
              answer.uri().getAuthority() + " began an answer and did not come to its end", e);
    }
  }

  /** What an answer says of itself that refuses, in one line. */
  IOException refused(HttpResponse<InputStream> answer, String hint) throws IOException {
    String text = new String(body(answer), StandardCharsets.UTF_8);
    String line = text.lines().findFirst().orElse("");
    try {
      line = JsonMapper.shared().readTree(text).path("detail").asString(line);
    } catch (JacksonException plain) {
      // Shown as it is.
    }
    return new IOException(
        name() + " answers " + answer.statusCode() + ": " + Page.oneLine(line) + hint);
  }

  /** Asks for the host's statement. */
  interface Asking {
    HttpResponse<InputStream> ask() throws IOException, BadSignature;
  }

  /**
   * The host's statement, asked for again where no answer came.
   *
   * @throws IOException with one line why there is none
   */
  static byte[] statement(Asking asking) throws IOException, BadSignature {
    IOException last = new IOException("not asked");
    for (int i = 0; i < TRIES; i++) {
      try {
        HttpResponse<InputStream> answer = asking.ask();
        byte[] statement = body(answer);
        if (answer.statusCode() == 201) {
          return statement;
        }
        last = new IOException("it answers " + answer.statusCode());
      } catch (IOException e) {
        last = e;
      }
    }
    throw last;
  }

  /** What an exception says, in one line. */
  static String said(IOException e) {
    return Page.oneLine(String.valueOf(e.getMessage()));
  }
}
