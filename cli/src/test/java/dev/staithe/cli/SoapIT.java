package dev.staithe.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.peers.process.ManagedProcess;
import dev.staithe.testkit.FreePort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The released command calls the plain service behind the released gateway, which was started
 * without any configuration. Needs {@code mvn package} of both.
 */
class SoapIT {
  private static final String HEARD = "hear>hello<";

  @TempDir private static Path folder;
  private static ManagedProcess gateway;
  private static String url;
  private static Path made;
  private static StaitheProgram staithe;

  @BeforeAll
  static void start() throws IOException {
    Path jar = Path.of("../xml-gateway/target/xml-gateway.jar").toAbsolutePath();
    int port = FreePort.next();
    url = "https://localhost:" + port + "/echo/";
    made = folder.resolve("gateway-data");
    gateway =
        ManagedProcess.start(
            List.of(
                "bash",
                "-c",
                "cd '"
                    + folder
                    + "' && exec '"
                    + Programs.JAVA.resolve("java")
                    + "' -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -jar '"
                    + jar
                    + "'"),
            Map.of("SERVER_PORT", Integer.toString(port), "LC_ALL", "C.UTF-8"),
            folder.resolve("gateway.log"));
    gateway.awaitPort(port, Programs.LONGEST);
    staithe = new StaitheProgram(folder.resolve("home"));
    Files.writeString(
        folder.resolve("hello.xml"),
        """
        <s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>
          <echo xmlns="http://www.nordugrid.org/schemas/echo"><say>hello</say></echo>
        </s:Body></s:Envelope>
        """);
    Path password =
        Files.createFile(
            folder.resolve("password"),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(
        password, Files.readString(made.resolve("users")).strip().replaceFirst("^ada:", ""));
  }

  @AfterAll
  static void stop() {
    gateway.close();
  }

  private static StaitheProgram.Ran call(String policy, String... more) {
    var arguments =
        new ArrayList<>(
            List.of(
                "soap",
                "call",
                url + policy,
                folder.resolve("hello.xml").toString(),
                "--trust",
                made.resolve("ca.pem").toString(),
                "--cert",
                made.resolve("client.pem").toString(),
                "--key",
                made.resolve("client-key.pem").toString(),
                "--service-cert",
                made.resolve("message.pem").toString(),
                "--user",
                "ada",
                "--password-file",
                folder.resolve("password").toString()));
    arguments.addAll(List.of(more));
    return staithe.run("", arguments.toArray(String[]::new));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "none",
        "transport",
        "x509",
        "conversation",
        "encrypted-key",
        "username",
        "transport-username",
        "conversation-username"
      })
  void serviceHearsWhatIsSaidByThePolicyThatItsEndpointPublishes(String policy) {
    StaitheProgram.Ran ran = call(policy, "--times", "3");
    assertThat(ran.code()).as(ran.output() + ran.errors()).isZero();
    assertThat(ran.output()).contains(HEARD);
  }

  @Test
  void policyOfAnEndpointIsSaidInWords() {
    StaitheProgram.Ran ran =
        staithe.run(
            "",
            "soap",
            "policy",
            url + "conversation",
            "--trust",
            made.resolve("ca.pem").toString());
    assertThat(ran.code()).as(ran.errors()).isZero();
    assertThat(ran.output()).contains("Keys come from a context");
  }

  @Test
  void callThatIsNotProtectedAsDemandedIsRefused() {
    StaitheProgram.Ran ran = call("x509", "--policy", "none");
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.errors()).contains("fault InvalidSecurity");
  }

  @Test
  void wrongPasswordIsRefusedAndNotTold() {
    for (String policy : List.of("username", "transport-username")) {
      StaitheProgram.Ran ran =
          staithe.run(
              "something-else\n",
              "soap",
              "call",
              url + policy,
              folder.resolve("hello.xml").toString(),
              "--trust",
              made.resolve("ca.pem").toString(),
              "--user",
              "ada");
      assertThat(ran.code()).isEqualTo(1);
      assertThat(ran.errors()).contains("fault").doesNotContain("something-else");
    }
  }
}
