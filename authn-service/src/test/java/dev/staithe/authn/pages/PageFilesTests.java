package dev.staithe.authn.pages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.authn.RunningAuthn;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PageFilesTests {
  private static final Pattern LINK = Pattern.compile("<link [^>]*href=\"/([^\"]+)\"");

  @Test
  void whatTheLoginPageIsDrawnWithIsServedByTheServiceItself(@TempDir Path folder) {
    try (var authn = RunningAuthn.start(folder, Map.of())) {
      HttpResponse<String> page = get(authn, "login");
      assertThat(page.statusCode()).isEqualTo(200);
      var links = LINK.matcher(page.body()).results().map(link -> link.group(1)).toList();
      assertThat(links).hasSizeGreaterThan(1);
      assertThat(links)
          .allSatisfy(link -> assertThat(get(authn, link).statusCode()).isEqualTo(200));
    }
  }

  @Test
  void whatIsNotThereGetsAPageWithTheRequestsIdThatIsInTheLog(@TempDir Path folder) {
    try (var authn = RunningAuthn.start(folder, Map.of())) {
      HttpResponse<String> page =
          authn.send(
              HttpRequest.newBuilder(authn.url().resolve("nothing"))
                  .header("X-Request-Id", "my-request")
                  .GET());
      assertThat(page.statusCode()).isEqualTo(404);
      assertThat(page.body()).contains("my-request");
    }
  }

  private static HttpResponse<String> get(RunningAuthn authn, String path) {
    return authn.send(HttpRequest.newBuilder(authn.url().resolve(path)).GET());
  }
}
