package dev.staithe.perf.services;

import dev.staithe.perf.peers.Accounts;
import dev.staithe.perf.peers.ShortProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Keys, certificates and requests for a measurement, by {@code openssl}. */
public final class ThrowAwayKeys {
  private ThrowAwayKeys() {}

  /** A kind of key. */
  enum Kind {
    RSA_2048("rsa:2048"),
    P_256("ec", "-pkeyopt", "ec_paramgen_curve:P-256");

    private final List<String> arguments;

    Kind(String... arguments) {
      this.arguments = List.of(arguments);
    }
  }

  /**
   * A certificate that signs itself, {@code NAME.pem}, and its key, {@code NAME-key.pem}.
   *
   * @param extensions as {@code -addext} takes them
   */
  static void selfSigned(Path folder, String name, Kind kind, String subject, String... extensions)
      throws IOException {
    var command = request(folder, name, kind, subject, name + ".pem");
    command.addAll(List.of("-x509", "-days", "30"));
    for (String extension : extensions) {
      command.addAll(List.of("-addext", extension));
    }
    run(folder, command);
  }

  /**
   * Requests for certificates of the first accounts, {@code user-N.csr} (PKCS#10), each with an
   * RSA-2048 key of its own, as MyProxy's client makes them. It takes a third of a second each.
   */
  public static void requests(Path folder, int count) throws IOException {
    var making = new ArrayList<Future<?>>();
    try (var threads = Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors())) {
      for (int i = 0; i < count; i++) {
        String name = Accounts.name(i);
        making.add(
            threads.submit(
                () -> {
                  run(folder, request(folder, name, Kind.RSA_2048, "/CN=" + name, name + ".csr"));
                  return null;
                }));
      }
      for (Future<?> each : making) {
        each.get();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while keys were made", e);
    } catch (ExecutionException e) {
      throw new IOException(String.valueOf(e.getCause()), e);
    }
  }

  private static List<String> request(
      Path folder, String name, Kind kind, String subject, String out) {
    var command = new ArrayList<>(List.of("openssl", "req", "-new", "-newkey"));
    command.addAll(kind.arguments);
    command.addAll(
        List.of(
            "-nodes",
            "-sha256",
            "-subj",
            subject,
            "-keyout",
            folder.resolve(name + "-key.pem").toString(),
            "-out",
            folder.resolve(out).toString()));
    return command;
  }

  private static void run(Path folder, List<String> command) throws IOException {
    Files.createDirectories(folder);
    ShortProgram.run(
        new ProcessBuilder(command),
        said ->
            "openssl makes no key: "
                + said.lines().reduce((first, second) -> second).orElse("it said nothing"));
  }
}
