package dev.staithe.storage.settings;

import dev.staithe.service.Settings;
import dev.staithe.storage.tape.TapeSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The mass storage behind areas whose files may be on tape.
 *
 * @param areas their names; none: there is no tape
 * @param command program and first arguments of the mass storage's command
 * @param siteName shown to clients that look for the API
 * @param running recalls at once
 * @param runningPerCaller of which one caller has so many; 0: all but one
 * @param waiting files that wait to be recalled
 * @param waitingPerCaller of which one caller has so many
 * @param perRequest files in one request
 * @param recallTimeout how long a recall may take
 * @param answerTimeout how long the mass storage may take to answer anything else
 * @param keepFor how long an ended request can be asked about
 * @param longestPin how long a file may be kept on disk for a request
 */
public record TapeProperties(
    @DefaultValue List<String> areas,
    @DefaultValue List<String> command,
    @DefaultValue("") String siteName,
    @DefaultValue("4") int running,
    @DefaultValue("0") int runningPerCaller,
    @DefaultValue("100000") int waiting,
    @DefaultValue("50000") int waitingPerCaller,
    @DefaultValue("1000") int perRequest,
    @DefaultValue("12h") Duration recallTimeout,
    @DefaultValue("30s") Duration answerTimeout,
    @DefaultValue("7d") Duration keepFor,
    @DefaultValue("7d") Duration longestPin) {
  /** Checks the ranges. */
  public TapeProperties {
    if (!areas.isEmpty()) {
      Settings.require(
          !command.isEmpty()
              && Path.of(command.getFirst()).isAbsolute()
              && Path.of(command.getFirst()).toFile().isFile()
              && Path.of(command.getFirst()).toFile().canExecute(),
          "command",
          String.join(" ", command),
          "the absolute path of a program that can be run, and its first arguments");
    }
    Settings.requireWithin(running, 1, 1000, "running");
    Settings.requireWithin(runningPerCaller, 0, running, "running-per-caller");
    Settings.requireWithin(waiting, 1, 1_000_000, "waiting");
    Settings.requireWithin(waitingPerCaller, 1, 1_000_000, "waiting-per-caller");
    Settings.requireWithin(perRequest, 1, 10_000, "per-request");
    Duration second = Duration.ofSeconds(1);
    Settings.requireWithin(recallTimeout, second, Duration.ofDays(30), "recall-timeout");
    Settings.requireWithin(answerTimeout, second, Duration.ofMinutes(10), "answer-timeout");
    Settings.requireWithin(keepFor, second, Duration.ofDays(365), "keep-for");
    Settings.requireWithin(longestPin, second, Duration.ofDays(365), "longest-pin");
    areas = List.copyOf(areas);
    command = List.copyOf(command);
  }

  /** Checks what concerns the areas. */
  void check(List<StorageProperties.Area> all) {
    List<String> names = all.stream().map(StorageProperties.Area::name).toList();
    for (String area : areas) {
      Settings.require(
          names.contains(area), "tape.areas", area, "names of areas that staithe.areas lists");
    }
    if (!areas.isEmpty()) {
      for (StorageProperties.Area area : all) {
        // Requests are one node's, and are kept in the area.
        Settings.require(
            !area.shared() || !areas.contains(area.name()),
            "tape.areas",
            area.name(),
            "no area that nodes share");
        Settings.require(
            area.store() == StorageProperties.Area.Store.POSIX || !areas.contains(area.name()),
            "tape.areas",
            area.name(),
            "no area with store: s3 or accounts, whose files no mass storage moves");
        for (String path : area.accessPoints()) {
          Settings.require(
              !path.equals("/api") && !path.startsWith("/api/"),
              "areas[].access-points",
              path,
              "apart from /api, where the tape API is");
        }
      }
    }
  }

  /** The same for the tape desk. */
  public TapeSettings settings() {
    return new TapeSettings(
        siteName,
        command,
        running,
        runningPerCaller == 0 ? Math.max(1, running - 1) : runningPerCaller,
        waiting,
        Math.min(waiting, waitingPerCaller),
        perRequest,
        recallTimeout,
        answerTimeout,
        keepFor,
        longestPin);
  }
}
