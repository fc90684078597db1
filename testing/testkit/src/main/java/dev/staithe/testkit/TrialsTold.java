package dev.staithe.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.platform.engine.reporting.ReportEntry;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.LauncherConstants;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;

/**
 * Writes how often each test tried what it tries into {@code target/trials/}, which {@code
 * deploy/test-summary} reads: what it says by {@link Trials}, and jqwik of a property. Surefire's
 * reports have nothing that a passed test prints where failed ones are tried again. Wants {@code
 * junit.platform.output.capture.stdout}, by which JUnit tells whose output a line is.
 */
public final class TrialsTold implements TestExecutionListener {
  private static final Path FOLDER = Path.of("target", "trials");
  private static final Pattern TOLD =
      Pattern.compile(
          "^(?:trials = (\\d+)$|checks = (\\d+) +\\| # of not rejected calls)", Pattern.MULTILINE);

  /** Called by JUnit. */
  public TrialsTold() {}

  @Override
  public void reportingEntryPublished(TestIdentifier test, ReportEntry entry) {
    String printed = entry.getKeyValuePairs().get(LauncherConstants.STDOUT_REPORT_ENTRY_KEY);
    if (printed != null
        && test.getSource().orElse(null) instanceof MethodSource method
        && printed.contains(" = ")) {
      long trials = in(printed);
      if (trials > 0) {
        String type = method.getClassName();
        write(type.substring(type.lastIndexOf('.') + 1), method.getMethodName(), trials);
      }
    }
  }

  static long in(String printed) {
    long trials = 0;
    Matcher told = TOLD.matcher(printed);
    while (told.find()) {
      trials += Long.parseLong(told.group(1) != null ? told.group(1) : told.group(2));
    }
    return trials;
  }

  private static void write(String type, String method, long trials) {
    try {
      Files.createDirectories(FOLDER);
      Files.writeString(
          FOLDER.resolve(ProcessHandle.current().pid() + ".tsv"),
          type + "\t" + method + "\t" + trials + "\n",
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
