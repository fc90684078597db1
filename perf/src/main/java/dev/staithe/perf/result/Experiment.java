package dev.staithe.perf.result;

import java.util.List;

/**
 * What is told of an experiment besides its samples.
 *
 * @param id short and unique in a study, as {@code https-get}
 * @param title for people
 * @param method what was done to whom, by which client, in which conditions: enough to do it again
 * @param measure the first figure of it
 * @param axis the name in {@link Sample#point()} that a plot of it runs over, as {@code clients};
 *     empty where there is one point only
 * @param contestants in the order of tables and legends
 * @param missing what could not be measured, and why, one line each
 */
public record Experiment(
    String id,
    String title,
    String method,
    Measure measure,
    String axis,
    List<String> contestants,
    List<String> missing) {}
