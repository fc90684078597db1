package dev.staithe.perf.harness.cpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On files as the kernel has them; {@code CpuSharesIT} asks the kernel where it may. */
class CpuSharesTests {
  @TempDir private Path folder;

  private Path own(String line) throws IOException {
    return Files.writeString(folder.resolve("own"), line + "\n");
  }

  private Path group(String path) throws IOException {
    Path group = Files.createDirectories(folder.resolve(path));
    Files.writeString(group.resolve("cgroup.procs"), "");
    return group;
  }

  @Test
  void versionTwoHasItsLimitInOneFile() throws IOException {
    Path mount = group("mount");
    Files.writeString(mount.resolve("cgroup.controllers"), "cpu memory");
    long self = ProcessHandle.current().pid();

    try (CpuShares shares = CpuShares.open(mount, own("0::/"))) {
      shares.give("node", Set.of(self), 0.2);

      assertThat(mount.resolve("cgroup.subtree_control")).hasContent("+cpu");
      assertThat(mount.resolve("node/cpu.max")).hasContent("2000 10000");
      assertThat(Files.readString(mount.resolve("node/cgroup.procs"))).isNotEmpty();
    }
    assertThat(Files.readString(mount.resolve("cgroup.procs"))).isNotEmpty();
  }

  @Test
  void aScopeOfOurOwnIsEmptiedBeforeItHandsTimeOn() throws IOException {
    Path mount = group("mount");
    Files.writeString(mount.resolve("cgroup.controllers"), "cpu memory");
    Path scope = group("mount/user/scope");
    Files.writeString(scope.resolve("cgroup.procs"), "4711\n");

    CpuShares.open(mount, own("0::/user/scope")).close();

    assertThat(scope.resolve("staithe-harness/cgroup.procs")).hasContent("4711");
    assertThat(scope.resolve("cgroup.subtree_control")).hasContent("+cpu");
  }

  @Test
  void versionOneHasItsLimitInTwo() throws IOException {
    group("mount/cpu");

    try (CpuShares shares =
        CpuShares.open(folder.resolve("mount"), own("4:memory:/other\n1:cpu,cpuacct:/"))) {
      shares.give("node", Set.of(ProcessHandle.current().pid()), 0.25);

      assertThat(folder.resolve("mount/cpu/node/cpu.cfs_quota_us")).hasContent("2500");
      assertThat(folder.resolve("mount/cpu/node/cpu.cfs_period_us")).hasContent("10000");
    }
  }

  @Test
  void whereThereAreNoneItSaysWhatToDo() throws IOException {
    Path own = own("0::/user/scope");
    assertThatThrownBy(() -> CpuShares.open(folder.resolve("none"), own))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("no CPU shares: cgroups cannot be written at ")
        .hasMessageEndingWith("run it as root, or by systemd-run --user --scope -p Delegate=yes");
  }
}
