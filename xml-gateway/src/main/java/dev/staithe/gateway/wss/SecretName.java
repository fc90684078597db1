package dev.staithe.gateway.wss;

import dev.staithe.wss.Namespaces;
import dev.staithe.wss.Reply;
import dev.staithe.wss.SecurityContext;
import java.util.Base64;
import java.util.UUID;
import org.apache.wss4j.common.token.SecurityTokenReference;
import org.apache.wss4j.dom.WSConstants;
import org.apache.wss4j.dom.message.WSSecDerivedKeyBase;
import org.apache.wss4j.dom.message.WSSecEncrypt;
import org.apache.wss4j.dom.message.WSSecHeader;
import org.apache.wss4j.dom.message.WSSecSignature;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/** How an answer names a secret that both sides know. */
sealed interface SecretName {
  /** The namespace of derived keys. */
  default String namespace() {
    return Namespaces.SC_13;
  }

  void name(WSSecDerivedKeyBase derived);

  void name(WSSecEncrypt encrypt);

  void name(WSSecSignature signature);

  /** By its identifier, without the token: the other side has it. */
  record OfContext(SecurityContext context) implements SecretName {
    @Override
    public String namespace() {
      return context.namespace();
    }

    private String type() {
      return context.namespace() + "/sct";
    }

    /** Which key it is, after a renewal (WS-SecureConversation 1.4 section 8). */
    private Element reference(Document document, String instance) {
      Element whole = document.createElementNS(Namespaces.WSSE, "wsse:SecurityTokenReference");
      whole.setAttributeNS(
          javax.xml.XMLConstants.XMLNS_ATTRIBUTE_NS_URI, "xmlns:wsse", Namespaces.WSSE);
      Element reference = document.createElementNS(Namespaces.WSSE, "wsse:Reference");
      reference.setAttributeNS(null, "URI", context.identifier());
      reference.setAttributeNS(null, "ValueType", type());
      reference.setAttributeNS(
          javax.xml.XMLConstants.XMLNS_ATTRIBUTE_NS_URI, "xmlns:wsc", context.namespace());
      reference.setAttributeNS(context.namespace(), "wsc:Instance", instance);
      whole.appendChild(reference);
      return whole;
    }

    @Override
    public void name(WSSecDerivedKeyBase derived) {
      String instance = context.instance();
      if (instance != null) {
        derived.setStrElem(
            reference(
                derived.getSecurityHeader().getSecurityHeaderElement().getOwnerDocument(),
                instance));
        return;
      }
      derived.setTokenIdentifier(context.identifier());
      derived.setTokenIdDirectId(true);
      derived.setCustomValueType(type());
    }

    @Override
    public void name(WSSecEncrypt encrypt) {
      encrypt.setCustomReferenceValue(type());
      encrypt.setEncKeyId(context.identifier());
      encrypt.setEncKeyIdDirectId(true);
    }

    @Override
    public void name(WSSecSignature signature) {
      signature.setKeyIdentifierType(WSConstants.CUSTOM_SYMM_SIGNING_DIRECT);
      signature.setCustomTokenValueType(type());
      signature.setCustomTokenId(context.identifier());
    }
  }

  /** By the digest of its encrypted form (WSS 1.1 section 7.3). */
  record OfEncryptedKey(byte[] sha1) implements SecretName {
    private Element reference(Document document) {
      Element reference = document.createElementNS(Namespaces.WSSE, "wsse:SecurityTokenReference");
      reference.setAttributeNS(
          javax.xml.XMLConstants.XMLNS_ATTRIBUTE_NS_URI, "xmlns:wsse", Namespaces.WSSE);
      reference.setAttributeNS(
          javax.xml.XMLConstants.XMLNS_ATTRIBUTE_NS_URI, "xmlns:wsse11", Namespaces.WSSE11);
      reference.setAttributeNS(
          Namespaces.WSSE11, "wsse11:TokenType", WSConstants.WSS_ENC_KEY_VALUE_TYPE);
      Element identifier = document.createElementNS(Namespaces.WSSE, "wsse:KeyIdentifier");
      identifier.setAttributeNS(null, "EncodingType", WSConstants.SOAPMESSAGE_NS + "#Base64Binary");
      identifier.setAttributeNS(null, "ValueType", SecurityTokenReference.ENC_KEY_SHA1_URI);
      identifier.setTextContent(text());
      reference.appendChild(identifier);
      return reference;
    }

    private String text() {
      return Base64.getEncoder().encodeToString(sha1);
    }

    @Override
    public void name(WSSecDerivedKeyBase derived) {
      derived.setStrElem(
          reference(derived.getSecurityHeader().getSecurityHeaderElement().getOwnerDocument()));
    }

    @Override
    public void name(WSSecEncrypt encrypt) {
      encrypt.setKeyIdentifierType(WSConstants.ENCRYPTED_KEY_SHA1_IDENTIFIER);
      encrypt.setCustomReferenceValue(text());
    }

    @Override
    public void name(WSSecSignature signature) {
      signature.setKeyIdentifierType(WSConstants.ENCRYPTED_KEY_SHA1_IDENTIFIER);
      signature.setEncrKeySha1value(text());
    }
  }

  /** By a token with the user's name, the salt and the iterations. */
  record OfPassword(String id, Element token) implements SecretName {
    private static final String TYPE =
        "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-username-token-profile-1.0"
            + "#UsernameToken";

    /** Puts the token into the header. */
    static OfPassword of(Reply.Keys.ByUsername keys, WSSecHeader security) {
      Element header = security.getSecurityHeaderElement();
      Document document = header.getOwnerDocument();
      Element token = document.createElementNS(Namespaces.WSSE, "wsse:UsernameToken");
      token.setAttributeNS(
          javax.xml.XMLConstants.XMLNS_ATTRIBUTE_NS_URI, "xmlns:wsse11", Namespaces.WSSE11);
      token.setAttributeNS(
          javax.xml.XMLConstants.XMLNS_ATTRIBUTE_NS_URI, "xmlns:wsu", Namespaces.WSU);
      String id = "ut-" + UUID.randomUUID();
      token.setAttributeNS(Namespaces.WSU, "wsu:Id", id);
      append(token, Namespaces.WSSE, "wsse:Username", keys.username());
      append(
          token, Namespaces.WSSE11, "wsse11:Salt", Base64.getEncoder().encodeToString(keys.salt()));
      append(token, Namespaces.WSSE11, "wsse11:Iteration", Integer.toString(keys.iterations()));
      header.insertBefore(token, header.getFirstChild());
      return new OfPassword(id, token);
    }

    private static void append(Element parent, String namespace, String name, String text) {
      Element child = parent.getOwnerDocument().createElementNS(namespace, name);
      child.setTextContent(text);
      parent.appendChild(child);
    }

    @Override
    public void name(WSSecDerivedKeyBase derived) {
      derived.setTokenIdentifier(id);
      derived.setCustomValueType(TYPE);
    }

    @Override
    public void name(WSSecEncrypt encrypt) {
      encrypt.setCustomReferenceValue(TYPE);
      encrypt.setEncKeyId(id);
    }

    @Override
    public void name(WSSecSignature signature) {
      signature.setKeyIdentifierType(WSConstants.CUSTOM_SYMM_SIGNING);
      signature.setCustomTokenValueType(TYPE);
      signature.setCustomTokenId(id);
    }
  }
}
