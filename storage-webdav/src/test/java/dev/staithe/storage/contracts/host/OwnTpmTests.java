package dev.staithe.storage.contracts.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.staithe.contracts.host.Attestation;
import dev.staithe.contracts.host.AttestationKey;
import dev.staithe.contracts.host.HostProperties;
import dev.staithe.contracts.host.QuoteFolder;
import dev.staithe.contracts.signature.ContractKey;
import dev.staithe.pki.KeyKind;
import dev.staithe.testkit.MutableClock;
import dev.staithe.testkit.trust.SoftTpm;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyPair;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.ECPublicKey;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** This host's TPM, a real one in software, while it works and when it fails. */
final class OwnTpmTests {
  private static final Set<Integer> PCRS = Set.of(0, 7);

  @TempDir private Path folder;
  private final MutableClock clock = MutableClock.at(Instant.parse("2026-11-20T12:00:00Z"));
  private final ListAppender<ILoggingEvent> logged = new ListAppender<>();
  private final Logger logger = (Logger) LoggerFactory.getLogger(OwnTpm.class);
  private SoftTpm tpm;

  @BeforeEach
  void start() {
    tpm = SoftTpm.start(folder.resolve("tpm"), SoftTpm.Kind.ECC);
    logged.start();
    logger.addAppender(logged);
  }

  @AfterEach
  void stop() {
    logger.detachAppender(logged);
    tpm.close();
  }

  private OwnTpm own(String handle) throws IOException {
    return OwnTpm.open(handle, PCRS, tpm.tcti(), folder.resolve("own"));
  }

  private OwnProperties properties(OwnTpm own) {
    KeyPair pair = KeyKind.EC_P256.generate();
    return new OwnProperties(
        "https://a.example",
        Map.of(),
        ContractKey.of((ECPrivateKey) pair.getPrivate(), (ECPublicKey) pair.getPublic()),
        own,
        clock);
  }

  private static Attestation.Quoted quoted(HostProperties list) {
    assertThat(list.attestation()).isInstanceOf(Attestation.Quoted.class);
    return (Attestation.Quoted) list.attestation();
  }

  @Test
  void eachListThatIsSignedBringsAQuoteOfItsOwn() throws Exception {
    OwnProperties properties = properties(own(SoftTpm.HANDLE));
    HostProperties first = properties.now();
    assertThat(quoted(first).key()).isEqualTo(AttestationKey.read(tpm.key()));
    assertThat(properties.now()).isSameAs(first);
    tpm.extend(7, "ab".repeat(32));
    clock.advance(Duration.ofMinutes(31));
    HostProperties second = properties.now();
    assertThat(quoted(second).quote().qualifyingData())
        .isNotEqualTo(quoted(first).quote().qualifyingData());
    assertThat(quoted(second).quote().pcrDigest()).isNotEqualTo(quoted(first).quote().pcrDigest());
    assertThat(Files.getPosixFilePermissions(folder.resolve("own")))
        .isEqualTo(PosixFilePermissions.fromString("rwx------"));
  }

  @Test
  void copyThatIsCancelledMeanwhileTakesNobodyTheQuote() throws Exception {
    OwnProperties properties = properties(own(SoftTpm.HANDLE));
    Thread.currentThread().interrupt();
    try {
      quoted(properties.now());
    } finally {
      assertThat(Thread.interrupted()).as("it is still cancelled").isTrue();
    }
  }

  @Test
  void tpmThatFailsLaterIsToldOnceAndListsGoOutWithoutUntilItIsWell() throws Exception {
    OwnTpm own = own(SoftTpm.HANDLE);
    OwnProperties properties = properties(own);
    quoted(properties.now());
    tpm.stop();
    clock.advance(Duration.ofMinutes(31));
    for (int i = 0; i < 3; i++) {
      assertThat(properties.now().attestation()).isEqualTo(new Attestation.None());
      assertThat(own.lastError()).startsWith("tpm2_quote ended with ").doesNotContain("\n");
      clock.advance(Duration.ofSeconds(61));
    }
    tpm.restart();
    assertThat(quoted(properties.now()).key()).isEqualTo(own.key());
    assertThat(own.lastError()).isNull();
    assertThat(logged.list)
        .extracting(event -> event.getLevel() + " " + event.getMessage())
        .containsExactly(
            "WARN the property list goes out without a quote of the TPM: {}",
            "INFO the TPM makes quotes again");
  }

  @Test
  void tpmThatHasNoSuchKeyOrCannotBeReachedIsNamedInOneLine() throws Exception {
    assertThatThrownBy(() -> own("0x81010009"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("shows an attestation key 0x8101000")
        .hasMessageContaining(": tpm2_readpublic ended with ")
        .hasMessageNotContaining("\n");
    tpm.stop();
    assertThatThrownBy(() -> own(SoftTpm.HANDLE))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("shows an attestation key 0x8101000")
        .hasMessageContaining(": tpm2_readpublic ended with ")
        .hasMessageNotContaining("\n");
    assertThatThrownBy(
            () ->
                new TpmTools(QuoteFolder.in(folder), "", Duration.ofSeconds(9))
                    .run("tpm2_missing", List.of()))
        .hasMessage("tpm2_missing cannot be started: is the package tpm2-tools installed?");
  }

  @Test
  void tpmThatNeverAnswersIsNotWaitedForLong() throws Exception {
    Path socket = folder.resolve("silent");
    try (ServerSocketChannel silent = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        ServerSocketChannel control = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      silent.bind(UnixDomainSocketAddress.of(socket));
      control.bind(UnixDomainSocketAddress.of(socket + ".ctrl"));
      TpmTools tools =
          new TpmTools(QuoteFolder.in(folder), "swtpm:path=" + socket, Duration.ofSeconds(1));
      assertThatThrownBy(() -> tools.run("tpm2_getrandom", List.of("4")))
          .hasMessage("tpm2_getrandom did not end within 1 s");
    }
  }

  @Test
  void whatAnEarlierRunWroteOrTooMuchIsNotRead() throws Exception {
    QuoteFolder files = QuoteFolder.in(folder);
    Files.write(folder.resolve("quote"), new byte[100]);
    assertThat(files.written("quote", 100)).hasSize(100);
    assertThatThrownBy(() -> files.written("quote", 99)).hasMessageContaining("more than 99");
    assertThat(files.fresh("quote")).doesNotExist();
  }
}
