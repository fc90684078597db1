package dev.staithe.authn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.peers.PostgresServer;
import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.Printed;
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
    Map<String, Object> given = Map.of("staithe.administration.first-password-file", file);
    try (Printed printed = Printed.listen();
        var node = RunningAuthn.start(folder, given)) {
      assertThat(node.rest().attempt("admin", FIRST).statusCode()).isEqualTo(200);
      assertThat(printed.text()).contains("made admin").doesNotContain(FIRST, "Administrator: ");
    }
    Files.writeString(file, LATER + "\n");
    try (var node = RunningAuthn.start(folder, given)) {
      assertThat(node.rest().attempt("admin", FIRST).statusCode()).isEqualTo(200);
      assertThat(node.rest().attempt("admin", LATER).statusCode()).isEqualTo(401);
    }
  }

  @Test
  void passwordIsPrintedAlthoughTheDatabaseDidNotTellThatItWasStored() {
    try (PostgresServer database = PostgresServer.start()) {
      try (Printed printed = Printed.listen();
          var node = RunningAuthn.start(folder.resolve("first"), Cluster.of(database))) {
        assertThat(node.url()).isNotNull();
        assertThat(password("admin", printed)).isNotEmpty();
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
      try (Printed printed = Printed.listen();
          var node = RunningAuthn.start(folder.resolve("second"), Cluster.of(database))) {
        String password = password("admin", printed);
        assertThat(node.rest().attempt("admin", password).statusCode()).isEqualTo(200);
        assertThat(printed.text()).contains("is not known yet");
      }
    }
  }

  @Test
  void whoHasTheMachineMakesAnAdministratorWhereNoneIsLeft() throws Exception {
    String first;
    String before;
    String another;
    try (Printed printed = Printed.listen();
        var node = RunningAuthn.start(folder, Map.of())) {
      first = password("admin", printed);
      before = node.rest().login("admin", first);
      another = node.user("another").login("another");
    }
    assertThat(made("admin")).isNotEqualTo(first);
    String password = made("rescuer");
    try (var node = RunningAuthn.start(folder, Map.of())) {
      String session = node.rest().login("rescuer", password);
      assertThat(node.as(session, "GET", "admin/users", "").statusCode()).isEqualTo(200);
      assertThat(node.rest().attempt("admin", first).statusCode()).isEqualTo(401);
      assertThat(node.isGood(before)).as("begun by the password of before").isFalse();
      assertThat(node.isGood(another)).isTrue();
    }
  }

  /** The password of an administrator whom the command line made. */
  private String made(String name) throws Exception {
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
    return password(name, told);
  }

  private static String password(String name, Printed printed) {
    Eventually.holds("it is printed", () -> printed.text().contains("Administrator: " + name));
    return password(name, printed.text());
  }

  private static String password(String name, String told) {
    Matcher found = Pattern.compile("Administrator: " + name + ", password: (\\S+)").matcher(told);
    assertThat(found.find()).as(told).isTrue();
    return found.group(1);
  }
}
