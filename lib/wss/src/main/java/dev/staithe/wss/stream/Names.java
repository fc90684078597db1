package dev.staithe.wss.stream;

import dev.staithe.wss.Namespaces;
import dev.staithe.xml.ByteNames;
import dev.staithe.xml.SoapVersion;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The numbers of namespaces, and names that are recognized in bytes. */
final class Names {
  static final int SOAP_1_1 = 1;
  static final int SOAP_1_2 = 2;
  static final int WSSE = 3;
  static final int WSU = 4;
  static final int WSSE11 = 5;
  static final int DS = 6;
  static final int XENC = 7;
  static final int XENC11 = 8;
  static final int EXC_C14N = 9;
  static final int SC_2005 = 10;
  static final int SC_13 = 11;
  static final int WSA = 12;
  static final int WSA_2004 = 13;
  static final int INSTANCE = 14;

  static final ByteNames NAMESPACES =
      new ByteNames(
          List.of(
              SoapVersion.SOAP_1_1.namespace(),
              SoapVersion.SOAP_1_2.namespace(),
              Namespaces.WSSE,
              Namespaces.WSU,
              Namespaces.WSSE11,
              Namespaces.DS,
              Namespaces.XENC,
              Namespaces.XENC11,
              Namespaces.EXC_C14N,
              Namespaces.SC_2005,
              Namespaces.SC_13,
              Namespaces.WSA,
              Namespaces.WSA_2004,
              "http://www.w3.org/2001/XMLSchema-instance"));

  private static final String MORE = "http://www.w3.org/2001/04/xmldsig-more#";

  /** Values of attributes that come again and again, so that no text is made of them. */
  static final ByteNames URIS =
      new ByteNames(
          List.of(
              Namespaces.EXC_C14N,
              Namespaces.DS + "sha1",
              Namespaces.XENC + "sha256",
              MORE + "sha384",
              Namespaces.XENC + "sha512",
              Namespaces.DS + "hmac-sha1",
              MORE + "hmac-sha256",
              MORE + "hmac-sha384",
              MORE + "hmac-sha512",
              Namespaces.DS + "rsa-sha1",
              MORE + "rsa-sha256",
              MORE + "rsa-sha384",
              MORE + "rsa-sha512",
              MORE + "ecdsa-sha1",
              MORE + "ecdsa-sha256",
              MORE + "ecdsa-sha384",
              MORE + "ecdsa-sha512",
              Namespaces.XENC + "aes128-cbc",
              Namespaces.XENC + "aes192-cbc",
              Namespaces.XENC + "aes256-cbc",
              Namespaces.XENC11 + "aes128-gcm",
              Namespaces.XENC11 + "aes192-gcm",
              Namespaces.XENC11 + "aes256-gcm",
              Namespaces.XENC + "rsa-oaep-mgf1p",
              Namespaces.XENC11 + "rsa-oaep",
              Namespaces.XENC + "Content",
              Namespaces.XENC + "Element",
              Namespaces.SC_2005 + "/dk/p_sha1",
              Namespaces.SC_13 + "/dk/p_sha1",
              Namespaces.SC_2005 + "/sct",
              Namespaces.SC_13 + "/sct"));

  static final byte[] ENVELOPE = bytes("Envelope");
  static final byte[] HEADER = bytes("Header");
  static final byte[] BODY = bytes("Body");
  static final byte[] SECURITY = bytes("Security");
  static final byte[] MUST_UNDERSTAND = bytes("mustUnderstand");
  static final byte[] ACTOR = bytes("actor");
  static final byte[] ROLE = bytes("role");
  static final byte[] RELAY = bytes("relay");
  static final byte[] ID = bytes("Id");
  static final byte[] ALGORITHM = bytes("Algorithm");
  static final byte[] URI = bytes("URI");
  static final byte[] TYPE = bytes("Type");
  static final byte[] VALUE_TYPE = bytes("ValueType");
  static final byte[] PREFIX_LIST = bytes("PrefixList");
  static final byte[] TIMESTAMP = bytes("Timestamp");
  static final byte[] CREATED = bytes("Created");
  static final byte[] EXPIRES = bytes("Expires");
  static final byte[] BINARY_TOKEN = bytes("BinarySecurityToken");
  static final byte[] TOKEN_REFERENCE = bytes("SecurityTokenReference");
  static final byte[] REFERENCE = bytes("Reference");
  static final byte[] KEY_IDENTIFIER = bytes("KeyIdentifier");
  static final byte[] CONTEXT_TOKEN = bytes("SecurityContextToken");
  static final byte[] DERIVED_TOKEN = bytes("DerivedKeyToken");
  static final byte[] IDENTIFIER = bytes("Identifier");
  static final byte[] INSTANCE_OF = bytes("Instance");
  static final byte[] OFFSET = bytes("Offset");
  static final byte[] GENERATION = bytes("Generation");
  static final byte[] LENGTH = bytes("Length");
  static final byte[] LABEL = bytes("Label");
  static final byte[] NONCE = bytes("Nonce");
  static final byte[] REFERENCE_LIST = bytes("ReferenceList");
  static final byte[] DATA_REFERENCE = bytes("DataReference");
  static final byte[] ENCRYPTED_KEY = bytes("EncryptedKey");
  static final byte[] ENCRYPTED_DATA = bytes("EncryptedData");
  static final byte[] ENCRYPTION_METHOD = bytes("EncryptionMethod");
  static final byte[] CIPHER_DATA = bytes("CipherData");
  static final byte[] CIPHER_VALUE = bytes("CipherValue");
  static final byte[] KEY_INFO = bytes("KeyInfo");
  static final byte[] SIGNATURE = bytes("Signature");
  static final byte[] SIGNED_INFO = bytes("SignedInfo");
  static final byte[] SIGNATURE_VALUE = bytes("SignatureValue");
  static final byte[] CANONICALIZATION = bytes("CanonicalizationMethod");
  static final byte[] SIGNATURE_METHOD = bytes("SignatureMethod");
  static final byte[] TRANSFORMS = bytes("Transforms");
  static final byte[] TRANSFORM = bytes("Transform");
  static final byte[] INCLUSIVE = bytes("InclusiveNamespaces");
  static final byte[] DIGEST_METHOD = bytes("DigestMethod");
  static final byte[] DIGEST_VALUE = bytes("DigestValue");
  static final byte[] MASK = bytes("MGF");
  static final byte[] X509_DATA = bytes("X509Data");
  static final byte[] ISSUER_SERIAL = bytes("X509IssuerSerial");
  static final byte[] ISSUER_NAME = bytes("X509IssuerName");
  static final byte[] SERIAL_NUMBER = bytes("X509SerialNumber");
  static final byte[] ACTION = bytes("Action");
  static final byte[] MESSAGE_ID = bytes("MessageID");
  static final byte[] TO = bytes("To");
  static final byte[] REPLY_TO = bytes("ReplyTo");
  static final byte[] FAULT_TO = bytes("FaultTo");
  static final byte[] ADDRESS = bytes("Address");

  private Names() {}

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
