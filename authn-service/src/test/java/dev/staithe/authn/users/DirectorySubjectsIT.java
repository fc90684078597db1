package dev.staithe.authn.users;

import static dev.staithe.authn.RestClient.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import dev.staithe.authn.RestClient;
import dev.staithe.authn.RunningAuthn;
import dev.staithe.authn.oauth.Codes;
import dev.staithe.peers.SlapdServer;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/** Who the users of OpenLDAP are in tokens, while the directory gives names to others. */
final class DirectorySubjectsIT {
  private static final String PASSWORD = "directory password";
  private static final String PEOPLE = "ou=people," + SlapdServer.SUFFIX;

  @TempDir Path folder;

  private SlapdServer server;
  private LDAPConnection directory;
  private RunningAuthn authn;

  @BeforeEach
  void start() throws Exception {
    server =
        SlapdServer.start(
            ThrowAwayAuthority.in(folder.resolve("ca"), Clock.systemUTC()).rsaServer(),
            "dn: %s\nobjectClass: organizationalUnit\nou: people\n".formatted(PEOPLE));
    directory =
        new LDAPConnection(
            "127.0.0.1", server.port(), SlapdServer.ADMIN, SlapdServer.ADMIN_PASSWORD);
    authn = authn(Map.of());
    hire("ada");
  }

  private RunningAuthn authn(Map<String, Object> more) {
    Map<String, Object> properties = new HashMap<>();
    properties.put("staithe.users.ldap.servers", "localhost:" + server.port());
    properties.put("staithe.users.ldap.security", "plain");
    properties.put("staithe.users.ldap.base", PEOPLE);
    properties.put("staithe.users.ldap.timeout", "1m");
    properties.put("staithe.tokens.grants[0].to", "*");
    properties.put("staithe.tokens.grants[0].scopes", "storage.read:/");
    properties.putAll(more);
    return RunningAuthn.start(folder, properties);
  }

  @AfterEach
  void stop() {
    authn.close();
    directory.close();
    server.close();
  }

  private static String dn(String name) {
    return "uid=" + name + "," + PEOPLE;
  }

  private void hire(String name) throws Exception {
    directory.add(
        "dn: " + dn(name),
        "objectClass: inetOrgPerson",
        "uid: " + name,
        "cn: " + name,
        "sn: X.",
        "userPassword: " + PASSWORD);
  }

  private void rename(String from, String to) throws LDAPException {
    directory.modifyDN(dn(from), "uid=" + to, true);
  }

  private String login(String name) {
    return authn.rest().login(name, PASSWORD);
  }

  private HttpResponse<String> token(String session) {
    return authn.as(session, "POST", "json/tokens", "{\"scope\":\"storage.read:/\"}");
  }

  private String subject(String session) {
    HttpResponse<String> answer = token(session);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    String jwt = json(answer).path("access_token").asString("");
    String claims =
        new String(Base64.getUrlDecoder().decode(jwt.split("\\.")[1]), StandardCharsets.UTF_8);
    return JsonMapper.shared().readTree(claims).path("sub").asString("");
  }

  /** Sets one-time codes up; the secret. */
  private String enrol(String session) {
    String secret =
        json(authn.as(
                session, "POST", "json/code?_action=begin", "{\"password\":\"" + PASSWORD + "\"}"))
            .path("secret")
            .asString("");
    String code = Codes.now(secret, Clock.systemUTC());
    assertThat(
            authn
                .as(session, "POST", "json/code?_action=confirm", "{\"code\":\"" + code + "\"}")
                .statusCode())
        .isEqualTo(200);
    return secret;
  }

  @Test
  void subjectSaysNothingAndStays() {
    String subject = subject(login("ada"));
    assertThat(subject).hasSize(36).doesNotContain("ada");
    assertThat(subject(login("ADA"))).isEqualTo(subject);
    authn.user("root1", "/staithe/administrators");
    HttpResponse<String> shown =
        authn.as(authn.login("root1"), "GET", "admin/users/" + subject, "");
    assertThat(json(shown).path("name").asString("")).isEqualTo("ada");
  }

  @Test
  void namesakeMadeLaterIsAnotherAndInheritsNothing() throws Exception {
    String session = login("ada");
    String subject = subject(session);
    enrol(session);
    UserEnds ends = authn.bean(UserEnds.class);
    var before = ends.notBefore("ada");
    directory.delete(dn("ada"));
    hire("ada");

    // The old session asks first: it gets nothing of the new person's.
    assertThat(token(session).statusCode()).isNotEqualTo(200);
    assertThat(authn.isGood(session)).isFalse();
    String fresh = login("ada");
    assertThat(subject(fresh)).hasSize(36).isNotEqualTo(subject);
    assertThat(authn.isGood(fresh)).as("the new one's own session stays").isTrue();
    // Consents, grants and refresh tokens of before are over by this.
    assertThat(ends.notBefore("ada")).isAfter(before);
  }

  @Test
  void namesakeThatLogsInFirstEndsTheSessionsOfTheOneBefore() throws Exception {
    String session = login("ada");
    directory.delete(dn("ada"));
    hire("ada");
    login("ada");
    assertThat(authn.isGood(session)).isFalse();
  }

  @Test
  void whoeverIsRenamedStaysTheSameAndKeepsTheSecondFactor() throws Exception {
    String session = login("ada");
    String subject = subject(session);
    String secret = enrol(session);
    rename("ada", "countess");
    hire("ada");

    // The namesake comes first, and is asked for no code of another's.
    assertThat(subject(login("ada"))).isNotEqualTo(subject);
    assertThat(authn.rest().attempt("countess", PASSWORD).statusCode()).isEqualTo(401);
    // Confirming used the code of this step up; the one after is taken too.
    Clock later = Clock.offset(Clock.systemUTC(), Duration.ofSeconds(30));
    HttpResponse<String> answer =
        authn.send(
            HttpRequest.newBuilder(authn.url().resolve("json/authenticate"))
                .header("X-OpenAM-Username", "countess")
                .header("X-OpenAM-Password", PASSWORD)
                .header("X-OpenAM-OTP", Codes.now(secret, later))
                .POST(HttpRequest.BodyPublishers.noBody()));
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    assertThat(subject(RestClient.json(answer).path("tokenId").asString(""))).isEqualTo(subject);
  }

  /** As after an upgrade: who was there before goes by the name in services, and goes on so. */
  @Test
  void entryOlderThanRandomSubjectsKeepsItsNameAndNobodyElseGetsIt() throws Exception {
    assertThat(
            authn
                .bean(Database.class)
                .<Integer>ask(
                    client ->
                        client
                            .sql("UPDATE directory_start SET since = ?")
                            .param(Long.MAX_VALUE)
                            .update()))
        .isEqualTo(1);
    String session = login("ada");
    assertThat(subject(session)).isEqualTo("ada");
    rename("ada", "countess");
    assertThat(subject(login("countess"))).isEqualTo("ada");
    hire("ada");
    assertThat(subject(login("ada"))).hasSize(36);
    assertThat(subject(login("countess"))).isEqualTo("ada");
  }

  @Test
  void directoryThatDoesNotShowItsIdentifierLetsNobodyInUnlessNamesAreToDo() {
    authn.close();
    authn = authn(Map.of("staithe.users.ldap.id-attribute", "objectGUID"));
    assertThat(authn.rest().attempt("ada", PASSWORD).statusCode()).isEqualTo(503);
    authn.close();
    authn = authn(Map.of("staithe.users.ldap.id-attribute", ""));
    assertThat(subject(login("ada"))).isEqualTo("ada");
  }
}
