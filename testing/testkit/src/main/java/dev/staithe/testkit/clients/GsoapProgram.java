package dev.staithe.testkit.clients;

import dev.staithe.peers.process.ManagedProcess;
import dev.staithe.peers.process.Program;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Programs in C that are made with gSOAP and its plugin for WS-Security, compiled where they run.
 */
public final class GsoapProgram {
  private static final Path GSOAP = Path.of("/usr/share/gsoap");
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private GsoapProgram() {}

  /**
   * Compiles a client.
   *
   * @param header the service in the language of soapcpp2; its folder takes all that is made
   * @param client with {@code main}
   * @param soap12 whether it speaks SOAP 1.2, or else 1.1
   * @param options further ones of the compiler
   * @return the program
   * @throws AssertionError with what the compiler said where it fails
   */
  public static Path compile(Path header, Path client, boolean soap12, List<String> options) {
    Path folder = Objects.requireNonNull(header.getParent(), "a header in a folder");
    Path program = folder.resolve("program");
    run(
        folder,
        List.of(
            Program.SOAPCPP2.path(),
            soap12 ? "-2" : "-1",
            "-c",
            "-C",
            "-L",
            "-x",
            "-w",
            "-I" + GSOAP.resolve("import"),
            "-I" + GSOAP,
            "-d" + folder,
            header.toString()));
    List<String> gcc = new ArrayList<>();
    gcc.addAll(
        List.of(
            Program.GCC.path(),
            "-o",
            program.toString(),
            "-w",
            "-DWITH_OPENSSL",
            "-DWITH_DOM",
            "-DWITH_GZIP",
            "-include",
            "openssl/evp.h"));
    gcc.addAll(options);
    for (Path where : List.of(folder, GSOAP.resolve("plugin"), GSOAP)) {
      gcc.add("-I" + where);
    }
    gcc.add(client.toString());
    for (String generated : List.of("soapC.c", "soapClient.c")) {
      gcc.add(folder.resolve(generated).toString());
    }
    for (String theirs :
        List.of(
            "plugin/wsseapi.c",
            "plugin/smdevp.c",
            "plugin/mecevp.c",
            "plugin/threads.c",
            "custom/struct_timeval.c")) {
      gcc.add(GSOAP.resolve(theirs).toString());
    }
    gcc.addAll(List.of("-lgsoapssl", "-lssl", "-lcrypto", "-lz", "-lpthread"));
    run(folder, gcc);
    return program;
  }

  private static void run(Path folder, List<String> command) {
    try (ManagedProcess process =
        ManagedProcess.start(command, Map.of(), folder.resolve("compiling.log"))) {
      if (process.awaitEnd(PATIENCE) != 0) {
        throw new AssertionError(command.getFirst() + " failed:\n" + process.output());
      }
    }
  }
}
