package dev.staithe.gateway.publish;

import dev.staithe.service.log.AuditLog;
import dev.staithe.tls.Reloadable;
import dev.staithe.wss.policy.AlgorithmList;
import dev.staithe.wss.policy.BuiltInPolicies;
import dev.staithe.wss.policy.EndpointPolicy;
import dev.staithe.wss.policy.PolicyOutcome;
import dev.staithe.wss.policy.PolicyReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The policy of one endpoint: a built-in one, or a file's, which is read again when it changes. A
 * document that is not understood changes nothing: the one before stays in force. Thread-safe.
 */
public final class PublishedPolicy implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(PublishedPolicy.class);

  /** One more than the reader takes, so that it is the reader that refuses. */
  private static final int MOST = (256 << 10) + 1;

  /**
   * Where a policy comes from.
   *
   * @param endpoint its path, for people
   * @param policy the name of a built-in policy, or a file
   * @param algorithms what is taken at all
   */
  public record Source(String endpoint, String policy, AlgorithmList algorithms) {}

  private final Source source;
  private final AuditLog audit;
  private final Reloadable<Published> documents;
  private volatile @Nullable Consumer<Published> switched;
  private @Nullable String refused;

  private PublishedPolicy(Source source, AuditLog audit, Clock clock)
      throws IOException, GeneralSecurityException {
    this.source = source;
    this.audit = audit;
    this.documents =
        new Reloadable<>(
            "the policy of " + source.endpoint(),
            BuiltInPolicies.has(source.policy()) ? List.of() : List.of(Path.of(source.policy())),
            Duration.ZERO,
            clock,
            this::read);
  }

  /**
   * Reads it for the first time.
   *
   * @throws IOException with one line where there is no policy to begin with
   */
  static PublishedPolicy open(Source source, AuditLog audit, Clock clock) throws IOException {
    try {
      return new PublishedPolicy(source, audit, clock);
    } catch (GeneralSecurityException e) {
      throw new IOException(e);
    }
  }

  /** Where it comes from. */
  public Source source() {
    return source;
  }

  /** What is in force. */
  public Published current() {
    return documents.current();
  }

  /** Since when what is in force is. */
  public Instant since() {
    return documents.loadedAt();
  }

  /** Why the newest document is not in force, one line; null where it is. */
  public @Nullable String lastError() {
    return documents.lastError();
  }

  /**
   * Whom to tell of a new policy. Told before {@link #current()} gives it; where it throws, the
   * policy before stays.
   */
  public void whenSwitched(Consumer<Published> listener) {
    this.switched = listener;
  }

  /**
   * Looks at the file.
   *
   * @return whether it was read again
   */
  public boolean check() {
    return documents.check();
  }

  private Published read() throws IOException {
    try {
      Published next = published();
      Published before = current(documents);
      if (before != null && !before.policy().version().equals(next.policy().version())) {
        take(before, next);
      }
      refused = null;
      return next;
    } catch (IOException | RuntimeException e) {
      String line = String.valueOf(e.getMessage());
      // Tried again at each look until it is good: told once.
      if (!line.equals(refused)) {
        refused = line;
        if (current(documents) != null) {
          // Where there is none before it, the start ends and tells.
          log.error("the policy of {} is not taken: {}", source.endpoint(), line);
        }
        audit
            .line("policy.refused", "refused")
            .with("endpoint", source.endpoint())
            .with("policy", source.policy())
            .with("detail", line)
            .write();
      }
      throw e;
    }
  }

  /** Null while the first one is read. */
  private static @Nullable Published current(@Nullable Reloadable<Published> documents) {
    return documents == null ? null : documents.current();
  }

  private void take(Published before, Published next) {
    Consumer<Published> listener = switched;
    if (listener != null) {
      listener.accept(next);
    }
    log.info(
        "the policy of {} is {} now, was {}",
        source.endpoint(),
        next.policy().version(),
        before.policy().version());
    audit
        .line("policy.switch", "ok")
        .with("endpoint", source.endpoint())
        .with("policy", source.policy())
        .with("old", before.policy().version())
        .with("new", next.policy().version())
        .write();
  }

  private Published published() throws IOException {
    byte[] document = document();
    return switch (PolicyReader.read(document, source.algorithms())) {
      case PolicyOutcome.Accepted(EndpointPolicy policy) -> new Published(name(), document, policy);
      case PolicyOutcome.Refused(String line) ->
          throw new IOException(source.policy() + ": " + line);
    };
  }

  private byte[] document() throws IOException {
    if (BuiltInPolicies.has(source.policy())) {
      return BuiltInPolicies.document(source.policy(), source.algorithms());
    }
    try (InputStream in = Files.newInputStream(Path.of(source.policy()))) {
      return in.readNBytes(MOST);
    } catch (NoSuchFileException e) {
      throw new IOException(
          source.policy() + ": there is neither such a file nor such a built-in policy", e);
    } catch (IOException e) {
      throw new IOException(source.policy() + ": the file cannot be read", e);
    }
  }

  private String name() {
    if (BuiltInPolicies.has(source.policy())) {
      return source.policy();
    }
    Path file = Path.of(source.policy()).getFileName();
    return file == null ? source.policy() : file.toString();
  }

  @Override
  public void close() {
    documents.close();
  }
}
