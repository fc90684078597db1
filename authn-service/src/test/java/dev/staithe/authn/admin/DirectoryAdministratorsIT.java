package dev.staithe.authn.admin;

import static dev.staithe.authn.RestClient.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.authn.RunningAuthn;
import dev.staithe.authn.oauth.Codes;
import dev.staithe.peers.SlapdServer;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who may make groups in a directory does not administer this service by it, before a slapd. */
final class DirectoryAdministratorsIT {
  private static final String PASSWORD = "directory password";

  @TempDir private static Path folder;
  private static SlapdServer server;

  @BeforeAll
  static void start() {
    StringBuilder entries = new StringBuilder();
    for (String unit : new String[] {"people", "groups"}) {
      entries.append(
          "dn: ou=%1$s,dc=example,dc=org\nobjectClass: organizationalUnit\nou: %1$s\n\n"
              .formatted(unit));
    }
    for (String person : new String[] {"mallory", "olga"}) {
      entries.append(
          """
          dn: uid=%1$s,ou=people,dc=example,dc=org
          objectClass: inetOrgPerson
          uid: %1$s
          cn: %1$s
          sn: X.
          userPassword: %2$s

          """
              .formatted(person, PASSWORD));
    }
    group(entries, "staithe/administrators", "mallory");
    group(entries, "operators", "olga");
    server =
        SlapdServer.start(
            ThrowAwayAuthority.in(folder.resolve("ca"), Clock.systemUTC()).rsaServer(),
            entries.toString());
  }

  private static void group(StringBuilder entries, String name, String member) {
    entries.append(
        """
        dn: cn=%1$s,ou=groups,dc=example,dc=org
        objectClass: groupOfNames
        cn: %1$s
        member: uid=%2$s,ou=people,dc=example,dc=org

        """
            .formatted(name, member));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static RunningAuthn authn(String state, Map<String, String> more) throws IOException {
    Path password =
        Files.writeString(folder.resolve("reader-password"), SlapdServer.ADMIN_PASSWORD);
    Map<String, Object> properties = new HashMap<>(more);
    properties.put("staithe.users.ldap.servers", "localhost:" + server.port());
    properties.put("staithe.users.ldap.security", "plain");
    properties.put("staithe.users.ldap.reader-dn", SlapdServer.ADMIN);
    properties.put("staithe.users.ldap.reader-password-file", password);
    properties.put("staithe.users.ldap.base", "ou=people," + SlapdServer.SUFFIX);
    properties.put("staithe.users.ldap.group-base", "ou=groups," + SlapdServer.SUFFIX);
    properties.put("staithe.users.ldap.timeout", "1m");
    return RunningAuthn.start(Files.createDirectory(folder.resolve(state)), properties);
  }

  private static int asks(RunningAuthn authn, String name) {
    String token = authn.rest().login(name, PASSWORD);
    return authn.as(token, "GET", "admin/users", "").statusCode();
  }

  @Test
  void groupOfTheDirectoryNamedLikeTheAdministratorsMakesNone() throws IOException {
    try (RunningAuthn authn = authn("by-name", Map.of())) {
      assertThat(asks(authn, "mallory")).isEqualTo(403);
      assertThat(asks(authn, "olga")).isEqualTo(403);
    }
  }

  @Test
  void groupOfTheDirectoryThatIsMappedOnPurposeDoes() throws IOException {
    try (RunningAuthn authn =
        authn("mapped", Map.of("staithe.users.ldap.administrator-groups", "/operators"))) {
      assertThat(asks(authn, "olga")).isEqualTo(200);
      assertThat(asks(authn, "mallory")).isEqualTo(403);
    }
  }

  @Test
  void secondFactorOfSomebodyOfTheDirectoryIsTakenAway() throws IOException {
    try (RunningAuthn authn = authn("codes", Map.of()).user("root", "/staithe/administrators")) {
      String token = authn.rest().login("olga", PASSWORD);
      String begin = "{\"password\":\"" + PASSWORD + "\"}";
      String secret =
          json(authn.as(token, "POST", "json/code?_action=begin", begin))
              .path("secret")
              .asString("");
      String confirm = "{\"code\":\"" + Codes.now(secret, Clock.systemUTC()) + "\"}";
      assertThat(authn.as(token, "POST", "json/code?_action=confirm", confirm).statusCode())
          .isEqualTo(200);
      assertThat(authn.rest().attempt("olga", PASSWORD).statusCode()).isEqualTo(401);

      HttpResponse<String> off =
          authn.as(authn.login("root"), "DELETE", "admin/users/olga/code", "");

      assertThat(off.statusCode()).as(off.body()).isEqualTo(200);
      assertThat(authn.rest().attempt("olga", PASSWORD).statusCode()).isEqualTo(200);
      assertThat(authn.isGood(token)).isFalse();
    }
  }
}
