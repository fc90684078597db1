package dev.staithe.slcs.ca;

import dev.staithe.pki.DistinguishedName;
import dev.staithe.pki.KeyKind;
import dev.staithe.pki.seal.Pkcs11Token;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How the authority is run.
 *
 * @param key where its key is
 * @param alias what its files are called at those who trust it
 * @param namespaces what the names it gives begin with; empty: its own name without the last part
 * @param policies identifiers in dots that all certificates name
 * @param published where its files, lists and answers are fetched, without a slash at the end
 * @param contact a mail address for those who trust it, or null
 * @param weakKeys files of keys that get no certificate
 * @param crlInterval how often a list of revoked certificates is made at least
 * @param crlValidity until when such a list is good
 * @param ocspValidity how long an answer about one certificate may be kept
 */
public record CaSettings(
    Key key,
    String alias,
    List<DistinguishedName> namespaces,
    List<String> policies,
    URI published,
    @Nullable String contact,
    List<Path> weakKeys,
    Duration crlInterval,
    Duration crlValidity,
    Duration ocspValidity) {
  /** Copies the lists. */
  public CaSettings {
    namespaces = List.copyOf(namespaces);
    policies = List.copyOf(policies);
    weakKeys = List.copyOf(weakKeys);
  }

  /** Where an authority's key is. */
  public sealed interface Key {
    /**
     * Made here at the first start, for trying things out.
     *
     * @param folder of this user alone; made where it is missing
     */
    record Development(Path folder, KeyKind kind) implements Key {}

    /** In PEM files, which may be the same one. */
    record PemFiles(Path certificate, Path key) implements Key {}

    /**
     * In a PKCS#12 file.
     *
     * @param alias null where it holds one key only
     */
    record Pkcs12(Path file, Path passwordFile, @Nullable String alias) implements Key {}

    /** In a token that never lets it out. */
    record Token(Pkcs11Token token) implements Key {}
  }
}
