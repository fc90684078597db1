package dev.staithe.testkit.clients;

import dev.staithe.peers.process.Folders;
import dev.staithe.peers.process.Program;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * A request made by the real {@code curl}. All options, secrets among them, go to its standard
 * input, so that no process list shows them. Each call changes the request and returns it.
 */
public final class Curl {
  private static final Duration LONGEST = Duration.ofMinutes(5);

  private final List<String> config = new ArrayList<>();

  private Curl(String url) {
    option("url", url);
  }

  /**
   * What curl saw.
   *
   * @param exitCode curl's own, 0 where the exchange was complete
   * @param status of the last response, 0 where there was none
   * @param version of HTTP that was spoken: {@code 1.1} or {@code 2}
   * @param headers of all responses, in order
   * @param body of the last response
   * @param errors what curl complained of
   */
  public record Response(
      int exitCode,
      int status,
      String version,
      List<Map.Entry<String, String>> headers,
      byte[] body,
      String errors) {
    /** The body as UTF-8. */
    public String text() {
      return new String(body, StandardCharsets.UTF_8);
    }

    /** The last header of that name. */
    public Optional<String> header(String name) {
      return headers.stream()
          .filter(header -> header.getKey().equalsIgnoreCase(name))
          .map(Map.Entry::getValue)
          .reduce((first, second) -> second);
    }

    /** Without the body, which may be long. */
    @Override
    public String toString() {
      return "curl "
          + exitCode
          + ", status "
          + status
          + ", "
          + headers
          + ", "
          + body.length
          + " bytes, "
          + errors;
    }
  }

  /** A GET of that URL, which is sent as it is written: dot segments stay. */
  public static Curl to(String url) {
    return new Curl(url).flag("path-as-is").flag("globoff");
  }

  /** Another method; use {@link #head} for HEAD. */
  public Curl method(String method) {
    return option("request", method);
  }

  /** Asks for the header only. */
  public Curl head() {
    return flag("head");
  }

  /** Adds a header; an empty value is sent as such. */
  public Curl header(String name, String value) {
    return option("header", value.isEmpty() ? name + ";" : name + ": " + value);
  }

  /** Sends a bearer token. */
  public Curl token(String token) {
    return header("Authorization", "Bearer " + token);
  }

  /** Trusts that certificate, PEM. */
  public Curl trusting(Path certificates) {
    return option("cacert", certificates.toString());
  }

  /** Trusts that authority. */
  public Curl trusting(ThrowAwayAuthority authority) {
    return trusting(authority.certificateFile());
  }

  /** PUTs a file with its length. */
  public Curl upload(Path file) {
    return option("upload-file", file.toString());
  }

  /** Sends a text as the body, as it is; the method is POST unless told. */
  public Curl body(String text) {
    return option("data-raw", text);
  }

  /** Follows redirects, with curl's rules. */
  public Curl following() {
    return flag("location");
  }

  /** Any other option by its long name, such as {@code limit-rate}. */
  public Curl option(String name, String value) {
    config.add(name + " = \"" + quoted(value) + "\"");
    return this;
  }

  /** Any other option without a value. */
  public Curl flag(String name) {
    config.add(name);
    return this;
  }

  /**
   * Makes requests one after the other in one process, over one connection as far as the server
   * keeps it: a tenth of what a process for each takes. Bodies of answers are not kept.
   *
   * @return their statuses, 0 where there was no answer
   */
  public static List<Integer> statuses(List<Curl> requests) {
    List<String> all = new ArrayList<>();
    for (Curl request : requests) {
      if (!all.isEmpty()) {
        all.add("next");
      }
      all.addAll(request.config);
      all.addAll(List.of("output = /dev/null", "write-out = \"%{http_code}\\n\"", "silent"));
    }
    Program.Ran ran = run(all);
    List<Integer> statuses =
        new String(ran.output(), StandardCharsets.US_ASCII).lines().map(Integer::valueOf).toList();
    if (statuses.size() != requests.size()) {
      throw new IllegalStateException("curl told " + statuses + ": " + ran.errors().strip());
    }
    return statuses;
  }

  private static Program.Ran run(List<String> config) {
    return Program.CURL.run(
        List.of("-q", "--config", "-"),
        Map.of(),
        String.join("\n", config).getBytes(StandardCharsets.UTF_8),
        LONGEST);
  }

  /** Makes the request. */
  public Response run() {
    Path folder = null;
    try {
      folder = Files.createTempDirectory("curl");
      Path head = folder.resolve("head");
      Path body = folder.resolve("body");
      option("dump-header", head.toString());
      option("output", body.toString());
      option("write-out", "%{http_code} %{http_version}");
      flag("silent");
      flag("show-error");
      Program.Ran ran = run(config);
      String[] told = new String(ran.output(), StandardCharsets.US_ASCII).strip().split(" ");
      return new Response(
          ran.exitCode(),
          told[0].matches("[0-9]+") ? Integer.parseInt(told[0]) : 0,
          told[told.length - 1],
          Files.exists(head) ? headers(head) : List.of(),
          Files.exists(body) ? Files.readAllBytes(body) : new byte[0],
          ran.errors().strip());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      if (folder != null) {
        Folders.delete(folder);
      }
    }
  }

  private static List<Map.Entry<String, String>> headers(Path file) throws IOException {
    List<Map.Entry<String, String>> headers = new ArrayList<>();
    for (String line : Files.readString(file, StandardCharsets.ISO_8859_1).split("\r?\n")) {
      int colon = line.indexOf(':');
      if (colon > 0) {
        headers.add(
            Map.entry(
                line.substring(0, colon).toLowerCase(Locale.ROOT),
                line.substring(colon + 1).strip()));
      }
    }
    return headers;
  }

  private static String quoted(String value) {
    return value
        .replace("\\", "\\\\")
        .replace("\"", "\\\"")
        .replace("\n", "\\n")
        .replace("\r", "\\r")
        .replace("\t", "\\t");
  }
}
