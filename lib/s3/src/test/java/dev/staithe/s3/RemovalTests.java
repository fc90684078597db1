package dev.staithe.s3;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Many objects removed by one request. */
final class RemovalTests {
  @TempDir private Path folder;
  private ScriptedEngine engine;
  private final List<String> asked = new CopyOnWriteArrayList<>();
  private volatile String result = "<DeleteResult/>";

  @BeforeEach
  void start() throws IOException {
    engine =
        new ScriptedEngine(
            ScriptedEngine.keys(folder, ""),
            exchange -> {
              String body =
                  new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
              asked.add(exchange.getRequestMethod() + " " + exchange.getRequestURI() + " " + body);
              ScriptedEngine.answer(exchange, result);
            });
  }

  @AfterEach
  void end() {
    engine.close();
  }

  @Test
  void whatIsNotRemovedIsToldHoweverTheEngineOrdersIt() throws IOException {
    result =
        """
        <DeleteResult>
          <Error><Code>AccessDenied</Code><Message>no</Message><Key>a</Key></Error>
          <Error><Code>NoSuchKey</Code><Key>c</Key></Error>
          <Error><Key>b</Key><Code>InternalError</Code><Message>later</Message></Error>
        </DeleteResult>
        """;
    assertThat(engine.client().delete(List.of("a", "b", "c")))
        .isEqualTo(Map.of("a", "AccessDenied", "b", "InternalError"));
  }

  @Test
  void whatXmlHasNoCharactersForIsRemovedByItself() throws IOException {
    assertThat(engine.client().delete(List.of("a", "x\uFFFE", "y\u0001", "\uD83D\uDE00")))
        .isEmpty();
    assertThat(asked)
        .satisfiesExactly(
            first -> assertThat(first).isEqualTo("DELETE /bucket/x%EF%BF%BE "),
            second -> assertThat(second).isEqualTo("DELETE /bucket/y%01 "),
            third ->
                assertThat(third)
                    .startsWith("POST /bucket?delete= ")
                    .contains("<Key>a</Key>", "<Key>\uD83D\uDE00</Key>")
                    .doesNotContain("\uFFFD"));
  }
}
