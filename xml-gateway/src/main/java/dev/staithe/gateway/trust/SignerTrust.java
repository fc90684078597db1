package dev.staithe.gateway.trust;

import static dev.staithe.service.OneLineFailure.started;

import dev.staithe.pki.TrustAnchors;
import dev.staithe.pki.grid.ClientChainRules;
import dev.staithe.pki.grid.ClientVerdict;
import dev.staithe.service.OneLineFailure;
import dev.staithe.tls.ClientCertificateSettings;
import dev.staithe.tls.ClientCertificates;
import dev.staithe.tls.TlsStatus;
import dev.staithe.wss.Caller;
import dev.staithe.wss.Surroundings;
import java.io.IOException;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Judges signers of messages by a folder of authorities with their revocation lists, which is read
 * again when it changes. A judgement is remembered for a minute at most, and no longer than the
 * files that it was formed by. Certificates that messages only name are found among the authorities
 * and those of a folder of known signers. Thread-safe.
 */
public final class SignerTrust implements Surroundings.Signers, AutoCloseable {
  /**
   * Where trust lies.
   *
   * @param trust a folder such as {@code /etc/grid-security/certificates}, or a PEM bundle
   * @param rules how strictly signers are judged
   * @param known PEM files of signers whose messages name their certificates without bringing them,
   *     each with what is between it and an authority; null for none
   * @param checkInterval between two looks at the files, zero for none
   */
  public record Settings(
      Path trust, ClientChainRules rules, @Nullable Path known, Duration checkInterval) {}

  private final ClientCertificates certificates;
  private final KnownSigners known;

  private SignerTrust(ClientCertificates certificates, KnownSigners known) {
    this.certificates = certificates;
    this.known = known;
  }

  /**
   * Reads the files and begins to watch them.
   *
   * @throws IOException where no authority can be read; the message is one line
   * @throws OneLineFailure.NotStarted where the folder of known signers cannot be
   */
  public static SignerTrust open(Settings settings, Clock clock) throws IOException {
    var certificates =
        ClientCertificates.open(
            new ClientCertificateSettings(
                settings.trust(), settings.rules(), false, settings.checkInterval()),
            clock);
    try {
      return new SignerTrust(
          certificates,
          started(
              "staithe.message.known",
              () -> KnownSigners.open(settings.known(), settings.checkInterval(), clock)));
    } catch (OneLineFailure.NotStarted e) {
      certificates.close();
      throw e;
    }
  }

  @Override
  public Surroundings.Judgement judge(List<X509Certificate> chain) {
    List<X509Certificate> whole = chain.size() == 1 ? known.chain(chain.getFirst()) : chain;
    return switch (certificates.verdict(whole)) {
      case ClientVerdict.Accepted accepted ->
          new Surroundings.Judgement.Trusted(
              new Caller.Certificate(accepted.subject().distinct(), whole));
      case ClientVerdict.Refused refused -> new Surroundings.Judgement.Untrusted(refused.reason());
    };
  }

  @Override
  public @Nullable X509Certificate find(Surroundings.Name name) {
    return known.find(name, certificates.anchors());
  }

  /** Whom signers are judged by now, with their revocation lists. */
  public TrustAnchors anchors() {
    return certificates.anchors();
  }

  /** How they are judged; closed together with this. */
  public ClientCertificates certificates() {
    return certificates;
  }

  /** What is in use, and what went wrong since. */
  public TlsStatus status() {
    return certificates.status();
  }

  /** Looks at the files now, beside the regular looks. */
  public void reloadIfChanged() {
    certificates.reloadIfChanged();
    known.reloadIfChanged();
  }

  @Override
  public void close() {
    certificates.close();
    known.close();
  }
}
