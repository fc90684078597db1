package dev.staithe.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.staithe.cli.StaitheProgram.Ran;
import dev.staithe.contracts.record.ContractEntry;
import dev.staithe.contracts.record.ContractRecord;
import dev.staithe.contracts.record.Received;
import dev.staithe.contracts.record.Statement;
import dev.staithe.contracts.signature.ContractKey;
import dev.staithe.contracts.signature.Hash;
import dev.staithe.pki.KeyKind;
import dev.staithe.pki.Pem;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/** Contracts of a server that has many, and of a folder that somebody else has filled. */
final class ContractSearchTests {
  private static final String P = "https://p.example:8443";
  private static final String A = "https://a.example:8443";
  private static final Instant THEN = Instant.parse("2026-11-20T12:00:00Z");

  @TempDir Path folder;
  private final List<ContractEntry> contracts = new ArrayList<>();
  private HttpServer server;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 10);
    server.createContext("/.staithe/contracts", this::list);
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  /** As the server does: the newest, of one moment in whatever order. */
  private void list(HttpExchange exchange) throws IOException {
    Map<String, String> query = new HashMap<>();
    for (String each : exchange.getRequestURI().getRawQuery().split("&")) {
      String[] parts = each.split("=", 2);
      query.put(parts[0], URLDecoder.decode(parts[1], StandardCharsets.UTF_8));
    }
    String until = query.getOrDefault("until", "");
    List<Map<String, Object>> found =
        contracts.stream()
            .filter(each -> until.isEmpty() || each.time().isBefore(Instant.parse(until)))
            .sorted(Comparator.comparing(ContractEntry::time).reversed())
            .limit(Integer.parseInt(query.getOrDefault("limit", "100")))
            .map(ContractEntry::json)
            .toList();
    byte[] answer = JsonMapper.shared().writeValueAsBytes(Map.of("contracts", found));
    try (exchange) {
      exchange.sendResponseHeaders(200, answer.length);
      exchange.getResponseBody().write(answer);
    }
  }

  private void made(int number, Instant time) {
    String id = "%08x-0000-7000-8000-000000000000".formatted(number);
    contracts.add(new ContractEntry(id, "received", time, P + "/data/f", P, A, 3, ""));
  }

  private Ran contract(String... arguments) {
    List<String> all = new ArrayList<>(List.of("contract"));
    all.addAll(List.of(arguments));
    return new StaitheProgram(folder.resolve("home")).run("", all.toArray(String[]::new));
  }

  private Ran list() {
    return contract("list", "--url", "http://127.0.0.1:" + server.getAddress().getPort());
  }

  @Test
  void listEndsWithTheOldestHoweverManyThereAre() {
    for (int i = 0; i < 2500; i++) {
      made(i, THEN.plusMillis(i / 7));
    }
    Ran listed = list();

    assertThat(listed.code()).as(listed.errors()).isZero();
    assertThat(listed.output().lines().skip(1).map(line -> line.replaceAll(".* ", "")))
        .hasSize(2500)
        .doesNotHaveDuplicates()
        .contains("00000000-0000-7000-8000-000000000000");
  }

  @Test
  void listThatCannotBeWholeSaysSo() {
    for (int i = 0; i < 1500; i++) {
      made(i, THEN);
    }
    Ran listed = list();

    assertThat(listed.code()).isEqualTo(1);
    assertThat(listed.output()).isEmpty();
    assertThat(listed.errors()).contains("1000 contracts or more began at " + THEN).hasLineCount(1);
  }

  private byte[] statement(String id) throws Exception {
    Path key = folder.resolve("key.pem");
    Pem.writePrivateKey(key, KeyKind.EC_P256.generate().getPrivate());
    var part = new ContractRecord.Part("\"@target-uri\": " + P + "/data/f", "c=:AA==:");
    String received = new Received(true, 3, Hash.of(new byte[3]), THEN).encode();
    byte[] record = new ContractRecord(id, P, A, part, part, part, received).encode();
    return Statement.sign(P, id, record, ContractKey.read(key), THEN).encode();
  }

  /** As of two files that {@code staithe get} has put into folders of their own. */
  @Test
  void statementsWhoseFilesHaveOneNameAreAllExported() throws Exception {
    Path given = folder.resolve("given");
    Path to = folder.resolve("to");
    for (int i = 1; i <= 2; i++) {
      Path run = Files.createDirectories(given.resolve("run" + i));
      Files.write(
          run.resolve("data.cose"), statement("%08x-0000-7000-8000-000000000000".formatted(i)));
    }

    Ran ran = contract("export", "--from", given.toString(), "--to", to.toString());

    assertThat(ran.code()).as(ran.errors()).isZero();
    assertThat(to.resolve("00000001-0000-7000-8000-000000000000.cose")).exists();
    assertThat(to.resolve("00000002-0000-7000-8000-000000000000.cose")).exists();
  }

  /** Whoever gave the folder chose what is in it. */
  @Test
  void statementWhoseIdIsAPathIsWrittenNowhere() throws Exception {
    Path given = Files.createDirectories(folder.resolve("given"));
    Path to = Files.createDirectories(folder.resolve("to"));
    Path mine = Files.writeString(folder.resolve("mine.json"), "{}");
    for (String id : List.of("../mine", folder.resolve("mine").toString(), "")) {
      Files.write(given.resolve("000001.cborseq"), statement(id));
      for (String format : List.of("cose", "json", "prov")) {
        Ran ran =
            contract(
                "export", "--from", given.toString(), "--to", to.toString(), "--format", format);
        assertThat(ran.code()).as(id).isEqualTo(1);
        assertThat(ran.errors()).contains("000001.cborseq has a statement of no contract");
      }
    }
    assertThat(mine).hasContent("{}");
    assertThat(folder.resolve("mine.cose")).doesNotExist();
    assertThat(to).isEmptyDirectory();
  }
}
