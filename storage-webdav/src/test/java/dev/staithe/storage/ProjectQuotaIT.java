package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.nimbusds.jose.util.JSONObjectUtils;
import dev.staithe.peers.process.ManagedProcess;
import dev.staithe.peers.process.Program;
import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.ReleasedJar;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.ParseException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A folder that the file system itself limits, by the quota of a project, as an area: what it has
 * is what the project may take. Many a kernel is built without quotas, so the released server runs
 * on one that has them, which is a program here: User-Mode Linux. Needs {@code mvn package}.
 */
class ProjectQuotaIT {
  private static final Program LINUX = new Program("linux.uml", "user-mode-linux");
  private static final long LIMIT = 64L << 20;
  private static final long RAISED = 192L << 20;
  private static final int STORED = 30_000_001;

  @TempDir Path folder;

  enum Kind {
    XFS(
        "mkfs.xfs",
        List.of("-q"),
        "xfsprogs",
        "xfs_quota -x -c 'project -s -p /run/m/area 42' /run/m"),
    EXT4(
        "mkfs.ext4",
        List.of("-q", "-F", "-O", "quota,project", "-E", "quotatype=prjquota"),
        "e2fsprogs",
        "chattr +P -p 42 /run/m/area");

    private final Program make;
    private final List<String> options;
    private final String project;

    Kind(String make, List<String> options, String debianPackage, String project) {
      this.make = new Program(make, debianPackage);
      this.options = options;
      this.project = project;
    }
  }

  private Path image(Kind kind) throws IOException {
    Path image = folder.resolve("image");
    try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
      file.setLength(320L << 20);
    }
    List<String> options = new ArrayList<>(kind.options);
    options.add(image.toString());
    Program.Ran made = kind.make.run(options, Map.of(), new byte[0], Duration.ofMinutes(2), folder);
    assertThat(made.exitCode()).as(made.errors()).isZero();
    return image;
  }

  /** What the first process of that machine does; the folder is the one that it shares with us. */
  private String script(Kind kind) {
    String server =
        String.join(
            " ",
            ReleasedJar.command(
                StorageProcess.JAR,
                List.of(
                    "--server.port=8080",
                    "--server.address=127.0.0.1",
                    "--staithe.tls.enabled=false",
                    "--staithe.accounting.name=SE",
                    "--staithe.areas[0].name=open",
                    "--staithe.areas[0].root=/run/m/area",
                    "--staithe.areas[0].quota.hard=1GB",
                    "--staithe.areas[0].anonymous-read=true",
                    "--staithe.areas[0].anonymous-write=true")));
    return """
        #!/bin/bash
        export PATH=/usr/sbin:/usr/bin:/sbin:/bin
        cd %1$s
        exec >log 2>&1
        mount -t proc proc /proc
        mount -t tmpfs none /run
        ip link set lo up
        for module in quota_tree quota_v2; do
          insmod /usr/lib/uml/modules/$(uname -r)/kernel/fs/quota/$module.ko
        done
        mkdir /run/m
        mount -t %2$s -o prjquota /dev/ubda /run/m
        mkdir /run/m/area
        %3$s
        limit() { xfs_quota -f -x -c "limit -p bhard=$1 42" /run/m; }
        limit %4$d
        %5$s &
        at=http://127.0.0.1:8080
        curl -sS -o started --retry 300 --retry-delay 1 --retry-connrefused $at/.staithe/health
        look() {
          curl -sS -o $1 -X PROPFIND -H 'Depth: 0' -d @ask $at/open/
          curl -sS -o $1.srr $at/.staithe/srr
        }
        look empty
        head -c %6$d /dev/zero | curl -sS -o put -w '%%{http_code}' -T - $at/open/one >put.status
        look stored
        head -c %6$d /dev/zero >/run/more
        cat /run/more >>/run/more.2; cat /run/more >>/run/more.2
        curl -sS -o more -D more.head -w '%%{http_code}' -H Expect:\\ 100-continue -T /run/more.2 $at/open/two >more.status
        limit %7$d
        curl -sS -o again -w '%%{http_code}' -T /run/more.2 $at/open/two >again.status
        look raised
        halt -f -p
        """
        .formatted(
            folder, kind == Kind.XFS ? "xfs" : "ext4", kind.project, LIMIT, server, STORED, RAISED);
  }

  private String read(String name) throws IOException {
    Path file = folder.resolve(name);
    return Files.exists(file) ? Files.readString(file) : "";
  }

  private long available(String name) throws IOException {
    String text = read(name);
    assertThat(text).contains("quota-available-bytes>");
    return Long.parseLong(text.replaceAll("(?s).*quota-available-bytes>(\\d+)<.*", "$1"));
  }

  private long share(String name, String member) throws IOException, ParseException {
    Map<String, Object> report =
        JSONObjectUtils.getJSONObject(JSONObjectUtils.parse(read(name + ".srr")), "storageservice");
    return ((Number) JSONObjectUtils.getJSONObjectArray(report, "storageshares")[0].get(member))
        .longValue();
  }

  @ParameterizedTest
  @EnumSource
  void whatAnAreaHasIsWhatItsProjectMayTake(Kind kind) throws IOException, ParseException {
    assumeTrue(LINUX.find().isPresent(), "no user-mode-linux, which ./verify --all installs");
    Files.writeString(
        folder.resolve("ask"),
        "<D:propfind xmlns:D=\"DAV:\"><D:prop><D:quota-available-bytes/></D:prop></D:propfind>");
    Path script = Files.writeString(folder.resolve("first-process"), script(kind));
    assertThat(script.toFile().setExecutable(true)).isTrue();
    List<String> machine =
        List.of(
            LINUX.path(),
            "mem=768M",
            "root=/dev/root",
            "rootfstype=hostfs",
            "rootflags=/",
            "rw",
            "init=" + script,
            "ubda=" + image(kind),
            "uml_dir=" + folder,
            "con=null",
            "con0=null,fd:2",
            "quiet");
    String log;
    try (ManagedProcess linux =
        ManagedProcess.start(
            machine, Map.of("TMPDIR", folder.toString()), folder.resolve("machine.log"))) {
      linux.awaitEnd(Eventually.LONGEST);
      log = linux.output() + read("log");
    }

    assertThat(read("put.status")).as(log).isEqualTo("201");
    assertThat(share("empty", "totalsize")).isEqualTo(LIMIT);
    assertThat(available("empty")).isBetween(LIMIT - (4 << 20), LIMIT);
    assertThat(share("stored", "usedsize")).isEqualTo(STORED);
    assertThat(available("stored")).isBetween(LIMIT - STORED - (4 << 20), LIMIT - STORED);

    assertThat(read("more.status")).as(log).isEqualTo("507");
    assertThat(read("more.head")).doesNotContain("100 Continue");
    assertThat(read("again.status")).as("after the limit was raised: %s", log).isEqualTo("201");
    assertThat(share("raised", "totalsize")).isEqualTo(RAISED);
    assertThat(share("raised", "usedsize")).isEqualTo(3L * STORED);
  }
}
