package dev.staithe.authn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.peers.PostgresServer;
import dev.staithe.testkit.Eventually;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whoever starts a node without reading its output knows the first password beforehand. */
final class FirstAdministratorIT {
  private static final String FIRST = "the first, out of a file";
  private static final String LATER = "another, which comes too late";

  @TempDir private Path folder;

  @Test
  void passwordOfAFileIsTheFirstOnesAndIsNotPrinted() throws IOException {
    Path file = Files.writeString(folder.resolve("password"), FIRST + "\n");
    try (var node =
        AuthnProcess.start(folder, Map.of("staithe.administration.first-password-file", file))) {
      // A node answers just before.
      Eventually.holds("the administrator was made", () -> node.log().contains("made admin"));
      assertThat(node.rest().attempt("admin", FIRST).statusCode()).isEqualTo(200);
      assertThat(node.log()).doesNotContain(FIRST, "Administrator: ");

      node.kill();
      Files.writeString(file, LATER + "\n");
      node.restart().awaitUp();
      assertThat(node.rest().attempt("admin", FIRST).statusCode()).isEqualTo(200);
      assertThat(node.rest().attempt("admin", LATER).statusCode()).isEqualTo(401);
    }
  }

  @Test
  void passwordIsPrintedAlthoughTheDatabaseDidNotTellThatItWasStored() {
    try (PostgresServer database = PostgresServer.start()) {
      try (var node = AuthnProcess.start(folder.resolve("first"), Cluster.of(database))) {
        assertThat(node.administratorPassword()).isNotEmpty();
      }
      // Longer than a node waits for an answer; it is stored all the same.
      database.sql(
          """
          truncate users cascade;
          create function late() returns trigger language plpgsql
            as $$ begin perform pg_sleep(8); return null; end $$;
          create constraint trigger late after insert on users
            deferrable initially deferred for each row execute function late();
          """);
      try (var node = AuthnProcess.start(folder.resolve("second"), Cluster.of(database))) {
        String password = node.administratorPassword();
        assertThat(node.rest().attempt("admin", password).statusCode()).isEqualTo(200);
        assertThat(node.log()).contains("is not known yet");
      }
    }
  }

  @Test
  void whoHasTheMachineMakesAnAdministratorWhereNoneIsLeft() throws Exception {
    String password;
    try (var node = AuthnProcess.start(folder, Map.of())) {
      password = node.administratorPassword();
      assertThat(node.rest().attempt("admin", password).statusCode()).isEqualTo(200);
      node.kill();

      for (String name : new String[] {"admin", "rescuer"}) {
        Map<String, Object> properties = new LinkedHashMap<>();
        properties.put("make-administrator", name);
        properties.put("staithe.issuer", "http://localhost");
        properties.put("staithe.state", folder.resolve("state"));
        properties.put("staithe.tls.enabled", false);
        properties.put("staithe.login.hash", "paper");
        Process process =
            new ProcessBuilder(AuthnProcess.command(properties)).redirectErrorStream(true).start();
        String told = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(told).isZero();
        Matcher found =
            Pattern.compile("Administrator: " + name + ", password: (\\S+)").matcher(told);
        assertThat(found.find()).as(told).isTrue();
        if (name.equals("admin")) {
          assertThat(found.group(1)).isNotEqualTo(password);
        }
        password = found.group(1);
      }

      node.restart().awaitUp();
      String session = node.rest().login("rescuer", password);
      assertThat(node.rest().as(session, "GET", "admin/users", "").statusCode()).isEqualTo(200);
    }
  }
}
