package dev.staithe.slcs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.CookieManager;
import java.net.CookiePolicy;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;
import org.springframework.web.util.HtmlUtils;

/**
 * A browser without looks: cookies, redirects one at a time, forms. Logs in at SimpleSAMLphp by
 * browser or as an enhanced client.
 */
public final class TestBrowser {
  private static final Pattern FORM = Pattern.compile("<form[^>]*>", Pattern.DOTALL);
  private static final Pattern INPUT = Pattern.compile("<input[^>]*>", Pattern.DOTALL);
  private static final Pattern CONSUMER =
      Pattern.compile("AssertionConsumerServiceURL=\"([^\"]+)\"");

  private final URI url;
  private final CookieManager cookies = new CookieManager(null, CookiePolicy.ACCEPT_ALL);
  private final HttpClient client;

  public TestBrowser(URI url, SSLContext tls) {
    this.url = url;
    this.client =
        HttpClient.newBuilder()
            .sslContext(tls)
            .cookieHandler(cookies)
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();
  }

  /** The first form of a page: where it leads and what it holds. */
  public record Form(URI action, Map<String, String> fields) {}

  public CookieManager cookies() {
    return cookies;
  }

  public HttpResponse<String> send(HttpRequest.Builder request) {
    try {
      return client.send(request.build(), BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }

  /** A path of the service, or a whole address; headers as name, value, name, value. */
  public HttpResponse<String> get(String address, String... headers) {
    HttpRequest.Builder request = HttpRequest.newBuilder(url.resolve(address)).GET();
    if (headers.length > 0) {
      request.headers(headers);
    }
    return send(request);
  }

  public HttpResponse<String> post(URI address, String type, String body, String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(address)
            .header("Content-Type", type)
            .POST(BodyPublishers.ofString(body));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return send(request);
  }

  public HttpResponse<String> post(Form form) {
    return post(
        form.action(),
        "application/x-www-form-urlencoded",
        form.fields().entrySet().stream()
            .map(field -> encode(field.getKey()) + "=" + encode(field.getValue()))
            .collect(Collectors.joining("&")));
  }

  private static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  /** Goes to a page and on, wherever redirects lead. */
  public HttpResponse<String> open(String address) {
    return follow(get(address, "Accept", "text/html,*/*"));
  }

  /** Goes on from an answer for as long as it is a redirect. */
  public HttpResponse<String> follow(HttpResponse<String> answer) {
    HttpResponse<String> at = answer;
    for (int i = 0; i < 15 && at.statusCode() >= 300 && at.statusCode() < 400; i++) {
      URI next = at.uri().resolve(at.headers().firstValue("Location").orElseThrow());
      at = send(HttpRequest.newBuilder(next).header("Accept", "text/html,*/*").GET());
    }
    return at;
  }

  /** The first form of a page. */
  public static Form form(HttpResponse<String> page) {
    Matcher form = FORM.matcher(page.body());
    if (!form.find()) {
      throw new AssertionError(page.uri() + " has no form: " + page + page.body());
    }
    String action = attribute(form.group(), "action");
    Map<String, String> fields = new LinkedHashMap<>();
    Matcher input = INPUT.matcher(page.body());
    while (input.find()) {
      String name = attribute(input.group(), "name");
      if (!name.isEmpty()) {
        fields.put(name, attribute(input.group(), "value"));
      }
    }
    // URI.resolve takes the page's name away where a reference is a query alone (RFC 3986 5.4.1).
    URI target =
        action.isEmpty() || action.startsWith("?")
            ? URI.create(page.uri().toString().split("[?]")[0] + (action.equals("?") ? "" : action))
            : page.uri().resolve(action);
    return new Form(target, fields);
  }

  private static String attribute(String tag, String name) {
    Matcher matcher = Pattern.compile("\\b" + name + "=\"([^\"]*)\"").matcher(tag);
    return matcher.find() ? HtmlUtils.htmlUnescape(matcher.group(1)) : "";
  }

  /** Logs in by the browser's profile up to the form with the response, which is not sent yet. */
  public Form responseTo(String address, String user, String password) {
    HttpResponse<String> page = open(address);
    if (!form(page).fields().containsKey("SAMLResponse")) {
      Form login = form(page);
      login.fields().put("username", user);
      login.fields().put("password", password);
      page = follow(post(login));
    }
    return form(page);
  }

  /** Logs in by the browser's profile; the page that comes then. */
  public HttpResponse<String> login(String address, String user, String password) {
    return follow(post(responseTo(address, user, password)));
  }

  /** Logs in as an enhanced client (SAML profiles section 4.2); the answer to the response. */
  public HttpResponse<String> loginEnhanced(
      String address, URI provider, String user, String password) {
    HttpResponse<String> asked =
        get(
            address,
            "Accept",
            "text/html; application/vnd.paos+xml",
            "PAOS",
            "ver=\"urn:liberty:paos:2003-08\";\"urn:oasis:names:tc:SAML:2.0:profiles:SSO:ecp\"");
    if (asked.statusCode() != 200) {
      return asked;
    }
    String envelope =
        asked.body().replaceFirst("(?s)<S:Header>.*</S:Header>", "<S:Header></S:Header>");
    HttpResponse<String> said =
        post(
            provider,
            "text/xml",
            envelope,
            "Authorization",
            "Basic "
                + Base64.getEncoder()
                    .encodeToString((user + ":" + password).getBytes(StandardCharsets.UTF_8)));
    Matcher consumer = CONSUMER.matcher(said.body());
    if (!consumer.find()) {
      throw new AssertionError(said + " " + said.body());
    }
    return post(URI.create(consumer.group(1)), "application/vnd.paos+xml", said.body());
  }
}
