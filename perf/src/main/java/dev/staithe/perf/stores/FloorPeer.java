package dev.staithe.perf.stores;

import dev.staithe.peers.ServerFolder;
import dev.staithe.peers.process.Core;
import dev.staithe.peers.process.ManagedProcess;
import dev.staithe.peers.process.Program;
import dev.staithe.peers.process.Readiness;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * The least that the same bytes cost on this machine: a small program in C ({@code floor.c}) that
 * reads, encrypts by OpenSSL and writes, and does nothing else that a server does. It is compiled
 * where it is started.
 */
public final class FloorPeer extends FilePeer {
  /** As results name it. */
  public static final String NAME = "floor";

  private static final String SOURCE = "perf/src/main/c/floor.c";
  private static final Path HEADERS = Path.of("/usr/include/openssl/ssl.h");

  private final Path repository;

  /**
   * @param repository the checkout that has its source
   */
  public FloorPeer(Path repository) {
    super(
        NAME,
        0,
        1,
        "/",
        "floor serve (TLS 1.3 with TLS_AES_128_GCM_SHA256, one thread, no checks, no access log)");
    this.repository = repository;
  }

  @Override
  public Readiness readiness() {
    if (!Files.exists(HEADERS)) {
      return new Program("gcc", "gcc libc6-dev libssl-dev").missing("" + HEADERS);
    }
    return Program.GCC.readiness("--version");
  }

  /**
   * Compiles it.
   *
   * @param folder where the program is to lie
   * @throws IOException where it cannot be compiled, in one line
   */
  public static Path compile(Path repository, Path folder) throws IOException {
    Path program = folder.toAbsolutePath().resolve(NAME);
    Path source = repository.resolve(SOURCE).toAbsolutePath();
    Program.Ran ran =
        Program.GCC.run(
            List.of("-O2", "-o", "" + program, "" + source, "-lssl", "-lcrypto"),
            Map.of(),
            new byte[0],
            Duration.ofMinutes(5));
    if (ran.exitCode() != 0) {
      String said = new String(ran.output(), StandardCharsets.UTF_8) + ran.errors();
      throw new IOException(
          "%s cannot be compiled: %s".formatted(SOURCE, said.lines().findFirst().orElse("")));
    }
    return program;
  }

  @Override
  ManagedProcess start(ServerFolder place, Core core) throws IOException {
    Path program = compile(repository, place.path());
    return ManagedProcess.start(
        NAME,
        place.path(),
        2,
        core,
        ports ->
            place.command(
                List.of(
                    "" + program,
                    "serve",
                    "" + place.data(),
                    "" + place.path().resolve("host.pem"),
                    "" + place.path().resolve("host-key.pem"),
                    "" + ports.get(0),
                    "" + ports.get(1))));
  }
}
