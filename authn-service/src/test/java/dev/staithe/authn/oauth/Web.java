package dev.staithe.authn.oauth;

import com.nimbusds.jose.util.JSONObjectUtils;
import java.io.IOException;
import java.net.URI;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.StringJoiner;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A browser without a screen: keeps cookies, follows nothing by itself. */
final class Web {
  private static final HttpClient CLIENT =
      HttpClient.newBuilder().followRedirects(HttpClient.Redirect.NEVER).build();
  private static final Pattern FIELD =
      Pattern.compile("<input type=\"hidden\" name=\"([^\"]+)\" value=\"([^\"]*)\"");

  private final Map<String, String> cookies = new LinkedHashMap<>();
  private final Supplier<RunningAuthn.Node> nodes;

  /** Each request goes to the next node that is given. */
  Web(Supplier<RunningAuthn.Node> nodes) {
    this.nodes = nodes;
  }

  /** An answer. */
  record Answer(int status, String body, java.net.http.HttpHeaders headers) {
    String location() {
      return headers.firstValue("Location").orElse("");
    }

    Map<String, Object> json() {
      try {
        return JSONObjectUtils.parse(body);
      } catch (ParseException e) {
        throw new AssertionError("no JSON: " + body, e);
      }
    }

    String text(String name) {
      return String.valueOf(json().get(name));
    }

    /** A parameter of the address that it sends to. */
    String parameter(String name) {
      Matcher found =
          Pattern.compile("[?&]" + Pattern.quote(name) + "=([^&]*)").matcher(location());
      return found.find() ? URLDecoder.decode(found.group(1), StandardCharsets.UTF_8) : "";
    }

    /** A hidden field of the page. */
    String field(String name) {
      Matcher found = FIELD.matcher(body);
      while (found.find()) {
        if (found.group(1).equals(name)) {
          return found.group(2).replace("&amp;", "&");
        }
      }
      throw new AssertionError("no field " + name + " in " + body);
    }
  }

  Map<String, String> cookies() {
    return cookies;
  }

  Answer get(String path) {
    return send(request(path).GET());
  }

  Answer get(String path, String bearer) {
    return send(request(path).header("Authorization", "Bearer " + bearer).GET());
  }

  /** Follows redirects as long as they stay here. */
  Answer follow(Answer answer) {
    Answer now = answer;
    for (int i = 0; i < 10; i++) {
      String to = now.location().replaceFirst("^http://127\\.0\\.0\\.1:[0-9]+(?=/)", "");
      if (to.isEmpty() || !to.startsWith("/")) {
        return now;
      }
      now = get(to);
    }
    throw new AssertionError("led in circles, last to " + now.location());
  }

  Answer post(String path, Object... form) {
    return send(
        request(path)
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(HttpRequest.BodyPublishers.ofString(form(form))));
  }

  /** As a client with a secret. */
  Answer postAs(String client, String secret, String path, Object... form) {
    String basic =
        java.util.Base64.getEncoder()
            .encodeToString((encode(client) + ":" + secret).getBytes(StandardCharsets.UTF_8));
    return send(
        request(path)
            .header("Authorization", "Basic " + basic)
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(HttpRequest.BodyPublishers.ofString(form(form))));
  }

  private HttpRequest.Builder request(String path) {
    String url = path.startsWith("http") ? path : nodes.get().url(path);
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url));
    if (!cookies.isEmpty()) {
      StringJoiner all = new StringJoiner("; ");
      cookies.forEach((name, value) -> all.add(name + "=" + value));
      request.header("Cookie", all.toString());
    }
    return request;
  }

  private Answer send(HttpRequest.Builder request) {
    try {
      HttpResponse<String> answer =
          CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString());
      for (String cookie : answer.headers().allValues("Set-Cookie")) {
        String pair = cookie.split(";", 2)[0];
        int equals = pair.indexOf('=');
        if (equals == pair.length() - 1) {
          cookies.remove(pair.substring(0, equals));
        } else {
          cookies.put(pair.substring(0, equals), pair.substring(equals + 1));
        }
      }
      return new Answer(answer.statusCode(), answer.body(), answer.headers());
    } catch (IOException e) {
      throw new AssertionError(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  /** Names and values in turn. */
  static String form(Object... pairs) {
    StringJoiner form = new StringJoiner("&");
    for (int i = 0; i < pairs.length; i += 2) {
      form.add(encode(String.valueOf(pairs[i])) + "=" + encode(String.valueOf(pairs[i + 1])));
    }
    return form.toString();
  }

  static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
