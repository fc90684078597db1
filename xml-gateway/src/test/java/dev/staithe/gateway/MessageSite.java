package dev.staithe.gateway;

import dev.staithe.gateway.route.RecordingService;
import dev.staithe.pki.Credential;
import dev.staithe.pki.DistinguishedName;
import dev.staithe.pki.KeyKind;
import dev.staithe.pki.RequestedKey;
import dev.staithe.pki.ca.CertificateProfile;
import dev.staithe.pki.ca.HostCertificateRequest;
import dev.staithe.pki.ca.PersonCertificateRequest;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import dev.staithe.wss.client.Holder;
import dev.staithe.xml.SoapVersion;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Everybody whom a gateway for messages needs: its own key, a caller with key and password, and the
 * settings that tell of them.
 *
 * @param holder the caller
 * @param curved the caller with a key of an elliptic curve
 * @param settings of the gateway, without endpoints
 */
public record MessageSite(Holder holder, Holder curved, Map<String, Object> settings) {
  /** Makes them in a folder. */
  public static MessageSite in(Path folder) throws IOException {
    ThrowAwayAuthority people = ThrowAwayAuthority.in(folder.resolve("people"), Clock.systemUTC());
    Credential own =
        people
            .issuer()
            .issueHost(
                new HostCertificateRequest(
                    List.of("gateway"), KeyKind.RSA_2048, Duration.ofDays(1)));
    own.write(folder.resolve("message.pem"), folder.resolve("message-key.pem"));
    Path users = folder.resolve("users");
    Files.createFile(
        users, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(users, "ada:correct horse\n");
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("staithe.message.certificate", folder.resolve("message.pem"));
    settings.put("staithe.message.key", folder.resolve("message-key.pem"));
    settings.put("staithe.message.trust", people.certificateFile());
    settings.put("staithe.users.file", users);
    return new MessageSite(
        new Holder(
            ada(people, KeyKind.RSA_2048),
            own.certificate(),
            "ada",
            "correct horse".getBytes(StandardCharsets.UTF_8),
            null),
        Holder.of(ada(people, KeyKind.EC_P256), own.certificate()),
        settings);
  }

  private static Credential ada(ThrowAwayAuthority people, KeyKind kind) {
    RequestedKey key = RequestedKey.make(kind);
    return new Credential(
        key.key(),
        List.of(
            people
                .issuer()
                .issuePerson(
                    PersonCertificateRequest.of(
                        DistinguishedName.parse("/DC=org/DC=staithe/CN=Ada"),
                        key.publicKey(),
                        Duration.ofHours(1)),
                    CertificateProfile.plain())));
  }

  /** A plain service that answers always the same. */
  public static RecordingService service() {
    return new RecordingService(
        RecordingService.with(
            200,
            "text/xml;charset=utf-8",
            "<s:Envelope xmlns:s=\""
                + SoapVersion.SOAP_1_1.namespace()
                + "\"><s:Body><answer xmlns=\"urn:t\">heard</answer></s:Body></s:Envelope>"));
  }
}
