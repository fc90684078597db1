package dev.staithe.storage;

import dev.staithe.testkit.clients.Curl;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import dev.staithe.testkit.trust.TokenIssuer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * A storage element in this process, with everything real: TLS, token issuer, files. It has the
 * areas {@code data} (tokens) and {@code open} (anyone may read and write).
 */
public final class RunningStorage implements AutoCloseable {
  public static final String AUDIENCE = "https://storage.test";

  private static @Nullable RunningStorage shared;

  private final ThrowAwayAuthority authority;
  private final TokenIssuer issuer;
  private final Path folder;
  private final ConfigurableApplicationContext context;
  private final boolean ownsIssuer;

  private RunningStorage(
      Path folder,
      ThrowAwayAuthority authority,
      TokenIssuer issuer,
      boolean ownsIssuer,
      Map<String, Object> extra,
      @Nullable Clock clock) {
    this.folder = folder;
    this.authority = authority;
    this.issuer = issuer;
    this.ownsIssuer = ownsIssuer;
    try {
      Files.createDirectories(folder.resolve("data"));
      Files.createDirectories(folder.resolve("open"));
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
    Map<String, Object> properties = properties(folder, authority, issuer);
    properties.putAll(extra);
    this.context =
        new SpringApplicationBuilder(StorageApplication.class)
            .initializers(
                made -> {
                  if (clock != null) {
                    made.getBeanFactory().registerSingleton("clock", clock);
                  }
                })
            .properties(properties)
            .run(
                properties.entrySet().stream()
                    .map(e -> "--" + e.getKey() + "=" + e.getValue())
                    .toArray(String[]::new));
  }

  /** The configuration that a server with these parts needs; the port is any. */
  public static Map<String, Object> properties(
      Path folder, ThrowAwayAuthority authority, TokenIssuer issuer) {
    Map<String, Object> properties = new LinkedHashMap<>();
    ThrowAwayAuthority.Host host = authority.localhost();
    properties.put("server.port", 0);
    properties.put("server.address", "127.0.0.1");
    properties.put("staithe.tls.certificate", host.certificate());
    properties.put("staithe.tls.key", host.key());
    properties.put("staithe.trust", authority.certificateFile());
    properties.put("staithe.issuers[0].issuer", issuer.issuer());
    properties.put("staithe.issuers[0].audiences", AUDIENCE);
    properties.put("staithe.areas[0].name", "data");
    properties.put("staithe.areas[0].root", folder.resolve("data"));
    properties.put("staithe.areas[0].grants[0].issuer", issuer.issuer());
    properties.put("staithe.areas[1].name", "open");
    properties.put("staithe.areas[1].root", folder.resolve("open"));
    properties.put("staithe.areas[1].anonymous-read", true);
    properties.put("staithe.areas[1].anonymous-write", true);
    properties.put("staithe.copy.allowed-networks", "127.0.0.0/8");
    // Tests look at what they stored themselves.
    properties.put("staithe.scrub.rate", 0);
    // What is judged by its status comes as one.
    properties.put("staithe.copy.early-answer", "5s");
    return properties;
  }

  /** One for all tests that change no setting; it ends with the JVM. */
  public static synchronized RunningStorage shared() {
    RunningStorage storage = shared;
    if (storage == null) {
      try {
        storage = start(Files.createTempDirectory("storage"), Map.of());
      } catch (IOException e) {
        throw new java.io.UncheckedIOException(e);
      }
      shared = storage;
      Runtime.getRuntime().addShutdownHook(new Thread(storage::close));
    }
    return storage;
  }

  /** Starts one with an authority and an issuer of its own. */
  public static RunningStorage start(Path folder, Map<String, Object> extra) {
    ThrowAwayAuthority authority =
        ThrowAwayAuthority.in(folder.resolve("authority"), Clock.systemUTC());
    return new RunningStorage(
        folder, authority, TokenIssuer.overHttps(authority, Clock.systemUTC()), true, extra, null);
  }

  /** Starts one that trusts these. */
  static RunningStorage start(
      Path folder, ThrowAwayAuthority authority, TokenIssuer issuer, Map<String, Object> extra) {
    return new RunningStorage(folder, authority, issuer, false, extra, null);
  }

  /** Starts one that goes by that clock, as its issuer does. */
  static RunningStorage start(
      Path folder,
      ThrowAwayAuthority authority,
      TokenIssuer issuer,
      Map<String, Object> extra,
      Clock clock) {
    return new RunningStorage(folder, authority, issuer, false, extra, clock);
  }

  /** Starts one that trusts the same authority and issuer as {@code other}. */
  public static RunningStorage beside(
      RunningStorage other, Path folder, Map<String, Object> extra) {
    return new RunningStorage(folder, other.authority, other.issuer, false, extra, null);
  }

  public ThrowAwayAuthority authority() {
    return authority;
  }

  public TokenIssuer issuer() {
    return issuer;
  }

  public ConfigurableApplicationContext context() {
    return context;
  }

  /** The folder of area {@code data}. */
  public Path data() {
    return folder.resolve("data");
  }

  /** The folder of area {@code open}. */
  public Path open() {
    return folder.resolve("open");
  }

  public int port() {
    return ((WebServerApplicationContext) context).getWebServer().getPort();
  }

  public String url(String path) {
    return "https://localhost:" + port() + path;
  }

  /** A token with these scopes. */
  public String token(String scopes) {
    return issuer.token().subject("tester").scope(scopes).audience(AUDIENCE).sign();
  }

  /** A token that may do anything in area {@code data}. */
  public String token() {
    return token("storage.read:/ storage.modify:/");
  }

  /** A curl that trusts the authority. */
  public Curl curl(String path) {
    return Curl.to(url(path)).trusting(authority);
  }

  @Override
  public void close() {
    context.close();
    if (ownsIssuer) {
      issuer.close();
    }
  }
}
