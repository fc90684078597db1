package dev.staithe.storage.contracts.host;

import dev.staithe.contracts.host.AttestationKey;
import dev.staithe.contracts.host.HostProperties;
import dev.staithe.contracts.host.QuoteFolder;
import dev.staithe.contracts.host.SignedQuote;
import dev.staithe.contracts.host.TpmQuote;
import dev.staithe.contracts.signature.BadSignature;
import dev.staithe.contracts.signature.Hash;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The TPM of this host, which quotes what the machine booted for each property list. Where it fails
 * later than at the start, that is logged once, and lists go out without a quote until it is well.
 * Thread-safe.
 */
public final class OwnTpm implements HostProperties.Quoting {
  private static final Logger log = LoggerFactory.getLogger(OwnTpm.class);

  /** A TPM takes a second at most; whoever waits for a property list waits for it. */
  private static final Duration LONGEST = Duration.ofSeconds(10);

  private static final String MESSAGE = "quote";
  private static final String SIGNATURE = "quote.signature";

  private final TpmTools tools;
  private final QuoteFolder files;
  private final String handle;
  private final String pcrs;
  private final AttestationKey key;
  private volatile @Nullable String lastError;

  private OwnTpm(
      TpmTools tools, QuoteFolder files, String handle, String pcrs, AttestationKey key) {
    this.tools = tools;
    this.files = files;
    this.handle = handle;
    this.pcrs = pcrs;
    this.key = key;
  }

  /**
   * Finds the attestation key, and makes a first quote.
   *
   * @param handle of the key, as {@code 0x81010002}, or the file of its context
   * @param pcrs of the bank of SHA-256
   * @param tcti how the TPM is reached, as {@code device:/dev/tpmrm0}; empty: as the tools decide
   * @param folder of this service's own; what is in it lasts as long as a quote is made
   * @throws IOException with one line where that does not work
   */
  public static OwnTpm open(String handle, Set<Integer> pcrs, String tcti, Path folder)
      throws IOException {
    QuoteFolder files = QuoteFolder.in(folder);
    TpmTools tools = new TpmTools(files, tcti, LONGEST);
    Path pem = files.fresh("key.pem");
    try {
      tools.run(
          "tpm2_readpublic",
          List.of("--quiet", "--object-context=" + handle, "--format=pem", "--output=" + pem));
    } catch (TpmTools.Missing missing) {
      throw missing;
    } catch (IOException e) {
      throw new IOException(
          "no TPM by tcti \"%s\" shows an attestation key %s: %s"
              .formatted(tcti, handle, e.getMessage()),
          e);
    }
    AttestationKey key = AttestationKey.read(pem);
    OwnTpm tpm = new OwnTpm(tools, files, handle, TpmQuote.ofSha256(pcrs), key);
    tpm.make(new byte[Hash.BYTES]);
    return tpm;
  }

  /** By which quotes are signed. */
  public AttestationKey key() {
    return key;
  }

  /** Why there was no quote last time; null: there was one. */
  public @Nullable String lastError() {
    return lastError;
  }

  @Override
  public synchronized Optional<SignedQuote> quote(byte[] qualifyingData) {
    try {
      SignedQuote quote = make(qualifyingData);
      if (lastError != null) {
        log.info("the TPM makes quotes again");
        lastError = null;
      }
      return Optional.of(quote);
    } catch (IOException e) {
      String line = String.valueOf(e.getMessage());
      if (lastError == null) {
        log.warn("the property list goes out without a quote of the TPM: {}", line);
      }
      lastError = line;
      return Optional.empty();
    }
  }

  /** TPM2_Quote (TPM 2.0 Library, Part 3, section 18), and a look at what came of it. */
  private synchronized SignedQuote make(byte[] qualifyingData) throws IOException {
    Path message = files.fresh(MESSAGE);
    Path signature = files.fresh(SIGNATURE);
    tools.run(
        "tpm2_quote",
        List.of(
            "--quiet",
            "--key-context=" + handle,
            "--pcr-list=" + pcrs,
            "--hash-algorithm=sha256",
            "--qualification=" + HexFormat.of().formatHex(qualifyingData),
            "--message=" + message,
            "--signature=" + signature));
    SignedQuote made =
        new SignedQuote(
            key,
            files.written(MESSAGE, TpmQuote.MOST_BYTES),
            files.written(SIGNATURE, TpmQuote.MOST_BYTES));
    try {
      TpmQuote quote = made.verify(qualifyingData);
      if (!quote.pcrs().equals(pcrs)) {
        throw new IOException("the TPM quotes " + quote.pcrs() + " in place of " + pcrs);
      }
    } catch (BadSignature bad) {
      throw new IOException(bad.line(), bad);
    }
    return made;
  }
}
