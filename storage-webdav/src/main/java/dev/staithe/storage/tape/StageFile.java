package dev.staithe.storage.tape;

import dev.staithe.storage.files.StoragePath;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One file of a request to stage. Guarded by {@link StageRequests}. */
final class StageFile {
  /** How far it is (WLCG Tape REST API v1). */
  enum State {
    /** It waits for its turn. */
    SUBMITTED,
    /** The mass storage recalls it. */
    STARTED,
    /** It was on disk. */
    COMPLETED,
    /** It did not come. */
    FAILED,
    /** Who asked wants it no more. */
    CANCELLED
  }

  /** The path as it was asked for. */
  final String path;

  /** Its place in the request. */
  final int index;

  /** How long it is to stay on disk. */
  final Duration lifetime;

  /** Which file that is, where the mass storage has to do with it. */
  RecallQueue.@Nullable Subject subject;

  State state = State.SUBMITTED;
  @Nullable String error;
  @Nullable Instant started;
  @Nullable Instant finished;

  /** Whether nobody holds it for this request, be it because it never came. */
  boolean released;

  StageFile(String path, int index, Duration lifetime) {
    this.path = path;
    this.index = index;
    this.lifetime = lifetime;
  }

  boolean ended() {
    return state != State.SUBMITTED && state != State.STARTED;
  }

  /** Whether the file is to stay on disk for this request at that time. */
  boolean isPinned(Instant now) {
    return state == State.COMPLETED
        && !released
        && finished != null
        && finished.plus(lifetime).isAfter(now);
  }

  /** As it is shown to who asked; {@link #read} makes the same of it, but for the lifetime. */
  Map<String, Object> shown() {
    Map<String, Object> shown = new LinkedHashMap<>();
    shown.put("path", path);
    shown.put("state", state.name());
    if (error != null) {
      shown.put("error", error);
    }
    if (started != null) {
      shown.put("startedAt", started.toEpochMilli());
    }
    if (finished != null) {
      shown.put("finishedAt", finished.toEpochMilli());
    }
    return shown;
  }

  /** As it is kept. */
  Map<String, Object> kept() {
    Map<String, Object> kept = shown();
    kept.put("lifetime", lifetime.toSeconds());
    kept.put("released", released);
    RecallQueue.Subject known = subject;
    if (known != null) {
      kept.put("subjectArea", known.area());
      kept.put("subjectPlace", known.place().toString());
    }
    return kept;
  }

  /** What was kept. */
  static StageFile read(Map<String, Object> kept, int index) {
    StageFile file =
        new StageFile(
            (String) Kept.needed(kept, "path"),
            index,
            Duration.ofSeconds(Kept.number(kept, "lifetime")));
    file.change(kept);
    return file;
  }

  /** Takes over what was kept of a change. */
  void change(Map<String, Object> kept) {
    state = State.valueOf((String) Kept.needed(kept, "state"));
    error = (String) kept.get("error");
    started = Kept.time(kept, "startedAt");
    finished = Kept.time(kept, "finishedAt");
    released = Boolean.TRUE.equals(kept.get("released"));
    if (kept.get("subjectArea") instanceof String area
        && kept.get("subjectPlace") instanceof String place) {
      subject = new RecallQueue.Subject(area, StoragePath.of(place));
    }
  }
}
