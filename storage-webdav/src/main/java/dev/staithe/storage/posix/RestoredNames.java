package dev.staithe.storage.posix;

import dev.staithe.storage.files.StoragePath;
import dev.staithe.storage.linux.LinuxFiles;
import dev.staithe.storage.posix.Confinement.Location;
import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Puts right what an earlier run was doing to the names of an area when it ended. */
final class RestoredNames implements StageFolder.Restore {
  private static final Logger log = LoggerFactory.getLogger(RestoredNames.class);

  private final Confinement confinement;

  RestoredNames(Confinement confinement) {
    this.confinement = confinement;
  }

  @Override
  public boolean at(StoragePath name, Path tree) throws IOException {
    try (Location location = confinement.locate(name)) {
      if (!(location instanceof Location.Inside inside) || inside.exists()) {
        return false;
      }
      Publication.moveWhereNothingIs(tree, inside.path());
      return true;
    }
  }

  @Override
  public void changeBack(StageFolder.Exchange exchange) throws IOException {
    try (Location from = confinement.locateName(exchange.from());
        Location to = confinement.locate(exchange.to())) {
      if (from instanceof Location.Inside one
          && to instanceof Location.Inside other
          && has(one, exchange.replaced())
          && has(other, exchange.moved())) {
        LinuxFiles.rename(one.path(), other.path(), LinuxFiles.Naming.EXCHANGE);
        log.warn(
            "{} was being moved to {} when an earlier run ended; moved back",
            exchange.from(),
            exchange.to());
      }
    }
  }

  private static boolean has(Location.Inside place, String inode) {
    BasicFileAttributes there = place.attributes();
    return there != null && EntityTag.inode(there).equals(inode);
  }
}
