package dev.staithe.slcs.ca;

import dev.staithe.pki.ca.RevocationReason;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A certificate that was issued.
 *
 * @param serial its number, hexadecimal
 * @param subject its name in the slash form
 * @param owner whose it is
 * @param keyDigest the SHA-256 of its public key, hexadecimal
 * @param revoked when it was revoked, null where it was not
 * @param reason why it was revoked, null where it was not
 */
public record IssuedCertificate(
    String serial,
    String subject,
    String owner,
    String keyDigest,
    Instant issued,
    Instant notAfter,
    @Nullable Instant revoked,
    @Nullable RevocationReason reason) {}
