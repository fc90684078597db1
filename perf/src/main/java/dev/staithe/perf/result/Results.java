package dev.staithe.perf.result;

import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * Everything that a run found out, as it stands in the result file: enough to make the report again
 * and to compare two runs.
 *
 * @param study as {@code storage}
 * @param form {@code full}, {@code short} or {@code smoke}
 * @param started when
 * @param seconds how long it took
 * @param complete whether it ran to its end; an interrupted run keeps what it has
 * @param machine facts in the order to be shown, as {@code processor}, {@code kernel}, {@code java}
 * @param parties the servers and clients
 * @param experiments in the order to be shown
 * @param targets in the order to be shown
 * @param samples all of them, those that do not count as well
 * @param profiles of our own server
 * @param series figures that were followed over a time
 * @param remarks what a reader should know, one line each
 * @param times of a summary: what its samples do not tell by themselves any more; otherwise empty
 */
public record Results(
    String study,
    String form,
    Instant started,
    double seconds,
    boolean complete,
    Map<String, String> machine,
    List<Party> parties,
    List<Experiment> experiments,
    List<Target> targets,
    List<Sample> samples,
    List<Profile> profiles,
    List<Series> series,
    List<String> remarks,
    List<Times> times) {

  /**
   * A server or client that took part, or that could not.
   *
   * @param name as in {@link Sample#contestant()}
   * @param version as the program tells it; empty where it did not take part
   * @param command how it was started, folders shortened; empty where it did not take part
   * @param missing why it did not take part; empty where it did
   */
  public record Party(String name, String version, String command, String missing) {}

  /**
   * Where CPU time went: one line for each distinct stack, outermost frame first.
   *
   * @param experiment the id of the experiment whose load it was
   * @param contestant whose process
   * @param stacks frames separated by semicolons, to the number of samples
   */
  public record Profile(String experiment, String contestant, Map<String, Long> stacks) {}

  /**
   * A figure that was followed while an experiment ran.
   *
   * @param experiment the id of the experiment
   * @param name for people, as {@code heap in use}
   * @param unit as {@code MiB}
   * @param seconds since the first value, ascending
   * @param values as many as {@code seconds}
   */
  public record Series(
      String experiment, String name, String unit, List<Double> seconds, List<Double> values) {}

  /**
   * The latencies of all samples of a contestant at one point that count, added up.
   *
   * @param experiment the id of the experiment
   * @param contestant who
   * @param point where
   * @param type of request; empty for all of them
   * @param values where they lie, {@link Distribution} as text
   */
  public record Times(
      String experiment,
      String contestant,
      Map<String, String> point,
      String type,
      String values) {}
}
