package dev.staithe.cli.campus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.staithe.cli.Commands;
import dev.staithe.cli.campus.PlayedHost.Answer;
import dev.staithe.cli.campus.PlayedHost.Asked;
import dev.staithe.cli.program.Profile;
import dev.staithe.cli.program.Service;
import dev.staithe.cli.program.Terminal;
import dev.staithe.cli.program.Unreachable;
import dev.staithe.testkit.MutableClock;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.nio.channels.UnsupportedAddressTypeException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateExpiredException;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Which host had the password of which campus, over logins at several; and files that are broken.
 */
class CampusHostsTests {
  private static final String PASSWORD = "Hopper1906";

  @TempDir Path folder;

  private final PlayedHost service = new PlayedHost();
  private final PlayedHost first = new PlayedHost();
  private final PlayedHost second = new PlayedHost();
  private final PlayedHost stranger = new PlayedHost();
  private final MutableClock clock = MutableClock.at(Instant.parse("2030-01-01T00:00:00Z"));
  private final StringWriter said = new StringWriter();
  private PlayedHost firstIs = first;

  @BeforeEach
  void begin() {
    service.plays(this::service);
    for (PlayedHost campus : new PlayedHost[] {first, second, stranger}) {
      campus.plays(asked -> Answer.xml(answer()));
    }
  }

  @AfterEach
  void stop() {
    service.close();
    first.close();
    second.close();
    stranger.close();
  }

  private Answer service(Asked asked) {
    if (asked.path().startsWith("/login/saml2/sso")) {
      return Answer.to(302, "/").setting("staithe-slcs=session");
    }
    if (asked.paos() == null) {
      return new Answer(200, "application/json", "{\"principalName\":\"grace\"}", "", "");
    }
    PlayedHost campus = asked.path().contains("idp=first") ? firstIs : second;
    return Answer.xml(
        "<S:Envelope xmlns:S='http://schemas.xmlsoap.org/soap/envelope/'><S:Header>"
            + "<p:Request xmlns:p='urn:liberty:paos:2003-08' responseConsumerURL='"
            + service.url()
            + "/login/saml2/sso'/></S:Header><S:Body><q:AuthnRequest"
            + " xmlns:q='urn:oasis:names:tc:SAML:2.0:protocol' Destination='"
            + campus.url()
            + "/ecp'/></S:Body></S:Envelope>");
  }

  private String answer() {
    return "<S:Envelope xmlns:S='http://schemas.xmlsoap.org/soap/envelope/'><S:Header>"
        + "<e:Response xmlns:e='urn:oasis:names:tc:SAML:2.0:profiles:SSO:ecp'"
        + " AssertionConsumerServiceURL='"
        + service.url()
        + "/login/saml2/sso'/></S:Header><S:Body><q:Response"
        + " xmlns:q='urn:oasis:names:tc:SAML:2.0:protocol'><q:Status><q:StatusCode"
        + " Value='urn:oasis:names:tc:SAML:2.0:status:Success'/></q:Status></q:Response>"
        + "</S:Body></S:Envelope>";
  }

  private int run(String... arguments) {
    var terminal =
        new Terminal(
            null,
            new BufferedReader(new StringReader(PASSWORD + "\n")),
            new PrintWriter(said, true),
            new PrintWriter(said, true));
    return Commands.commandLine(new Profile(folder, Map.of()), terminal, clock)
        .setErr(new PrintWriter(said, true))
        .execute(arguments);
  }

  private int login(String campus) {
    return run(
        "login", "--idp", campus, "--url", service.url(), "--user", "grace", "--no-remember");
  }

  @Test
  void hostOfTheFirstCampusIsKnownAlsoAfterALoginAtASecond() {
    assertThat(login("first")).as(said.toString()).isZero();
    assertThat(login("second")).as(said.toString()).isZero();
    firstIs = stranger;

    assertThat(login("first")).isEqualTo(1);

    assertThat(said.toString()).contains("until now it went to " + first.host());
    assertThat(stranger.requests()).noneMatch(asked -> asked.authorization() != null);
  }

  @Test
  void hostThatAnEarlierVersionKeptStillCounts() throws IOException {
    Files.writeString(
        folder.resolve("campus.properties"),
        "url=" + service.url() + "\nprovider=first\nuser=grace\nhost=" + first.host() + "\n");
    firstIs = stranger;

    assertThat(login("first")).isEqualTo(1);

    assertThat(said.toString()).contains("until now it went to " + first.host());
  }

  @Test
  void sessionOfAnotherCampusOrPersonIsNotTaken() {
    assertThat(login("first")).as(said.toString()).isZero();

    assertThat(run("cert", "list", "--idp", "second")).as(said.toString()).isZero();
    assertThat(second.requests()).as("asked who it is").isNotEmpty();
    run("cert", "--user", "ada");

    String ada =
        Base64.getEncoder().encodeToString(("ada:" + PASSWORD).getBytes(StandardCharsets.US_ASCII));
    assertThat(second.requests().getLast().authorization()).isEqualTo("Basic " + ada);
    int asked = second.requests().size();
    run("cert", "--user", "ada", "--idp", "second");
    assertThat(second.requests()).as("logged in as that person by now").hasSize(asked);
  }

  @Test
  void whatIsSaidBeforeACommandBelowCountsForThat() {
    assertThat(login("first")).as(said.toString()).isZero();
    stranger.plays(asked -> new Answer(200, "application/json", "{\"certificates\":[]}", "", ""));

    assertThat(run("cert", "--url", stranger.url(), "list")).as(said.toString()).isZero();
    assertThat(stranger.requests()).extracting(Asked::path).containsExactly("/certificates");
    assertThat(run("cert", "--idp", "second", "list")).as(said.toString()).isZero();
    assertThat(second.requests()).as("asked who it is").isNotEmpty();
  }

  @Test
  void logoutEndsTheSessionByTheCampusThoughTheOtherServiceIsAway() throws IOException {
    assertThat(login("first")).as(said.toString()).isZero();
    stranger.close();
    new Profile(folder, Map.of()).write(new Profile.Login(stranger.url(), "", "token"));

    assertThat(run("logout")).isEqualTo(1);

    assertThat(service.requests().getLast().path()).isEqualTo("/logout");
    assertThat(folder.resolve("cookies.json")).doesNotExist();
    assertThat(said.toString()).contains("logged out of " + service.url(), "nobody listens there");
  }

  @Test
  void whoOneIsByTheCampusIsToldThoughTheOtherSessionHasEnded() throws IOException {
    assertThat(login("first")).as(said.toString()).isZero();
    stranger.plays(
        asked -> new Answer(401, "application/json", "{\"message\":\"no session\"}", "", ""));
    new Profile(folder, Map.of()).write(new Profile.Login(stranger.url(), "", "token"));

    for (String[] command : new String[][] {{"whoami"}, {"whoami", "--json"}}) {
      said.getBuffer().setLength(0);
      assertThat(run(command)).isEqualTo(1);
      assertThat(said.toString()).contains("grace", "HTTP 401: no session");
    }
  }

  @Test
  void certificateAndKeyAreNotWrittenOverOneAnother() {
    String file = folder.resolve("both.pem").toString();
    String again = folder.resolve("none/../both.pem").toString();

    assertThat(run("cert", "--url", service.url(), "--out", file, "--key-out", again)).isEqualTo(1);

    assertThat(said.toString())
        .isEqualTo("staithe: " + again + " is named for two things, of which one would be lost\n");
    assertThat(service.requests()).isEmpty();
  }

  @Test
  void damagedSessionFileIsNamed() throws IOException {
    Path file = Files.writeString(folder.resolve("session.properties"), "to");

    assertThat(run("sessions")).isEqualTo(1);

    assertThat(said.toString()).contains(file + " is damaged: staithe login");
  }

  @Test
  void hostThatDoesNotAnswerIsToldByWhatIsWrong() {
    stranger.close();
    assertThatThrownBy(() -> get(stranger.url())).hasMessageContaining("nobody listens there");
    assertThatThrownBy(() -> get("https://nobody.invalid"))
        .hasMessageContaining("there is no host of this name");
  }

  /** As the JDK's client says it where nothing but the loopback device is there. */
  @Test
  void machineWithoutANetworkIsToldSo() {
    var plain = new ConnectException("Network is unreachable");
    plain.initCause(new ConnectException("Network is unreachable"));
    plain.getCause().initCause(new SocketException("Network is unreachable"));
    // To an address of a version of IP that the machine does not speak.
    var other = new ConnectException();
    other.initCause(new ConnectException());
    other.getCause().initCause(new UnsupportedAddressTypeException());
    var host = new ConnectException("No route to host");
    host.initCause(new NoRouteToHostException("No route to host"));
    for (ConnectException each : List.of(plain, other, host)) {
      assertThat(Unreachable.of("https://campus.example", each))
          .hasMessage("https://campus.example cannot be reached: no network leads there");
    }
  }

  /** The JDK's client says the same exception for all. */
  @Test
  void handshakeThatFailsIsToldByWhoRefusesWhat() {
    var ended =
        new SSLHandshakeException("PKIX path", new CertificateExpiredException("NotAfter: 2029"));
    var unknown =
        new SSLHandshakeException("PKIX path", new CertPathBuilderException("unable to find"));
    var ours = new SSLHandshakeException("Received fatal alert: certificate_expired");

    assertThat(Unreachable.of("campus", new SSLHandshakeException("again", ended)))
        .hasMessage(
            "campus cannot be reached: its certificate is not valid now, by the clock of this"
                + " machine");
    assertThat(Unreachable.of("campus", new SSLHandshakeException("again", unknown)))
        .hasMessage(
            "campus cannot be reached: its certificate is not trusted; --trust names an authority");
    assertThat(Unreachable.of("campus", new SSLHandshakeException("again", ours)))
        .hasMessage(
            "campus cannot be reached: no TLS with it: Received fatal alert: certificate_expired");
  }

  private void get(String url) throws IOException {
    try (Service asked = Service.at(url, "", null, clock)) {
      asked.get("json/sessions");
    }
  }
}
