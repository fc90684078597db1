package dev.staithe.storage.tape;

import dev.staithe.storage.authz.Asked;
import dev.staithe.storage.authz.Caller;
import dev.staithe.storage.authz.Right;
import dev.staithe.storage.dav.DavHandler;
import dev.staithe.storage.exchange.Answers;
import dev.staithe.storage.files.Locality;
import dev.staithe.storage.files.NoDescriptorException;
import dev.staithe.storage.files.NoSpaceException;
import dev.staithe.storage.files.StoragePath;
import dev.staithe.storage.files.StoreAwayException;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.eclipse.jetty.http.HttpURI;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The WLCG Tape REST API v1: {@code stage}, {@code release} and {@code archiveinfo} below {@code
 * /api/v1}, and the document by which clients find it. Each path of a request is judged by itself.
 * Safe for use by many threads.
 */
final class TapeDesk implements DavHandler.Desk {
  private static final Logger log = LoggerFactory.getLogger(TapeDesk.class);
  private static final String DISCOVERY = "/.well-known/wlcg-tape-rest-api";
  private static final String TOP = "/api/v1";

  private final TapeSettings settings;
  private final TapeFiles files;
  private final StageRequests requests;
  private final ArchiveInfo info;
  private final Answers answers;

  TapeDesk(
      TapeSettings settings,
      TapeFiles files,
      StageRequests requests,
      ArchiveInfo info,
      Answers answers) {
    this.settings = settings;
    this.files = files;
    this.requests = requests;
    this.info = info;
    this.answers = answers;
  }

  @Override
  public boolean takes(String method, String rawPath) {
    return rawPath.equals(DISCOVERY) || rawPath.equals(TOP) || rawPath.startsWith(TOP + "/");
  }

  @Override
  public void answer(Request request, Response response, Caller caller) throws IOException {
    String path = request.getHttpURI().getPath();
    String below = path.equals(DISCOVERY) ? "" : path.substring(TOP.length());
    // gfal2 asks with a slash at the end, and without.
    String plain = below.endsWith("/") ? below.substring(0, below.length() - 1) : below;
    String[] parts = plain.split("/", -1);
    String what = parts.length > 1 ? parts[1] : "";
    String method = request.getMethod();
    TapeCall call = new TapeCall(answers, request, response, caller);
    if (path.equals(DISCOVERY)) {
      allowed(call, "GET", () -> discover(call));
    } else if (what.equals("stage") && parts.length == 2) {
      allowed(call, "POST", () -> stage(call));
    } else if (what.equals("stage") && parts.length == 3 && method.equals("DELETE")) {
      delete(call, parts[2]);
    } else if (what.equals("stage") && parts.length == 3 && method.equals("GET")) {
      poll(call, parts[2]);
    } else if (what.equals("stage") && parts.length == 3) {
      call.refuseMethod("GET, DELETE");
    } else if (what.equals("stage") && parts.length == 4 && parts[3].equals("cancel")) {
      allowed(call, "POST", () -> cancel(call, parts[2]));
    } else if (what.equals("release") && parts.length == 3) {
      allowed(call, "POST", () -> release(call, parts[2]));
    } else if (what.equals("archiveinfo") && parts.length == 2) {
      allowed(call, "POST", () -> archiveInfo(call));
    } else {
      call.refuse(404, "there is nothing at this path of the tape API");
    }
  }

  /** What is done where the method is the right one. */
  private interface Step {
    void run() throws IOException;
  }

  private static void allowed(TapeCall call, String method, Step step) throws IOException {
    if (call.request().getMethod().equals(method)) {
      step.run();
    } else {
      call.refuseMethod(method);
    }
  }

  private void discover(TapeCall call) throws IOException {
    HttpURI uri = call.request().getHttpURI();
    call.json(
        200,
        Map.of(
            "sitename",
            settings.siteName(),
            "description",
            "WLCG Tape REST API",
            "endpoints",
            List.of(
                Map.of(
                    "uri",
                    uri.getScheme() + "://" + uri.getAuthority() + TOP,
                    "version",
                    "v1",
                    "metadata",
                    Map.of()))));
  }

  private void stage(TapeCall call) throws IOException {
    Map<String, Object> body = call.body("files");
    List<?> wanted = body == null ? null : call.list(body, "files", settings.perRequest());
    if (wanted == null) {
      return;
    }
    Map<StageFile, Optional<String>> judged = new LinkedHashMap<>();
    for (Object each : wanted) {
      if (!(each instanceof Map<?, ?> file && file.get("path") instanceof String path)) {
        call.refuse(400, "each of files is an object with a path");
        return;
      }
      if (path.length() > StoragePath.MAX_PATH) {
        // It would be kept as long as the request, with those of many more.
        call.refuse(400, "a path has " + StoragePath.MAX_PATH + " characters at most");
        return;
      }
      Duration lifetime = lifetime(file.get("diskLifetime"));
      if (lifetime == null) {
        call.refuse(400, "diskLifetime is a duration of ISO 8601 in days or less, such as P1D");
        return;
      }
      judged.put(
          new StageFile(path, judged.size(), lifetime),
          files.refusal(call.asked(), path, Right.STAGE));
    }
    if (judged.values().stream().allMatch(Optional::isPresent)) {
      call.deny(judged.values().iterator().next().orElseThrow());
      return;
    }
    StageRequests.Submitted submitted;
    try {
      submitted = requests.submit(call.caller().label(), judged);
    } catch (IOException failure) {
      if (!(NoSpaceException.tell(failure) instanceof NoSpaceException full)) {
        throw failure;
      }
      call.refuse(507, String.valueOf(full.getMessage()));
      return;
    }
    switch (submitted) {
      case StageRequests.Submitted.Refused(int status, String line) ->
          call.refuseForNow(status, line);
      case StageRequests.Submitted.Accepted(String id) -> {
        call.created(TOP + "/stage/" + id, Map.of("requestId", id));
      }
    }
  }

  /** How long a file is to stay; null where that is no duration. */
  private @Nullable Duration lifetime(@Nullable Object written) {
    if (written == null) {
      return settings.longestPin();
    }
    try {
      Duration lifetime = Duration.parse(written.toString());
      return lifetime.isNegative()
          ? null
          : lifetime.compareTo(settings.longestPin()) > 0 ? settings.longestPin() : lifetime;
    } catch (DateTimeException | ArithmeticException none) {
      return null;
    }
  }

  private void poll(TapeCall call, String id) throws IOException {
    Optional<Map<String, Object>> shown =
        requests.look(call.caller().label(), id, request -> shown(call.asked(), request));
    if (shown.isPresent()) {
      call.json(200, shown.get());
    } else {
      call.noSuchRequest();
    }
  }

  private Map<String, Object> shown(Asked asked, StageRequest request) {
    Map<String, Object> shown = new LinkedHashMap<>();
    shown.put("id", request.id());
    shown.put("createdAt", request.created().toEpochMilli());
    request.files().stream()
        .map(file -> file.started)
        .filter(Objects::nonNull)
        .min(Instant::compareTo)
        .ifPresent(first -> shown.put("startedAt", first.toEpochMilli()));
    if (request.ended()) {
      request.files().stream()
          .map(file -> file.finished)
          .filter(Objects::nonNull)
          .max(Instant::compareTo)
          .ifPresent(last -> shown.put("completedAt", last.toEpochMilli()));
    }
    shown.put(
        "files",
        request.files().stream()
            .map(
                file ->
                    files
                        .refusal(asked, file.path, Right.POLL)
                        .<Map<String, Object>>map(why -> Map.of("path", file.path, "error", why))
                        .orElseGet(file::shown))
            .toList());
    return shown;
  }

  private void cancel(TapeCall call, String id) throws IOException {
    Set<String> paths = paths(call, Right.STAGE);
    if (paths != null && belong(call, id, paths)) {
      requests.cancel(call.caller().label(), id, paths);
      call.done();
    }
  }

  /** Whether these are all files of the caller's request; where not, the refusal is on its way. */
  private boolean belong(TapeCall call, String id, Set<String> paths) throws IOException {
    Optional<Boolean> all = allOf(call, id, paths);
    if (all.isEmpty()) {
      call.noSuchRequest();
    } else if (!all.get()) {
      call.refuse(400, "a path is not part of the request");
    }
    return all.orElse(false);
  }

  private Optional<Boolean> allOf(TapeCall call, String id, Set<String> paths) {
    return requests.look(
        call.caller().label(),
        id,
        request ->
            new LinkedHashSet<>(request.files().stream().map(file -> file.path).toList())
                .containsAll(paths));
  }

  private void delete(TapeCall call, String id) throws IOException {
    // What a narrow macaroon's bearer may not stage is not theirs to take back either.
    Optional<Optional<String>> refusal =
        requests.look(
            call.caller().label(),
            id,
            request ->
                request.files().stream()
                    .filter(file -> file.state != StageFile.State.FAILED)
                    .flatMap(file -> files.refusal(call.asked(), file.path, Right.STAGE).stream())
                    .findFirst());
    if (refusal.isPresent() && refusal.get().isPresent()) {
      call.deny(refusal.get().get());
    } else if (requests.delete(call.caller().label(), id)) {
      call.done();
    } else {
      call.noSuchRequest();
    }
  }

  private void release(TapeCall call, String id) throws IOException {
    Set<String> paths = paths(call, Right.STAGE);
    if (paths == null) {
      return;
    }
    if (!allOf(call, id, paths).orElse(true)) {
      call.refuse(400, "a path is not part of the request");
      return;
    }
    requests.release(call.caller().label(), id, paths);
    call.done();
  }

  private void archiveInfo(TapeCall call) throws IOException {
    Map<String, Object> body = call.body("paths");
    List<?> asked = body == null ? null : call.list(body, "paths", settings.perRequest());
    if (asked == null) {
      return;
    }
    Map<String, String> errors = new LinkedHashMap<>();
    Map<String, TapeFiles.Found.There> found = new LinkedHashMap<>();
    for (Object each : asked) {
      if (!(each instanceof String path)) {
        call.refuse(400, "each of paths is a string");
        return;
      }
      Optional<String> refusal = files.refusal(call.asked(), path, Right.POLL);
      if (refusal.isPresent()) {
        errors.put(path, refusal.get());
        continue;
      }
      try {
        switch (files.find(path)) {
          case TapeFiles.Found.Refused refused -> errors.put(path, refused.line());
          case TapeFiles.Found.There there -> found.put(path, there);
        }
      } catch (IOException unreadable) {
        if (NoSpaceException.tell(unreadable) instanceof NoDescriptorException
            || unreadable instanceof StoreAwayException) {
          throw unreadable; // Of no file more than of others: who asks again is told.
        }
        log.warn("where a file is cannot be told: {}", unreadable.toString());
        errors.put(path, "it cannot be told where this file is");
      }
    }
    String caller = call.caller().label();
    if (!info.begin(caller)) {
      call.refuseForNow(429, "too many questions about where files are at once");
      return;
    }
    Map<String, Locality> known;
    try {
      known = info.of(found);
    } finally {
      info.done(caller);
    }
    List<Map<String, Object>> all = new ArrayList<>();
    for (Object path : asked) {
      Locality locality = known.get(path);
      all.add(
          locality == null
              ? Map.of("path", path, "error", errors.getOrDefault(path, "there is no such file"))
              : Map.of("path", path, "locality", locality.name()));
    }
    call.json(200, all);
  }

  /** The paths in the content, for all of which the caller has the right; else null. */
  private @Nullable Set<String> paths(TapeCall call, Right right) throws IOException {
    Map<String, Object> body = call.body("paths");
    List<?> list = body == null ? null : call.list(body, "paths", settings.perRequest());
    if (list == null) {
      return null;
    }
    Set<String> paths = new LinkedHashSet<>();
    for (Object each : list) {
      if (!(each instanceof String path)) {
        call.refuse(400, "each of paths is a string");
        return null;
      }
      Optional<String> refusal = files.refusal(call.asked(), path, right);
      if (refusal.isPresent()) {
        call.deny(refusal.get());
        return null;
      }
      paths.add(path);
    }
    return paths;
  }
}
