package dev.staithe.wss.client;

import dev.staithe.wss.Reply;
import java.security.GeneralSecurityException;
import java.util.List;

/**
 * By what one message is protected.
 *
 * @param tokens what its security header begins with, each in canonical form
 * @param openKey an EncryptedKey without its end tag, which takes the list of what it encrypts;
 *     empty where the list stands alone
 * @param encryption key of contents
 * @param encryptionReference how an EncryptedData names that key
 * @param signature algorithm's URI
 * @param signer gives the value over a SignedInfo
 * @param signatureReference how the signature names its key
 * @param answer how the answer will be protected
 */
record MessageKeys(
    List<String> tokens,
    String openKey,
    byte[] encryption,
    String encryptionReference,
    String signature,
    Signer signer,
    String signatureReference,
    Reply.Keys answer) {

  /** Gives the value of a signature. */
  @FunctionalInterface
  interface Signer {
    byte[] sign(byte[] signedInfo) throws GeneralSecurityException;
  }

  @Override
  public String toString() {
    return "MessageKeys[" + signature + "]";
  }
}
