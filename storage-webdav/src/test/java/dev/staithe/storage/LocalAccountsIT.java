package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.staithe.peers.process.BoundFileSystem;
import dev.staithe.peers.process.LoopedFileSystem;
import dev.staithe.peers.process.ManagedProcess;
import dev.staithe.storage.accounts.LocalAccounts;
import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.clients.Curl;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import dev.staithe.testkit.trust.TokenIssuer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * An area whose files belong to local accounts, as its clients see it: the released jar runs as an
 * unprivileged user, the helper as another, and the accounts are real ones of this machine.
 */
final class LocalAccountsIT {
  private static final String GHOST = "st-ghost-who-never-was";

  @TempDir static Path folder;
  private static LocalAccounts accounts;
  private static ThrowAwayAuthority authority;
  private static TokenIssuer issuer;
  private static StorageProcess storage;
  private static ManagedProcess helper;
  private static Path tree;
  private static Path rules;

  @BeforeAll
  static void start() throws IOException {
    assumeTrue(LocalAccounts.obstacle().isEmpty(), LocalAccounts.obstacle());
    accounts = LocalAccounts.make(folder.resolve("accounts"));
    Path site = Files.createDirectories(folder.resolve("site"));
    authority = ThrowAwayAuthority.in(site.resolve("authority"), Clock.systemUTC());
    issuer = TokenIssuer.overHttps(authority, Clock.systemUTC());
    authority.localhost();
    tree = Files.createDirectories(folder.resolve("tree"));
    LocalAccounts.open(tree);
    accounts.folder(tree.resolve("ada"), "ada", "rwxr-xr-x");
    accounts.folder(tree.resolve("bob"), "bob", "rwxr-xr-x");
    rules = Files.writeString(site.resolve("rules"), rules());
    Path jwks = Files.writeString(site.resolve("jwks.json"), issuer.keySet());
    helper = accounts.start(accounts.name("service"), tree);
    Files.createDirectories(site.resolve("data"));
    Files.createDirectories(site.resolve("open"));
    accounts.folder(site, "service", "rwxr-xr-x");
    Map<String, Object> settings = new HashMap<>();
    settings.put("staithe.areas[0].store", "accounts");
    settings.put("staithe.areas[0].accounts.socket", accounts.socket());
    settings.put("staithe.areas[0].accounts.tree", "files");
    settings.put("staithe.areas[0].accounts.rules", rules);
    settings.put("staithe.tls.check-interval", "1s");
    settings.put("staithe.issuers[0].jwks-file", jwks);
    storage = StorageProcess.startBy(accounts.as("service"), site, authority, issuer, settings);
  }

  private static String rules() {
    return """
        # account  kind     issuer  name
        %s         subject  %s      ada
        %s         group    %s      /team
        %s         subject  %s      ghost
        root       subject  %s      root
        daemon     subject  %s      daemon
        """
        .formatted(
            accounts.name("ada"),
            issuer.issuer(),
            accounts.name("bob"),
            issuer.issuer(),
            GHOST,
            issuer.issuer(),
            issuer.issuer(),
            issuer.issuer());
  }

  @AfterAll
  static void end() {
    if (storage != null) {
      storage.close();
    }
    if (accounts != null) {
      accounts.close();
      issuer.close();
    }
  }

  private static String token(String subject, String... groups) {
    return issuer
        .token()
        .subject(subject)
        .groups(groups)
        .scope("storage.read:/ storage.modify:/")
        .audience(RunningStorage.AUDIENCE)
        .sign();
  }

  private static Curl by(String token, String path) {
    return Curl.to(storage.url(path)).trusting(authority).token(token);
  }

  private static Curl ada(String path) {
    return by(token("ada"), "/data" + path);
  }

  private static Curl bob(String path) {
    return by(token("somebody", "/team"), "/data" + path);
  }

  private static Path sample(String name, int size) throws IOException {
    return Files.write(folder.resolve(name), Sample.bytes(size, size));
  }

  @Test
  void filesBelongToTheAccountOfWhoeverWritesThem() throws IOException {
    Path large = sample("large", (20 << 20) + 3);
    Curl.Response put = ada("/ada/new/large").upload(large).run();
    assertThat(put.status()).as(put.text()).isEqualTo(201);
    assertThat(tree.resolve("ada/new/large")).hasSameBinaryContentAs(large);
    for (String each : List.of("ada/new", "ada/new/large")) {
      assertThat(LocalAccounts.owner(tree.resolve(each))).isEqualTo(accounts.id("ada"));
    }
    assertThat(ada("/ada/new/large").run().body()).isEqualTo(Files.readAllBytes(large));
    Curl.Response part = ada("/ada/new/large").header("Range", "bytes=1000000-1000003").run();
    assertThat(part.status()).isEqualTo(206);
    assertThat(part.body()).hasSize(4);
    Curl.Response list = ada("/ada/new/").method("PROPFIND").header("Depth", "1").run();
    assertThat(list.text()).contains("/data/ada/new/large", Long.toString(Files.size(large)));

    assertThat(bob("/bob/file").body("bob's").method("PUT").run().status()).isEqualTo(201);
    assertThat(bob("/bob/made/").method("MKCOL").run().status()).isEqualTo(201);
    Curl.Response moved =
        bob("/bob/file")
            .method("MOVE")
            .header("Destination", storage.url("/data/bob/made/x"))
            .run();
    assertThat(moved.status()).as(moved.text()).isEqualTo(201);
    assertThat(LocalAccounts.owner(tree.resolve("bob/made/x"))).isEqualTo(accounts.id("bob"));

    assertThat(ada("/ada/new/").method("DELETE").run().status()).as("with members").isEqualTo(501);
    assertThat(ada("/ada/new/large").method("DELETE").run().status()).isEqualTo(204);
    assertThat(ada("/ada/new/").method("DELETE").run().status()).isEqualTo(204);
    assertThat(tree.resolve("ada/new")).doesNotExist();
  }

  @Test
  void fileOfAnotherAccountIsReadByItsOwnerAlone() throws IOException {
    accounts.file(tree.resolve("bob/secret"), "bob", "secret", "rw-------");
    for (Curl each : List.of(ada("/bob/secret"), ada("/bob/secret").header("Range", "bytes=0-1"))) {
      Curl.Response refused = each.run();
      assertThat(refused.status()).isEqualTo(403);
      assertThat(refused.text()).contains("local account").doesNotContain("secret\n");
    }
    assertThat(bob("/bob/secret").run().text()).isEqualTo("secret");
    accounts.folder(tree.resolve("bob/closed"), "bob", "rwx------");
    accounts.file(tree.resolve("bob/closed/x"), "bob", "x", "rw-r--r--");
    for (String method : List.of("GET", "PROPFIND", "DELETE")) {
      assertThat(ada("/bob/closed/x").method(method).run().status()).as(method).isEqualTo(403);
    }
    assertThat(ada("/bob/closed/").method("PROPFIND").header("Depth", "1").run().status())
        .isEqualTo(403);
    assertThat(bob("/bob/closed/x").run().status()).isEqualTo(200);
  }

  @Test
  void whatTheKernelForbidsInAFolderIs403AndNothingChanges() throws IOException {
    accounts.folder(tree.resolve("bob/kept"), "bob", "rwxr-xr-x");
    accounts.file(tree.resolve("bob/kept/file"), "bob", "kept", "rw-rw-rw-");
    accounts.file(tree.resolve("ada/own"), "ada", "own", "rw-r--r--");
    String there = storage.url("/data/bob/kept/moved");
    for (Curl each :
        List.of(
            ada("/bob/kept/file").method("PUT").body("other"),
            ada("/bob/kept/new").method("PUT").body("other"),
            ada("/bob/kept/file").method("DELETE"),
            ada("/bob/kept/made/").method("MKCOL"),
            ada("/bob/kept/file").method("MOVE").header("Destination", storage.url("/data/ada/f")),
            ada("/ada/own").method("MOVE").header("Destination", there),
            ada("/ada/own").method("COPY").header("Destination", there))) {
      Curl.Response refused = each.run();
      assertThat(refused.status()).as(refused.text()).isEqualTo(403);
      assertThat(refused.text()).contains("local account");
    }
    assertThat(tree.resolve("bob/kept").toFile().list()).containsExactly("file");
    assertThat(tree.resolve("bob/kept/file")).hasContent("kept");
    assertThat(tree.resolve("ada/own")).hasContent("own");
  }

  @Test
  void groupsOfAnAccountCountBesideItsOwn() throws IOException {
    String group = accounts.group("proj", "ada");
    Path shared = Files.createDirectories(tree.resolve("shared"));
    Files.setAttribute(shared, "unix:gid", Files.getAttribute(groupFile(group), "unix:gid"));
    Files.setPosixFilePermissions(shared, PosixFilePermissions.fromString("rwxrwx---"));
    assertThat(ada("/shared/x").method("PUT").body("x").run().status()).isEqualTo(201);
    assertThat(bob("/shared/y").method("PUT").body("y").run().status()).isEqualTo(403);
    assertThat(bob("/shared/x").run().status()).isEqualTo(403);
  }

  private static Path groupFile(String group) throws IOException {
    Path file = Files.createTempFile(folder, "group", "");
    Files.setAttribute(
        file,
        "posix:group",
        file.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByGroupName(group));
    return file;
  }

  @Test
  void noLinkIsFollowedAndNoPathLeavesTheTree() throws IOException {
    Path outside = Files.createDirectories(folder.resolve("outside"));
    Files.writeString(outside.resolve("file"), "outside");
    accounts.folder(outside, "ada", "rwxrwxrwx");
    Path links = accounts.folder(tree.resolve("ada/links"), "ada", "rwxr-xr-x");
    Files.createSymbolicLink(links.resolve("out"), outside);
    Files.createSymbolicLink(links.resolve("up"), Path.of("../../../outside"));
    Files.createSymbolicLink(links.resolve("file"), outside.resolve("file"));
    for (String each : List.of("out/file", "up/file", "file", "out")) {
      assertThat(ada("/ada/links/" + each).run().status()).as(each).isEqualTo(404);
      assertThat(ada("/ada/links/" + each).method("DELETE").run().status()).isEqualTo(404);
    }
    assertThat(ada("/ada/links/out/new").method("PUT").body("x").run().status()).isEqualTo(409);
    assertThat(ada("/ada/links/").method("PROPFIND").header("Depth", "1").run().text())
        .doesNotContain("/out", "/up", "/file");
    assertThat(ada("/../../outside/file").run().status()).isEqualTo(400);
    assertThat(ada("/%2e%2e/outside/file").run().status()).isEqualTo(400);
    assertThat(outside.toFile().list()).containsExactly("file");
    assertThat(outside.resolve("file")).hasContent("outside");
  }

  @Test
  void callerWithoutAccountOrWithOneThatCannotBeIs403InOneLine() throws IOException {
    Curl.Response nobody = by(token("eve"), "/data/ada/").run();
    assertThat(nobody.status()).isEqualTo(403);
    assertThat(nobody.text()).contains("no local account is mapped to eve@");
    for (String each : List.of("ghost", "root", "daemon")) {
      for (String method : List.of("GET", "PROPFIND", "PUT", "DELETE", "MKCOL")) {
        Curl request = by(token(each), "/data/ada/" + each).method(method);
        Curl.Response refused = (method.equals("PUT") ? request.body("x") : request).run();
        assertThat(refused.status()).as(each + " " + method).isEqualTo(403);
        assertThat(refused.text()).doesNotContain(GHOST);
      }
      assertThat(by(token(each), "/data/ada/").run().status()).isEqualTo(403);
      assertThat(tree.resolve("ada/" + each)).doesNotExist();
    }
    for (String each :
        List.of(
            "the account " + GHOST + " does not exist on this machine",
            "the account root is one of the system's, which the helper refuses")) {
      Eventually.holds(
          "the log says that " + each, () -> storage.process().output().contains(each));
    }
  }

  @Test
  void anonymousCallerIsAskedWhoItIs() {
    Curl.Response anonymous = Curl.to(storage.url("/data/ada/")).trusting(authority).run();
    assertThat(anonymous.status()).isEqualTo(401);
  }

  @Test
  void helperThatIsKilledLeavesNothingHalfAndIsBackAfterItsRestart() throws IOException {
    Path into = accounts.folder(tree.resolve("ada/killed"), "ada", "rwxr-xr-x");
    Path file = sample("slow", 3 << 20);
    CompletableFuture<Curl.Response> upload =
        CompletableFuture.supplyAsync(
            () -> ada("/ada/killed/file").upload(file).option("limit-rate", "1500k").run());
    Eventually.holds("the upload is under way", () -> staged() > 0);
    helper.kill();
    Curl.Response refused = upload.join();
    assertThat(refused.status()).as(refused.text()).isEqualTo(503);
    assertThat(refused.header("Retry-After")).isPresent();
    assertThat(refused.text()).contains("the helper").doesNotContain(folder.toString());
    assertThat(into).isEmptyDirectory();
    assertThat(ada("/ada/").run().status()).isEqualTo(503);
    Curl.Response health = Curl.to(storage.url("/.staithe/health")).trusting(authority).run();
    assertThat(health.status()).as(health.text()).isEqualTo(503);

    helper = accounts.start(accounts.name("service"), tree);
    assertThat(ada("/ada/killed/file").upload(file).run().status()).isEqualTo(201);
    assertThat(into.resolve("file")).hasSameBinaryContentAs(file);
    Curl.Response again = Curl.to(storage.url("/.staithe/health")).trusting(authority).run();
    assertThat(again.status()).as(again.text()).isEqualTo(200);
  }

  /** The kernel leaves out a descriptor that the storage element has no number for. */
  @Test
  void helperIsNotBlamedWhereNoDescriptorIsLeft() throws IOException {
    Path few = accounts.file(tree.resolve("ada/few"), "ada", "few", "rw-r--r--");
    String get =
        "GET /data/ada/few HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\n\r\n"
            .formatted(token("ada"));
    try (RawClient client = RawClient.to(storage.port(), authority)) {
      client.send(get);
      assertThat(client.readHead()).startsWith("HTTP/1.1 200 ");
      assertThat(client.read(3)).isEqualTo(Files.readAllBytes(few));
      String before = descriptors("--nofile", "--output=SOFT", "--noheadings").strip();
      descriptors("--nofile=1:");
      try {
        client.send(get);
        assertThat(client.readHead()).startsWith("HTTP/1.1 503 ");
      } finally {
        descriptors("--nofile=" + before + ":");
      }
      Eventually.holds(
          "the log says what is missing",
          () ->
              storage
                  .process()
                  .output()
                  .contains("GET /data/ada/few: no descriptor is left to open a file"));
    }
  }

  /** Asks for the limit of the storage element, or sets it. */
  private static String descriptors(String... options) throws IOException {
    // By the same account: root in a container may not for others.
    List<String> command = new ArrayList<>(accounts.as("service"));
    command.addAll(List.of("prlimit", "--pid=" + storage.process().pid()));
    command.addAll(List.of(options));
    Path log = Files.createTempFile(folder, "limit", ".log");
    try (ManagedProcess process = ManagedProcess.start(command, Map.of(), log)) {
      assertThat(process.awaitEnd(Eventually.LONGEST)).as(process.output()).isZero();
      return process.output();
    }
  }

  /** Files without a name that the storage element has open. */
  private static long staged() {
    try (var open = Files.list(Path.of("/proc/" + storage.process().pid() + "/fd"))) {
      return open.filter(
              each -> {
                try {
                  return Files.readSymbolicLink(each).toString().startsWith(tree + "/");
                } catch (IOException closed) {
                  return false;
                }
              })
          .count();
    } catch (IOException e) {
      return 0;
    }
  }

  @Test
  void nobodyButTheServiceIsAnsweredByTheHelper() throws IOException {
    assertThat(answer(accounts.as("service", "/usr/bin/python3"))).startsWith("16 ");
    assertThat(answer(accounts.as("bob", "/usr/bin/python3"))).isEqualTo("0 ");
    assertThat(answer(List.of("/usr/bin/python3"))).as("root").isEqualTo("0 ");
  }

  /** How many bytes the helper answers somebody who asks for ada's folder, and its error. */
  private static String answer(List<String> python) throws IOException {
    String program =
        """
        import socket, struct
        s = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        s.connect("%s")
        try:
            s.send(struct.pack("=IIq", 0, 0, 0) + b"files\\0\\0.\\0.\\0")
            print(len(s.recv(65536)), end=" ")
        except (BrokenPipeError, ConnectionResetError):
            print(0, end=" ")
        """
            .formatted(accounts.socket());
    List<String> command = new ArrayList<>(python);
    command.addAll(List.of("-c", program));
    Path log = Files.createTempFile(folder, "answer", ".log");
    try (ManagedProcess process = ManagedProcess.start(command, Map.of(), log)) {
      assertThat(process.awaitEnd(Eventually.LONGEST)).as(process.output()).isZero();
      return process.output();
    }
  }

  @Test
  void serviceHasNoCapabilityAndTheHelperTwo() throws IOException {
    assertThat(ada("/ada/").run().status()).isEqualTo(200); // The helper has a process for it now.
    for (String each : List.of("CapEff", "CapPrm", "CapInh", "CapBnd", "CapAmb")) {
      assertThat(status(storage.process().pid(), each)).as(each).isEqualTo("0000000000000000");
    }
    List<Long> processes = new ArrayList<>(List.of(helper.pid()));
    ProcessHandle.of(helper.pid()).orElseThrow().children().forEach(c -> processes.add(c.pid()));
    assertThat(processes).hasSizeGreaterThan(1);
    for (long each : processes) {
      assertThat(status(each, "CapEff")).isEqualTo("00000000000000c0");
      assertThat(status(each, "CapPrm")).isEqualTo("00000000000000c0");
      assertThat(status(each, "NoNewPrivs")).isEqualTo("1");
      assertThat(status(each, "Uid").split("\\s+")[0]).isEqualTo("" + accounts.id("helper"));
    }
  }

  private static String status(long process, String field) throws IOException {
    return Files.readAllLines(Path.of("/proc/" + process + "/status")).stream()
        .filter(line -> line.startsWith(field + ":"))
        .map(line -> line.substring(field.length() + 1).strip())
        .findFirst()
        .orElseThrow();
  }

  @Test
  void copyFromAnotherServerBelongsToTheAccountToo() throws IOException {
    accounts.folder(tree.resolve("ada/pulled"), "ada", "rwxr-xr-x");
    try (RunningStorage other =
        RunningStorage.start(folder.resolve("other"), authority, issuer, Map.of())) {
      Path file = sample("remote", 5 << 20);
      Files.copy(file, other.open().resolve("remote"));
      Curl.Response pulled =
          ada("/ada/pulled/x").method("COPY").header("Source", other.url("/open/remote")).run();
      assertThat(pulled.text()).as(pulled.toString()).contains("success");
      assertThat(tree.resolve("ada/pulled/x")).hasSameBinaryContentAs(file);
      assertThat(LocalAccounts.owner(tree.resolve("ada/pulled/x"))).isEqualTo(accounts.id("ada"));
      Curl.Response refused =
          ada("/bob/x").method("COPY").header("Source", other.url("/open/remote")).run();
      assertThat(refused.toString() + refused.text()).contains("local account");
      assertThat(tree.resolve("bob/x")).doesNotExist();
      Curl.Response pushed =
          ada("/ada/pulled/x").method("COPY").header("Destination", other.url("/open/back")).run();
      assertThat(pushed.text()).as(pushed.toString()).contains("success");
      assertThat(other.open().resolve("back")).hasSameBinaryContentAs(file);
    }
  }

  @Test
  void mappingThatIsWrongIsRefusedAsAWholeAndTheOldOneStays() throws IOException {
    Path health = Path.of("/.staithe/health/accounts");
    Files.writeString(rules, rules() + accounts.name("ada") + " subject nowhere late\n");
    Eventually.holds(
        "the file is refused",
        () ->
            Curl.to(storage.url(health.toString()))
                .trusting(authority)
                .run()
                .text()
                .contains("rules, line 7: the issuer is not in staithe.issuers"));
    assertThat(ada("/ada/").run().status()).isEqualTo(200);
    Files.writeString(
        rules, rules() + accounts.name("ada") + " subject " + issuer.issuer() + " late\n");
    Eventually.holds(
        "the new one counts", () -> by(token("late"), "/data/ada/").run().status() == 200);
  }

  @Test
  void fullFileSystemIs507AndNothingIsLeft() throws IOException {
    assumeTrue(LoopedFileSystem.obstacle().isEmpty(), LoopedFileSystem.obstacle());
    Path small = Files.createDirectories(tree.resolve("small"));
    try (LoopedFileSystem _ = LoopedFileSystem.make(folder.resolve("image"), small, 32)) {
      accounts.folder(small, "ada", "rwxr-xr-x");
      Curl.Response full = ada("/small/file").upload(sample("big", 48 << 20)).run();
      assertThat(full.status()).as(full.text()).isEqualTo(507);
      assertThat(ada("/small/file").head().run().status()).isEqualTo(404);
      assertThat(ada("/small/less").method("PUT").body("x").run().status()).isEqualTo(201);
    }
  }

  /** Else whoever mounts something in a scratch of all keeps the others from its list. */
  @Test
  void mountThatNobodyElseMayLookAtIsLeftOutOfAListing() throws IOException {
    assumeTrue(BoundFileSystem.obstacle().isEmpty(), BoundFileSystem.obstacle());
    Path around = accounts.folder(tree.resolve("ada/mounts"), "ada", "rwxr-xr-x");
    accounts.file(around.resolve("file"), "ada", "x", "rw-r--r--");
    try (BoundFileSystem _ =
        BoundFileSystem.mount(
            folder.resolve("behind"), around.resolve("private"), "--no-allow-other")) {
      Curl.Response list = ada("/ada/mounts/").method("PROPFIND").header("Depth", "1").run();
      assertThat(list.status()).as(list.text()).isEqualTo(207);
      assertThat(list.text()).contains("/ada/mounts/file").doesNotContain("private");
    }
    Path names = accounts.folder(tree.resolve("bob/names"), "bob", "rwxr--r--");
    accounts.file(names.resolve("file"), "bob", "x", "rw-r--r--");
    assertThat(ada("/bob/names/").method("PROPFIND").header("Depth", "1").run().status())
        .as("a folder that may be read and not searched")
        .isEqualTo(403);
  }

  private static Curl lock(Curl curl) {
    return lock(curl, "0");
  }

  private static Curl lock(Curl curl, String depth) {
    return curl.method("LOCK")
        .header("Depth", depth)
        .body(
            "<D:lockinfo xmlns:D=\"DAV:\"><D:lockscope><D:exclusive/></D:lockscope><D:locktype>"
                + "<D:write/></D:locktype></D:lockinfo>");
  }

  @Test
  void lockMakesAnEmptyFileOfTheAccountAndHoldsAgainstOtherAccounts() throws IOException {
    Path common = accounts.folder(tree.resolve("common"), "ada", "rwxrwxrwx");
    Curl.Response taken = lock(ada("/common/file")).run();
    assertThat(taken.status()).as(taken.text()).isEqualTo(201);
    String token = taken.header("Lock-Token").orElseThrow();
    assertThat(common.resolve("file")).isEmptyFile();
    assertThat(LocalAccounts.owner(common.resolve("file"))).isEqualTo(accounts.id("ada"));

    for (Curl each :
        List.of(
            bob("/common/file").method("PUT").body("bob"),
            ada("/common/file").method("PUT").body("ada, who forgot"),
            bob("/common/file").method("PUT").body("bob").header("If", "(" + token + ")"),
            bob("/common/file").method("DELETE"),
            lock(bob("/common/file")))) {
      assertThat(each.run().status()).isIn(412, 423);
    }
    assertThat(common.resolve("file")).isEmptyFile();
    Curl.Response put =
        ada("/common/file").method("PUT").body("ada").header("If", "(" + token + ")").run();
    assertThat(put.status()).as(put.text()).isEqualTo(204);
    assertThat(common.resolve("file")).hasContent("ada");
    assertThat(ada("/common/file").method("UNLOCK").header("Lock-Token", token).run().status())
        .isEqualTo(204);
    assertThat(bob("/common/file").method("PUT").body("bob").run().status()).isEqualTo(204);
    assertThat(LocalAccounts.owner(common.resolve("file"))).isEqualTo(accounts.id("bob"));
  }

  /** Else somebody could keep others from their own files. */
  @Test
  void whoMayNotChangeAFileLocksNone() throws IOException {
    accounts.file(tree.resolve("ada/read-by-all"), "ada", "ada", "rw-r--r--");
    for (String path : List.of("/ada/read-by-all", "/ada/never", "/ada/")) {
      Curl.Response refused = lock(bob(path)).run();
      assertThat(refused.status()).as(path + " " + refused.text()).isEqualTo(403);
      assertThat(refused.text()).contains("local account").containsOnlyOnce("\n");
    }
    assertThat(tree.resolve("ada/never")).doesNotExist();
    assertThat(ada("/ada/read-by-all").method("PUT").body("new").run().status()).isEqualTo(204);
    Curl.Response own = lock(ada("/ada/read-by-all")).run();
    assertThat(own.status()).as(own.text()).isEqualTo(200);
  }

  /** A scratch of all: whoever may make files in it may not replace those of others. */
  @Test
  void whoMayChangeAFolderLocksNothingOfOthersInIt() throws IOException {
    Path scratch = accounts.folder(tree.resolve("scratch"), "ada", "rwxrwxrwx");
    Path theirs = accounts.file(scratch.resolve("theirs"), "ada", "ada", "rw-rw-rw-");
    Files.setAttribute(scratch, "unix:mode", 01777);

    Curl.Response file = lock(bob("/scratch/theirs")).run();
    assertThat(file.status()).as(file.text()).isEqualTo(403);
    Curl.Response all = lock(bob("/scratch/"), "infinity").run();
    assertThat(all.status()).as(all.text()).isEqualTo(501);
    assertThat(all.text()).contains("Depth: 0").containsOnlyOnce("\n");

    assertThat(ada("/scratch/theirs").method("PUT").body("new").run().status()).isEqualTo(204);
    assertThat(theirs).hasContent("new");
    assertThat(lock(ada("/scratch/theirs"), "infinity").run().status()).isEqualTo(200);
    assertThat(lock(bob("/scratch/own")).run().status()).isEqualTo(201);
  }

  /** Whoever may write into a file may give it another name, in a folder of his own. */
  @Test
  void lockByAnotherNameKeepsNobodyFromAFile() throws IOException {
    Path theirs = accounts.file(tree.resolve("bob/for-all"), "bob", "bob", "rw-rw-rw-");
    Path name = Files.createLink(tree.resolve("ada/its-other-name"), theirs);
    Curl.Response taken = lock(ada("/ada/its-other-name")).run();
    assertThat(taken.status()).as(taken.text()).isEqualTo(200);

    Curl.Response put = bob("/bob/for-all").method("PUT").body("new").run();
    assertThat(put.status()).as(put.text()).isEqualTo(204);
    assertThat(theirs).hasContent("new");
    assertThat(name).as("what is locked").hasContent("bob");
    String token = taken.header("Lock-Token").orElseThrow();
    assertThat(
            ada("/ada/its-other-name").method("UNLOCK").header("Lock-Token", token).run().status())
        .isEqualTo(204);
  }

  /** Nobody who may not look at what is locked is to hear of it. */
  @Test
  void lockInAFolderThatIsClosedKeepsNobodyFromAFileWithTwoNames() throws IOException {
    Path closed = accounts.folder(tree.resolve("ada/private"), "ada", "rwx------");
    accounts.file(closed.resolve("x"), "ada", "x", "rw-------");
    Path one = accounts.file(tree.resolve("bob/one"), "bob", "one", "rw-r--r--");
    Files.createLink(tree.resolve("bob/two"), one);
    Curl.Response taken = lock(ada("/ada/private/x")).run();
    assertThat(taken.status()).as(taken.text()).isEqualTo(200);

    Curl.Response looked = bob("/bob/two").method("PROPFIND").header("Depth", "0").run();
    assertThat(looked.status()).as(looked.text()).isEqualTo(207);
    Curl.Response put = bob("/bob/one").method("PUT").body("new").run();
    assertThat(put.status()).as(put.text()).isEqualTo(204);
    assertThat(one).hasContent("new");
    String token = taken.header("Lock-Token").orElseThrow();
    assertThat(ada("/ada/private/x").method("UNLOCK").header("Lock-Token", token).run().status())
        .isEqualTo(204);
  }

  @Test
  void whatDoesNotFitIsRefusedWithTheReason() throws IOException {
    accounts.file(tree.resolve("ada/whole"), "ada", "0123456789", "rw-r--r--");
    Curl.Response part =
        ada("/ada/whole").method("PUT").header("Content-Range", "bytes 2-4/10").body("abc").run();
    assertThat(part.status()).as(part.text()).isEqualTo(501);
    assertThat(part.text()).contains("local accounts");
    assertThat(tree.resolve("ada/whole")).hasContent("0123456789");
  }
}
