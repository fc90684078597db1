package dev.staithe.contracts.record;

import dev.staithe.contracts.log.Checkpoint;
import dev.staithe.contracts.log.LogTiles;
import dev.staithe.contracts.log.LogVerifier;
import dev.staithe.contracts.log.Merkle;
import dev.staithe.contracts.signature.BadSignature;
import dev.staithe.contracts.signature.Hash;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * A log as its host serves it, or keeps it, copied into a folder: what an auditor looks at to know
 * whether it is still the log that a receipt was given of. Immutable.
 *
 * @param folder of {@code checkpoint} and {@code tile}
 */
public record LogCopy(Path folder) {
  /** C2SP tlog-tiles: what a partial tile has behind its name. */
  private static final String PARTIAL = ".p/";

  /**
   * Whether the log has the statement where its receipt says, begins with what it was then, and no
   * tile of it was changed.
   *
   * @param key of the log
   * @return what was found, in a line
   * @throws BadSignature with one line where it is not so
   */
  public String verify(Statement statement, LogVerifier key) throws BadSignature {
    Statement.Place place = statement.verifyReceipt(key);
    Checkpoint now = checkpoint(key);
    if (now.size() < place.size()) {
      throw new BadSignature(
          "it has %d entries, and had %d when it gave the receipt"
              .formatted(now.size(), place.size()));
    }
    LogTiles tiles = new LogTiles(now.size(), this::tile);
    try {
      if (!tiles.isWhole(now)) {
        throw new BadSignature("a tile of it was changed: they are not those of its checkpoint");
      }
      if (!tiles.goesOnFrom(new Checkpoint(place.size(), place.root(), ""), now)) {
        throw new BadSignature(
            "it does not begin with the %d entries that it had when it gave the receipt"
                .formatted(place.size()));
      }
      if (!Arrays.equals(tiles.node(0, place.index()), Merkle.leaf(statement.entry()))) {
        throw new BadSignature("entry " + place.index() + " of it is of another statement");
      }
    } catch (IOException missing) {
      throw new BadSignature("it cannot be read: " + missing.getMessage());
    }
    return "its %d entries begin with the %d of the receipt, and no tile was changed"
        .formatted(now.size(), place.size());
  }

  private Checkpoint checkpoint(LogVerifier key) throws BadSignature {
    try {
      return Checkpoint.verify(
          Files.readString(folder.resolve("checkpoint"), StandardCharsets.UTF_8), key);
    } catch (IOException missing) {
      throw new BadSignature("there is no checkpoint in " + folder);
    }
  }

  /** A partial tile is a file of its own where it was served, and the beginning of one at home. */
  private byte[] tile(String path) throws IOException {
    int partial = path.indexOf(PARTIAL);
    Path served = folder.resolve(path);
    Path grown = partial < 0 ? served : folder.resolve(path.substring(0, partial));
    Path file = Files.isRegularFile(served) ? served : grown;
    if (!Files.isRegularFile(file)) {
      throw new IOException(path + " is missing");
    }
    int hashes =
        partial < 0 ? LogTiles.WIDTH : Integer.parseInt(path.substring(partial + PARTIAL.length()));
    try (var in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(hashes * Hash.BYTES);
      if (bytes.length < hashes * Hash.BYTES) {
        throw new IOException(path + " is too short");
      }
      return bytes;
    }
  }
}
