package dev.staithe.authn.oauth;

import static dev.staithe.authn.oauth.FlowSteps.authorize;
import static dev.staithe.authn.oauth.FlowSteps.draft;
import static dev.staithe.authn.oauth.FlowSteps.login;
import static dev.staithe.authn.oauth.FlowSteps.register;
import static dev.staithe.authn.oauth.FlowSteps.tokens;
import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.authn.oauth.FlowSteps.Registered;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;

/** What is answered while the stores of grants and users are away. */
final class StoreDownTests {
  @Test
  void everythingThatNeedsAStoreIsAnswered503AndKeysAreStillPublished() {
    try (RunningAuthn authn = RunningAuthn.start()) {
      Web web = new Web(authn::node);
      Registered client = register(authn.node(), draft());
      login(web, "alice");
      String access = tokens(web, client, "openid").text("access_token");
      String keys = web.get("/oauth2/jwks").body();
      Web.Answer form = new Web(authn::node).get("/login");
      assertThat(form.status()).isEqualTo(200);
      Web fresh = new Web(authn::node);
      Web.Answer page = fresh.get("/login");

      authn.loseStores();

      Web.Answer token =
          web.postAs(
              client.id(), client.secret(), "/oauth2/token", "grant_type", "client_credentials");
      assertThat(token.status()).isEqualTo(503);
      assertThat(token.headers().firstValue("Retry-After")).isPresent();
      assertThat(token.text("error")).isEqualTo("temporarily_unavailable");
      assertThat(
              web.postAs(client.id(), client.secret(), "/oauth2/introspect", "token", "x").status())
          .isEqualTo(503);
      assertThat(web.get(authorize(client.id(), "openid")).status()).isEqualTo(503);
      Web.Answer user = web.get("/userinfo", access);
      assertThat(user.status()).as(user.body()).isEqualTo(503);
      assertThat(user.headers().firstValue("Retry-After")).isPresent();
      assertThat(user.body()).doesNotContainIgnoringCase("select");
      Web.Answer consent = web.get("/consent?state=x");
      assertThat(consent.status()).isEqualTo(503);
      assertThat(consent.headers().firstValue("Retry-After")).isPresent();
      assertThat(consent.body()).contains("does not work right now");
      Web.Answer in =
          fresh.post(
              "/login",
              "_csrf",
              page.field("_csrf"),
              "username",
              "alice",
              "password",
              RunningAuthn.PASSWORD);
      assertThat(in.status()).isEqualTo(503);
      assertThat(in.headers().firstValue("Retry-After")).isPresent();
      assertThat(web.get("/oauth2/jwks").body()).isEqualTo(keys);
    }
  }

  @Test
  void applicationInABrowserMayReadThatAStoreIsAway() throws IOException, InterruptedException {
    try (RunningAuthn authn = RunningAuthn.start();
        HttpClient client = HttpClient.newHttpClient()) {
      authn.loseStores();

      HttpResponse<String> answer =
          client.send(
              HttpRequest.newBuilder(URI.create(authn.node().url("/oauth2/token")))
                  .header("Origin", "https://app.example.org")
                  .header("Content-Type", "application/x-www-form-urlencoded")
                  .POST(
                      HttpRequest.BodyPublishers.ofString(
                          Web.form("grant_type", "refresh_token", "client_id", "app")))
                  .build(),
              HttpResponse.BodyHandlers.ofString());

      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(503);
      assertThat(answer.headers().firstValue("Access-Control-Allow-Origin"))
          .contains("https://app.example.org");
      assertThat(answer.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
    }
  }
}
