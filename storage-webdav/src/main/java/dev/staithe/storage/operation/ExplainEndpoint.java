package dev.staithe.storage.operation;

import dev.staithe.storage.authz.Caller;
import dev.staithe.storage.authz.Identification;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * {@code GET /.staithe/explain}: {@link Explanation} by HTTP. Behind the gate of the metrics, as it
 * tells who may what. The credential that is asked about comes where credentials do; it is neither
 * logged nor repeated.
 */
@RestController
public final class ExplainEndpoint {
  private final Explanation explanation;
  private final Function<List<String>, Identification> tokens;

  /**
   * @param tokens who shows these values of the field {@code Authorization}
   */
  public ExplainEndpoint(Explanation explanation, Function<List<String>, Identification> tokens) {
    this.explanation = explanation;
    this.tokens = tokens;
  }

  /**
   * Explains.
   *
   * @param path as in a request's URL, after decoding once
   * @param certificate the name of one whose holder asks, in place of a token
   * @param voms attributes that the certificate's proxy has
   * @param from the client's address; absent: none, so that no rule with networks concerns it
   */
  @GetMapping(path = "/.staithe/explain")
  ResponseEntity<String> explain(
      @RequestHeader(name = HttpHeaders.AUTHORIZATION, required = false)
          @Nullable List<String> authorization,
      @RequestParam String method,
      @RequestParam String path,
      @RequestParam(required = false) @Nullable String certificate,
      @RequestParam(required = false) @Nullable List<String> voms,
      @RequestParam(required = false) @Nullable String from) {
    Explanation.Question question;
    Caller holder;
    try {
      question = Explanation.Question.of(method, path, from);
      holder =
          certificate == null
              ? null
              : Explanation.holder(certificate, voms == null ? List.of() : voms);
    } catch (IllegalArgumentException e) {
      return answer(400, List.of(String.valueOf(e.getMessage()).replaceAll("\\p{Cntrl}", " ")));
    }
    List<String> lines =
        explanation.of(
            holder != null
                ? new Identification.Identified(holder)
                : tokens.apply(authorization == null ? List.of() : authorization),
            question);
    return lines.isEmpty()
        ? answer(404, List.of("no storage area has this path"))
        : answer(200, lines);
  }

  private static ResponseEntity<String> answer(int status, List<String> lines) {
    return ResponseEntity.status(status)
        .contentType(new MediaType(MediaType.TEXT_PLAIN, StandardCharsets.UTF_8))
        .header(HttpHeaders.CACHE_CONTROL, "no-store")
        .header("X-Content-Type-Options", "nosniff")
        .body(String.join("\n", lines) + "\n");
  }
}
