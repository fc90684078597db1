package dev.staithe.storage.settings;

import dev.staithe.pki.GridSubject;
import dev.staithe.service.Settings;
import dev.staithe.service.properties.ClientCertificateProperties;
import dev.staithe.service.properties.TlsProperties;
import dev.staithe.storage.contracts.host.AreaContracts;
import dev.staithe.storage.files.StoragePath;
import dev.staithe.storage.state.StateFolder;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.util.unit.DataSize;

/** Checks of configured values that only a storage element has. */
final class AreaChecks {
  private AreaChecks() {}

  static void requireScopes(String scopes) {
    Settings.require(!scopes.isBlank(), "scopes", scopes, "storage scopes such as storage.read:/");
  }

  static void requireSubject(String subject) {
    try {
      GridSubject.parse(subject);
    } catch (IllegalArgumentException e) {
      throw new Settings.InvalidSetting(
          "subject", subject, "the name in a certificate, such as CN=Ada,O=Example,C=DE");
    }
  }

  /** Keys are fetched for the issuers of access tokens alone. */
  static void requireKnown(
      ContractsProperties.@Nullable People people, List<String> issuers, String area) {
    if (people == null) {
      return;
    }
    for (int i = 0; i < people.issuers().size(); i++) {
      Settings.require(
          issuers.contains(people.issuers().get(i).issuer()),
          area + ".contracts.people.issuers[" + i + "].issuer",
          people.issuers().get(i).issuer(),
          "an issuer that staithe.issuers lists");
    }
  }

  /** Plain HTTP has no handshake to ask for a certificate in. */
  static void requireTls(TlsProperties tls, ClientCertificateProperties clients) {
    Settings.require(
        tls.enabled() || clients.trust() == null,
        "client-certificates.trust",
        String.valueOf(clients.trust()),
        "absent where staithe.tls.enabled is false");
  }

  /** Asked of the kernel for a file in a folder; nobody else could be. */
  static void requireReadAhead(DataSize readAhead, StorageProperties.Area.Store store) {
    Settings.require(
        !readAhead.isNegative() && readAhead.toMegabytes() <= 64,
        "read-ahead",
        readAhead,
        "0B to 64MB");
    Settings.require(
        store == StorageProperties.Area.Store.POSIX,
        "read-ahead",
        readAhead,
        "absent with store: s3 or accounts");
  }

  /**
   * What a store cannot promise is refused before anybody relies on it. Others may write into a
   * bucket; what belongs to accounts is theirs alone: no service writes beside it, counts or signs
   * it.
   */
  static void requireWhatStoreKeeps(
      StorageProperties.Area.Store store,
      DataSize keepFree,
      boolean shared,
      QuotaProperties quota,
      ContractsProperties.OfArea contracts,
      boolean stormChecksum) {
    boolean bucket = store == StorageProperties.Area.Store.S3;
    String with = " with store: " + store.name().toLowerCase(Locale.ROOT);
    Settings.require(
        keepFree.toBytes() == 0,
        "keep-free",
        keepFree,
        bucket
            ? "0B" + with + ", as no object store tells what room it has"
            : "0B" + with + ", whose room is that of the kernel's quotas");
    Settings.require(!shared, "shared", shared, "false" + with + ", which one server alone serves");
    if (bucket) {
      Settings.require(
          quota.hard() == null,
          "quota.hard",
          String.valueOf(quota.hard()),
          "absent" + with + ", as others may write into the bucket: set it there");
    } else {
      Settings.require(
          quota.hard() == null && quota.soft() == null,
          "quota",
          String.valueOf(quota.hard() == null ? quota.soft() : quota.hard()),
          "absent" + with + ", where the kernel's quotas count");
    }
    Settings.require(
        contracts.mode() == AreaContracts.Mode.OFF,
        "contracts.mode",
        contracts.mode().name().toLowerCase(Locale.ROOT),
        "off" + with);
    Settings.require(
        !stormChecksum,
        "storm-checksum",
        true,
        bucket
            ? "false" + with + ", whose objects StoRM WebDAV does not read"
            : "false" + with + ", where no checksums are kept");
  }

  /** Where one area has contracts, this host must be able to sign them. */
  static void requireContractKey(
      List<StorageProperties.Area> areas, ContractsProperties contracts, TlsProperties tls) {
    for (int i = 0; i < areas.size(); i++) {
      AreaContracts.Mode mode = areas.get(i).contracts().mode();
      Settings.require(
          mode == AreaContracts.Mode.OFF || contracts.hasKey() && tls.enabled(),
          "areas[" + i + "].contracts.mode",
          mode.name().toLowerCase(Locale.ROOT),
          "off where staithe.contracts.key is absent, or staithe.tls.enabled is false");
    }
  }

  static void requirePath(String path, String key) {
    try {
      StoragePath.of(path);
    } catch (IllegalArgumentException e) {
      throw new Settings.InvalidSetting(
          key, path, "an absolute path without dot segments, such as /data");
    }
  }

  /** What is below that path the server answers by itself. */
  static void requireAccessPoint(String path) {
    requirePath(path, "access-points");
    Settings.require(
        !StoragePath.of(path).startsWith(StoragePath.of("/.well-known")),
        "access-points",
        path,
        "apart from /.well-known, where this server tells of itself");
  }

  /** Areas may lie below each other in the namespace, where the longer path counts, not on disk. */
  static void requireApart(List<StorageProperties.Area> areas) {
    Settings.requireDistinct(
        areas.stream().map(StorageProperties.Area::name).toList(), "areas", "name");
    Set<StoragePath> accessPoints = new HashSet<>();
    for (int i = 0; i < areas.size(); i++) {
      for (String accessPoint : areas.get(i).accessPoints()) {
        Settings.require(
            accessPoints.add(StoragePath.of(accessPoint)),
            "areas[" + i + "].access-points",
            accessPoint,
            "different in each of staithe.areas");
      }
      for (int j = 0; j < i; j++) {
        Settings.require(
            StateFolder.areApart(areas.get(i).root(), areas.get(j).root()),
            "areas[" + i + "].root",
            String.valueOf(areas.get(i).root()),
            "neither inside nor around that of areas[" + j + "], " + areas.get(j).root());
      }
    }
  }
}
