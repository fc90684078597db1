package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.peers.process.ManagedProcess;
import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.Trials;
import dev.staithe.testkit.clients.Curl;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import dev.staithe.testkit.trust.TokenIssuer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A folder of 40,000 files, listed without being held in memory. */
class ListingIT {
  private static final int ENTRIES = 40_000;
  private static final long MOST_HEAP = 8 << 20;
  private static final Pattern TOTAL = Pattern.compile("(?m)^Total +\\d+ +(\\d+)");
  private static final Pattern NAME = Pattern.compile("href[=>][^<> ]*?file-(\\d{6})");

  @TempDir static Path folder;
  private static ThrowAwayAuthority authority;
  private static TokenIssuer issuer;
  private static StorageProcess process;

  @BeforeAll
  static void start() throws IOException {
    Path large = Files.createDirectories(folder.resolve("element/open/large"));
    for (int i = 0; i < ENTRIES; i++) {
      Files.createFile(large.resolve("file-%06d".formatted(i)));
    }
    authority = ThrowAwayAuthority.in(folder.resolve("authority"), Clock.systemUTC());
    issuer = TokenIssuer.overHttps(authority, Clock.systemUTC());
    process =
        StorageProcess.start(folder.resolve("element"), authority, issuer, Map.of(), "-Xmx128m");
  }

  @AfterAll
  static void stop() {
    process.close();
    issuer.close();
  }

  /** Bytes of live objects: the histogram collects garbage first. */
  private static long liveHeap() throws IOException {
    Path log = Files.createTempFile(folder, "jcmd", ".log");
    try (ManagedProcess jcmd =
        ManagedProcess.start(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                Long.toString(process.process().pid()),
                "GC.class_histogram"),
            Map.of(),
            log)) {
      assertThat(jcmd.awaitEnd(Eventually.LONGEST)).as(jcmd.output()).isZero();
      Matcher total = TOTAL.matcher(jcmd.output());
      assertThat(total.find()).as(jcmd.output()).isTrue();
      return Long.parseLong(total.group(1));
    }
  }

  /** Whether the process has the large folder open, that is, has not read it to its end. */
  private static boolean readsTheFolder() throws IOException {
    Path large = folder.resolve("element/open/large").toRealPath();
    try (Stream<Path> open =
        Files.list(Path.of("/proc", Long.toString(process.process().pid()), "fd"))) {
      return open.anyMatch(
          fd -> {
            try {
              return Files.readSymbolicLink(fd).equals(large);
            } catch (IOException closed) {
              return false;
            }
          });
    }
  }

  private static void streams(String request, String headers, String status) throws IOException {
    Curl.to(process.url("/open/")).trusting(authority).run();
    long before = liveHeap();
    try (RawClient client = RawClient.to(process.port(), authority)) {
      client.send(
          request + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n" + headers + "\r\n");
      assertThat(client.readHead()).startsWith("HTTP/1.1 " + status + " ");
      byte[] first = client.read(100_000);

      assertThat(readsTheFolder()).as("entries are left to be read").isTrue();
      assertThat(liveHeap() - before).isLessThan(MOST_HEAP);

      BitSet seen = new BitSet(ENTRIES);
      String tail = count(seen, "", first);
      byte[] part;
      while ((part = client.read(1 << 18)).length > 0) {
        tail = count(seen, tail, part);
      }
      assertThat(seen.cardinality()).isEqualTo(ENTRIES);
    }
    assertThat(liveHeap() - before).isLessThan(MOST_HEAP);
  }

  private static String count(BitSet seen, String tail, byte[] part) {
    String text = tail + new String(part, StandardCharsets.ISO_8859_1);
    Matcher names = NAME.matcher(text);
    while (names.find()) {
      seen.set(Integer.parseInt(names.group(1)));
    }
    return text.substring(Math.max(0, text.length() - 200));
  }

  @Test
  void propfindIsSentWhileTheFolderIsRead() throws IOException {
    streams("PROPFIND /open/large/", "Depth: 1\r\n", "207");
  }

  @Test
  void pageForBrowsersIsSentWhileTheFolderIsRead() throws IOException {
    streams("GET /open/large/", "Accept: text/html\r\n", "200");
  }

  @Test
  void manyListingsAtOnceFitInASmallHeap() throws IOException {
    List<RawClient> clients = new ArrayList<>();
    try {
      for (int i = 0; i < 3; i++) {
        RawClient client = RawClient.to(process.port(), authority);
        clients.add(client);
        client.send(
            "PROPFIND /open/large/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                + "Depth: 1\r\n\r\n");
        Trials.held();
      }
      // All are begun before the first one is read to its end.
      for (RawClient client : clients) {
        assertThat(client.readHead()).startsWith("HTTP/1.1 207 ");
      }
      for (RawClient client : clients) {
        String last = "";
        byte[] part;
        while ((part = client.read(1 << 16)).length > 0) {
          last = new String(part, StandardCharsets.ISO_8859_1);
        }
        assertThat(last).contains("</D:multistatus>");
      }
    } finally {
      for (RawClient client : clients) {
        client.close();
      }
    }
    assertThat(process.process().output()).doesNotContain("OutOfMemory");
  }
}
