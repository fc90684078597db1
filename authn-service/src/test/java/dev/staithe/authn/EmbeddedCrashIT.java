package dev.staithe.authn;

import static dev.staithe.authn.RestClient.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.testkit.Trials;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node with the embedded database that is killed right after an answer. */
final class EmbeddedCrashIT {
  private static final String BEFORE = "correct horse battery";
  private static final String AFTER = "another horse and its battery";

  @TempDir private Path folder;

  private record Step(String name, Runnable change, BooleanSupplier holds) {}

  @Test
  void whatWasAnsweredAboutUsersAndClientsSurvivesKillNine() {
    try (AuthnProcess node = AuthnProcess.start(folder, Map.of())) {
      String password = node.administratorPassword();
      for (int round = 0; round < 4; round++) {
        String administrator = node.rest().login("admin", password);
        List<Step> steps = steps(node.rest(), administrator, round);
        node.rest().as(administrator, "POST", "admin/users", user("changed" + round));
        node.rest().as(administrator, "POST", "admin/users", user("disabled" + round));
        // Each in turn is the last before the end.
        Collections.rotate(steps, round);
        steps.forEach(step -> step.change().run());

        node.kill();
        node.restart().awaitUp();

        for (Step step : steps) {
          assertThat(step.holds().getAsBoolean())
              .as("%s, which was answered before the end of round %d", step.name(), round)
              .isTrue();
          Trials.held();
        }
      }
    }
  }

  private static String user(String name) {
    return "{\"name\":\"%s\",\"password\":\"%s\"}".formatted(name, BEFORE);
  }

  private static List<Step> steps(RestClient rest, String administrator, int round) {
    String client = "client" + round;
    return new java.util.ArrayList<>(
        List.of(
            new Step(
                "new user",
                () -> done(rest.as(administrator, "POST", "admin/users", user("made" + round))),
                () -> rest.attempt("made" + round, BEFORE).statusCode() == 200),
            new Step(
                "new password",
                () ->
                    done(
                        rest.as(
                            administrator,
                            "PUT",
                            "admin/users/changed" + round + "/password",
                            "{\"password\":\"" + AFTER + "\"}")),
                () ->
                    rest.attempt("changed" + round, AFTER).statusCode() == 200
                        && rest.attempt("changed" + round, BEFORE).statusCode() == 401),
            new Step(
                "disabled user",
                () ->
                    done(
                        rest.as(
                            administrator,
                            "PATCH",
                            "admin/users/disabled" + round,
                            "{\"enabled\":false}")),
                () -> rest.attempt("disabled" + round, BEFORE).statusCode() == 401),
            new Step(
                "new client",
                () ->
                    done(
                        rest.as(
                            administrator,
                            "POST",
                            "admin/clients",
                            """
                            {"id":"%s","name":"x","grants":["client_credentials"],
                             "scopes":["storage.read:/"]}"""
                                .formatted(client))),
                () ->
                    json(rest.as(administrator, "GET", "admin/clients", ""))
                        .toString()
                        .contains("\"" + client + "\""))));
  }

  private static void done(HttpResponse<String> answer) {
    assertThat(answer.statusCode()).as(answer.body()).isBetween(200, 201);
  }
}
