package dev.staithe.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.cli.campus.PlayedHost;
import dev.staithe.cli.program.Cookies;
import dev.staithe.cli.program.Profile;
import dev.staithe.cli.program.Terminal;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IdpsCommandTests {
  @TempDir private Path folder;

  private final PlayedHost service = new PlayedHost();
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @AfterEach
  void stop() {
    service.close();
  }

  private int idps(String... words) {
    var errors = new PrintWriter(err, true);
    var terminal =
        new Terminal(
            null, new BufferedReader(new StringReader("")), new PrintWriter(out, true), errors);
    String[] arguments = new String[words.length + 3];
    System.arraycopy(words, 0, arguments, 3, words.length);
    arguments[0] = "idps";
    arguments[1] = "--url";
    arguments[2] = service.url();
    return Commands.commandLine(new Profile(folder, Map.of()), terminal, Clock.systemUTC())
        .setErr(errors)
        .execute(arguments);
  }

  private void answers(int status, String json) {
    service.plays(asked -> new PlayedHost.Answer(status, "application/json", json, "", ""));
  }

  @Test
  void whatMetadataSayMovesNoTerminal() {
    answers(
        200,
        """
        {"providers": [{"name": "a\\u001b[2Jb", "displayName": "C\\r\\u202eD\\u0007 E"}], "more": false}\
        """);

    assertThat(idps()).isZero();

    assertThat(out.toString()).isEqualTo("name    displayName\na [2Jb  C D E\n");
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void wordsAreSentAndMoreThanAreShownAreTold() {
    answers(200, "{\"providers\": [{\"name\": \"u\", \"displayName\": \"Uni\"}], \"more\": true}");

    assertThat(idps("uni", "a&b")).isZero();

    assertThat(service.requests().getFirst().path()).isEqualTo("/login/providers?q=uni%20a%26b");
    assertThat(err.toString())
        .isEqualTo("staithe: there are more: search for a part of the name\n");
  }

  @Test
  void pageOfSomebodyElseIsNoSuccess() throws IOException {
    service.plays(
        asked -> new PlayedHost.Answer(200, "text/html", "<p>We are back soon</p>", "", ""));
    new Profile(folder, Map.of()).write(new Profile.Login(service.url(), "", "token"));

    var removed = new StaitheProgram(folder).run("", "user", "remove", "ada");

    assertThat(removed.code()).isEqualTo(1);
    assertThat(removed.output()).isEmpty();
    assertThat(removed.errors())
        .matches(
            "staithe: 127.0.0.1:\\d+ answers no JSON: is that the address of the service\\?\n");
  }

  @Test
  void pageOfSomebodyElseRevokesNoCertificateAndLinksNobody() throws IOException {
    service.plays(
        asked -> new PlayedHost.Answer(200, "text/html", "<p>We are back soon</p>", "", ""));
    var profile = new Profile(folder, Map.of());
    profile.write(new Profile.Campus(service.url(), "", "campus", "ada"));
    var cookies = new Cookies(Clock.systemUTC());
    cookies.take(URI.create(service.url() + "/"), List.of("staithe-slcs=session; Path=/"));
    profile.write(cookies);
    String[][] commands = {
      {"cert", "revoke", "4711"},
      {"cert", "list"},
      {"person", "find", "ada"},
      {"person", "link", "--provider", "p", "--person", "ada", "subject-id", "4711@example.org"}
    };

    for (String[] command : commands) {
      var ran = new StaitheProgram(folder).run("", command);

      assertThat(ran.code()).as(command[1]).isEqualTo(1);
      assertThat(ran.output()).isEmpty();
      assertThat(ran.errors())
          .matches(
              "staithe: 127.0.0.1:\\d+ answers no JSON: is that the address of the service\\?\n");
    }
  }

  @Test
  void serviceThatHasNoSuchListIsToldInOneLine() {
    answers(404, "{}");

    assertThat(idps()).isEqualTo(1);

    assertThat(err.toString()).isEqualTo("staithe: HTTP 404\n");
  }
}
