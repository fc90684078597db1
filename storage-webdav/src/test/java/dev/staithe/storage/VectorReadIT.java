package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.peers.process.Program;
import dev.staithe.testkit.Eventually;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Many pieces of one file at once, as ROOT reads a tree: by the call of libdavix that ROOT makes
 * for that. davix asks for them one by one where a server does not answer with parts.
 */
class VectorReadIT {
  private static final Program COMPILER = new Program("g++", "g++ davix-dev");
  private static final Duration LONGEST = Duration.ofMinutes(3);
  private static final int LENGTH = 8_000_001;

  private static final String PROGRAM =
      """
      #include <davix.hpp>
      #include <cstdio>
      #include <cstdlib>
      #include <string>
      #include <vector>

      // CAPATH URL PIECES DISTANCE BYTES; the token in TOKEN. Writes the pieces, one after the other.
      int main(int, char** with) {
        Davix::DavixError* error = nullptr;
        Davix::Context context;
        Davix::RequestParams parameters;
        parameters.addCertificateAuthorityPath(with[1]);
        parameters.addHeader("Authorization", std::string("Bearer ") + getenv("TOKEN"));
        Davix::DavPosix files(&context);
        DAVIX_FD* file = files.open(&parameters, with[2], 0, &error);
        if (file != nullptr) {
          size_t pieces = atol(with[3]), distance = atol(with[4]), bytes = atol(with[5]);
          std::vector<char> all(pieces * bytes);
          std::vector<Davix::DavIOVecInput> wanted(pieces);
          std::vector<Davix::DavIOVecOuput> got(pieces);
          for (size_t i = 0; i < pieces; i++) {
            wanted[i].diov_buffer = &all[i * bytes];
            wanted[i].diov_offset = i * distance;
            wanted[i].diov_size = bytes;
          }
          if (files.preadVec(file, wanted.data(), got.data(), pieces, &error) >= 0) {
            for (size_t i = 0; i < pieces; i++) {
              if (got[i].diov_size != (dav_ssize_t)bytes) {
                fprintf(stderr, "piece %zu has %lld bytes\\n", i, (long long)got[i].diov_size);
                return 2;
              }
            }
            fwrite(all.data(), 1, all.size(), stdout);
            return 0;
          }
        }
        fprintf(stderr, "%s\\n", error->getErrMsg().c_str());
        return 1;
      }
      """;

  @TempDir static Path folder;
  private static RunningStorage storage;
  private static GridTools tools;
  private static Program reader;

  @BeforeAll
  static void start() throws IOException {
    storage =
        RunningStorage.start(
            folder.resolve("storage"),
            Map.of("staithe.access-log.file", folder.resolve("access.log")));
    tools = new GridTools(folder.resolve("tools"), storage.authority());
    Path source = Files.writeString(folder.resolve("reader.cpp"), PROGRAM);
    Path program = folder.resolve("reader");
    Program.Ran compiled =
        COMPILER.run(
            List.of(
                "-O1",
                "-D_FILE_OFFSET_BITS=64",
                "-I/usr/include/davix",
                "-o",
                program.toString(),
                source.toString(),
                "-ldavix"),
            Map.of(),
            new byte[0],
            LONGEST);
    assertThat(compiled.exitCode())
        .as("%s%napt-get install -y %s", compiled.errors(), COMPILER.debianPackages())
        .isZero();
    reader = new Program("sh", "dash");
  }

  @AfterAll
  static void stop() {
    storage.close();
  }

  private static Program.Ran read(String token, String path, int pieces, int distance, int bytes) {
    return reader.run(
        List.of(
            "-c",
            "exec \"$0\" \"$@\"",
            folder.resolve("reader").toString(),
            tools.authorities().toString(),
            storage.url(path),
            "" + pieces,
            "" + distance,
            "" + bytes),
        Map.of("TOKEN", token, "LC_ALL", "C.UTF-8"),
        new byte[0],
        LONGEST);
  }

  private static long asked(String path) {
    try (var lines = Files.lines(folder.resolve("access.log"))) {
      return lines.filter(line -> line.contains("GET") && line.contains(path)).count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @ParameterizedTest
  @CsvSource({"100,70000,1000", "1024,7000,100", "5000,1500,1400"})
  void piecesComeInAFewAnswers(int pieces, int distance, int bytes) throws IOException {
    String path = "/data/tree-" + pieces;
    Sample.write(storage.data().resolve("tree-" + pieces), 5, LENGTH);
    byte[] whole = Files.readAllBytes(storage.data().resolve("tree-" + pieces));

    Program.Ran ran = read(storage.token("storage.read:/"), path, pieces, distance, bytes);

    assertThat(ran.exitCode()).as(ran.errors()).isZero();
    byte[] expected = new byte[pieces * bytes];
    for (int i = 0; i < pieces; i++) {
      System.arraycopy(whole, i * distance, expected, i * bytes, bytes);
    }
    assertThat(ran.output()).isEqualTo(expected);
    // The line of a request may come after its answer.
    Eventually.holds("what was asked for is in the access log", () -> asked(path) > 0);
    // As many as davix makes of so many, whose requests have a head of a few kilobytes each.
    assertThat(asked(path)).isBetween(1L, 1L + pieces / 50);
  }

  @Test
  void whoMayNotReadIsToldSo() throws IOException {
    Sample.write(storage.data().resolve("closed"), 5, LENGTH);

    Program.Ran ran = read(storage.token("storage.read:/other"), "/data/closed", 10, 100, 10);

    assertThat(ran.exitCode()).isEqualTo(1);
    assertThat(ran.errors()).contains("403");
  }
}
