package dev.staithe.peers.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A process and all that it has started, to be stopped, continued or killed together. */
public final class ProcessTree {
  private final ProcessHandle root;

  private ProcessTree(ProcessHandle root) {
    this.root = root;
  }

  /** That process and what descends from it. */
  public static ProcessTree of(long pid) {
    return new ProcessTree(
        ProcessHandle.of(pid).orElseThrow(() -> new AssertionError("no process " + pid)));
  }

  /** Nothing of it runs any more, but its connections stay, as with a machine that hangs. */
  public void pause() {
    signal("STOP");
  }

  /** Undoes {@link #pause}. */
  public void resume() {
    signal("CONT");
  }

  /**
   * Ends all of it at once, as a crash does: none of it may write anything after the first. All are
   * stopped before, so that none begins another one that nobody has counted.
   */
  public void kill() {
    signal("STOP");
    List<ProcessHandle> all = all();
    signal("KILL");
    awaitEnd(all);
  }

  /**
   * Ends every process whose working folder is that one, whoever its parent is by now; for servers
   * whose processes all work in a folder of their own. Returns when they are gone.
   */
  public static void killAllIn(Path folder) {
    for (List<ProcessHandle> left = allIn(folder); !left.isEmpty(); left = allIn(folder)) {
      left.forEach(ProcessHandle::destroyForcibly);
      awaitEnd(left);
    }
  }

  private static void awaitEnd(List<ProcessHandle> killed) {
    // Not by onExit(), which looks at other processes' children every 300 ms only.
    Until.holds("killed processes end", () -> killed.stream().noneMatch(each -> runs(each.pid())));
  }

  /**
   * Whether there is such a process at work. One that has ended is not, though it keeps its id
   * until its parent takes note, which for orphans is process 1 in its own time.
   */
  public static boolean runs(long pid) {
    try {
      String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
      char state = stat.charAt(stat.lastIndexOf(')') + 2); // proc(5): names may hold any sign
      return state != 'Z' && state != 'X';
    } catch (IOException e) {
      return false;
    }
  }

  /** The processes whose working folder is that one. */
  public static List<ProcessHandle> allIn(Path folder) {
    return ProcessHandle.allProcesses().filter(each -> works(each, folder)).toList();
  }

  private static boolean works(ProcessHandle process, Path folder) {
    try {
      return Files.readSymbolicLink(Path.of("/proc", Long.toString(process.pid()), "cwd"))
          .equals(folder);
    } catch (IOException e) {
      return false; // it has ended, or is somebody else's
    }
  }

  /** Asks the first process to end, with that signal. */
  public static void ask(long pid, String signal) {
    run("kill -" + signal + " " + pid);
  }

  private void signal(String signal) {
    StringBuilder pids = new StringBuilder();
    all().forEach(each -> pids.append(' ').append(each.pid()));
    // One command for all; one that has ended meanwhile is no failure.
    run("kill -" + signal + pids + " || :");
  }

  private List<ProcessHandle> all() {
    return new ArrayList<>(Stream.concat(Stream.of(root), root.descendants()).toList());
  }

  private static void run(String script) {
    Program.Ran ran =
        Program.SHELL.run(List.of("-c", script), Map.of(), new byte[0], Until.LONGEST);
    if (ran.exitCode() != 0) {
      throw new AssertionError(script + ": " + ran.errors());
    }
  }
}
