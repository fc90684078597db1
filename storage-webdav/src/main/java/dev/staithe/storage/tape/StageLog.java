package dev.staithe.storage.tape;

import com.nimbusds.jose.util.JSONObjectUtils;
import dev.staithe.storage.files.AreaState;
import dev.staithe.storage.files.LineLog;
import dev.staithe.storage.files.StoragePath;
import dev.staithe.storage.tape.RecallQueue.Subject;
import java.io.IOException;
import java.text.ParseException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is kept of requests over restarts: a log of JSON objects, one for a request, one for each
 * change of one of its files, one where it is forgotten, and two for each file that the mass
 * storage may let go: when it may, and when it was told. Guarded by {@link StageRequests}.
 */
final class StageLog implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(StageLog.class);
  private static final String NAME = "stage-requests";

  /** So many lines are added before those are left out that say nothing any more. */
  private static final int SPARE_LINES = 10_000;

  private final Map<String, StageRequest> found = new LinkedHashMap<>();

  /** What nobody holds any more, and the mass storage was not told of yet. */
  private final SequencedSet<Subject> owed = new LinkedHashSet<>();

  private final LineLog lines;
  private long added;

  StageLog(AreaState folder) throws IOException {
    folder
        .read(NAME)
        .ifPresent(
            text ->
                text.lines()
                    .forEach(
                        line -> {
                          try {
                            replay(JSONObjectUtils.parse(line));
                          } catch (ParseException | RuntimeException torn) {
                            log.warn("a line of the kept stage requests cannot be read");
                          }
                        }));
    lines = folder.log(NAME, all(found.values()));
  }

  /** What an earlier run has kept, in the order of asking. */
  Collection<StageRequest> found() {
    return found.values();
  }

  private void replay(Map<String, Object> line) throws ParseException {
    if (line.containsKey("area")) {
      Subject subject =
          new Subject(
              (String) Kept.needed(line, "area"),
              StoragePath.of((String) Kept.needed(line, "place")));
      if (Boolean.TRUE.equals(line.get("owed"))) {
        owed.add(subject);
      } else {
        owed.remove(subject);
      }
      return;
    }
    String id = (String) Kept.needed(line, "id");
    StageRequest known = found.get(id);
    if (line.containsKey("caller")) {
      List<StageFile> files = new ArrayList<>();
      for (Map<String, Object> file : JSONObjectUtils.getJSONObjectArray(line, "files")) {
        files.add(StageFile.read(file, files.size()));
      }
      found.put(
          id,
          new StageRequest(
              id,
              (String) Kept.needed(line, "caller"),
              Instant.ofEpochMilli(Kept.number(line, "createdAt")),
              List.copyOf(files)));
    } else if (line.containsKey("file") && known != null) {
      known.files().get((int) Kept.number(line, "file")).change(line);
    } else {
      found.remove(id);
    }
  }

  private List<String> all(Collection<StageRequest> requests) {
    List<String> all = new ArrayList<>();
    requests.forEach(request -> all.add(line(request)));
    owed.forEach(subject -> all.add(JSONObjectUtils.toJSONString(line(subject, true))));
    return all;
  }

  private static Map<String, Object> line(Subject subject, boolean owed) {
    return Map.of("area", subject.area(), "place", subject.place().toString(), "owed", owed);
  }

  private static String line(StageRequest request) {
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("id", request.id());
    line.put("caller", request.caller());
    line.put("createdAt", request.created().toEpochMilli());
    line.put("files", request.files().stream().map(StageFile::kept).toList());
    return JSONObjectUtils.toJSONString(line);
  }

  /** Keeps a request; it is on the device after {@link #await} of what this gives. */
  long add(StageRequest request) throws IOException {
    added++;
    return lines.add(line(request));
  }

  /** Waits until a request is on the device; needs no guard. */
  void await(long line) throws IOException {
    lines.await(line);
  }

  /**
   * Keeps that a file of a request changed. Where that cannot be kept the file is recalled, or let
   * go, once more after a restart.
   */
  void changed(StageRequest request, StageFile file) {
    Map<String, Object> line = new LinkedHashMap<>(file.kept());
    line.remove("path");
    line.put("id", request.id());
    line.put("file", file.index);
    add(line);
  }

  /** Keeps that the mass storage is still to be told that it may let a file go. */
  void owes(Subject subject) {
    if (owed.add(subject)) {
      add(line(subject, true));
    }
  }

  /** Keeps that it was told. */
  void told(Subject subject) {
    if (owed.remove(subject)) {
      add(line(subject, false));
    }
  }

  /** What it is still to be told of, in its order. */
  List<Subject> owed() {
    return List.copyOf(owed);
  }

  /** Keeps that a request is forgotten. */
  void forgotten(StageRequest request) {
    add(Map.of("id", request.id()));
  }

  private void add(Map<String, Object> line) {
    try {
      added++;
      lines.add(JSONObjectUtils.toJSONString(line));
    } catch (IOException e) {
      log.warn("a change of stage requests is not kept: {}", e.toString());
    }
  }

  /** Leaves out what says nothing any more, now and then. */
  void tidy(Collection<StageRequest> living) {
    long files = living.stream().mapToLong(request -> request.files().size()).sum();
    if (added < SPARE_LINES + 4 * files) {
      return;
    }
    try {
      lines.rewrite(all(living));
      added = 0;
    } catch (IOException e) {
      log.warn("the kept stage requests cannot be written anew: {}", e.toString());
    }
  }

  @Override
  public void close() throws IOException {
    lines.close();
  }
}
