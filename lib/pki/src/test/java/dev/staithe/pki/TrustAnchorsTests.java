package dev.staithe.pki;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.staithe.pki.ca.CertificateIssuer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TrustAnchorsTests {
  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private static final Clock CLOCK = Clock.fixed(NOW, ZoneOffset.UTC);

  private final CertificateIssuer first = authority("First", 10);
  private final CertificateIssuer second = authority("Second", 20);

  @TempDir Path folder;

  @Test
  void bundleGivesAllItsAuthorities() throws Exception {
    Path bundle = folder.resolve("bundle.pem");
    Pem.writeCertificates(bundle, List.of(first.certificate(), second.certificate()));

    var anchors = TrustAnchors.read(bundle);

    assertThat(anchors.certificates())
        .containsExactlyInAnyOrder(first.certificate(), second.certificate());
    assertThat(anchors.nextExpiry(NOW)).contains(NOW.plus(Duration.ofDays(10)));
    assertThat(anchors.nextExpiry(NOW.plus(Duration.ofDays(15))))
        .contains(NOW.plus(Duration.ofDays(20)));
    assertThat(anchors.nextExpiry(NOW.plus(Duration.ofDays(25)))).isEmpty();
  }

  @Test
  void bundleThatIsEmptyOrBrokenIsRefused() throws Exception {
    Path empty = Files.writeString(folder.resolve("empty.pem"), "");
    String whole = Pem.encode(List.of(first.certificate()));
    Path broken = Files.writeString(folder.resolve("broken.pem"), whole + whole.replace('M', 'A'));

    assertThatThrownBy(() -> TrustAnchors.read(empty)).isInstanceOf(PemException.class);
    assertThatThrownBy(() -> TrustAnchors.read(broken))
        .isInstanceOf(PemException.class)
        .hasMessageContaining("broken.pem");
  }

  @Test
  void gridSecurityFolderIsReadByItsNames() throws Exception {
    Pem.writeCertificates(folder.resolve("First.pem"), List.of(first.certificate()));
    Files.createSymbolicLink(folder.resolve("0a1b2c3d.0"), folder.resolve("First.pem"));
    Pem.writeCertificates(folder.resolve("second.crt"), List.of(second.certificate()));
    Files.write(
        folder.resolve("0a1b2c3d.r0"),
        first.revocationList(List.of(), Duration.ofDays(1)).getEncoded());
    Files.writeString(folder.resolve("First.signing_policy"), "access_id_CA ...");
    Files.writeString(folder.resolve("First.namespaces"), "TO Issuer ...");
    Files.writeString(folder.resolve("First.info"), "version = 1");
    Files.createDirectory(folder.resolve("folder.pem"));

    var anchors = TrustAnchors.read(folder);

    assertThat(anchors.count()).as("the link doubles the first").isEqualTo(2);
    assertThat(anchors.crls()).hasSize(1);
    assertThat(anchors.skipped()).isEmpty();
  }

  @Test
  void brokenFilesInAFolderAreSkippedAndReported() throws Exception {
    Pem.writeCertificates(folder.resolve("first.pem"), List.of(first.certificate()));
    Files.writeString(folder.resolve("broken.pem"), "-----BEGIN CERTIFICATE-----\n!!!\n");
    Files.writeString(folder.resolve("broken.r0"), "nothing");
    Files.createSymbolicLink(folder.resolve("gone.0"), folder.resolve("nowhere"));

    var anchors = TrustAnchors.read(folder);

    assertThat(anchors.count()).isEqualTo(1);
    assertThat(anchors.skipped())
        .extracting(TrustAnchors.Skipped::file)
        .containsExactly("broken.pem", "broken.r0", "gone.0");
    assertThat(anchors.skipped())
        .allSatisfy(skipped -> assertThat(skipped.reason()).isNotBlank().doesNotContain("\n"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"garbage", "nothing", "cut", "forged", "unreadable"})
  void damagedListLeavesTheOneBeforeInForce(String damage) throws Exception {
    Pem.writeCertificates(folder.resolve("first.pem"), List.of(first.certificate()));
    Path file = folder.resolve("0a1b2c3d.r0");
    byte[] good = first.revocationList(List.of(), Duration.ofDays(1)).getEncoded();
    Files.write(file, good);
    var before = TrustAnchors.read(folder);

    Files.delete(file);
    switch (damage) {
      case "garbage" -> Files.writeString(file, "no list any more");
      case "nothing" -> Files.createFile(file);
      case "cut" -> Files.write(file, Arrays.copyOf(good, good.length / 2));
      case "forged" ->
          Files.write(
              file,
              authority("First", 10).revocationList(List.of(), Duration.ofDays(2)).getEncoded());
      default -> Files.createSymbolicLink(file, folder.resolve("nowhere"));
    }
    var damaged = TrustAnchors.read(folder, before);
    var still = TrustAnchors.read(folder, damaged);

    for (TrustAnchors each : List.of(damaged, still)) {
      assertThat(each.crls()).isEqualTo(before.crls());
      assertThat(each.damagedLists())
          .singleElement()
          .satisfies(skipped -> assertThat(skipped.earlierStays()).isTrue());
    }
    assertThat(TrustAnchors.read(folder).crls()).as("nothing was read before").isEmpty();
    assertThat(TrustAnchors.read(folder).damagedLists())
        .singleElement()
        .satisfies(skipped -> assertThat(skipped.earlierStays()).isFalse());

    Files.delete(file);
    var newer = first.revocationList(List.of(), Duration.ofDays(3));
    Files.write(file, newer.getEncoded());
    assertThat(TrustAnchors.read(folder, still).crls()).containsExactly(newer);
    assertThat(TrustAnchors.read(folder, still).skipped()).isEmpty();
    Files.delete(file);
    assertThat(TrustAnchors.read(folder, still).crls()).as("it was taken away").isEmpty();
  }

  @Test
  void folderWithoutAnyAuthorityIsRefused() {
    assertThatThrownBy(() -> TrustAnchors.read(folder))
        .isInstanceOf(PemException.class)
        .hasMessageContaining("holds no usable certificate");
  }

  private static CertificateIssuer authority(String name, int days) {
    return CertificateIssuer.create(name, KeyKind.EC_P256, Duration.ofDays(days), CLOCK);
  }
}
