package dev.staithe.storage;

import dev.staithe.service.process.DirectMemory;
import dev.staithe.service.start.Development;
import dev.staithe.service.start.StartLines;
import dev.staithe.storage.accounts.AccountStore;
import dev.staithe.storage.exchange.ServedArea;
import dev.staithe.storage.files.FileStore;
import dev.staithe.storage.objects.ObjectStore;
import dev.staithe.storage.posix.PosixStore;
import dev.staithe.storage.settings.StorageProperties;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What was started and, in the development default, how to try it. */
final class StorageStartLines implements StartLines {
  private static final Logger log = LoggerFactory.getLogger(StorageStartLines.class);

  private final StorageProperties properties;
  private final List<ServedArea> areas;

  StorageStartLines(StorageProperties properties, List<ServedArea> areas) {
    this.properties = properties;
    this.areas = areas;
  }

  @Override
  public void log(boolean development) {
    for (ServedArea area : areas) {
      log.info(
          "area {} at {}{}",
          area.area().name(),
          area.area().accessPoints(),
          keeps(area.area().store()));
    }
    for (ServedArea area : areas) {
      if (area.area().store() instanceof PosixStore store && store.isSharedUnawares()) {
        log.warn(
            "another storage element works on area {} already: neither knows the other's locks,"
                + " and of two conditional or ranged writes at once through both one may be lost; set"
                + " `shared: true` for the area at each of them",
            area.area().name());
      }
      if (area.area().store() instanceof PosixStore store) {
        store
            .sharedHereOnly()
            .ifPresent(
                kind ->
                    log.warn(
                        "area {} is shared, and on {}, which no other machine has: if servers on"
                            + " others are to serve it, its file system is not mounted here",
                        area.area().name(),
                        kind));
      }
    }
    if (areas.stream()
        .anyMatch(
            area -> area.area().store() instanceof PosixStore store && !store.holdsFolders())) {
      log.warn(
          "this kernel or sandbox has no openat2: who has an account here and may write in an area"
              + " can lead requests out of it by links that change at the right moment");
    }
    if (properties.areas().stream().anyMatch(StorageProperties.Area::anonymousWrite)) {
      log.warn("an area lets anyone write; that is for tests");
    }
    long uploads = SharesConfiguration.ofUploads(properties);
    if (uploads > DirectMemory.limit() / 2) {
      log.warn(
          "s3.memory of all areas is {} MiB, more than half of the direct memory"
              + " (-XX:MaxDirectMemorySize is {} MiB): what else is received and sent may find none",
          uploads >> 20,
          DirectMemory.limit() >> 20);
    }
    if (!PosixStore.storesUnicodeNames()) {
      log.warn("names beyond ASCII are refused: start with LC_ALL=C.UTF-8 or another UTF-8 locale");
    }
  }

  private static String keeps(FileStore store) {
    if (store instanceof ObjectStore objects) {
      return " in an object store: "
          + objects.traits().summary()
          + (objects.traits().completesOnce()
              ? ""
              : "; who creates a file leaves a lease there while it does, for other servers to see");
    }
    if (store instanceof AccountStore) {
      return ", whose files belong to local accounts; checksums are not kept";
    }
    return store.keepsMetadata()
        ? ""
        : "; its file system keeps no extended attributes, so checksums are not kept";
  }

  @Override
  public String development(String folder, int port) {
    String url = "https://" + Development.HOST + ":" + port + "/data/";
    return """

        This is the development default: no configuration was given, so an authority, a host
        certificate, a token issuer and one storage area were made in
          %1$s
        It listens on this machine only and is gone once any staithe.* property is set.

          CA file   %1$s/ca.pem
          area      %2$s

        Try it, from the folder in which the server was started:
          TOKEN=$(java -jar storage-webdav.jar token --scope "storage.read:/ storage.modify:/")
          curl --cacert %1$s/ca.pem -H "Authorization: Bearer $TOKEN" -T FILE %2$s
          curl --cacert %1$s/ca.pem -H "Authorization: Bearer $TOKEN" %2$s

        """
        .formatted(folder, url);
  }
}
