package dev.staithe.storage.tpc;

import java.time.Duration;

/**
 * What metrics count of a copy that ended.
 *
 * @param area the storage area's name
 * @param direction {@code pull} or {@code push}
 * @param outcome {@code success}, {@code failure} or {@code aborted}
 * @param bytes bytes moved
 * @param elapsed from admission to the end, queueing included
 */
public record FinishedCopy(
    String area, String direction, String outcome, long bytes, Duration elapsed) {}
