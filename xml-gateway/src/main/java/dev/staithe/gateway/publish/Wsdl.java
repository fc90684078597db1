package dev.staithe.gateway.publish;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What one endpoint tells of itself: {@code ?policy}, {@code ?wsdl} and what that imports, by
 * number as {@code ?wsdl=2} and {@code ?xsd=3}. The description is the back end's or a file's, read
 * at the first question and again, at a question, when it is old; where it cannot be read again the
 * one before is told. Thread-safe.
 */
public final class Wsdl {
  private static final Logger log = LoggerFactory.getLogger(Wsdl.class);

  /** Of a description that could not be read: how long nobody tries again. */
  private static final Duration PAUSE = Duration.ofSeconds(5);

  /** Of requests, with a description that nobody has read yet. */
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private static final String CONTENT_TYPE = "text/xml;charset=utf-8";

  /** What is answered. */
  public sealed interface Answer {
    /**
     * A document.
     *
     * @param content not to be changed
     */
    record Document(String contentType, byte[] content) implements Answer {}

    /** 404: there is no such document. */
    record Missing(String line) implements Answer {}

    /** 502: the description cannot be had; the cause is in the log. */
    record Failed(String line) implements Answer {}
  }

  private record Read(List<DescriptionTree.Document> tree, Actions actions, Instant at) {}

  private record Text(Read of, Published policy, DescriptionText text) {}

  private final Origin origin;
  private final Supplier<Published> policy;
  private final Duration fresh;
  private final Clock clock;
  private final ReentrantLock reading = new ReentrantLock();
  private volatile @Nullable Read read;
  private volatile @Nullable Text text;
  private volatile @Nullable Instant failed;
  private final KnownActions actions;
  private String told = "";

  private Wsdl(Origin origin, Supplier<Published> policy, Duration fresh, Clock clock) {
    this.origin = origin;
    this.policy = policy;
    this.fresh = fresh;
    this.clock = clock;
    this.actions =
        new KnownActions(
            this::described,
            fresh,
            PATIENCE,
            task -> Thread.ofVirtual().name("description").start(task),
            clock);
  }

  /**
   * From what the back end says of itself at {@code ?wsdl}. Nothing but its own host and port is
   * asked, and redirects are not followed.
   *
   * @param backEnd its address
   * @param client that follows no redirects; asked for each time
   * @param timeout of each document
   * @param policy what is in force
   * @param fresh for how long what was read is told without asking again
   */
  public static Wsdl ofBackEnd(
      URI backEnd,
      Supplier<HttpClient> client,
      Duration timeout,
      Supplier<Published> policy,
      Duration fresh,
      Clock clock) {
    return new Wsdl(new Origin.Service(backEnd, client, timeout), policy, fresh, clock);
  }

  /** From a file; what it imports is below its folder. */
  public static Wsdl ofFile(Path file, Supplier<Published> policy, Duration fresh, Clock clock) {
    return new Wsdl(new Origin.Folder(file), policy, fresh, clock);
  }

  /**
   * Answers a question.
   *
   * @param query of the request, as {@code wsdl}, {@code xsd=3}, {@code policy}, {@code
   *     policy&v=2004}
   * @param self the endpoint's address as the client knows it, without a query
   * @return null where the query is no such question
   */
  public @Nullable Answer answer(@Nullable String query, URI self) {
    if (query == null) {
      return null;
    }
    int equals = query.indexOf('=');
    String what = (equals < 0 ? query : query.substring(0, equals)).toLowerCase(Locale.ROOT);
    String number = equals < 0 ? "" : query.substring(equals + 1);
    return switch (what) {
      case "policy", "policy&v" ->
          new Answer.Document(
              Published.CONTENT_TYPE,
              number.equals("2004") ? policy.get().documentOf2004() : policy.get().document());
      case "wsdl" -> document(number, true, self);
      case "xsd" -> document(number, false, self);
      default -> null;
    };
  }

  /**
   * What the description says of actions. The first who ask wait for it to be read, 5 seconds at
   * most; nobody does later. Of one that cannot be read nothing is known.
   */
  public Actions actions() {
    return actions.get();
  }

  private @Nullable Actions described() {
    Read current = current();
    return current == null ? null : current.actions();
  }

  private Answer document(String asked, boolean wsdl, URI self) {
    DescriptionText now = text();
    if (now == null) {
      return new Answer.Failed("the description of the service cannot be had");
    }
    // Anything but a small number is none of ours, an address above all.
    int number =
        asked.isEmpty() && wsdl ? 0 : asked.matches("[0-9]{1,3}") ? Integer.parseInt(asked) : -1;
    return now.has(number, wsdl)
        ? new Answer.Document(CONTENT_TYPE, now.document(number, self))
        : new Answer.Missing("the description has no such document");
  }

  private @Nullable DescriptionText text() {
    Read current = current();
    if (current == null) {
      return null;
    }
    Published inForce = policy.get();
    Text made = text;
    if (made == null || made.of() != current || made.policy() != inForce) {
      made = new Text(current, inForce, DescriptionText.of(current.tree(), inForce));
      text = made;
    }
    return made.text();
  }

  private @Nullable Read current() {
    Read known = read;
    Instant now = clock.instant();
    if (known != null && isWithin(fresh, known.at(), now) || isPausing(now)) {
      return known;
    }
    // One asks; the others wait only where there is nothing yet that could be told.
    if (known != null && !reading.tryLock()) {
      return known;
    }
    if (known == null) {
      reading.lock();
    }
    try {
      Read meanwhile = read;
      // Whoever waited here waited for one that failed, perhaps.
      if (meanwhile != known || isPausing(clock.instant())) {
        return meanwhile;
      }
      List<DescriptionTree.Document> tree = DescriptionTree.read(origin);
      Read next = new Read(tree, ActionsReader.read(tree), now);
      read = next;
      failed = null;
      told = "";
      return next;
    } catch (IOException e) {
      failed = clock.instant();
      tell(line(e));
      return known;
    } finally {
      reading.unlock();
    }
  }

  /** Once, and not at each try; by the one who reads. */
  private void tell(String line) {
    if (!line.equals(told)) {
      log.warn("a description cannot be read: {}", line);
    }
    told = line;
  }

  private boolean isPausing(Instant now) {
    Instant last = failed;
    return last != null && isWithin(PAUSE, last, now);
  }

  /** In either direction: a clock that was set back keeps nothing old, and nobody away. */
  private static boolean isWithin(Duration length, Instant since, Instant now) {
    return Duration.between(since, now).abs().compareTo(length) < 0;
  }

  private static String line(IOException e) {
    String message = e.getMessage();
    return message == null ? e.getClass().getSimpleName() : message;
  }
}
