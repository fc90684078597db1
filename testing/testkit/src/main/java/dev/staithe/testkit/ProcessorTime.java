package dev.staithe.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/**
 * Writes what each test class took of the processor into {@code target/processor-time/}, which
 * {@code deploy/test-summary --table} reads: this process' own time and that of the processes it
 * started, as far as they have ended ({@code cutime} and {@code cstime} of proc(5)). What the
 * process takes before its first class is written as {@code (start)}.
 */
public final class ProcessorTime implements TestExecutionListener {
  private static final Path FOLDER = Path.of("target", "processor-time");

  /** Clock ticks of proc(5) a second: 100 on every Linux that Java runs on (USER_HZ). */
  private static final double TICKS = 100;

  private Times before = new Times(0, 0);

  /** Called by JUnit. */
  public ProcessorTime() {}

  @Override
  public void testPlanExecutionStarted(TestPlan plan) {
    tell("(start)");
  }

  @Override
  public void executionFinished(TestIdentifier test, TestExecutionResult result) {
    test.getSource()
        .filter(ClassSource.class::isInstance)
        .map(source -> ((ClassSource) source).getClassName())
        .filter(name -> !name.contains("$"))
        .ifPresent(name -> tell(name.substring(name.lastIndexOf('.') + 1)));
  }

  private void tell(String what) {
    Times now = Times.now();
    String line =
        String.format(
            Locale.ROOT,
            "%s\t%.2f\t%.2f%n",
            what,
            now.own - before.own,
            now.started - before.started);
    before = now;
    try {
      Files.createDirectories(FOLDER);
      Files.writeString(
          FOLDER.resolve(ProcessHandle.current().pid() + ".tsv"),
          line,
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Seconds of the processor since this process began. */
  private record Times(double own, double started) {
    static Times now() {
      return new Times(ofThis(), ofEnded());
    }

    private static double ofThis() {
      return ((com.sun.management.OperatingSystemMXBean)
                  ManagementFactory.getOperatingSystemMXBean())
              .getProcessCpuTime()
          / 1e9;
    }

    private static double ofEnded() {
      try {
        String stat = Files.readString(Path.of("/proc/self/stat"));
        // The name of the program stands in parentheses and may hold anything.
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        return (Long.parseLong(fields[13]) + Long.parseLong(fields[14])) / TICKS;
      } catch (IOException noProc) {
        return 0;
      }
    }
  }
}
