package dev.staithe.gateway.wss;

import dev.staithe.pki.Credential;
import dev.staithe.wss.Namespaces;
import dev.staithe.wss.SecurityContext;
import dev.staithe.wss.policy.Binding;
import dev.staithe.wss.policy.EndpointPolicy;
import dev.staithe.xml.SafeXml;
import dev.staithe.xml.XmlDocument;
import dev.staithe.xml.XmlLimits;
import dev.staithe.xml.XmlText;
import java.nio.charset.StandardCharsets;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import javax.crypto.spec.SecretKeySpec;
import javax.xml.namespace.QName;
import org.apache.wss4j.common.WSEncryptionPart;
import org.apache.wss4j.common.crypto.Crypto;
import org.apache.wss4j.common.crypto.Merlin;
import org.apache.wss4j.common.derivedKey.ConversationConstants;
import org.apache.wss4j.common.util.UsernameTokenUtil;
import org.apache.wss4j.dom.WSConstants;
import org.apache.wss4j.dom.engine.WSSConfig;
import org.apache.wss4j.dom.message.WSSecDKEncrypt;
import org.apache.wss4j.dom.message.WSSecDKSign;
import org.apache.wss4j.dom.message.WSSecEncrypt;
import org.apache.wss4j.dom.message.WSSecEncryptedKey;
import org.apache.wss4j.dom.message.WSSecHeader;
import org.apache.wss4j.dom.message.WSSecSecurityContextToken;
import org.apache.wss4j.dom.message.WSSecSignature;
import org.apache.wss4j.dom.message.WSSecTimestamp;
import org.apache.wss4j.dom.message.WSSecUsernameToken;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/** WSS4J as the side that begins, with its own classes for keys. */
final class Initiator {
  static final String PLAIN =
      """
      <s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/">\
      <s:Header><wsa:Action xmlns:wsa="http://www.w3.org/2005/08/addressing">urn:echo</wsa:Action>\
      <wsa:MessageID xmlns:wsa="http://www.w3.org/2005/08/addressing">urn:uuid:1</wsa:MessageID>\
      <wsa:To xmlns:wsa="http://www.w3.org/2005/08/addressing">https://gw.example/echo</wsa:To>\
      </s:Header>\
      <s:Body><e:echo xmlns:e="urn:example:echo"><e:text>a &amp; b &lt; ü</e:text></e:echo></s:Body>\
      </s:Envelope>""";

  static {
    XmlSecurity.begin();
  }

  final Map<String, byte[]> keys = new HashMap<>();
  private final EndpointPolicy policy;
  String user = Parties.USER;
  String password = Parties.PASSWORD;
  int iterations = 1_000;
  String soap = "http://schemas.xmlsoap.org/soap/envelope/";
  Credential credential = Parties.CLIENT;
  int signatureReference = WSConstants.BST_DIRECT_REFERENCE;
  int keyReference = WSConstants.THUMBPRINT_IDENTIFIER;
  boolean single = true;
  boolean attached = true;
  boolean inclusive = true;
  String signatureAlgorithm;
  String digest;
  List<String> leaveUnsigned = List.of();
  boolean leavePlain;
  boolean signToken;
  List<QName> alsoSigned = List.of();
  @Nullable Instant created;

  /** From Created to Expires, in seconds. */
  int lifetime = 300;

  Initiator(EndpointPolicy policy) {
    this.policy = policy;
    this.signatureAlgorithm =
        policy.binding() instanceof Binding.Asymmetric
            ? policy.suite().asymmetricSignature()
            : policy.suite().symmetricSignature();
    this.digest = policy.suite().digest();
  }

  static Document parse(String text) {
    if (SafeXml.parse(
            text.getBytes(StandardCharsets.UTF_8), new XmlLimits(1 << 24, 200, 200, 1_000, 1 << 24))
        instanceof XmlDocument.Parsed(Document document)) {
      return document;
    }
    throw new IllegalArgumentException("no document: " + text);
  }

  static byte[] write(Document document) {
    return XmlText.fragment(document.getDocumentElement()).getBytes(StandardCharsets.UTF_8);
  }

  static Crypto crypto(Credential own) {
    try {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      store.setKeyEntry(
          "own",
          own.key(),
          "secret".toCharArray(),
          own.chain().toArray(java.security.cert.Certificate[]::new));
      store.setCertificateEntry("service", Parties.SERVICE.certificate());
      store.setCertificateEntry("client", Parties.CLIENT.certificate());
      store.setCertificateEntry("authority", Parties.AUTHORITY.certificate());
      var properties = new Properties();
      var merlin = new Merlin(properties, Initiator.class.getClassLoader(), null);
      merlin.setKeyStore(store);
      return merlin;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** Protects by certificates. */
  byte[] secure(String plain) throws Exception {
    Document document = parse(plain);
    var header = header(document);
    var sign = new WSSecSignature(header);
    sign.setUserInfo("own", "secret");
    sign.setKeyIdentifierType(signatureReference);
    sign.setUseSingleCertificate(single);
    sign.setSignatureAlgorithm(signatureAlgorithm);
    sign.setDigestAlgo(digest);
    sign.setAddInclusivePrefixes(inclusive);
    sign.getParts().addAll(signed());
    var encrypt = new WSSecEncrypt(header);
    encrypt.setUserInfo("service");
    encrypt.setKeyIdentifierType(keyReference);
    encrypt.setKeyEncAlgo(policy.suite().keyTransport());
    encrypt.setSymmetricEncAlgorithm(policy.suite().encryption());
    if (policy.suite().keyTransport().equals(Namespaces.XENC11 + "rsa-oaep")) {
      encrypt.setDigestAlgorithm(Namespaces.XENC + "sha256");
      encrypt.setMGFAlgorithm(Namespaces.XENC11 + "mgf1sha256");
    }
    encrypt.getParts().addAll(encrypted());
    Crypto crypto = crypto(credential);
    var key = new SecretKeySpec(random(policy.suite().encryptionKeyBytes()), "AES");
    if (policy.encryptBeforeSigning()) {
      encrypt.build(crypto, key);
      sign.build(crypto);
    } else {
      sign.build(crypto);
      if (policy.encryptSignature()) {
        encrypt.getParts().add(element(sign.getSignatureElement()));
      }
      if (!encrypt.getParts().isEmpty()) {
        encrypt.build(crypto, key);
      }
    }
    return write(document);
  }

  /** Protects by keys from a context. */
  byte[] secure(String plain, SecurityContext context) throws Exception {
    Document document = parse(plain);
    var header = header(document);
    int version =
        context.namespace().equals(Namespaces.SC_2005)
            ? ConversationConstants.VERSION_05_02
            : ConversationConstants.VERSION_05_12;
    byte[] secret = context.secret();
    var token = new WSSecSecurityContextToken(header, WSSConfig.getNewInstance());
    token.setWscVersion(version);
    token.setIdentifier(context.identifier());
    token.prepare(null);
    var sign = new WSSecDKSign(header);
    sign.setWscVersion(version);
    sign.setSignatureAlgorithm(signatureAlgorithm);
    sign.setDigestAlgorithm(digest);
    sign.setDerivedKeyLength(policy.suite().signatureKeyBytes());
    sign.setTokenIdentifier(attached ? token.getSctId() : context.identifier());
    sign.setTokenIdDirectId(!attached);
    sign.setCustomValueType(context.namespace() + "/sct");
    sign.setAddInclusivePrefixes(inclusive);
    sign.getParts().addAll(signed());
    var encrypt = new WSSecDKEncrypt(header);
    encrypt.setWscVersion(version);
    encrypt.setSymmetricEncAlgorithm(policy.suite().encryption());
    encrypt.setDerivedKeyLength(policy.suite().encryptionKeyBytes());
    encrypt.setTokenIdentifier(attached ? token.getSctId() : context.identifier());
    encrypt.setTokenIdDirectId(!attached);
    encrypt.setCustomValueType(context.namespace() + "/sct");
    encrypt.getParts().addAll(encrypted());
    if (policy.encryptBeforeSigning()) {
      encrypt.build(secret);
      sign.build(secret);
    } else {
      sign.build(secret);
      if (policy.encryptSignature()) {
        encrypt.getParts().add(element(sign.getSignatureElement()));
      }
      if (!encrypt.getParts().isEmpty()) {
        encrypt.build(secret);
      }
    }
    if (attached) {
      token.prependSCTElementToHeader();
    }
    return write(document);
  }

  /** Protects by the secret of a context itself. */
  byte[] secureDirectly(String plain, SecurityContext context) throws Exception {
    Document document = parse(plain);
    var header = header(document);
    byte[] secret = context.secret();
    var token = new WSSecSecurityContextToken(header, WSSConfig.getNewInstance());
    token.setWscVersion(ConversationConstants.VERSION_05_12);
    token.setIdentifier(context.identifier());
    token.prepare(null);
    var sign = new WSSecSignature(header);
    sign.setKeyIdentifierType(WSConstants.CUSTOM_SYMM_SIGNING);
    sign.setCustomTokenValueType(context.namespace() + "/sct");
    sign.setCustomTokenId(token.getSctId());
    sign.setSecretKey(secret);
    sign.setSignatureAlgorithm(signatureAlgorithm);
    sign.setDigestAlgo(digest);
    sign.getParts().addAll(signed());
    sign.build(crypto(credential));
    var encrypt = new WSSecEncrypt(header);
    encrypt.setEncryptSymmKey(false);
    encrypt.setEncKeyId(token.getSctId());
    encrypt.setCustomReferenceValue(context.namespace() + "/sct");
    encrypt.setSymmetricEncAlgorithm(policy.suite().encryption());
    encrypt.getParts().addAll(encrypted());
    encrypt.build(
        crypto(credential),
        new SecretKeySpec(Arrays.copyOf(secret, policy.suite().encryptionKeyBytes()), "AES"));
    token.prependSCTElementToHeader();
    return write(document);
  }

  /** Protects by a key that is encrypted for the service, or made from a password. */
  byte[] secureByKey(String plain) throws Exception {
    Document document = parse(plain);
    var header = header(document);
    String id;
    String type;
    byte[] secret;
    boolean derived;
    Runnable prepend;
    if (policy.binding() instanceof Binding.EncryptedKey binding) {
      derived = binding.derivedKeys();
      secret = random(derived ? 32 : policy.suite().encryptionKeyBytes());
      var key = new WSSecEncryptedKey(header);
      key.setUserInfo("service");
      key.setKeyIdentifierType(keyReference);
      key.setKeyEncAlgo(policy.suite().keyTransport());
      key.prepare(crypto(credential), new SecretKeySpec(secret, "AES"));
      id = key.getId();
      type = WSConstants.WSS_ENC_KEY_VALUE_TYPE;
      prepend = key::prependToHeader;
    } else {
      derived = ((Binding.UsernameKeys) policy.binding()).derivedKeys();
      var token = new WSSecUsernameToken(header);
      token.setUserInfo(user, password);
      token.addDerivedKey(iterations);
      byte[] salt = UsernameTokenUtil.generateSalt(true);
      token.prepare(salt);
      secret = token.getDerivedKey(salt);
      id = token.getId();
      type = WSConstants.USERNAMETOKEN_NS + "#UsernameToken";
      prepend = token::prependToHeader;
    }
    if (derived) {
      var sign = new WSSecDKSign(header);
      sign.setSignatureAlgorithm(signatureAlgorithm);
      sign.setDigestAlgorithm(digest);
      sign.setDerivedKeyLength(policy.suite().signatureKeyBytes());
      sign.setTokenIdentifier(id);
      sign.setCustomValueType(type);
      sign.getParts().addAll(signed());
      sign.build(secret);
      var encrypt = new WSSecDKEncrypt(header);
      encrypt.setSymmetricEncAlgorithm(policy.suite().encryption());
      encrypt.setDerivedKeyLength(policy.suite().encryptionKeyBytes());
      encrypt.setTokenIdentifier(id);
      encrypt.setCustomValueType(type);
      encrypt.getParts().addAll(encrypted());
      encrypt.build(secret);
    } else {
      var sign = new WSSecSignature(header);
      sign.setKeyIdentifierType(WSConstants.CUSTOM_SYMM_SIGNING);
      sign.setCustomTokenValueType(type);
      sign.setCustomTokenId(id);
      sign.setSecretKey(secret);
      sign.setSignatureAlgorithm(signatureAlgorithm);
      sign.setDigestAlgo(digest);
      sign.getParts().addAll(signed());
      sign.build(crypto(credential));
      var encrypt = new WSSecEncrypt(header);
      encrypt.setEncryptSymmKey(false);
      encrypt.setEncKeyId(id);
      encrypt.setCustomReferenceValue(type);
      encrypt.setSymmetricEncAlgorithm(policy.suite().encryption());
      encrypt.getParts().addAll(encrypted());
      encrypt.build(
          crypto(credential),
          new SecretKeySpec(Arrays.copyOf(secret, policy.suite().encryptionKeyBytes()), "AES"));
    }
    prepend.run();
    keys.put(Base64.getEncoder().encodeToString(sha1(document)), secret);
    return write(document);
  }

  private static byte[] sha1(Document document) throws Exception {
    var values = document.getElementsByTagNameNS(Namespaces.XENC, "EncryptedKey");
    if (values.getLength() == 0) {
      return new byte[0];
    }
    Element value =
        (Element)
            ((Element) values.item(0))
                .getElementsByTagNameNS(Namespaces.XENC, "CipherValue")
                .item(0);
    return java.security.MessageDigest.getInstance("SHA-1")
        .digest(Base64.getMimeDecoder().decode(value.getTextContent()));
  }

  private WSSecHeader header(Document document) throws Exception {
    var header = new WSSecHeader(document);
    header.insertSecurityHeader();
    if (policy.timestamp()) {
      var timestamp = new WSSecTimestamp(header);
      Instant at = created;
      if (at != null) {
        timestamp.setWsTimeSource(() -> at);
      }
      timestamp.setTimeToLive(lifetime);
      timestamp.build();
    }
    return header;
  }

  private List<WSEncryptionPart> signed() {
    List<WSEncryptionPart> parts = new ArrayList<>();
    parts.add(new WSEncryptionPart("Body", soap, "Content"));
    if (policy.timestamp()) {
      parts.add(new WSEncryptionPart("Timestamp", Namespaces.WSU, ""));
    }
    for (String each : List.of("Action", "MessageID", "To")) {
      parts.add(new WSEncryptionPart(each, Namespaces.WSA, ""));
    }
    for (QName each : alsoSigned) {
      parts.add(new WSEncryptionPart(each.getLocalPart(), each.getNamespaceURI(), ""));
    }
    if (signToken) {
      parts.add(new WSEncryptionPart("STRTransform", "", "Content"));
    }
    parts.removeIf(each -> leaveUnsigned.contains(each.getName()));
    return parts;
  }

  private List<WSEncryptionPart> encrypted() {
    List<WSEncryptionPart> parts = new ArrayList<>();
    if (policy.encrypted().body() && !leavePlain) {
      parts.add(new WSEncryptionPart("Body", soap, "Content"));
    }
    policy
        .encrypted()
        .headers()
        .forEach(
            each ->
                parts.add(
                    new WSEncryptionPart(each.getLocalPart(), each.getNamespaceURI(), "Header")));
    return parts;
  }

  private static WSEncryptionPart element(Element element) {
    var part = new WSEncryptionPart(element.getAttributeNS(null, "Id"), "Element");
    part.setElement(element);
    return part;
  }

  private static byte[] random(int length) {
    byte[] random = new byte[length];
    new SecureRandom().nextBytes(random);
    return random;
  }
}
