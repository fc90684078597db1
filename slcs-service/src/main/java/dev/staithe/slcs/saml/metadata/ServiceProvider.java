package dev.staithe.slcs.saml.metadata;

import dev.staithe.pki.Credential;
import dev.staithe.pki.keys.PrivateKeyOperations;
import dev.staithe.slcs.saml.metadata.SamlSettings.Encryption;
import dev.staithe.xml.XmlText;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.security.saml2.Saml2Exception;
import org.springframework.security.saml2.core.OpenSamlInitializationService;
import org.springframework.security.saml2.core.Saml2X509Credential;
import org.springframework.security.saml2.provider.service.registration.RelyingPartyRegistration;
import org.springframework.security.saml2.provider.service.registration.RelyingPartyRegistrations;
import org.springframework.security.saml2.provider.service.registration.Saml2MessageBinding;
import org.springframework.web.util.UriUtils;
import org.w3c.dom.Element;

/** This service as identity providers see it: its name, its places, its keys. Thread-safe. */
public final class ServiceProvider {
  public static final String METADATA = "/saml2/metadata";
  public static final String CONSUMER = "/login/saml2/sso";
  public static final String LOGOUT = "/saml2/logout";

  private static final String RSA_SHA256 = "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256";

  static {
    OpenSamlInitializationService.initialize();
  }

  private final String url;
  private final Credential credential;
  private final PrivateKeyOperations signer;
  private final Encryption encryption;

  ServiceProvider(SamlSettings settings) {
    this.url = settings.url().toString();
    this.credential = settings.credential();
    this.signer = PrivateKeyOperations.of(credential.key());
    this.encryption = settings.encryption();
  }

  /** How providers may encrypt of whom nothing else is said. */
  public Encryption encryption() {
    return encryption;
  }

  /** Opens what was encrypted for us. */
  public PrivateKey key() {
    return credential.key();
  }

  /** The entity ID, where the metadata is. */
  public String entityId() {
    return url + METADATA;
  }

  /** Where responses go, by the bindings POST and PAOS alike. */
  public String consumer() {
    return url + CONSUMER;
  }

  public String logout() {
    return url + LOGOUT;
  }

  /**
   * What Spring Security needs to speak with that provider.
   *
   * @throws Saml2Exception where the metadata is of no use, as without keys
   */
  RelyingPartyRegistration with(String name, ProviderMetadata metadata, Element entity) {
    byte[] text = XmlText.document(entity).getBytes(StandardCharsets.UTF_8);
    return RelyingPartyRegistrations.fromMetadata(new ByteArrayInputStream(text))
        .registrationId(name)
        .entityId(entityId())
        .assertionConsumerServiceLocation(consumer())
        .assertionConsumerServiceBinding(Saml2MessageBinding.POST)
        .singleLogoutServiceLocation(logout())
        .singleLogoutServiceResponseLocation(logout())
        .singleLogoutServiceBindings(
            bindings -> {
              bindings.clear();
              bindings.addAll(List.of(Saml2MessageBinding.REDIRECT, Saml2MessageBinding.POST));
            })
        .authnRequestsSigned(true)
        .signingX509Credentials(
            all -> all.add(Saml2X509Credential.signing(credential.key(), credential.certificate())))
        .decryptionX509Credentials(
            all ->
                all.add(Saml2X509Credential.decryption(credential.key(), credential.certificate())))
        .assertingPartyMetadata(
            party -> {
              if (metadata.redirect() != null) {
                party
                    .singleSignOnServiceLocation(metadata.redirect())
                    .singleSignOnServiceBinding(Saml2MessageBinding.REDIRECT);
              }
            })
        .build();
  }

  /**
   * The query of a message by the redirect binding, with its signature over just that text (SAML
   * bindings section 3.4.4.1). Spring Security signs the parameters of answers in the order in
   * which a hash table has them, and by the JDK, which takes three times as long for an RSA
   * signature as native code.
   */
  public String signedQuery(String name, String message, @Nullable String relayState) {
    String query =
        name
            + "="
            + UriUtils.encode(message, StandardCharsets.UTF_8)
            + (relayState == null || relayState.isEmpty()
                ? ""
                : "&RelayState=" + UriUtils.encode(relayState, StandardCharsets.UTF_8))
            + "&SigAlg="
            + UriUtils.encode(RSA_SHA256, StandardCharsets.UTF_8);
    try {
      byte[] signed = query.getBytes(StandardCharsets.UTF_8);
      byte[] signature = signer.sign("SHA256withRSA", signed, 0, signed.length);
      return query
          + "&Signature="
          + UriUtils.encode(Base64.getEncoder().encodeToString(signature), StandardCharsets.UTF_8);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("a key that was read cannot sign", e);
    }
  }

  /**
   * Our metadata. Written by hand: one address takes responses by two bindings, which no builder
   * offers.
   *
   * @param allowed how the provider that gets them may encrypt
   */
  public String metadata(Encryption allowed) {
    String certificate =
        Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(encoded(credential));
    return """
    <?xml version="1.0" encoding="UTF-8"?>
    <md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="%1$s">
      <md:Extensions>
        <mdattr:EntityAttributes xmlns:mdattr="urn:oasis:names:tc:SAML:metadata:attribute">
          <saml:Attribute xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" Name="urn:oasis:names:tc:SAML:profiles:subject-id:req" NameFormat="urn:oasis:names:tc:SAML:2.0:attrname-format:uri"><saml:AttributeValue>any</saml:AttributeValue></saml:Attribute>
        </mdattr:EntityAttributes>
      </md:Extensions>
      <md:SPSSODescriptor AuthnRequestsSigned="true" WantAssertionsSigned="true" protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">
        <md:KeyDescriptor use="signing">
          <ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:X509Data><ds:X509Certificate>%2$s</ds:X509Certificate></ds:X509Data></ds:KeyInfo>
        </md:KeyDescriptor>
    %6$s        <md:SingleLogoutService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="%3$s"/>
        <md:SingleLogoutService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="%3$s"/>
        <md:NameIDFormat>urn:oasis:names:tc:SAML:2.0:nameid-format:persistent</md:NameIDFormat>
        <md:NameIDFormat>urn:oasis:names:tc:SAML:2.0:nameid-format:transient</md:NameIDFormat>
        <md:AssertionConsumerService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="%4$s" index="1" isDefault="true"/>
        <md:AssertionConsumerService Binding="urn:oasis:names:tc:SAML:2.0:bindings:PAOS" Location="%4$s" index="2"/>
        <md:AttributeConsumingService index="1">
          <md:ServiceName xml:lang="en">Staithe</md:ServiceName>
    %5$s    </md:AttributeConsumingService>
      </md:SPSSODescriptor>
    </md:EntityDescriptor>
    """
        .formatted(
            XmlText.escapeAttribute(entityId()),
            certificate,
            XmlText.escapeAttribute(logout()),
            XmlText.escapeAttribute(consumer()),
            wanted(),
            allowed == Encryption.NONE ? "" : encryption(certificate, allowed));
  }

  private static String encryption(String certificate, Encryption allowed) {
    String legacy =
        allowed == Encryption.LEGACY
            ? "      <md:EncryptionMethod Algorithm=\"http://www.w3.org/2001/04/xmlenc#aes256-cbc\"/>\n"
            : "";
    return """
        <md:KeyDescriptor use="encryption">
          <ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:X509Data><ds:X509Certificate>%s</ds:X509Certificate></ds:X509Data></ds:KeyInfo>
          <md:EncryptionMethod Algorithm="http://www.w3.org/2009/xmlenc11#aes128-gcm"/>
          <md:EncryptionMethod Algorithm="http://www.w3.org/2009/xmlenc11#aes256-gcm"/>
    %s      <md:EncryptionMethod Algorithm="http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p"/>
        </md:KeyDescriptor>
    """
        .formatted(certificate, legacy);
  }

  /**
   * The attributes that this service asks for (SAML metadata section 2.4.4.1). None is required: of
   * the identifiers any will do, which this cannot say, and providers withhold logins for what is.
   */
  private static String wanted() {
    var text = new StringBuilder();
    AttributeNames.wanted()
        .forEach(
            (friendly, name) ->
                text.append("      <md:RequestedAttribute Name=\"")
                    .append(name)
                    .append(
                        "\" NameFormat=\"urn:oasis:names:tc:SAML:2.0:attrname-format:uri\""
                            + " FriendlyName=\"")
                    .append(friendly)
                    .append("\" isRequired=\"false\"/>\n"));
    return text.toString();
  }

  private static byte[] encoded(Credential credential) {
    try {
      return credential.certificate().getEncoded();
    } catch (java.security.cert.CertificateEncodingException e) {
      throw new IllegalStateException("a certificate that was read cannot be written", e);
    }
  }
}
