package dev.staithe.storage;

import static dev.staithe.service.OneLineFailure.started;

import dev.staithe.service.OneLineFailure;
import dev.staithe.service.certificates.TlsEnd;
import dev.staithe.storage.authz.Caller;
import dev.staithe.storage.authz.Identification;
import dev.staithe.storage.issuers.TokenDoor;
import dev.staithe.storage.operation.Explanation;
import dev.staithe.storage.policy.AreaPolicy;
import dev.staithe.storage.settings.IssuerProperties;
import dev.staithe.storage.settings.StorageProperties;
import dev.staithe.storage.state.StateFolder;
import dev.staithe.tls.TlsProvider;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/**
 * {@code explain}: what a request would be answered and why, by a configuration and no running
 * server. It reads the policies and asks the issuers for their keys; no area is opened.
 */
final class ExplainCommand {
  private static final String USAGE =
      """
      usage: explain --config FILE --method PUT [--token FILE | --certificate NAME [--voms FQAN]...]
                     [--from ADDRESS] /path""";

  /** What of the service is needed; nothing of it begins before it is asked for. */
  @SpringBootConfiguration(proxyBeanMethods = false)
  @EnableConfigurationProperties(StorageProperties.class)
  @Import(TrustConfiguration.class)
  static final class Parts {
    @Bean
    TlsProvider tlsProvider(StorageProperties properties) {
      return TlsEnd.provider(properties.tls());
    }
  }

  /** What was asked, by the arguments. */
  private static final class Asked {
    @Nullable Path config;
    String method = "";
    @Nullable Path token;
    @Nullable String certificate;
    final List<String> voms = new ArrayList<>();
    @Nullable String from;
    String path = "";

    Asked(String[] args) {
      for (int i = 1; i < args.length; i++) {
        if (!args[i].startsWith("--")) {
          if (!path.isEmpty()) {
            throw new IllegalArgumentException("there is more than one path");
          }
          path = args[i];
          continue;
        }
        if (i + 1 == args.length) {
          throw new IllegalArgumentException(args[i] + " has no value");
        }
        String value = args[i + 1];
        switch (args[i++]) {
          case "--config" -> config = Path.of(value);
          case "--method" -> method = value;
          case "--token" -> token = Path.of(value);
          case "--certificate" -> certificate = value;
          case "--voms" -> voms.add(value);
          case "--from" -> from = value;
          default -> throw new IllegalArgumentException("unknown option " + args[i - 1]);
        }
      }
      if (config == null || path.isEmpty() || method.isEmpty()) {
        throw new IllegalArgumentException("--config, --method and a path are needed");
      }
      if (token != null && certificate != null) {
        throw new IllegalArgumentException("--token or --certificate, not both");
      }
    }
  }

  private ExplainCommand() {}

  /** Prints the explanation; gives the exit code. */
  static int run(String[] args, PrintStream out, PrintStream err, Clock clock) {
    Asked asked;
    Explanation.Question question;
    Caller holder;
    String token;
    try {
      asked = new Asked(args);
      question = Explanation.Question.of(asked.method, asked.path, asked.from);
      holder = asked.certificate == null ? null : Explanation.holder(asked.certificate, asked.voms);
      token = asked.token == null ? null : StateFolder.text(asked.token).strip();
    } catch (IllegalArgumentException e) {
      err.println("explain: " + e.getMessage() + "\n" + USAGE);
      return 2;
    } catch (IOException e) {
      err.println("explain: the file with the token cannot be read");
      return 2;
    }
    try (ConfigurableApplicationContext context = open(asked, clock)) {
      StorageProperties properties = context.getBean(StorageProperties.class);
      Map<String, AreaPolicy> policies = policies(properties, clock);
      try {
        List<String> lines =
            new Explanation(properties.areas(), policies)
                .of(identify(context, holder, token), question);
        if (lines.isEmpty()) {
          err.println("explain: no storage area has this path");
          return 2;
        }
        lines.forEach(out::println);
        return 0;
      } finally {
        policies.values().forEach(AreaPolicy::close);
      }
    } catch (RuntimeException e) {
      String line = OneLineFailure.describe(e);
      err.println("explain: " + (line == null ? "a defect: " + e : line));
      return 2;
    }
  }

  private static Identification identify(
      ConfigurableApplicationContext context, @Nullable Caller holder, @Nullable String token) {
    if (holder != null) {
      return new Identification.Identified(holder);
    }
    return token == null
        ? new Identification.Identified(new Caller.Anonymous())
        : context.getBean(TokenDoor.class).identify(List.of("Bearer " + token));
  }

  private static ConfigurableApplicationContext open(Asked asked, Clock clock) {
    return new SpringApplicationBuilder(Parts.class)
        .web(WebApplicationType.NONE)
        .bannerMode(Banner.Mode.OFF)
        .logStartupInfo(false)
        .registerShutdownHook(false)
        .lazyInitialization(true)
        .initializers(context -> context.getBeanFactory().registerSingleton("clock", clock))
        .run(
            "--spring.config.additional-location=file:" + asked.config,
            "--logging.level.root=off",
            // Which has a level of its own.
            "--logging.level.dev.staithe=off");
  }

  private static Map<String, AreaPolicy> policies(StorageProperties properties, Clock clock) {
    Set<String> issuers =
        properties.issuers().stream()
            .map(IssuerProperties::issuer)
            .collect(Collectors.toUnmodifiableSet());
    Map<String, AreaPolicy> policies = new LinkedHashMap<>();
    for (int i = 0; i < properties.areas().size(); i++) {
      StorageProperties.Area area = properties.areas().get(i);
      String at = "staithe.areas[" + i + "]";
      policies.put(
          area.name(),
          started(
              at,
              () ->
                  AreaPolicy.open(
                      area.name(),
                      AreasConfiguration.access(area),
                      area.policy(),
                      issuers,
                      Duration.ZERO,
                      clock)));
    }
    return policies;
  }
}
