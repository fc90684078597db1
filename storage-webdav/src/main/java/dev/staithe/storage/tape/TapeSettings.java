package dev.staithe.storage.tape;

import java.time.Duration;
import java.util.List;

/**
 * How the mass storage is asked, and how much may be asked of it.
 *
 * @param siteName shown by the discovery document
 * @param command program and first arguments; started as it is, by no shell
 * @param running commands at once that recall
 * @param runningPerCaller of which one caller has so many
 * @param waiting files that are to be recalled, all callers together
 * @param waitingPerCaller of which one caller has so many
 * @param perRequest files in one request
 * @param recallTimeout how long a recall may take
 * @param answerTimeout how long any other command may take
 * @param keepFor how long an ended request can be asked about
 * @param longestPin how long a file may be kept on disk for a request
 */
public record TapeSettings(
    String siteName,
    List<String> command,
    int running,
    int runningPerCaller,
    int waiting,
    int waitingPerCaller,
    int perRequest,
    Duration recallTimeout,
    Duration answerTimeout,
    Duration keepFor,
    Duration longestPin) {
  /** Takes a copy. */
  public TapeSettings {
    command = List.copyOf(command);
  }
}
