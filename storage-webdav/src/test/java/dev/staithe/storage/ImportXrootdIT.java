package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.peers.HostFiles;
import dev.staithe.peers.XrootdServer;
import dev.staithe.testkit.Trials;
import dev.staithe.testkit.clients.Curl;
import dev.staithe.testkit.trust.GridAuthority;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * XRootD's own server with an authorization database, and ours with what was imported from it, over
 * one folder: whatever the one refuses, the other refuses.
 */
class ImportXrootdIT {
  private static final String VOMS = "/C=DE/O=Example/CN=voms.test";

  private static final String GRIDMAP =
      "\"/C=DE/O=Example/CN=Ada\" ada\n\"/C=DE/O=Example/CN=Bob\" bob\n";

  private static final String DATABASE =
      """
      = late o: atlas r: production
      = both u: ada g: /atlas
      = shut o: lhcb
      t open /open lr
      u * open /mixed/ rl /mixed-other/ rl \\
          /mixed/late a
      # Adds up with what everybody may.
      g /atlas /open/atlas/ wid /atlas/ a /atlas-no l
      g /cms /cms lrwi
      u ada /cms/ -w /home/ada/ a /home l
      u bob /r/ r /wi/ wi /rwin/ rwinl /ldn/ ldn
      u = /people/@=/ a
      o cms /vo/ rl
      r production /role/ rl
      h localhost /host/ rl
      s late /late/ a /late-too/private l /late-too/ a /late-more/private/ lr /late-more/ a
      s both /both/ a
      x shut /open/ l
      """;

  private static final List<String> FOLDERS =
      List.of(
          "/open",
          "/open-not",
          "/open/atlas",
          "/mixed",
          "/mixed/late",
          "/atlas",
          "/cms",
          "/cms-not",
          "/home/ada",
          "/people/ada",
          "/people/bob",
          "/r",
          "/wi",
          "/rwin",
          "/ldn",
          "/vo",
          "/role",
          "/late",
          "/late-too/private",
          "/late-more",
          "/late-more/private",
          "/both");
  private static final List<String> METHODS =
      List.of("GET", "HEAD", "LIST", "PUT", "MKCOL", "MOVE", "DELETE");

  /**
   * Names that only begin alike; a denial that is for anyone, as other names than those of the grid
   * map exist; reading without a look; members who show a role and not its group, and a role
   * without one.
   */
  private static final String NARROWER =
      """
      ada of atlas: GET in /open-not
      ada of atlas: HEAD in /open-not
      ada of atlas: LIST in /open-not
      ada of cms: GET in /cms-not
      ada of cms: GET in /open-not
      ada of cms: HEAD in /cms-not
      ada of cms: HEAD in /open-not
      ada of cms: LIST in /cms-not
      ada of cms: LIST in /open-not
      ada of cms: MKCOL in /cms
      ada of cms: MKCOL in /cms-not
      ada of cms: PUT in /cms-not
      ada: GET in /open-not
      ada: HEAD in /open-not
      ada: LIST in /open-not
      bob: GET in /open-not
      bob: GET in /r
      bob: HEAD in /open-not
      bob: LIST in /open-not
      eve in production: DELETE in /atlas
      eve in production: DELETE in /open/atlas
      eve in production: GET in /atlas
      eve in production: GET in /open-not
      eve in production: GET in /role
      eve in production: HEAD in /atlas
      eve in production: HEAD in /open-not
      eve in production: HEAD in /role
      eve in production: LIST in /atlas
      eve in production: LIST in /open-not
      eve in production: LIST in /role
      eve in production: MKCOL in /atlas
      eve in production: MKCOL in /open/atlas
      eve in production: MOVE in /atlas
      eve in production: PUT in /atlas
      eve in production: PUT in /open/atlas
      eve of atlas: GET in /open-not
      eve of atlas: HEAD in /open-not
      eve of atlas: LIST in /open-not
      nobody: GET in /open-not
      nobody: HEAD in /open-not
      nobody: LIST in /open-not
      """;

  @TempDir Path folder;
  private GridAuthority grid;
  private Path vomsdir;
  private Path grain;

  private record Who(String name, GridAuthority.@Nullable Holder holder) {}

  private record Door(String url) {
    Curl curl(String path) {
      return ImportedStorage.trusted(url + path);
    }
  }

  @BeforeEach
  void make() throws IOException {
    grid = GridAuthority.in(folder.resolve("grid"), Clock.systemUTC());
    vomsdir = folder.resolve("vomsdir");
    for (String vo : List.of("atlas", "cms", "lhcb")) {
      Files.writeString(
          Files.createDirectories(vomsdir.resolve(vo)).resolve("voms.test.lsc"),
          VOMS + "\n" + GridAuthority.NAMESPACE + "/CN=Grid authority\n");
    }
    grain = Files.writeString(folder.resolve("grain"), "grain");
  }

  private List<Who> callers() {
    GridAuthority.Holder ada = grid.person("/C=DE/O=Example/CN=Ada");
    GridAuthority.Holder eve = grid.person("/C=DE/O=Example/CN=Eve");
    GridAuthority.Holder server = grid.person(VOMS);
    return List.of(
        new Who("nobody", null),
        new Who("ada", ada),
        new Who("bob", grid.person("/C=DE/O=Example/CN=Bob")),
        new Who("eve of atlas", grid.attributed(eve, server, "atlas", "/atlas")),
        new Who("ada of atlas", grid.attributed(ada, server, "atlas", "/atlas")),
        new Who(
            "eve in production", grid.attributed(eve, server, "atlas", "/atlas/Role=production")),
        new Who("ada of cms", grid.attributed(ada, server, "cms", "/cms")),
        new Who("eve of lhcb", grid.attributed(eve, server, "lhcb", "/lhcb")));
  }

  @Test
  void whateverXrootdRefusesIsRefusedAfterTheImport() throws IOException {
    List<Who> callers = callers();
    HostFiles host =
        new HostFiles(grid.certificate(), ImportedStorage.certificate(), ImportedStorage.key());
    Map<String, Integer> theirs;
    Map<String, Integer> ours;
    try (XrootdServer xrootd =
        XrootdServer.withDatabase(host, grid.trust(), vomsdir, GRIDMAP, DATABASE)) {
      Path data = xrootd.dataFolder();
      for (String path : FOLDERS) {
        open(data.resolve(path.substring(1)));
      }
      String printed =
          ImportedStorage.run(
              "xrootd",
              "--config",
              xrootd.configuration().toString(),
              "--host",
              ImportedStorage.HOST,
              "--to",
              folder.resolve("to").toString());
      assertThat(printed).startsWith("0\n");
      theirs = asked(data, new Door(xrootd.url("")), callers);
      try (ImportedStorage storage =
          ImportedStorage.start(
              folder.resolve("to"),
              "--staithe.client-certificates.trust=" + grid.trust(),
              "--staithe.voms.trust=" + vomsdir)) {
        ours = asked(data, new Door(storage.url()), callers);
      }
    }
    List<String> wider = new ArrayList<>();
    List<String> narrower = new ArrayList<>();
    List<String> odd = new ArrayList<>();
    theirs.forEach(
        (request, status) -> {
          int here = ours.getOrDefault(request, 0);
          if (!answers(status) || !answers(here)) {
            odd.add(request + ": " + status + " there, " + here + " here");
          } else if (!permitted(status) && permitted(here)) {
            wider.add(request + ": " + status + " there, " + here + " here");
          } else if (permitted(status) && !permitted(here)) {
            narrower.add(request);
          }
        });
    Trials.held(theirs.size());
    assertThat(odd).isEmpty();
    assertThat(wider).isEmpty();
    assertThat(narrower).containsExactlyInAnyOrder(NARROWER.strip().split("\n", -1));
  }

  private static boolean permitted(int status) {
    return status / 100 == 2;
  }

  /** What tells whether somebody may. */
  private static boolean answers(int status) {
    return permitted(status) || status == 401 || status == 403;
  }

  /** Statuses of all methods at all paths, for all callers, each with files of its own. */
  private Map<String, Integer> asked(Path data, Door door, List<Who> callers) {
    Map<String, Integer> statuses = new ConcurrentSkipListMap<>();
    try (ExecutorService several = Executors.newFixedThreadPool(callers.size())) {
      List<Future<?>> all = new ArrayList<>();
      for (Who who : callers) {
        all.add(several.submit(() -> ask(data, door, who, statuses)));
      }
      for (Future<?> each : all) {
        each.get();
      }
    } catch (InterruptedException | ExecutionException e) {
      throw new AssertionError(e);
    }
    return statuses;
  }

  private @Nullable Void ask(Path data, Door door, Who who, Map<String, Integer> statuses)
      throws IOException {
    String mine = who.name().replace(' ', '-') + "-";
    List<String> asked = new ArrayList<>();
    List<Curl> requests = new ArrayList<>();
    for (String at : FOLDERS) {
      Path there = data.resolve(at.substring(1));
      for (String method : METHODS) {
        String name = mine + method;
        Files.deleteIfExists(there.resolve(name + "-moved"));
        if (method.equals("MKCOL")) {
          Files.deleteIfExists(there.resolve(name));
        } else {
          Path file = Files.writeString(there.resolve(name), "old");
          Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-rw-"));
        }
        asked.add(who.name() + ": " + method + " in " + at);
        requests.add(request(door, who, method, at + "/", name));
      }
    }
    List<Integer> each = Curl.statuses(requests);
    for (int i = 0; i < requests.size(); i++) {
      statuses.put(asked.get(i), each.get(i));
    }
    return null;
  }

  private Curl request(Door door, Who who, String method, String at, String name) {
    Curl curl = door.curl(method.equals("LIST") ? at : at + name);
    switch (method) {
      case "HEAD" -> curl.head();
      case "LIST" -> curl.method("PROPFIND").header("Depth", "1");
      case "MKCOL", "DELETE" -> curl.method(method);
      case "PUT" -> curl.upload(grain);
      case "MOVE" -> curl.method("MOVE").header("Destination", door.url() + at + name + "-moved");
      default -> {}
    }
    if (who.holder() != null) {
      curl.option("cert", who.holder().certificate().toString())
          .option("key", who.holder().key().toString());
    }
    return curl;
  }

  /** Whoever the servers run as may write there. */
  private static Path open(Path there) throws IOException {
    Files.createDirectories(there);
    for (Path each = there;
        !each.getFileName().toString().equals("data");
        each = each.getParent()) {
      Files.setPosixFilePermissions(each, PosixFilePermissions.fromString("rwxrwxrwx"));
    }
    return there;
  }
}
