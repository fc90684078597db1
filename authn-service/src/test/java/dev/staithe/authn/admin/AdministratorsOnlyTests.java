package dev.staithe.authn.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.authn.RunningAuthn;
import dev.staithe.testkit.Trials;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who may administer, and that nobody else does. */
final class AdministratorsOnlyTests {
  private static final String ADMINISTRATORS = "/staithe/administrators";

  @TempDir private static Path folder;
  private static RunningAuthn authn;

  @BeforeAll
  static void start() {
    authn =
        RunningAuthn.start(folder, Map.of())
            .user("root", ADMINISTRATORS)
            .user("second", ADMINISTRATORS)
            .user("below", ADMINISTRATORS + "/below")
            .user("ada", "/physics")
            .user("bob");
  }

  @AfterAll
  static void stop() {
    authn.close();
  }

  @Test
  void strangerAndMemberOfAnotherGroupAreRefused() {
    assertThat(authn.as("nonsense", "GET", "admin/users", "").statusCode()).isEqualTo(401);
    for (String name : new String[] {"ada", "below"}) {
      HttpResponse<String> answer =
          authn.as(authn.login(name), "DELETE", "admin/users/bob/sessions", "");
      assertThat(answer.statusCode()).as(name).isEqualTo(403);
      assertThat(answer.body()).contains("for members of " + ADMINISTRATORS + " only");
      Trials.held();
    }
  }

  @Test
  void cookieOfAnAdministratorIsNoCredentialForRest() {
    String token = authn.login("root");
    for (String path : new String[] {"admin/users", "json/sessions"}) {
      HttpResponse<String> answer =
          authn.send(
              HttpRequest.newBuilder(authn.url().resolve(path))
                  .header("Cookie", "staithe_session=" + token + "; iPlanetDirectoryPro=" + token)
                  .GET());
      assertThat(answer.statusCode()).as(path).isIn(400, 401);
      Trials.held();
    }
  }

  @Test
  void administratorWhoIsTakenOutOfTheGroupLosesTheRightAtOnce() {
    String token = authn.login("second");
    assertThat(authn.as(token, "GET", "admin/groups", "").statusCode()).isEqualTo(200);

    String path = "admin/groups/members?group=" + ADMINISTRATORS + "&user=second";
    assertThat(authn.as(authn.login("root"), "DELETE", path, "").statusCode()).isEqualTo(200);
    assertThat(authn.as(token, "GET", "admin/groups", "").statusCode()).isEqualTo(403);
  }

  @Test
  void userWhoIsDisabledIsLoggedOutEverywhereAndStaysOut() {
    String token = authn.login("bob");
    HttpResponse<String> answer =
        authn.as(authn.login("root"), "PATCH", "admin/users/bob", "{\"enabled\":false}");

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(authn.isGood(token)).isFalse();
    assertThat(
            authn
                .send(
                    HttpRequest.newBuilder(authn.url().resolve("json/authenticate"))
                        .header("X-OpenAM-Username", "bob")
                        .header("X-OpenAM-Password", RunningAuthn.PASSWORD)
                        .POST(HttpRequest.BodyPublishers.noBody()))
                .statusCode())
        .isEqualTo(401);
  }

  @Test
  void administrationThatWantsAOneTimeCodeRefusesASessionWithoutOne(@TempDir Path other) {
    try (var strict =
        RunningAuthn.start(other, Map.of("staithe.administration.second-factor", true))
            .user("root", ADMINISTRATORS)) {
      HttpResponse<String> answer = strict.as(strict.login("root"), "GET", "admin/users", "");
      assertThat(answer.statusCode()).isEqualTo(403);
      assertThat(answer.body()).contains("log in with a one-time code first");
    }
  }

  @Test
  void theLastAdministratorStays(@TempDir Path other) {
    try (var alone = RunningAuthn.start(other, Map.of()).user("root", ADMINISTRATORS)) {
      String token = alone.login("root");
      // The one who was made at the start may go.
      assertThat(alone.as(token, "DELETE", "admin/users/admin", "").statusCode()).isEqualTo(200);
      String leave = "admin/groups/members?group=" + ADMINISTRATORS + "&user=root";
      for (HttpResponse<String> answer :
          List.of(
              alone.as(token, "DELETE", leave, ""),
              alone.as(token, "DELETE", "admin/users/root", ""),
              alone.as(token, "PATCH", "admin/users/root", "{\"enabled\":false}"),
              alone.as(token, "PATCH", "admin/users/root", "{\"groups\":[]}"))) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(409);
        assertThat(answer.body()).contains("the last administrator stays");
        Trials.held();
      }
      assertThat(alone.as(token, "GET", "admin/users", "").statusCode()).isEqualTo(200);

      alone.user("second", ADMINISTRATORS);
      assertThat(alone.as(token, "DELETE", leave, "").statusCode()).isEqualTo(200);
    }
  }
}
