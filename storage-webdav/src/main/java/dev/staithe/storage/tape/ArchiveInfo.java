package dev.staithe.storage.tape;

import dev.staithe.storage.files.Locality;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where files are: what the files themselves tell, and what the mass storage says where they do not
 * tell enough. A file that is on disk is on disk whatever the mass storage says, and one that is
 * not is not. Safe for use by many threads.
 */
final class ArchiveInfo {
  private static final Logger log = LoggerFactory.getLogger(ArchiveInfo.class);

  private final MassStorage storage;
  private final int most;
  private final Map<String, Integer> asking = new HashMap<>();
  private int all;

  /** Asks by so many commands at once, half of them for one caller. */
  ArchiveInfo(MassStorage storage, int most) {
    this.storage = storage;
    this.most = most;
  }

  /** Takes a place among those who ask; where it is given, {@link #done} follows. */
  synchronized boolean begin(String caller) {
    int held = asking.getOrDefault(caller, 0);
    if (all >= most || held >= Math.max(1, most / 2)) {
      return false;
    }
    all++;
    asking.put(caller, held + 1);
    return true;
  }

  synchronized void done(String caller) {
    all--;
    asking.computeIfPresent(caller, (name, held) -> held > 1 ? held - 1 : null);
  }

  /** Where these files are, by the paths that they were asked for by. */
  Map<String, Locality> of(Map<String, TapeFiles.Found.There> files) throws IOException {
    Map<String, Locality> known = new LinkedHashMap<>();
    List<String> unsure = new ArrayList<>();
    List<Path> names = new ArrayList<>();
    for (Map.Entry<String, TapeFiles.Found.There> each : files.entrySet()) {
      TapeFiles.Found.There there = each.getValue();
      known.put(each.getKey(), there.locality());
      if (there.mayBeOnTape() && there.locality() != Locality.DISK_AND_TAPE) {
        unsure.add(each.getKey());
        names.add(there.store().name(there.file().path()).orElseThrow());
      }
    }
    boolean answers = true;
    for (int from = 0; from < unsure.size() && answers; from += MassStorage.ASKED_AT_ONCE) {
      int to = Math.min(unsure.size(), from + MassStorage.ASKED_AT_ONCE);
      // One that does not answer is not asked once more for each hundred of files.
      answers = ask(unsure.subList(from, to), names.subList(from, to), known);
    }
    return known;
  }

  private boolean ask(List<String> paths, List<Path> names, Map<String, Locality> known) {
    if (!(storage.status(names) instanceof MassStorage.Answer.Done(List<String> lines))) {
      return false;
    }
    if (lines.size() != names.size()) {
      log.warn(
          "the mass storage was asked about {} files and answered with {} lines",
          names.size(),
          lines.size());
      return false;
    }
    for (int i = 0; i < lines.size(); i++) {
      String word = lines.get(i).strip();
      Locality own = known.getOrDefault(paths.get(i), Locality.UNAVAILABLE);
      try {
        known.put(paths.get(i), judged(own, Locality.valueOf(word)));
      } catch (IllegalArgumentException unknown) {
        log.warn("the mass storage answered with a word that is none: {}", word.length());
      }
    }
    return true;
  }

  /** What both together say. */
  static Locality judged(Locality own, Locality said) {
    boolean onTape = said == Locality.TAPE || said == Locality.DISK_AND_TAPE;
    if (own.onDisk()) {
      return onTape ? Locality.DISK_AND_TAPE : Locality.DISK;
    }
    // Not on disk: what says so is wrong, or is on its way.
    return said == Locality.DISK ? Locality.UNAVAILABLE : onTape ? Locality.TAPE : said;
  }
}
