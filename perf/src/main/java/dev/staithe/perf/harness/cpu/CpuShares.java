package dev.staithe.perf.harness.cpu;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * CPU time that groups of processes have to themselves, by cgroups: version 2 ({@code cpu.max}), or
 * version 1 ({@code cpu.cfs_quota_us}) where the machine has that. What a group may use no other
 * can take from it, as long as all shares together fit into the cores that they run on. Not
 * thread-safe.
 */
public final class CpuShares implements AutoCloseable {
  /** Microseconds: short, so that who has used its share up does not wait for long. */
  private static final long PERIOD = 10_000;

  private static final String PROCESSES = "cgroup.procs";

  private final Path parent;
  private final boolean unified;
  private final List<Path> groups = new ArrayList<>();

  private CpuShares(Path parent, boolean unified) {
    this.parent = parent;
    this.unified = unified;
  }

  /**
   * Where this process may make groups.
   *
   * @throws IOException where it may not, in one line that says what to do
   */
  public static CpuShares open() throws IOException {
    return open(Path.of("/sys/fs/cgroup"), Path.of("/proc/self/cgroup"));
  }

  /**
   * @param mount where cgroups are
   * @param own the file that says in which this process is
   */
  public static CpuShares open(Path mount, Path own) throws IOException {
    boolean unified = Files.exists(mount.resolve("cgroup.controllers"));
    Path root = unified ? mount : mount.resolve("cpu");
    Path parent = root.resolve(ownGroup(own, unified));
    if (!Files.isWritable(parent) || !Files.exists(parent.resolve(PROCESSES))) {
      throw new IOException(
          "no CPU shares: cgroups cannot be written at "
              + parent
              + "; run it as root, or by systemd-run --user --scope -p Delegate=yes");
    }
    if (unified) {
      enable(root, parent);
    }
    return new CpuShares(parent, unified);
  }

  private static String ownGroup(Path own, boolean unified) throws IOException {
    for (String line : Files.readAllLines(own)) {
      String[] part = line.split(":", 3);
      if (part.length == 3
          && (unified ? part[1].isEmpty() : List.of(part[1].split(",")).contains("cpu"))) {
        return part[2].replaceFirst("^/", "");
      }
    }
    return "";
  }

  /**
   * A group that has processes of its own may not have groups that are limited: they step aside.
   */
  private static void enable(Path root, Path parent) throws IOException {
    try {
      if (!parent.equals(root)) {
        Path aside = Files.createDirectories(parent.resolve("staithe-harness"));
        for (String process : Files.readAllLines(parent.resolve(PROCESSES))) {
          Files.writeString(aside.resolve(PROCESSES), process);
        }
      }
      Files.writeString(parent.resolve("cgroup.subtree_control"), "+cpu");
    } catch (IOException e) {
      throw new IOException(
          "no CPU shares: %s does not hand CPU time on (%s); run it by systemd-run --user --scope -p Delegate=yes"
              .formatted(parent, e.getMessage()),
          e);
    }
  }

  /**
   * Puts processes with their descendants into a group.
   *
   * @param name of the group, unique in the machine
   * @param share of one core, above 0
   * @throws IOException in one line, where the kernel refuses it
   */
  public void give(String name, Set<Long> processes, double share) throws IOException {
    Path group = parent.resolve(name);
    try {
      Files.createDirectory(group);
      groups.add(group);
      long quota = Math.max(1000, Math.round(share * PERIOD));
      if (unified) {
        Files.writeString(group.resolve("cpu.max"), quota + " " + PERIOD);
      } else {
        Files.writeString(group.resolve("cpu.cfs_period_us"), "" + PERIOD);
        Files.writeString(group.resolve("cpu.cfs_quota_us"), "" + quota);
      }
      for (long process : CpuClock.withDescendants(processes)) {
        Files.writeString(group.resolve(PROCESSES), "" + process);
      }
    } catch (IOException e) {
      throw new IOException("no CPU share for %s: %s".formatted(name, e.getMessage()), e);
    }
  }

  /** Lets all of them go, and removes the groups. */
  @Override
  public void close() {
    for (Path group : groups) {
      try {
        Path aside = parent.resolve("staithe-harness");
        Path back = Files.exists(aside) ? aside : parent;
        for (String member : Files.readAllLines(group.resolve(PROCESSES))) {
          Files.writeString(back.resolve(PROCESSES), member);
        }
        Files.delete(group);
      } catch (IOException ended) {
        // The next run makes groups of other names; an empty group costs nothing.
      }
    }
    groups.clear();
  }
}
