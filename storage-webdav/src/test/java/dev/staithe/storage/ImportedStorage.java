package dev.staithe.storage;

import dev.staithe.testkit.clients.Curl;
import dev.staithe.testkit.trust.GridAuthority;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import dev.staithe.testkit.trust.TokenDraft;
import dev.staithe.testkit.trust.TokenIssuer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * A storage element started with what the import wrote, but for the port and the authority of the
 * issuer, which is thrown away.
 */
final class ImportedStorage implements AutoCloseable {
  /** What clients call it. */
  static final String HOST = "localhost";

  private static final ThrowAwayAuthority AUTHORITY = RunningStorage.shared().authority();
  static final TokenIssuer ISSUER = RunningStorage.shared().issuer();

  private final ConfigurableApplicationContext context;

  private ImportedStorage(ConfigurableApplicationContext context) {
    this.context = context;
  }

  /** What a run of the command printed, its exit code in front. */
  static String run(String... arguments) {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    PrintStream stream = new PrintStream(printed, true, StandardCharsets.UTF_8);
    List<String> all = new ArrayList<>(List.of("import"));
    all.addAll(List.of(arguments));
    int code = ImportCommand.run(all.toArray(String[]::new), stream, stream);
    return code + "\n" + printed.toString(StandardCharsets.UTF_8);
  }

  static Path certificate() {
    return AUTHORITY.localhost().certificate();
  }

  static Path key() {
    return AUTHORITY.localhost().key();
  }

  /**
   * Starts it.
   *
   * @param more settings as on a command line, for what a test has elsewhere
   */
  static ImportedStorage start(Path folder, String... more) {
    List<String> settings =
        new ArrayList<>(
            List.of(
                "--spring.config.additional-location=file:" + folder.resolve("storage.yml"),
                "--server.port=0",
                "--server.address=127.0.0.1",
                "--staithe.scrub.rate=0",
                "--staithe.trust=" + AUTHORITY.certificateFile()));
    settings.addAll(List.of(more));
    return new ImportedStorage(
        new SpringApplicationBuilder(StorageApplication.class)
            .run(settings.toArray(String[]::new)));
  }

  /** A request to a server whose certificate is of the same authority. */
  static Curl trusted(String url) {
    return Curl.to(url).trusting(AUTHORITY);
  }

  /** Without a path. */
  String url() {
    int port = ((WebServerApplicationContext) context).getWebServer().getPort();
    return "https://localhost:" + port;
  }

  Curl curl(String path) {
    return trusted(url() + path);
  }

  Curl curl(String path, GridAuthority.Holder holder) {
    return curl(path)
        .option("cert", holder.certificate().toString())
        .option("key", holder.key().toString());
  }

  /** Of the issuer, for this server. */
  static TokenDraft token() {
    return ISSUER.token().subject("somebody").audience("https://localhost:8443");
  }

  static int status(Curl curl) {
    return curl.run().status();
  }

  /** An upload's status. */
  static int put(Curl curl, Path folder) throws IOException {
    return status(curl.upload(Files.writeString(folder.resolve("grain"), "grain")));
  }

  @Override
  public void close() {
    context.close();
  }
}
