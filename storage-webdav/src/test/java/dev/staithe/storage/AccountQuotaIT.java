package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.staithe.peers.process.ManagedProcess;
import dev.staithe.peers.process.Program;
import dev.staithe.storage.accounts.LocalAccounts;
import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.ReleasedJar;
import dev.staithe.testkit.trust.TokenIssuer;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Files of local accounts on a file system that limits what each account may have (quotas of users,
 * ext4). Many a kernel is built without quotas, so server and helper run on one that has them,
 * which is a program here: User-Mode Linux. Needs root and {@code mvn package}.
 */
class AccountQuotaIT {
  private static final Program LINUX = new Program("linux.uml", "user-mode-linux");
  private static final Program MAKE = new Program("mkfs.ext4", "e2fsprogs");
  private static final int LIMIT_MIB = 8;
  private static final int STORED_MIB = 5;

  @TempDir Path folder;

  private Path image() throws IOException {
    Path image = folder.resolve("image");
    try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
      file.setLength(128L << 20);
    }
    Program.Ran made =
        MAKE.run(
            List.of("-q", "-F", "-O", "quota", "-E", "quotatype=usrquota", image.toString()),
            Map.of(),
            new byte[0],
            Duration.ofMinutes(2),
            folder);
    assertThat(made.exitCode()).as(made.errors()).isZero();
    return image;
  }

  /** What the first process of that machine does; the folder is the one that it shares with us. */
  private String script(LocalAccounts accounts, TokenIssuer issuer) throws IOException {
    String at = "--staithe.areas[0].";
    String server =
        String.join(
            " ",
            ReleasedJar.command(
                StorageProcess.JAR.toAbsolutePath(),
                List.of(
                    "--server.port=8080",
                    "--server.address=127.0.0.1",
                    "--staithe.tls.enabled=false",
                    "--staithe.issuers[0].issuer=" + issuer.issuer(),
                    "--staithe.issuers[0].plain-http-on-loopback=true",
                    "--staithe.issuers[0].audiences=" + RunningStorage.AUDIENCE,
                    "--staithe.issuers[0].jwks-file=/run/site/keys.json",
                    at + "name=data",
                    at + "root=/run/site/data",
                    at + "grants[0].issuer=" + issuer.issuer(),
                    at + "store=accounts",
                    at + "accounts.socket=/run/helper/socket",
                    at + "accounts.tree=files",
                    at + "accounts.rules=/run/site/rules"),
                // What it makes there must belong to its user, which a shared folder does not tell.
                "-Djava.io.tmpdir=/run/tmp"));
    Files.writeString(folder.resolve("keys.json"), issuer.keySet());
    Files.writeString(
        folder.resolve("rules"),
        "%s subject %s ada\n%s subject %s bob\n"
            .formatted(
                accounts.name("ada"), issuer.issuer(), accounts.name("bob"), issuer.issuer()));
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
        mkdir -p /run/m /run/site/data /run/helper
        mkdir -m 1777 /run/tmp
        mount -t ext4 -o usrquota /dev/ubda /run/m
        mkdir -m 1777 /run/m/tree
        cp keys.json rules /run/site
        cp accounts/staithe-accounts /run/staithe-accounts
        chmod 755 /run/staithe-accounts
        chown -R %2$s /run/site
        chown -R %3$s /run/helper
        xfs_quota -f -x -c "limit -u bhard=%4$dm ihard=6 %5$s" /run/m
        setpriv --reuid=%3$s --regid=%3$s --clear-groups --inh-caps=+setuid,+setgid \\
          --ambient-caps=+setuid,+setgid /run/staithe-accounts /run/helper/socket %2$s 1000 files=/run/m/tree &
        cd /run/site
        setpriv --reuid=%2$s --regid=%2$s --clear-groups %6$s &
        cd %1$s
        at=http://127.0.0.1:8080
        curl -sS -o started --retry 300 --retry-delay 1 --retry-connrefused $at/.staithe/health
        as() { # WHO NAME PATH ARGUMENT…
          who=$1 name=$2 path=$3
          shift 3
          curl -sS -o $name -D $name.head -w '%%{http_code}' -H @$who "$@" $at/data/$path >$name.status
        }
        head -c %7$dM /dev/zero >/run/some
        as ada first one -T /run/some
        as ada second two -T /run/some
        as ada replaced one -T /run/some
        ls -A /run/m/tree >listed
        as bob other three -T /run/some
        as ada gone one -X DELETE
        as ada again two -T /run/some
        for i in 1 2 3 4 5 6 7; do as ada file$i f$i -T /etc/hostname; done
        lock='<D:lockinfo xmlns:D="DAV:"><D:lockscope><D:exclusive/></D:lockscope><D:locktype><D:write/></D:locktype></D:lockinfo>'
        as ada lock locked -X LOCK -H 'Depth: 0' -d "$lock"
        as ada folder made/ -X MKCOL
        as bob otherlock locked -X LOCK -H 'Depth: 0' -d "$lock"
        ls -A /run/m/tree >listed.last
        halt -f -p
        """
        .formatted(
            folder,
            accounts.name("service"),
            accounts.name("helper"),
            LIMIT_MIB,
            accounts.name("ada"),
            server,
            STORED_MIB);
  }

  private String read(String name) throws IOException {
    Path file = folder.resolve(name);
    return Files.exists(file) ? Files.readString(file) : "";
  }

  private void header(TokenIssuer issuer, String subject) throws IOException {
    Files.writeString(
        folder.resolve(subject),
        "Authorization: Bearer "
            + issuer
                .token()
                .subject(subject)
                .scope("storage.read:/ storage.modify:/")
                .audience(RunningStorage.AUDIENCE)
                .lifetime(Duration.ofHours(6))
                .sign()
            + "\n");
  }

  @Test
  void whatIsAboveTheQuotaOfAnAccountIs507AndLeavesNothing() throws IOException {
    assumeTrue(LocalAccounts.obstacle().isEmpty(), LocalAccounts.obstacle());
    assumeTrue(LINUX.find().isPresent(), "no user-mode-linux, which ./verify --all installs");
    String log;
    try (LocalAccounts accounts = LocalAccounts.make(folder.resolve("accounts"));
        TokenIssuer issuer = TokenIssuer.overHttp(Clock.systemUTC())) {
      header(issuer, "ada");
      header(issuer, "bob");
      Path script = Files.writeString(folder.resolve("first-process"), script(accounts, issuer));
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
              "ubda=" + image(),
              "uml_dir=" + folder,
              "con=null",
              "con0=null,fd:2",
              "quiet");
      try (ManagedProcess linux =
          ManagedProcess.start(
              machine, Map.of("TMPDIR", folder.toString()), folder.resolve("machine.log"))) {
        linux.awaitEnd(Eventually.LONGEST);
        log = linux.output() + read("log");
      }
    }
    assertThat(read("first.status")).as(log).isEqualTo("201");
    refused("second", log);
    refused("replaced", log);
    assertThat(read("listed").strip()).isEqualTo("one");
    assertThat(read("other.status")).as("the limit is one account's").isEqualTo("201");
    assertThat(read("gone.status")).isEqualTo("204");
    assertThat(read("again.status")).as("there is room again: %s", log).isEqualTo("201");
    // Six files and folders at most.
    assertThat(read("file5.status")).as(log).isEqualTo("201");
    refused("file6", log);
    refused("lock", log);
    refused("folder", log);
    assertThat(read("otherlock.status")).as("nothing was locked").isEqualTo("201");
    assertThat(read("listed.last").lines())
        .containsExactlyInAnyOrder("f1", "f2", "f3", "f4", "f5", "locked", "three", "two");
  }

  private void refused(String name, String log) throws IOException {
    assertThat(read(name + ".status")).as("%s: %s%s", name, read(name), log).isEqualTo("507");
    assertThat(read(name)).containsOnlyOnce("\n").doesNotContain("/run/");
  }
}
