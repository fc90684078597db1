package dev.staithe.pki;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Runs a command, mostly {@code openssl} as the judge of what we make. */
public final class OpenSsl {
  private OpenSsl() {}

  /** What a command said, both streams together. */
  public record Said(int exit, String text) {}

  public static Said openssl(Path folder, String... arguments) throws Exception {
    return run(folder, Map.of(), "openssl", arguments);
  }

  public static Said run(
      Path folder, Map<String, String> environment, String command, String... arguments)
      throws IOException, InterruptedException {
    var line = new ArrayList<>(List.of(command));
    line.addAll(List.of(arguments));
    var builder = new ProcessBuilder(line).directory(folder.toFile()).redirectErrorStream(true);
    builder.environment().putAll(environment);
    Process process = builder.start();
    process.getOutputStream().close();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (!process.waitFor(180, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new IOException(command + " does not end");
    }
    return new Said(process.exitValue(), text);
  }
}
