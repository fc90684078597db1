package dev.staithe.perf.gatling;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class CannedAnswersTests {
  private final CannedAnswers answers = new CannedAnswers();

  private String to(String line, String... fields) {
    String head = line + " HTTP/1.1\r\n" + String.join("\r\n", fields) + "\r\n\r\n";
    return new String(answers.to(head), StandardCharsets.ISO_8859_1);
  }

  @Test
  void aFileIsAsLongAsTheLastThatWasPutAndARangeIsOfIt() {
    assertThat(to("PUT /x/file", "content-length: 5")).startsWith("HTTP/1.1 201 ");

    assertThat(to("GET /x/file")).isEqualTo("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nxxxxx");
    assertThat(to("GET /x/file", "Range: bytes=1-3"))
        .isEqualTo(
            "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 1-3/5\r\n"
                + "Content-Length: 3\r\n\r\nxxx");
    assertThat(answers.range()).isEqualTo("bytes=1-3");
  }

  @Test
  void aListingHasTheFolderAndWhatWasPutIntoIt() {
    to("PUT /x/list/0", "Content-Length: 1");
    to("PUT /x/list/1", "Content-Length: 1");

    assertThat(to("PROPFIND /x/list/", "Depth: 1").split("<d:response>", -1)).hasSize(1 + 3);
    assertThat(answers.entries()).isEqualTo(2);
  }

  @Test
  void aCopyTellsOfItselfAtOnceAndSucceeds() {
    assertThat(to("COPY /x/a", "Source: https://localhost/x/b"))
        .contains("Timestamp: 1800000000\n")
        .endsWith("success: Created\n");
  }

  @Test
  void sessionsAreMadeAndGood() {
    assertThat(to("POST /json/authenticate")).contains("\"tokenId\"");
    assertThat(to("POST /json/sessions?_action=validate")).endsWith("{\"valid\":true}");
  }

  @Test
  void whatNoSimulationAsksIsRefused() {
    assertThat(to("TRACE /")).startsWith("HTTP/1.1 405 ");
  }
}
