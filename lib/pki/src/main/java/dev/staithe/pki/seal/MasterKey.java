package dev.staithe.pki.seal;

import dev.staithe.pki.PemException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.security.KeyStoreException;
import java.security.MessageDigest;
import java.security.Provider;
import java.security.ProviderException;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * A master key that is known to work.
 *
 * @param name tells keys apart and nothing of them
 * @param provider of the token that it lives in, or null
 */
@SuppressWarnings("ArrayRecordComponent")
record MasterKey(byte[] name, SecretKey secret, @Nullable Provider provider) {
  private static final int BYTES = 32;
  private static final int NAME_BYTES = 4;
  private static final int NONCE_BYTES = 12;
  private static final int TAG_BITS = 128;

  static MasterKey of(MasterKeySource source) throws PemException {
    return switch (source) {
      case MasterKeySource.Base64File(var file) -> {
        char[] text = OpenToken.secret(file);
        try {
          yield decoded(text, file.toString());
        } finally {
          Arrays.fill(text, '\0');
        }
      }
      case MasterKeySource.Environment(String variable) -> {
        String value = System.getenv(variable);
        if (value == null) {
          throw new PemException("the environment has no variable " + variable);
        }
        yield decoded(value.toCharArray(), "the variable " + variable + " of the environment");
      }
      case MasterKeySource.Pkcs12 file -> pkcs12(file);
      case MasterKeySource.Token(Pkcs11Token token) -> {
        OpenToken open = OpenToken.open(token);
        yield entry(open.keys(), token.keyLabel(), null, open.provider(), token.toString());
      }
    };
  }

  private static MasterKey decoded(char[] text, String name) throws PemException {
    byte[] encoded = new String(text).strip().getBytes(StandardCharsets.ISO_8859_1);
    try {
      byte[] secret = Base64.getDecoder().decode(encoded);
      if (secret.length == BYTES) {
        return named(new SecretKeySpec(secret, "AES"), null, name);
      }
    } catch (IllegalArgumentException noBase64) {
      // told below, without its message, which quotes the text
    }
    throw new PemException(
        name + " must hold 32 random bytes in Base64, as openssl rand -base64 32 prints them");
  }

  private static MasterKey pkcs12(MasterKeySource.Pkcs12 source) throws PemException {
    char[] password = OpenToken.secret(source.passwordFile());
    try (InputStream in = Files.newInputStream(source.file())) {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(in, password);
      return entry(store, source.alias(), password, null, source.file().toString());
    } catch (PemException e) {
      throw e;
    } catch (IOException | GeneralSecurityException e) {
      throw new PemException(
          source.file()
              + " cannot be opened with the password in "
              + source.passwordFile()
              + ", or is no PKCS#12",
          e);
    } finally {
      Arrays.fill(password, '\0');
    }
  }

  private static MasterKey entry(
      KeyStore store,
      @Nullable String alias,
      char @Nullable [] password,
      @Nullable Provider provider,
      String name)
      throws PemException {
    try {
      String wanted = alias == null ? onlySecret(store, name) : alias;
      Key key = store.getKey(wanted, password);
      if (!(key instanceof SecretKey secret) || !key.getAlgorithm().equals("AES")) {
        throw new PemException(name + " holds no AES key under the name " + wanted);
      }
      byte[] encoded = secret.getEncoded();
      if (encoded != null && encoded.length != BYTES) {
        throw new PemException(name + " holds an AES key that has not 256 bits");
      }
      return named(secret, provider, name);
    } catch (PemException e) {
      throw e;
    } catch (GeneralSecurityException | ProviderException e) {
      throw new PemException(name + " does not let its key be used", e);
    }
  }

  private static String onlySecret(KeyStore store, String name)
      throws KeyStoreException, PemException {
    String found = null;
    for (String alias : Collections.list(store.aliases())) {
      if (store.entryInstanceOf(alias, KeyStore.SecretKeyEntry.class)) {
        if (found != null) {
          throw new PemException(name + " holds more than one secret key: say which");
        }
        found = alias;
      }
    }
    if (found == null) {
      throw new PemException(name + " holds no secret key");
    }
    return found;
  }

  /**
   * The name is a part of what the key makes of zeros under a nonce that is used for nothing else,
   * since a token shows nothing of the key itself.
   */
  private static MasterKey named(SecretKey secret, @Nullable Provider provider, String name)
      throws PemException {
    MasterKey nameless = new MasterKey(new byte[NAME_BYTES], secret, provider);
    try {
      byte[] nonce =
          Arrays.copyOf(
              MessageDigest.getInstance("SHA-256")
                  .digest("staithe name of a master key".getBytes(StandardCharsets.US_ASCII)),
              NONCE_BYTES);
      byte[] made =
          nameless
              .cipher(Cipher.ENCRYPT_MODE, new GCMParameterSpec(TAG_BITS, nonce))
              .doFinal(new byte[NAME_BYTES]);
      return new MasterKey(Arrays.copyOf(made, NAME_BYTES), secret, provider);
    } catch (GeneralSecurityException | ProviderException e) {
      throw new PemException(name + " holds a key that does not work with AES-GCM", e);
    }
  }

  Cipher cipher(int mode, GCMParameterSpec parameters) throws GeneralSecurityException {
    Cipher cipher =
        provider == null
            ? Cipher.getInstance("AES/GCM/NoPadding")
            : Cipher.getInstance("AES/GCM/NoPadding", provider);
    cipher.init(mode, secret, parameters);
    return cipher;
  }

  /** Shows nothing of it. */
  @Override
  public String toString() {
    return "MasterKey";
  }
}
