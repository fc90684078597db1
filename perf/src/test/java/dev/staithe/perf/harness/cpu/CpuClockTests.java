package dev.staithe.perf.harness.cpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.staithe.testkit.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class CpuClockTests {
  private static final String BUSY = "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done";

  /** The kernel's own sum for our children is the known truth; it has steps of 10 ms. */
  @Test
  void aBusyProcessIsCountedAsTheKernelCountsItWhenItIsWaitedFor() throws Exception {
    double machine = CpuClock.ofMachine();
    double ours = ofEndedChildren();
    Process busy = shell(BUSY + "; read end");
    double counted = whenIdle(busy);
    busy.getOutputStream().close();
    busy.waitFor();

    assertThat(counted).isGreaterThan(0.05);
    assertThat(counted).isCloseTo(ofEndedChildren() - ours, within(0.05));
    assertThat(CpuClock.ofMachine() - machine).isGreaterThan(counted - 0.05);
  }

  @Test
  void aChildThatHasEndedStaysCounted() throws Exception {
    Process parent = shell("(" + BUSY + "); read end");
    try {
      assertThat(whenIdle(parent)).isGreaterThan(0.05);
    } finally {
      end(parent);
    }
  }

  @Test
  void aChildThatLivesIsCounted() throws Exception {
    Process parent = shell("(" + BUSY + "; sleep 60) & read end");
    try {
      assertThat(whenIdle(parent)).isGreaterThan(0.05);
    } finally {
      end(parent);
    }
  }

  @Test
  void ourOwnTimeGrowsWithOurWorkAndNotWithThatOfChildren() throws Exception {
    double before = CpuClock.ofSelf();
    long end = System.nanoTime() + 100_000_000;
    while (System.nanoTime() < end) {
      Thread.onSpinWait();
    }
    double own = CpuClock.ofSelf() - before;
    assertThat(own).isPositive();

    double children = ofEndedChildren();
    before = CpuClock.ofSelf();
    shell(BUSY + "; " + BUSY).waitFor();
    assertThat(CpuClock.ofSelf() - before).isLessThan(ofEndedChildren() - children);
  }

  @Test
  void threadsAreToldApartByTheBeginningOfTheirNames() throws Exception {
    var end = new CountDownLatch(1);
    var busy = new AtomicBoolean(true);
    Thread thread =
        Thread.ofPlatform()
            .name("hash-of-a-test")
            .start(
                () -> {
                  while (busy.get()) {
                    Thread.onSpinWait();
                  }
                  try {
                    end.await();
                  } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                  }
                });
    Set<Long> us = Set.of(ProcessHandle.current().pid());
    Eventually.holds("it was counted", () -> CpuClock.ofThreads(us, "hash-of-a") > 0.05);
    busy.set(false);

    assertThat(CpuClock.ofThreads(us, "hash-of-a")).isLessThan(CpuClock.ofThreads(us, ""));
    assertThat(CpuClock.ofThreads(us, "nobody")).isZero();
    end.countDown();
    thread.join();
  }

  /** As the Java of a server that a script starts. */
  @Test
  void threadsOfWhatDescendsAreToldApartAsWell() throws Exception {
    Process parent = shell("sh -c '" + BUSY + "; sleep 60; :' & read end");
    try {
      Set<Long> script = Set.of(parent.pid());
      Eventually.holds("it was counted", () -> CpuClock.ofThreads(script, "sh") > 0);
    } finally {
      end(parent);
    }
  }

  @Test
  void aProcessThatHasEndedCountsNothing() throws Exception {
    Process process = shell("exit 0");
    process.waitFor();

    assertThat(CpuClock.ofTrees(Set.of(process.pid()))).isZero();
  }

  private static Process shell(String script) throws IOException {
    return new ProcessBuilder("bash", "-c", script).start();
  }

  private static void end(Process parent) {
    parent.descendants().forEach(ProcessHandle::destroy);
    parent.destroy();
  }

  /** What it has used once that has begun to grow and no longer does. */
  private static double whenIdle(Process process) throws InterruptedException {
    double before = -1;
    double now = 0;
    while (now < 0.05 || now > before) {
      before = now;
      assertThat(process.waitFor(200, TimeUnit.MILLISECONDS)).as("it runs").isFalse();
      now = CpuClock.ofTrees(Set.of(process.pid()));
    }
    return now;
  }

  /** Fields cutime and cstime of this JVM, see proc(5). */
  private static double ofEndedChildren() throws IOException {
    String stat = Files.readString(Path.of("/proc/self/stat"));
    String[] field = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
    return (Long.parseLong(field[13]) + Long.parseLong(field[14])) / 100.0;
  }
}
