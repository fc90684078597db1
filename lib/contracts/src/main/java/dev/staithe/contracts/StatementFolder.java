package dev.staithe.contracts;

import dev.staithe.pki.AtomicFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;

/**
 * Statements as files, a folder for each day: what an auditor is given, and what may be erased when
 * its time has come, while logs keep the hash. Thread-safe.
 *
 * @param folder of the days
 */
public record StatementFolder(Path folder) {
  /** How the file of a statement of ours ends. */
  public static final String OWN = ".cose";

  /** How that of the other side's ends. */
  public static final String PARTNER = ".partner.cose";

  /**
   * Keeps a statement; the same again is written over.
   *
   * @param id of the contract, a UUID
   * @param end of the file's name
   */
  public void keep(Instant day, String id, String end, byte[] statement) throws IOException {
    Path place = folder.resolve(day.atZone(ZoneOffset.UTC).toLocalDate().toString());
    Files.createDirectories(place);
    AtomicFile.write(place.resolve(id + end), statement, "rw-------");
  }
}
