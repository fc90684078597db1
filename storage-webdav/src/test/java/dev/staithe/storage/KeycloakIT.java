package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.nimbusds.jose.util.JSONObjectUtils;
import dev.staithe.peers.process.Checkout;
import dev.staithe.peers.process.Core;
import dev.staithe.peers.process.ManagedProcess;
import dev.staithe.peers.process.PeerScript;
import dev.staithe.testkit.clients.Curl;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Keycloak as a plain issuer: what it signs for a user's program, and what else it signs. */
class KeycloakIT {
  private static final String GROUP = "urn:mace:site.invalid:group:vo:data#login.site.invalid";

  /** A client as an administrator sets it up: audience, groups, entitlements. */
  private static final String REALM =
      """
      {"realm": "site", "enabled": true, "sslRequired": "none",
       "groups": [{"name": "vo", "subGroups": [{"name": "data"}]}],
       "clients": [
        {"clientId": "se", "secret": "se-secret", "enabled": true, "publicClient": false,
         "standardFlowEnabled": false},
        {"clientId": "elsewhere", "secret": "jobs-secret", "enabled": true, "publicClient": false,
         "standardFlowEnabled": false, "directAccessGrantsEnabled": true},
        {"clientId": "jobs", "secret": "jobs-secret", "enabled": true, "publicClient": false,
         "standardFlowEnabled": false, "directAccessGrantsEnabled": true,
         "protocolMappers": [
          {"name": "audience", "protocol": "openid-connect",
           "protocolMapper": "oidc-audience-mapper",
           "config": {"included.custom.audience": "https://storage.test",
                      "access.token.claim": "true"}},
          {"name": "groups", "protocol": "openid-connect",
           "protocolMapper": "oidc-group-membership-mapper",
           "config": {"claim.name": "groups", "full.path": "true", "access.token.claim": "true"}},
          {"name": "entitlements", "protocol": "openid-connect",
           "protocolMapper": "oidc-usermodel-attribute-mapper",
           "config": {"user.attribute": "entitlement", "claim.name": "entitlements",
                      "multivalued": "true", "jsonType.label": "String",
                      "access.token.claim": "true"}}]}],
       "users": [
        {"username": "ada", "enabled": true, "emailVerified": true, "email": "ada@site.invalid",
         "firstName": "Ada", "lastName": "L", "groups": ["/vo/data"],
         "attributes": {"entitlement": ["%s"]},
         "credentials": [{"type": "password", "value": "ada-pass"}]},
        {"username": "bob", "enabled": true, "emailVerified": true, "email": "bob@site.invalid",
         "firstName": "Bob", "lastName": "L", "groups": ["/vo/data"],
         "credentials": [{"type": "password", "value": "bob-pass"}]}]}
      """
          .formatted(GROUP);

  @TempDir private Path folder;

  @Test
  void itsAccessTokensCountByEntitlementsAndGroupsAndNothingElseThatItSignsDoes() throws Exception {
    PeerScript script = new PeerScript(Checkout.root(), "keycloak");
    // It is large and fetched by perf/peers/keycloak only.
    assumeTrue(Files.exists(script.store().resolve("keycloak/built")), "it was not fetched");
    // Its database runs as somebody else where this is root.
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    Path place = Files.createDirectory(folder.resolve("keycloak"));
    Files.setPosixFilePermissions(place, PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.writeString(place.resolve("accounts"), "1\npass\n");
    Files.writeString(place.resolve("realm.json"), REALM);
    Path secret =
        Files.createFile(
            folder.resolve("secret"),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(secret, "se-secret\n");

    try (ManagedProcess keycloak = script.start(place, 2, Core.ANY)) {
      String issuer = "http://127.0.0.1:" + keycloak.port(0) + "/realms/site";
      Map<String, Object> settings = new HashMap<>();
      settings.put("staithe.issuers[1].issuer", issuer);
      settings.put("staithe.issuers[1].profile", "oidc");
      settings.put("staithe.issuers[1].audiences", RunningStorage.AUDIENCE);
      settings.put("staithe.issuers[1].plain-http-on-loopback", true);
      settings.put("staithe.issuers[1].acr", "1");
      String introspection = "staithe.issuers[1].introspection.";
      settings.put(introspection + "url", issuer + "/protocol/openid-connect/token/introspect");
      settings.put(introspection + "client-id", "se");
      settings.put(introspection + "client-secret-file", secret);
      String grant = "staithe.areas[0].grants[1].";
      settings.put(grant + "issuer", issuer);
      settings.put(grant + "strategy", "groups");
      settings.put(grant + "groups[0].group", GROUP);
      settings.put(grant + "groups[0].scopes", "storage.read:/ storage.modify:/new");
      settings.put(grant + "groups[1].group", "/vo/data");
      settings.put(grant + "groups[1].scopes", "storage.read:/shared");
      try (RunningStorage storage =
          RunningStorage.beside(RunningStorage.shared(), folder.resolve("element"), settings)) {
        Files.writeString(storage.data().resolve("f"), "content");
        Files.createDirectory(storage.data().resolve("shared"));
        Files.writeString(storage.data().resolve("shared/g"), "shared");

        Map<String, Object> ada = login(issuer, "jobs", "ada");
        String token = (String) ada.get("access_token");
        assertThat(get(storage, "/data/f", token)).isEqualTo("content");
        assertThat(
                storage
                    .curl("/data/new/h")
                    .token(token)
                    .upload(storage.data().resolve("f"))
                    .run()
                    .status())
            .isEqualTo(201);
        // Who has no entitlements has groups, and no more than they say.
        String bob = (String) login(issuer, "jobs", "bob").get("access_token");
        assertThat(get(storage, "/data/shared/g", bob)).isEqualTo("shared");
        assertThat(get(storage, "/data/f", bob))
            .isEqualTo("needs storage.read for /f; the token's groups /vo/data do not grant it\n");

        assertThat(get(storage, "/data/f", (String) ada.get("id_token")))
            .isEqualTo("the token is an ID token, and no access token\n");
        assertThat(get(storage, "/data/f", (String) ada.get("refresh_token")))
            .startsWith("the token's signature algorithm HS512 is not accepted");
        assertThat(
                get(
                    storage,
                    "/data/f",
                    (String) login(issuer, "elsewhere", "ada").get("access_token")))
            .isEqualTo("the token names no service that it is for (aud)\n");
        assertThat(get(storage, "/data/f", "not-a-token-of-keycloak"))
            .isEqualTo("the token is not active, says its issuer\n");
      }
    }
  }

  private static String get(RunningStorage storage, String path, String token) {
    return storage.curl(path).token(token).run().text();
  }

  private static Map<String, Object> login(String issuer, String client, String user)
      throws Exception {
    return JSONObjectUtils.parse(
        Curl.to(issuer + "/protocol/openid-connect/token")
            .method("POST")
            .body(
                "grant_type=password&scope=openid&client_id=%s&client_secret=jobs-secret&username=%s&password=%s-pass"
                    .formatted(client, user, user))
            .run()
            .text());
  }
}
