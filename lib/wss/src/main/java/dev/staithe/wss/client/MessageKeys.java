package dev.staithe.wss.client;

import dev.staithe.wss.Reply;
import dev.staithe.wss.SecurityElements;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * By what one message is protected.
 *
 * @param tokens what its security header begins with, each in canonical form
 * @param encryptedKey writes the one that takes the list of what it encrypts; null where the list
 *     stands alone
 * @param encryption key of contents
 * @param encryptionReference how an EncryptedData names that key
 * @param signature algorithm's URI
 * @param signer gives the value over a SignedInfo
 * @param signatureReference how the signature names its key
 * @param answer how the answer will be protected
 */
record MessageKeys(
    List<String> tokens,
    @Nullable Function<List<String>, String> encryptedKey,
    byte[] encryption,
    String encryptionReference,
    String signature,
    SecurityElements.Signer signer,
    String signatureReference,
    Reply.Keys answer) {

  @Override
  public String toString() {
    return "MessageKeys[" + signature + "]";
  }
}
