package dev.staithe.perf.harness.cpu;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * CPU time of processes and of the machine, user and system together, in seconds since an arbitrary
 * beginning: take the difference of two readings. Thread-safe.
 *
 * <p>A living process is read by {@code clock_gettime} on its CPU clock, which counts nanoseconds
 * and includes threads that have ended. Children that have ended and were waited for are in their
 * parent's {@code cutime} and {@code cstime} of {@code /proc/PID/stat}, which count ticks of 10 ms.
 * Children of a process that ignores SIGCHLD leave no trace. Start Java with {@code
 * --enable-native-access=ALL-UNNAMED}, or it warns.
 */
public final class CpuClock {
  /** USER_HZ, which the kernel promises to user space whatever it uses itself. */
  private static final double TICKS = 100;

  /** CPUCLOCK_SCHED of the kernel's posix-timers: the time that a process was scheduled. */
  private static final int SCHEDULED = 2;

  // Fields of /proc/PID/stat after the command in parentheses, from 0; proc(5) counts from 1 and
  // +2.
  private static final int UTIME = 11;
  private static final int CUTIME = 13;

  private static final MethodHandle CLOCK_GETTIME = clockGettime();

  private CpuClock() {}

  @SuppressWarnings("restricted") // the one native call, whose signature is right
  private static MethodHandle clockGettime() {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(
        linker.defaultLookup().findOrThrow("clock_gettime"),
        FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.ADDRESS));
  }

  /**
   * What these processes, their living descendants, and the ended children of all of them have
   * used. A child that ends between two readings loses nothing, if it is waited for.
   *
   * @param processes process ids; one that has ended counts nothing
   */
  public static double ofTrees(Set<Long> processes) {
    double seconds = 0;
    for (long pid : withDescendants(processes)) {
      seconds += ofProcess(pid);
    }
    return seconds;
  }

  /** These processes, and all living ones that descend from them. */
  static Set<Long> withDescendants(Set<Long> processes) {
    Set<Long> all = new LinkedHashSet<>(processes);
    for (long pid : processes) {
      ProcessHandle.of(pid).stream()
          .flatMap(ProcessHandle::descendants)
          .map(ProcessHandle::pid)
          .forEach(all::add);
    }
    return all;
  }

  /**
   * What this process itself has used, nothing of its children: those that have ended and were
   * waited for are often what it measures.
   */
  public static double ofSelf() {
    return scheduled(ProcessHandle.current().pid())
        .orElseThrow(() -> new IllegalStateException("this process has no CPU clock"));
  }

  /** What ended children of this process, and theirs, have used, in steps of 10 ms. */
  public static double ofEndedChildren() {
    try {
      String stat = Files.readString(Path.of("/proc/self/stat"));
      return ticks(stat.substring(stat.lastIndexOf(')') + 2).split(" "), CUTIME);
    } catch (IOException e) {
      throw new UncheckedIOException("/proc/self/stat cannot be read", e);
    }
  }

  /**
   * What the living threads of these processes and of their living descendants have used whose
   * names begin so, nanoseconds exact where the kernel keeps schedstat. Threads that have ended are
   * not in it.
   *
   * @param processes process ids; one that has ended counts nothing
   * @param prefix of the names, of which the kernel keeps 15 characters
   */
  public static double ofThreads(Set<Long> processes, String prefix) {
    double seconds = 0;
    for (long pid : withDescendants(processes)) {
      try (DirectoryStream<Path> threads =
          Files.newDirectoryStream(Path.of("/proc", Long.toString(pid), "task"))) {
        for (Path thread : threads) {
          seconds += ofThread(thread, prefix);
        }
      } catch (IOException | DirectoryIteratorException e) {
        // it has ended
      }
    }
    return seconds;
  }

  private static double ofThread(Path thread, String prefix) {
    try {
      if (!Files.readString(thread.resolve("comm")).startsWith(prefix)) {
        return 0;
      }
      String run = Files.readString(thread.resolve("schedstat"));
      return Long.parseLong(run.substring(0, run.indexOf(' '))) / 1e9;
    } catch (IOException e) {
      return 0;
    }
  }

  private static double ofProcess(long pid) {
    String stat;
    try {
      stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
    } catch (IOException e) {
      return 0;
    }
    // The command may contain anything, parentheses and spaces too.
    String[] field = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
    // One that has ended, but was not waited for yet, has no clock any more.
    return scheduled(pid).orElseGet(() -> ticks(field, UTIME)) + ticks(field, CUTIME);
  }

  /** A field and the one after it: user and system time. */
  private static double ticks(String[] field, int first) {
    return (Long.parseLong(field[first]) + Long.parseLong(field[first + 1])) / TICKS;
  }

  private static OptionalDouble scheduled(long pid) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment time = arena.allocate(ValueLayout.JAVA_LONG, 2);
      // MAKE_PROCESS_CPUCLOCK, see clock_getcpuclockid(3).
      int clock = (~(int) pid << 3) | SCHEDULED;
      if ((int) CLOCK_GETTIME.invokeExact(clock, time) != 0) {
        return OptionalDouble.empty();
      }
      return OptionalDouble.of(
          time.getAtIndex(ValueLayout.JAVA_LONG, 0)
              + time.getAtIndex(ValueLayout.JAVA_LONG, 1) / 1e9);
    } catch (Throwable e) {
      throw new IllegalStateException("clock_gettime cannot be called", e);
    }
  }

  /**
   * What all processors were busy with, stolen time included, in steps of 10 ms. Less that of
   * server and clients it is the time of everybody else.
   */
  public static double ofMachine() {
    try {
      // cpu user nice system idle iowait irq softirq steal guest guest_nice; user includes guest.
      String[] field = Files.readAllLines(Path.of("/proc/stat")).getFirst().split(" +");
      long busy = 0;
      for (int i : new int[] {1, 2, 3, 6, 7, 8}) {
        busy += Long.parseLong(field[i]);
      }
      return busy / TICKS;
    } catch (IOException e) {
      throw new UncheckedIOException("/proc/stat cannot be read", e);
    }
  }
}
