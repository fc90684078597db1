package dev.staithe.cli;

import dev.staithe.pki.AtomicFile;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Properties;

/**
 * What the command remembers between two calls: which service, whom to trust, and the session. One
 * folder that nobody else may read.
 */
final class Profile {
  private static final String FILE = "session.properties";

  private final Path folder;

  Profile(Path folder) {
    this.folder = folder;
  }

  /**
   * A login that lasts.
   *
   * @param url of the service
   * @param trust a PEM file or folder of trusted authorities; empty for those of the system
   * @param token of the session
   */
  record Login(String url, String trust, String token) {
    @Override
    public String toString() {
      return "Login[" + url + "]";
    }
  }

  Optional<Login> read() throws IOException {
    var properties = new Properties();
    try {
      properties.load(new StringReader(Files.readString(folder.resolve(FILE))));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
    return Optional.of(
        new Login(
            properties.getProperty("url", ""),
            properties.getProperty("trust", ""),
            properties.getProperty("token", "")));
  }

  void write(Login login) throws IOException {
    if (!Files.isDirectory(folder)) {
      Files.createDirectories(
          folder,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }
    var properties = new Properties();
    properties.setProperty("url", login.url());
    properties.setProperty("trust", login.trust());
    properties.setProperty("token", login.token());
    var text = new StringWriter();
    properties.store(text, null);
    AtomicFile.write(
        folder.resolve(FILE), text.toString().getBytes(StandardCharsets.UTF_8), "rw-------");
  }

  void forget() throws IOException {
    Files.deleteIfExists(folder.resolve(FILE));
  }
}
