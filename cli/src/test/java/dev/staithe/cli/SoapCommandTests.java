package dev.staithe.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.cli.campus.PlayedHost;
import dev.staithe.cli.campus.PlayedHost.Answer;
import dev.staithe.cli.program.Profile;
import dev.staithe.cli.program.Terminal;
import dev.staithe.pki.KeyKind;
import dev.staithe.pki.ca.HostCertificateRequest;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import dev.staithe.wss.policy.AlgorithmList;
import dev.staithe.wss.policy.BuiltInPolicies;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Calls of hosts that do what a gateway does not; those that work are in {@code SoapIT}. */
class SoapCommandTests {
  private static final String ENVELOPE =
      "<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\"><s:Body>%s</s:Body>"
          + "</s:Envelope>";
  private static final String HEARD = ENVELOPE.formatted("<e:heard xmlns:e=\"urn:e\">x</e:heard>");
  private static final String FAULT =
      ENVELOPE.formatted(
          "<s:Fault><faultcode>s:Client</faultcode><faultstring>no&#x9b;</faultstring></s:Fault>");

  @TempDir private Path folder;
  private final PlayedHost host = new PlayedHost();
  private final StringWriter out = new StringWriter();
  private final StringWriter notes = new StringWriter();

  @BeforeEach
  void write() throws IOException {
    Files.writeString(
        folder.resolve("say.xml"), ENVELOPE.formatted("<e:say xmlns:e=\"urn:e\">x</e:say>"));
    host.plays(asked -> Answer.xml(HEARD));
  }

  @AfterEach
  void stop() {
    host.close();
  }

  private int run(String typed, String... arguments) {
    var terminal =
        new Terminal(
            null,
            new BufferedReader(new StringReader(typed)),
            new PrintWriter(out, true),
            new PrintWriter(notes, true));
    return Commands.commandLine(
            new Profile(folder.resolve("home"), Map.of()), terminal, Clock.systemUTC())
        .setErr(new PrintWriter(notes, true))
        .execute(arguments);
  }

  private int call(String policy, String... more) {
    var arguments =
        new ArrayList<>(List.of("soap", "call", host.url(), file("say.xml"), "--policy", policy));
    arguments.addAll(List.of(more));
    return run("secret\n", arguments.toArray(String[]::new));
  }

  private String file(String name) {
    return folder.resolve(name).toString();
  }

  private String[] credential() {
    var authority = ThrowAwayAuthority.in(folder.resolve("authority"), Clock.systemUTC());
    var host =
        authority.host(
            new HostCertificateRequest(List.of("localhost"), KeyKind.RSA_2048, Duration.ofDays(1)));
    return new String[] {
      "--cert", host.certificate().toString(),
      "--key", host.key().toString(),
      "--service-cert", host.certificate().toString()
    };
  }

  @Test
  void policyThatIsPublishedIsMet() {
    String none =
        new String(BuiltInPolicies.document("none", AlgorithmList.MODERN), StandardCharsets.UTF_8);
    host.plays(asked -> Answer.xml(asked.path().endsWith("?policy") ? none : HEARD));
    assertThat(run("", "soap", "call", host.url() + "/echo", file("say.xml"), "--action", "urn:a"))
        .isZero();
    assertThat(out.toString()).contains("heard", ">x<");
    assertThat(host.requests())
        .extracting(PlayedHost.Asked::path)
        .containsExactly("/echo?policy", "/echo");
    assertThat(host.requests().getLast().body()).contains(">urn:a</wsa:Action>");
  }

  @Test
  void policyThatSomebodyOnTheWayCouldChangeIsNotFetched() {
    assertThat(run("", "soap", "call", "http://service.example.org/", file("say.xml")))
        .isEqualTo(1);
    assertThat(notes.toString()).contains("a policy is fetched over https only");
  }

  @Test
  void passwordIsNeverSentWithoutTls() {
    assertThat(call("transport-username", "--user", "ada")).isEqualTo(1);
    assertThat(notes.toString()).contains("demands TLS").doesNotContain("secret");
    assertThat(host.requests()).isEmpty();
  }

  @Test
  void passwordIsNeverTakenFromAnArgument() {
    assertThat(call("username", "--user", "ada", "--password", "secret")).isEqualTo(2);
    assertThat(host.requests()).isEmpty();
  }

  @Test
  void passwordOfDerivedKeysIsNotInTheMessage() {
    assertThat(call("username", "--user", "ada")).isEqualTo(1);
    assertThat(host.requests()).hasSize(1);
    assertThat(host.requests().getFirst().body())
        .contains(">ada<")
        .doesNotContain("secret", "urn:e");
  }

  @Test
  void answerWithoutProtectionIsNotBelieved() {
    assertThat(call("x509", credential())).isEqualTo(1);
    assertThat(notes.toString())
        .contains("the answer is not believed: the answer is not protected");
    assertThat(out.toString()).isEmpty();
    assertThat(host.requests().getFirst().body()).doesNotContain("urn:e");
  }

  @Test
  void faultWithoutProtectionIsToldAsSuchInOneLine() {
    host.plays(asked -> Answer.xml(FAULT));
    assertThat(call("x509", credential())).isEqualTo(1);
    assertThat(notes.toString().strip())
        .isEqualTo("staithe: fault Client: no (not protected: anybody may have said it)");
  }

  @Test
  void whatIsMissingIsNamedBeforeAnythingIsSent() {
    assertThat(call("encrypted-key")).isEqualTo(1);
    assertThat(notes.toString()).contains("--service-cert FILE");
    assertThat(call("username")).isEqualTo(1);
    assertThat(notes.toString()).contains("--user NAME");
    assertThat(call("nothing-like-that")).isEqualTo(1);
    assertThat(notes.toString()).contains("neither a file nor a policy that is built in");
    assertThat(host.requests()).isEmpty();
  }

  /** As of a pipe with ISO-8859-1, which a file may have. */
  @Test
  void messageInAnotherEncodingIsNotSentWithOtherLetters() {
    String typed = ENVELOPE.formatted("<e:say xmlns:e=\"urn:e\">Pa\uFFFDwort</e:say>");

    assertThat(run(typed, "soap", "call", host.url(), "-", "--policy", "none")).isEqualTo(1);

    assertThat(notes.toString()).startsWith("staithe: the message has letters that cannot be read");
    assertThat(host.requests()).isEmpty();
  }

  @Test
  void demandsAreToldInWordsAndAsJson() {
    assertThat(run("", "soap", "policy", host.url(), "--policy", "conversation")).isZero();
    assertThat(out.toString())
        .contains(
            "Keys come from a context, which the client asks for first.",
            "To ask for one: Both sides sign with the keys of their X.509 certificates",
            "Signed must be: the body",
            "aes256-gcm");
    assertThat(run("", "soap", "policy", host.url(), "--policy", "none", "--json")).isZero();
    assertThat(out.toString()).contains("\"demands\"", "Nothing protects messages.");
    assertThat(host.requests()).isEmpty();
  }
}
