package dev.staithe.pki.seal;

import dev.staithe.pki.Pem;
import dev.staithe.pki.PemException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.InvalidParameterException;
import java.security.KeyStore;
import java.security.Provider;
import java.security.ProviderException;
import java.security.Security;
import java.util.Arrays;

/**
 * A token that somebody is logged in to, for as long as this process lives.
 *
 * @param keys what is in it
 * @param provider works with these keys
 */
public record OpenToken(KeyStore keys, Provider provider) {
  private static final int LONGEST_SECRET = 1024;

  /**
   * Opens a token by PKCS#11.
   *
   * @throws PemException where the library, the token or the PIN is not as said
   */
  public static OpenToken open(Pkcs11Token token) throws PemException {
    long slot = Pkcs11Slots.find(token);
    char[] pin = secret(token.pinFile());
    try {
      // One line of the provider's own language, which has no escapes: the token checks the path.
      var provider =
          Security.getProvider("SunPKCS11")
              .configure(
                  "--name=Staithe"
                      + Integer.toHexString(token.toString().hashCode())
                      + "\nlibrary="
                      + token.library()
                      + "\nslot="
                      + slot
                      + "\n");
      var store = KeyStore.getInstance("PKCS11", provider);
      store.load(null, pin);
      return new OpenToken(store, provider);
    } catch (IOException | GeneralSecurityException e) {
      throw new PemException(token + " refuses the PIN in " + token.pinFile(), e);
    } catch (InvalidParameterException | ProviderException e) {
      throw new PemException(token + " cannot be used through PKCS#11", e);
    } finally {
      Arrays.fill(pin, '\0');
    }
  }

  /** The first line of a file, for the caller to wipe. */
  public static char[] secret(Path file) throws PemException {
    byte[] bytes = Pem.readBytes(file);
    int length = 0;
    while (length < bytes.length && bytes[length] != '\n' && bytes[length] != '\r') {
      length++;
    }
    if (length == 0 || length > LONGEST_SECRET) {
      throw new PemException(file + " holds no password on its first line");
    }
    var text = StandardCharsets.UTF_8.decode(ByteBuffer.wrap(Arrays.copyOf(bytes, length)));
    char[] secret = new char[text.remaining()];
    text.get(secret);
    Arrays.fill(bytes, (byte) 0);
    return secret;
  }
}
