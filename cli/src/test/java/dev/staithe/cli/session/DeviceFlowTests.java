package dev.staithe.cli.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.staithe.cli.campus.PlayedHost;
import dev.staithe.cli.campus.PlayedHost.Answer;
import dev.staithe.cli.campus.PlayedHost.Asked;
import dev.staithe.cli.program.Profile;
import dev.staithe.cli.program.StaitheCommand;
import dev.staithe.cli.program.Terminal;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A device flow at an issuer that is away for a while; those that work are in the ITs. */
class DeviceFlowTests {
  @TempDir Path folder;

  private final PlayedHost issuer = new PlayedHost();
  private final StringWriter said = new StringWriter();
  private final AtomicInteger polls = new AtomicInteger();
  private String token = "{\"access_token\":\"the-token\"}";

  @BeforeEach
  void begin() {
    issuer.plays(this::answer);
  }

  @AfterEach
  void stop() {
    issuer.close();
  }

  private Answer answer(Asked asked) {
    return switch (asked.path()) {
      case "/.well-known/openid-configuration" ->
          json(
              ("{\"issuer\":\"%1$s\",\"token_endpoint\":\"%1$s/token\","
                      + "\"device_authorization_endpoint\":\"%1$s/device\"}")
                  .formatted(issuer.url()));
      case "/device" ->
          json("{\"device_code\":\"d\",\"user_code\":\"u\",\"expires_in\":60," + "\"interval\":1}");
      default -> {
        if (polls.incrementAndGet() == 1) {
          // The connection ends without an answer.
          throw new UncheckedIOException(new IOException("away"));
        }
        yield json(token);
      }
    };
  }

  private static Answer json(String body) {
    return new Answer(200, "application/json", body, "", "");
  }

  private String asked() throws IOException {
    var writer = new PrintWriter(said, true);
    var terminal = new Terminal(null, new BufferedReader(new StringReader("")), writer, writer);
    var staithe = new StaitheCommand(new Profile(folder, Map.of()), terminal, Clock.systemUTC());
    return new DeviceFlow(issuer.url(), "", "client", staithe).token("openid", "");
  }

  @Test
  void issuerThatIsNotReachedOnceIsAskedAgainLessOften() throws IOException {
    assertThat(asked()).isEqualTo("the-token");
    assertThat(said.toString()).contains("cannot be reached").contains("asked again in 2 s");
    assertThat(polls).hasValue(2);
  }

  @Test
  void answerWithoutATokenIsTheEnd() {
    token = "{}";
    polls.set(1);
    assertThatThrownBy(this::asked).hasMessageContaining("gave no token");
    assertThat(polls).hasValue(2);
  }
}
