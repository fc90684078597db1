package dev.staithe.authn;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.CookieManager;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.StringJoiner;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A browser without a screen, each of whose requests goes to the next node; keeps cookies. */
final class Browser implements AutoCloseable {
  private static final Pattern FIELD =
      Pattern.compile("<input type=\"hidden\" name=\"([^\"]+)\" value=\"([^\"]*)\"");

  private final Supplier<URI> next;
  private final HttpClient client =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .followRedirects(HttpClient.Redirect.NEVER)
          .cookieHandler(new CookieManager())
          .build();

  Browser(Supplier<URI> next) {
    this.next = next;
  }

  HttpResponse<String> get(String address) {
    return send(to(address).GET());
  }

  HttpResponse<String> post(String address, String... form) {
    return send(
        to(address)
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(HttpRequest.BodyPublishers.ofString(form(form))));
  }

  /** Path and query of an address, at the next node. */
  private HttpRequest.Builder to(String address) {
    URI uri = URI.create(address);
    String path =
        uri.getRawQuery() == null ? uri.getRawPath() : uri.getRawPath() + "?" + uri.getRawQuery();
    return HttpRequest.newBuilder(next.get().resolve(path));
  }

  private HttpResponse<String> send(HttpRequest.Builder request) {
    try {
      return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** Where an answer sends to. */
  static String location(HttpResponse<String> answer) {
    return answer
        .headers()
        .firstValue("Location")
        .orElseThrow(() -> new AssertionError(answer.statusCode() + " " + answer.body()));
  }

  /** A hidden field of a page. */
  static String field(HttpResponse<String> page, String name) {
    Matcher found = FIELD.matcher(page.body());
    while (found.find()) {
      if (found.group(1).equals(name)) {
        return found.group(2).replace("&amp;", "&");
      }
    }
    throw new AssertionError("no field " + name + " in " + page.body());
  }

  /** Names and values in turn. */
  static String form(String... pairs) {
    StringJoiner form = new StringJoiner("&");
    for (int i = 0; i < pairs.length; i += 2) {
      form.add(
          URLEncoder.encode(pairs[i], StandardCharsets.UTF_8)
              + "="
              + URLEncoder.encode(pairs[i + 1], StandardCharsets.UTF_8));
    }
    return form.toString();
  }

  @Override
  public void close() {
    client.close();
  }
}
