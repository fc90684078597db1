package dev.staithe.pki.ca;

import dev.staithe.pki.Credential;
import dev.staithe.pki.PemException;
import dev.staithe.pki.keys.PrivateKeyOperations;
import dev.staithe.pki.seal.OpenToken;
import dev.staithe.pki.seal.Pkcs11Token;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.KeyStoreException;
import java.security.PrivateKey;
import java.security.Provider;
import java.security.ProviderException;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.operator.ContentSigner;
import org.bouncycastle.operator.DefaultSignatureAlgorithmIdentifierFinder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.SignatureAlgorithmIdentifierFinder;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.jspecify.annotations.Nullable;

/**
 * The key an authority signs with, wherever it lives: in a file or in a token that never lets it
 * out. The key and the first certificate are known to belong together. Immutable; safe for many
 * threads as far as the token is.
 */
public final class AuthorityKey {
  private static final SignatureAlgorithmIdentifierFinder IDENTIFIERS =
      new DefaultSignatureAlgorithmIdentifierFinder();

  private final PrivateKey key;
  private final List<X509Certificate> chain;
  private final boolean inToken;
  private final PrivateKeyOperations operations;
  private final String algorithm;

  private AuthorityKey(
      PrivateKey key, List<X509Certificate> chain, @Nullable Provider provider, String name)
      throws PemException {
    this.key = key;
    this.chain = List.copyOf(chain);
    this.inToken = provider != null;
    this.operations =
        provider == null
            ? PrivateKeyOperations.of(key)
            : PrivateKeyOperations.inToken(key, provider);
    this.algorithm = algorithm(this.chain.getFirst().getPublicKey());
    checkPair(name);
  }

  /** A key in memory. */
  public static AuthorityKey of(Credential credential) {
    try {
      return new AuthorityKey(credential.key(), credential.chain(), null, "the credential");
    } catch (PemException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  /**
   * Reads PEM files, which may be the same one.
   *
   * @throws PemException where a file cannot be read or the two do not belong together
   */
  public static AuthorityKey pem(Path certificateFile, Path keyFile) throws PemException {
    return of(Credential.read(certificateFile, keyFile));
  }

  /**
   * Reads a PKCS#12 file (RFC 7292).
   *
   * @param passwordFile its first line opens the store and the key
   * @param alias the entry, or null where there is one key only
   * @throws PemException where a file cannot be read, the password is wrong, or there is no such
   *     key
   */
  public static AuthorityKey pkcs12(Path file, Path passwordFile, @Nullable String alias)
      throws PemException {
    char[] password = OpenToken.secret(passwordFile);
    try (InputStream in = Files.newInputStream(file)) {
      var store = KeyStore.getInstance("PKCS12");
      store.load(in, password);
      return entry(store, alias, password, null, file.toString());
    } catch (PemException e) {
      throw e;
    } catch (IOException | GeneralSecurityException e) {
      throw new PemException(
          file + " cannot be opened with the password in " + passwordFile + ", or is no PKCS#12",
          e);
    } finally {
      Arrays.fill(password, '\0');
    }
  }

  /**
   * Opens a token by PKCS#11 and stays logged in to it. The certificate must be in the token, under
   * the identifier of the key.
   *
   * @throws PemException where the library, the token, the PIN or the key is not as said
   */
  public static AuthorityKey pkcs11(Pkcs11Token token) throws PemException {
    OpenToken open = OpenToken.open(token);
    try {
      return entry(open.keys(), token.keyLabel(), null, open.provider(), token.toString());
    } catch (PemException e) {
      throw e;
    } catch (GeneralSecurityException | ProviderException e) {
      throw new PemException(token + " cannot be used through PKCS#11", e);
    }
  }

  /** The certificate of the key. */
  public X509Certificate certificate() {
    return chain.getFirst();
  }

  /** The key's certificate first, then those above it. */
  public List<X509Certificate> chain() {
    return chain;
  }

  /** Whether the key never leaves its token. */
  public boolean inToken() {
    return inToken;
  }

  /**
   * Signs.
   *
   * @throws GeneralSecurityException where the token does not
   */
  public byte[] sign(byte[] message) throws GeneralSecurityException {
    return operations.sign(algorithm, message, 0, message.length);
  }

  /** Names the certificate only. */
  @Override
  public String toString() {
    return "AuthorityKey[" + certificate().getSubjectX500Principal().getName() + "]";
  }

  /** Signs what Bouncy Castle writes; good for one thing that is signed. */
  ContentSigner signer() {
    var content = new ByteArrayOutputStream();
    return new ContentSigner() {
      @Override
      public AlgorithmIdentifier getAlgorithmIdentifier() {
        return IDENTIFIERS.find(algorithm);
      }

      @Override
      public OutputStream getOutputStream() {
        return content;
      }

      @Override
      public byte[] getSignature() {
        try {
          return sign(content.toByteArray());
        } catch (GeneralSecurityException | ProviderException e) {
          throw new IllegalStateException("the authority's key does not sign", e);
        }
      }
    };
  }

  /** Signs once by a key that needs no converting for it. */
  public static ContentSigner signer(PrivateKey key, PublicKey publicKey)
      throws GeneralSecurityException {
    try {
      return new JcaContentSignerBuilder(algorithm(publicKey)).build(key);
    } catch (OperatorCreationException e) {
      throw new GeneralSecurityException(e);
    }
  }

  /**
   * The key and its certificates, for writing to files.
   *
   * @throws IllegalArgumentException where the key is in a token
   */
  Credential credential() {
    if (inToken()) {
      throw new IllegalArgumentException("a private key that cannot be exported");
    }
    return new Credential(key, chain);
  }

  private static AuthorityKey entry(
      KeyStore store,
      @Nullable String alias,
      char @Nullable [] password,
      @Nullable Provider provider,
      String name)
      throws GeneralSecurityException, PemException {
    String wanted = alias == null ? onlyKey(store, name) : alias;
    if (!store.isKeyEntry(wanted)
        || !(store.getKey(wanted, password) instanceof PrivateKey key)
        || store.getCertificateChain(wanted) == null) {
      throw new PemException(
          name + " holds no private key with a certificate under the name " + wanted);
    }
    var chain = new ArrayList<X509Certificate>();
    for (var certificate : store.getCertificateChain(wanted)) {
      chain.add((X509Certificate) certificate);
    }
    return new AuthorityKey(key, chain, provider, name);
  }

  private static String onlyKey(KeyStore store, String name)
      throws KeyStoreException, PemException {
    String found = null;
    for (String alias : Collections.list(store.aliases())) {
      if (store.isKeyEntry(alias)) {
        if (found != null) {
          throw new PemException(name + " holds more than one key: say which");
        }
        found = alias;
      }
    }
    if (found == null) {
      throw new PemException(name + " holds no private key with a certificate");
    }
    return found;
  }

  /** The strength of the digest follows the curve's (RFC 5758 §3.2, FIPS 186-5). */
  private static String algorithm(PublicKey key) {
    return switch (key) {
      case ECKey ec when ec.getParams().getOrder().bitLength() > 256 -> "SHA384withECDSA";
      case ECKey _ -> "SHA256withECDSA";
      default -> "SHA256withRSA";
    };
  }

  private void checkPair(String name) throws PemException {
    byte[] probe = "does this key fit its certificate?".getBytes(StandardCharsets.US_ASCII);
    try {
      var verifier = Signature.getInstance(algorithm);
      verifier.initVerify(certificate().getPublicKey());
      verifier.update(probe);
      if (verifier.verify(sign(probe))) {
        return;
      }
    } catch (GeneralSecurityException | ProviderException e) {
      throw new PemException(name + " does not sign with its key", e);
    }
    throw new PemException(name + " holds a key that is not that of its certificate");
  }
}
