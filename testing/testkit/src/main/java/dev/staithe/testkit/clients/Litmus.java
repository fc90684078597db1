package dev.staithe.testkit.clients;

import dev.staithe.peers.process.Folders;
import dev.staithe.peers.process.Program;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The WebDAV test suite {@code litmus}. It knows no bearer tokens, so the URL must be open to
 * anyone; it leaves a collection {@code litmus} behind.
 */
public final class Litmus {
  private static final Duration LONGEST = Duration.ofMinutes(10);
  private static final Pattern CASE =
      Pattern.compile("^ ?([0-9]+)\\. ([A-Za-z0-9_]+)\\.* (pass|FAIL|WARNING|SKIPPED)(.*)$");
  private static final Pattern SUITE = Pattern.compile("^-> running `([a-z]+)':$");

  private Litmus() {}

  /**
   * A case that did not simply pass.
   *
   * @param suite such as {@code copymove}
   * @param name such as {@code copy_simple}
   * @param what {@code FAIL}, {@code WARNING} or {@code SKIPPED}, and why
   */
  public record Complaint(String suite, String name, String what) {}

  /**
   * What came of it.
   *
   * @param exitCode 0 where nothing failed
   * @param passed how many cases passed
   * @param complaints those that failed, were warned of, or skipped
   * @param output all that it wrote
   */
  public record Result(int exitCode, int passed, List<Complaint> complaints, String output) {}

  /**
   * Runs suites, going on after a failure.
   *
   * @param suites {@code basic}, {@code copymove}, {@code props}, {@code locks}, {@code http} or
   *     {@code largefile}
   */
  public static Result run(String url, String... suites) {
    Path folder = null;
    try {
      // It writes its traces to the folder that it is started in.
      folder = Files.createTempDirectory("litmus");
      Program.Ran ran =
          Program.LITMUS.run(
              List.of("-k", url),
              Map.of("TESTS", String.join(" ", suites)),
              new byte[0],
              LONGEST,
              folder);
      return read(ran.exitCode(), new String(ran.output(), StandardCharsets.UTF_8) + ran.errors());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      if (folder != null) {
        Folders.delete(folder);
      }
    }
  }

  static Result read(int exitCode, String output) {
    List<Complaint> complaints = new ArrayList<>();
    int passed = 0;
    String suite = "";
    for (String line : output.split("\n")) {
      // Progress is written over itself with carriage returns; the last text is the outcome.
      String shown = line.substring(line.stripTrailing().lastIndexOf('\r') + 1).stripTrailing();
      Matcher begins = SUITE.matcher(shown);
      if (begins.matches()) {
        suite = begins.group(1);
      }
      Matcher outcome = CASE.matcher(shown);
      if (outcome.matches()) {
        if (outcome.group(3).equals("pass")) {
          passed++;
        } else {
          complaints.add(
              new Complaint(suite, outcome.group(2), outcome.group(3) + outcome.group(4)));
        }
      }
    }
    return new Result(exitCode, passed, List.copyOf(complaints), output);
  }
}
