package dev.staithe.storage.pages;

import dev.staithe.storage.RunningStorage;
import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.clients.Browser;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;

/** The listing page of a head node, which sends readers of large files on to a data node. */
final class HeadInBrowserIT {
  private static final int LARGE = 200_000;

  @TempDir Path folder;

  private static byte[] bytes(Path file) {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void largeFileThatNeedsATokenIsSavedWhole() throws IOException {
    Path key =
        Files.createFile(
            folder.resolve("key"),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(key, "6b6579".repeat(12));
    byte[] content = new byte[LARGE];
    new Random(5).nextBytes(content);
    try (RunningStorage node =
            RunningStorage.beside(
                RunningStorage.shared(),
                folder.resolve("node"),
                Map.of("staithe.redirect.key-file", key));
        RunningStorage head =
            RunningStorage.beside(
                node,
                folder.resolve("head"),
                Map.of(
                    "staithe.redirect.key-file",
                    key,
                    "staithe.redirect.nodes",
                    "https://localhost:" + node.port(),
                    "staithe.redirect.from-size",
                    "100KB",
                    "staithe.redirect.check-interval",
                    "1s",
                    "staithe.areas[0].root",
                    node.data(),
                    "staithe.areas[1].root",
                    node.open()));
        Browser browser = Browser.in(folder)) {
      Files.write(node.data().resolve("large"), content);
      Eventually.holds(
          "the head sends clients on",
          () -> head.curl("/data/large").token(head.token()).run().status() == 307);
      browser.open(head.url("/data/"));
      new ShownListing(browser).signIn(head.token());

      browser.driver().findElement(By.linkText("large")).click();

      Path saved = browser.downloads().resolve("large");
      Eventually.holds("saved", () -> Files.exists(saved) && Arrays.equals(bytes(saved), content));
      browser.assertNoScriptFailedAndNothingWasBlocked();
    }
  }
}
