package dev.staithe.cli.administration;

import dev.staithe.contracts.record.StatementFolder;
import dev.staithe.pki.AtomicFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The files that prove one transfer: the host's statement, and by what it is verified. Their names
 * are taken before the transfer begins, and nothing that is there is written over, as a statement
 * cannot be asked for again. For one thread.
 */
final class Proof implements AutoCloseable {
  private static final String KEYS = ".jwks.json";
  private static final String LOG = ".log-key";
  private static final String ISSUER = ".issuer-jwks.json";

  private final Path name;
  private final Unfinished statement;

  private Proof(Path name, Unfinished statement) {
    this.name = name;
    this.statement = statement;
  }

  /**
   * Takes the names.
   *
   * @param name that all of them begin with
   * @throws IOException with one line, where there is another proof of that name, or no such folder
   */
  static Proof of(Path name) throws IOException {
    String there =
        Stream.of(StatementFolder.OWN, KEYS, LOG, ISSUER)
            .map(end -> beside(name, end))
            .filter(Files::exists)
            .map(Path::toString)
            .collect(Collectors.joining(", "));
    if (!there.isEmpty()) {
      throw taken(there);
    }
    Path file = beside(name, StatementFolder.OWN);
    try {
      // The longest of the names: one that cannot be is told now, and not after the receipt.
      Files.delete(Files.createFile(beside(name, ISSUER)));
      return new Proof(name, Unfinished.named(file));
    } catch (FileAlreadyExistsException e) {
      throw taken(file.toString());
    } catch (NoSuchFileException e) {
      throw new IOException(file + " cannot be written: no such folder", e);
    } catch (IOException e) {
      throw new IOException(file + " cannot be written; --proof FILE names another place", e);
    }
  }

  private static IOException taken(String there) {
    return new IOException(
        "there already, and may prove another transfer: "
            + there
            + "; move that, or name this proof by --proof FILE");
  }

  private static Path beside(Path file, String end) {
    return file.resolveSibling(file.getFileName() + end);
  }

  /**
   * Keeps the host's statement, and what it publishes.
   *
   * @param issuerKeys of the issuer that vouches for the person; empty: none does
   * @return the command that verifies it
   */
  String keep(ContractingHost.Published host, byte[] stated, String issuerKeys) throws IOException {
    // It stays whatever becomes of the others, which are published.
    Path file = statement.finish(() -> written(StatementFolder.OWN, stated));
    Path keys = written(KEYS, bytes(host.keySet()));
    Path log = written(LOG, bytes(host.logKey() + "\n"));
    String verify =
        "staithe contract verify %s --keys %s --log-key %s"
            .formatted(quoted(file), quoted(keys), quoted(log));
    return issuerKeys.isEmpty()
        ? verify
        : verify + " --issuer-keys " + quoted(written(ISSUER, bytes(issuerKeys)));
  }

  /** As a shell takes it for one file, whatever its name: that of a URL is of others' making. */
  private static String quoted(Path file) {
    String name = file.toString();
    String shown = name.startsWith("-") ? "./" + name : name;
    return shown.matches("[A-Za-z0-9._/@%+=:,-]+")
        ? shown
        : "'" + shown.replace("'", "'\\''") + "'";
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private Path written(String end, byte[] content) throws IOException {
    Path file = beside(name, end);
    AtomicFile.write(file, content, "rw-r--r--");
    return file;
  }

  @Override
  public void close() {
    statement.close();
  }
}
