package dev.staithe.cli.administration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.staithe.cli.StalledHost;
import dev.staithe.http.BoundedFetch;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ContractingHostTests {
  @Test
  void answerThatBeginsAndDoesNotEndIsGivenUp() throws Exception {
    try (var host = new StalledHost();
        HttpClient http = BoundedFetch.client(null, Duration.ofSeconds(30))) {
      HttpRequest request = HttpRequest.newBuilder(host.url("/keys")).build();
      HttpResponse<InputStream> answer = http.send(request, BodyHandlers.ofInputStream());

      assertThat(answer.statusCode()).isEqualTo(200);
      assertThatThrownBy(() -> ContractingHost.body(answer, Duration.ofMillis(200)))
          .isInstanceOf(IOException.class)
          .hasMessage(host.name() + " began an answer and did not come to its end");
    }
  }
}
