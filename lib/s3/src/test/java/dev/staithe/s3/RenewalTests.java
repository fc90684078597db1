package dev.staithe.s3;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Session tokens that are over, at an engine that has no objects. */
final class RenewalTests {
  private static final byte[] OVER =
      "<Error><Code>ExpiredToken</Code></Error>".getBytes(StandardCharsets.UTF_8);

  @TempDir private Path folder;
  private ScriptedEngine engine;
  private volatile boolean othersRenew;

  @BeforeEach
  void start() throws IOException {
    engine = new ScriptedEngine(token("over"), this::answer);
  }

  @AfterEach
  void end() {
    engine.close();
  }

  private Path token(String token) throws IOException {
    return ScriptedEngine.keys(folder, "aws_session_token = " + token + "\n");
  }

  private void answer(HttpExchange exchange) throws IOException {
    if ("good-again".equals(exchange.getRequestHeaders().getFirst("x-amz-security-token"))) {
      exchange.sendResponseHeaders(404, -1);
    } else {
      if (othersRenew) {
        token("good-again");
        engine.credentials().renewed();
      }
      boolean head = exchange.getRequestMethod().equals("HEAD");
      exchange.sendResponseHeaders(400, head ? -1 : OVER.length);
      if (!head) {
        exchange.getResponseBody().write(OVER);
      }
    }
    exchange.close();
  }

  @Test
  void headOfATokenThatIsOverComesAgainWithTheNewOne() throws IOException {
    token("good-again");
    assertThat(engine.client().head("key")).isEmpty();
  }

  @Test
  void requestComesAgainWithTheNewTokenThoughAnotherHasReadIt() throws IOException {
    othersRenew = true;
    assertThat(engine.client().get("key")).isEmpty();
  }
}
