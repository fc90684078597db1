package dev.staithe.database;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file of an embedded database as it was before its tables are changed. H2 commits each
 * statement that makes or changes a table, so that a script whose process is killed, or whose disk
 * is full, stays half done and can neither go on nor begin again. The file is then taken back as it
 * is opened next; a service writes nothing else before its tables are through.
 *
 * @param database the file's absolute path without {@code .mv.db}
 */
record MigrationCopy(Path database) {
  private static final Logger log = LoggerFactory.getLogger(MigrationCopy.class);
  private static final String SUFFIX = ".mv.db";
  private static final String URL = "jdbc:h2:";

  /** Of the database of a connection to H2; empty where it is in memory. */
  static Optional<MigrationCopy> of(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet path = statement.executeQuery("call database_path()")) {
      String database = path.next() ? path.getString(1) : null;
      return database == null
          ? Optional.empty()
          : Optional.of(new MigrationCopy(Path.of(database).toAbsolutePath()));
    }
  }

  /**
   * Takes a file back whose change was not through, and leaves what was found beside it; one that
   * another process has open stays.
   *
   * @param url {@code jdbc:h2:...}, of a database that this process has not open
   */
  static void takeBack(String url) throws IOException {
    String name = url.substring(URL.length()).split(";", 2)[0];
    String path = name.startsWith("file:") ? name.substring("file:".length()) : name;
    // Others are in memory, or another server's.
    if (!path.contains(":")) {
      boolean home = path.startsWith("~/");
      Path file = Path.of(home ? System.getProperty("user.home") + path.substring(1) : path);
      new MigrationCopy(file.toAbsolutePath()).takeBack();
    }
  }

  private void takeBack() throws IOException {
    if (!Files.exists(kept())) {
      return;
    }
    try (FileChannel open =
            FileChannel.open(
                beside(SUFFIX),
                StandardOpenOption.READ,
                StandardOpenOption.WRITE,
                StandardOpenOption.CREATE);
        FileLock lock = open.tryLock()) {
      if (lock != null) {
        Path partial = beside(".before-migration.tmp");
        unpack(partial);
        // An older program may have gone on with it for weeks: that is for people to judge. An
        // empty one was made above, after a start that ended between these two moves.
        Path aside = beside(".half-migrated" + SUFFIX);
        if (open.size() > 0) {
          Files.setPosixFilePermissions(partial, Files.getPosixFilePermissions(beside(SUFFIX)));
          Files.move(beside(SUFFIX), aside, StandardCopyOption.ATOMIC_MOVE);
        }
        Files.move(partial, beside(SUFFIX), StandardCopyOption.ATOMIC_MOVE);
        Files.delete(kept());
        log.warn(
            "a change of tables was cut short: {} is as it was before that; as it was found it is {}",
            beside(SUFFIX),
            aside);
      }
    }
  }

  private void unpack(Path to) throws IOException {
    try (InputStream file = Files.newInputStream(kept());
        ZipInputStream zip = new ZipInputStream(file)) {
      ZipEntry entry = zip.getNextEntry();
      while (entry != null && !entry.getName().endsWith(database.getFileName() + SUFFIX)) {
        entry = zip.getNextEntry();
      }
      if (entry == null) {
        throw new IOException(kept() + " holds no " + database.getFileName() + SUFFIX);
      }
      create(to);
      try (OutputStream copy = Files.newOutputStream(to)) {
        zip.transferTo(copy);
      }
    }
    force(to);
  }

  /** Makes the copy; one that is there already is of the time before, and stays. */
  void keep(Connection connection) throws SQLException, IOException {
    if (Files.exists(kept())) {
      return;
    }
    Path partial = beside(".before-migration.tmp");
    create(partial);
    try (Statement backup = connection.createStatement()) {
      backup.execute("backup to '" + partial.toString().replace("'", "''") + "'");
    }
    force(partial);
    Files.move(partial, kept(), StandardCopyOption.ATOMIC_MOVE);
  }

  /** Once the tables are through. */
  void remove() throws IOException {
    Files.deleteIfExists(kept());
  }

  private Path kept() {
    return beside(".before-migration.zip");
  }

  private Path beside(String suffix) {
    return database.resolveSibling(database.getFileName() + suffix);
  }

  /** Makes it anew, of this user alone: secrets are in there. */
  private static void create(Path file) throws IOException {
    Files.deleteIfExists(file);
    Files.createFile(
        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
  }

  private static void force(Path file) throws IOException {
    try (FileChannel written = FileChannel.open(file, StandardOpenOption.WRITE)) {
      written.force(true);
    }
  }
}
