package dev.staithe.perf.scenario;

import static io.gatling.javaapi.core.CoreDsl.ByteArrayBody;
import static io.gatling.javaapi.core.CoreDsl.bodyString;
import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.exitBlockOnFail;
import static io.gatling.javaapi.core.CoreDsl.regex;
import static io.gatling.javaapi.core.CoreDsl.repeat;
import static io.gatling.javaapi.http.HttpDsl.header;
import static io.gatling.javaapi.http.HttpDsl.http;
import static io.gatling.javaapi.http.HttpDsl.status;

import dev.staithe.perf.scenario.StorageTarget.Endpoint;
import io.gatling.javaapi.core.ChainBuilder;
import io.gatling.javaapi.core.Session;
import io.gatling.javaapi.http.HttpRequestActionBuilder;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The requests of the simulations, and what they need to find on the servers: a new folder on each,
 * with a file and with a folder to list, that goes away in the end. Thread-safe.
 *
 * <p>Bodies of downloads are counted and dropped as they come: no check here looks at them, and
 * Gatling keeps only what a check looks at.
 */
final class StorageRequests {
  /** The session's attribute that is there once {@link #prepare} has worked. */
  static final String PREPARED = "prepared";

  /** Users of the open model share so many names, which bounds the room that they take. */
  private static final int NAMES = 1000;

  private static final String COMPLETE = "complete";

  private final StorageTarget target;
  private final Set<Exercise> exercises;
  private final Phases phases;
  private final Tally tally;
  private final String folder = "gatling-" + UUID.randomUUID() + "/";
  private final byte[] content;

  StorageRequests(StorageTarget target, Set<Exercise> exercises, Phases phases, Tally tally) {
    this.target = target;
    this.exercises = Set.copyOf(exercises);
    this.phases = phases;
    this.tally = tally;
    this.content = new byte[target.fileBytes()];
    // Nothing that a file system could compress; the same in each run.
    new Random(1).nextBytes(content);
  }

  /** Makes what the requests need; sets {@link #PREPARED} where all of it worked. */
  ChainBuilder prepare() {
    ChainBuilder steps =
        exec(folder("prepare folder", target.server(), ""))
            .exec(put("prepare file", target.server(), session -> "file", content));
    if (exercises.contains(Exercise.LISTING)) {
      byte[] small = {'x'};
      steps =
          steps
              .exec(folder("prepare folder", target.server(), "list/"))
              .exec(
                  repeat(target.entries(), "entry")
                      .on(
                          exec(
                              put(
                                  "prepare entry",
                                  target.server(),
                                  session -> "list/" + session.getInt("entry"),
                                  small))));
    }
    if (twoServers()) {
      steps =
          steps
              .exec(folder("prepare folder", target.other(), ""))
              .exec(put("prepare file", target.other(), session -> "file", content));
    }
    return exitBlockOnFail().on(steps.exec(session -> session.set(PREPARED, true)));
  }

  /** Removes what {@link #prepare} and the requests have made, as far as it is there. */
  ChainBuilder clean() {
    ChainBuilder here = exec(removal(target.server()));
    return twoServers() ? here.exec(removal(target.other())) : here;
  }

  /** One request of that kind with its checks, named by the phase in which it begins. */
  ChainBuilder once(Exercise exercise) {
    return exec(session -> session.set("request", phases.name(exercise.label())))
        .exec(request(exercise))
        .exec(
            session -> {
              if (!session.isFailed() && exercise.label().equals(session.getString("request"))) {
                tally.add(exercise);
                if (exercise.takesTwo()) {
                  tally.addMarkers(session.getInt("markers"));
                }
              }
              return session;
            });
  }

  private ChainBuilder request(Exercise exercise) {
    Endpoint server = target.server();
    return switch (exercise) {
      case UPLOAD -> exec(put("#{request}", server, session -> own(exercise, session), content));
      case DOWNLOAD ->
          exec(
              authorized(http("#{request}").get(server.url() + folder + "file"), server)
                  .check(status().is(200))
                  .check(header("Content-Length").is("" + target.fileBytes())));
      case RANGE ->
          exec(session -> session.set("range", range()))
              .exec(
                  authorized(http("#{request}").get(server.url() + folder + "file"), server)
                      .header("Range", "bytes=#{range}")
                      .check(status().is(206))
                      .check(header("Content-Range").isEL("bytes #{range}/" + target.fileBytes())));
      case LISTING ->
          exec(
              authorized(
                      http("#{request}").httpRequest("PROPFIND", server.url() + folder + "list/"),
                      server)
                  .header("Depth", "1")
                  .check(status().is(207))
                  // The folder itself is one of them; prefixes and attributes are the server's
                  // choice.
                  .check(
                      regex("<(?:[A-Za-z][\\w.-]*:)?response[\\s>]")
                          .count()
                          .is(target.entries() + 1)));
      case PULL -> exec(copy(session -> own(exercise, session), "Source", session -> "file"));
      case PUSH -> exec(copy(session -> "file", "Destination", session -> own(exercise, session)));
    };
  }

  /** The COPY of HTTP third-party copy: the measured server is the active party. */
  private HttpRequestActionBuilder copy(
      Function<Session, String> here, String header, Function<Session, String> there) {
    Endpoint server = target.server();
    Endpoint other = target.other();
    HttpRequestActionBuilder request =
        authorized(
                http("#{request}")
                    .httpRequest("COPY", session -> server.url() + folder + here.apply(session)),
                server)
            .header(header, session -> other.url() + folder + there.apply(session))
            .header("Overwrite", "T")
            .header("RequireChecksumVerification", "" + target.verifies());
    if (!other.token().isEmpty()) {
      request = request.header("TransferHeaderAuthorization", "Bearer " + other.token());
    }
    return request
        .check(status().in(200, 201, 202))
        .check(header("Date").optional().saveAs("date"))
        .check(
            // Like bodyString(), but tells in its failure what it has found.
            regex("(?s)\\A.*\\z")
                .transformWithSession((body, session) -> verdict(body, answered(session)))
                .is(COMPLETE))
        .check(
            bodyString()
                .transform(MarkerStream::parse)
                .transform(MarkerStream::count)
                .saveAs("markers"));
  }

  /** What a copy's answer says, in a few words: Gatling groups failures by them. */
  private static String verdict(String body, Optional<Instant> answered) {
    try {
      return MarkerStream.parse(body).fault(answered).orElse(COMPLETE);
    } catch (IllegalArgumentException e) {
      return String.valueOf(e.getMessage());
    }
  }

  private static Optional<Instant> answered(Session session) {
    @Nullable String date = session.getString("date");
    try {
      return Optional.ofNullable(date)
          .map(text -> ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant());
    } catch (DateTimeParseException e) {
      return Optional.empty();
    }
  }

  private HttpRequestActionBuilder put(
      String name, Endpoint server, Function<Session, String> path, byte[] body) {
    return authorized(
            http(name).put(session -> server.url() + folder + path.apply(session)), server)
        .body(ByteArrayBody(body))
        .check(status().in(200, 201, 204));
  }

  private HttpRequestActionBuilder folder(String name, Endpoint server, String path) {
    return authorized(http(name).httpRequest("MKCOL", server.url() + folder + path), server)
        .check(status().is(201));
  }

  private HttpRequestActionBuilder removal(Endpoint server) {
    return authorized(http("clean up").delete(server.url() + folder), server)
        .check(status().in(200, 204, 404));
  }

  private static HttpRequestActionBuilder authorized(
      HttpRequestActionBuilder request, Endpoint server) {
    return server.token().isEmpty()
        ? request
        : request.header("Authorization", "Bearer " + server.token());
  }

  private boolean twoServers() {
    return exercises.stream().anyMatch(Exercise::takesTwo);
  }

  private static String own(Exercise exercise, Session session) {
    return exercise.label() + "-" + session.userId() % NAMES;
  }

  private String range() {
    int first = ThreadLocalRandom.current().nextInt(target.fileBytes() - target.rangeBytes() + 1);
    return first + "-" + (first + target.rangeBytes() - 1);
  }
}
