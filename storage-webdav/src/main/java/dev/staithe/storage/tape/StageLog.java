package dev.staithe.storage.tape;

import com.nimbusds.jose.util.JSONObjectUtils;
import dev.staithe.storage.files.AreaState;
import dev.staithe.storage.files.LineLog;
import java.io.IOException;
import java.text.ParseException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is kept of requests over restarts: a log of JSON objects, one for a request, one for each
 * change of one of its files, one where it is forgotten. Guarded by {@link StageRequests}.
 */
final class StageLog implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(StageLog.class);
  private static final String NAME = "stage-requests";

  /** So many lines are added before those are left out that say nothing any more. */
  private static final int SPARE_LINES = 10_000;

  private final Map<String, StageRequest> found = new LinkedHashMap<>();
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

  private static List<String> all(Collection<StageRequest> requests) {
    return requests.stream().map(StageLog::line).toList();
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
