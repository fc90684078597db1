package dev.staithe.service.process;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;

/** What a command that this process has started writes. */
public final class CommandOutput {
  private CommandOutput() {}

  /**
   * What a stream gives, of which the beginning is kept and the rest only taken, so that the
   * command never waits for a reader.
   *
   * @param stream one of a process, which is closed at its end
   * @param kept bytes at most
   */
  public static CompletableFuture<String> text(InputStream stream, int kept) {
    CompletableFuture<String> text = new CompletableFuture<>();
    Thread.ofVirtual()
        .start(
            () -> {
              try (stream) {
                byte[] beginning = stream.readNBytes(kept);
                text.complete(new String(beginning, StandardCharsets.UTF_8));
                stream.transferTo(OutputStream.nullOutputStream());
              } catch (IOException | UncheckedIOException ended) {
                text.complete("");
              }
            });
    return text;
  }
}
