package dev.staithe.pki.grid;

import dev.staithe.pki.PemException;
import dev.staithe.pki.TrustAnchors;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * One reading of a folder such as {@code /etc/grid-security/certificates}: authorities, their
 * revocation lists and the names that they may give out. Thread-safe.
 */
public final class ClientTrustFolder {
  private final TrustAnchors anchors;
  private final RevocationLists lists;
  private final SigningNamespaces namespaces;

  private ClientTrustFolder(TrustAnchors anchors, SigningNamespaces namespaces) {
    this.anchors = anchors;
    this.namespaces = namespaces;
    this.lists = new RevocationLists(anchors);
  }

  /**
   * Reads all files; see {@link TrustAnchors#read} for which hold authorities and lists.
   *
   * @param folder or, where neither lists nor namespaces are wanted, a PEM bundle
   * @throws PemException with one line where it cannot be read or holds no authority
   */
  public static ClientTrustFolder read(Path folder) throws PemException {
    return read(folder, TrustAnchors.read(folder));
  }

  /**
   * The same, with its authorities and lists read already.
   *
   * @throws PemException with one line where the namespaces cannot be read
   */
  public static ClientTrustFolder read(Path folder, TrustAnchors anchors) throws PemException {
    return new ClientTrustFolder(
        anchors,
        Files.isDirectory(folder) ? SigningNamespaces.read(folder) : SigningNamespaces.none());
  }

  /** Anchors that are at hand already, with their lists and without namespaces. */
  public static ClientTrustFolder of(TrustAnchors anchors) {
    return new ClientTrustFolder(anchors, SigningNamespaces.none());
  }

  /** The authorities. */
  public TrustAnchors anchors() {
    return anchors;
  }

  /** Files that could not be used. Where one told namespaces, its authority is refused. */
  public List<TrustAnchors.Skipped> skipped() {
    List<TrustAnchors.Skipped> all = new ArrayList<>(anchors.skipped());
    all.addAll(namespaces.skipped());
    return List.copyOf(all);
  }

  RevocationLists lists() {
    return lists;
  }

  SigningNamespaces namespaces() {
    return namespaces;
  }
}
