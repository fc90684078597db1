package dev.staithe.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Programs of others that say what they think of a certificate or proxy. */
final class Judge {
  private Judge() {}

  /** What a program came to, its two outputs in one. */
  record Said(int code, String text) {}

  /** Runs one, whatever it says. */
  static Said ask(Map<String, String> environment, List<String> command) {
    var builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().putAll(environment);
    try {
      Process process = builder.start();
      process.getOutputStream().close();
      String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
      return new Said(process.exitValue(), text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** Runs one that must be content. */
  static String content(String... command) {
    Said said = ask(Map.of(), List.of(command));
    assertThat(said.code()).as(String.join(" ", command) + "\n" + said.text()).isZero();
    return said.text();
  }
}
