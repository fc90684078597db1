package dev.staithe.slcs.saml;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.slcs.TestBrowser;
import dev.staithe.slcs.saml.metadata.ServiceProvider;
import dev.staithe.slcs.saml.response.Refusal.Reason;
import dev.staithe.testkit.Trials;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Responses that are meant for others, for another time, or for another door. */
class ConditionAttackTests extends AttackedService {
  // --- meant for others ----------------------------------------------------------------------

  @Test
  void wrongAudienceIsRefused() {
    refused(Reason.NOT_FOR_US, said -> said.audience = "https://other.example.org/sp");
  }

  @Test
  void noAudienceIsRefused() {
    refused(Reason.NOT_FOR_US, said -> said.audience = null);
  }

  @Test
  void wrongRecipientIsRefused() {
    refused(Reason.NOT_FOR_US, said -> said.recipient = "https://other.example.org/acs");
  }

  @Test
  void wrongDestinationIsRefused() {
    refused(Reason.NOT_FOR_US, said -> said.destination = "https://other.example.org/acs");
  }

  @Test
  void wrongInResponseToIsRefused() {
    refused(
        Reason.UNKNOWN_REQUEST,
        said -> {
          said.inResponseTo = "ARQ0";
          said.confirmedRequest = "ARQ0";
        });
  }

  @Test
  void secondAnswerToARequestIsRefused() {
    TestBrowser browser = slcs.browser();
    String request = begin(browser);
    String service = slcs.url().toString();
    assertThat(post(browser, TestIdp.text(IDP.response(IDP.good(service, request)))).statusCode())
        .isEqualTo(303);

    HttpResponse<String> second =
        post(browser, TestIdp.text(IDP.response(IDP.good(service, request))));

    assertThat(second.statusCode()).isEqualTo(403);
    assertThat(second.body()).isEqualTo("not logged in: " + Reason.REPLAY.line() + "\n");
  }

  @Test
  void assertionForAnotherRequestThanTheResponseIsRefused() {
    refused(Reason.UNKNOWN_REQUEST, said -> said.confirmedRequest = "ARQ0");
  }

  @Test
  void unsolicitedResponseIsRefused() {
    refused(
        Reason.UNKNOWN_REQUEST,
        said -> {
          said.inResponseTo = null;
          said.confirmedRequest = null;
        });
  }

  @Test
  void answerOfAnotherProviderThanWasAskedIsRefused() {
    TestBrowser browser = slcs.browser();
    TestIdp.Said said = OTHER.good(slcs.url().toString(), begin(browser));
    refused(browser, Reason.UNKNOWN_PROVIDER, TestIdp.text(OTHER.response(said)));
  }

  @Test
  void assertionIssuedByAnotherProviderInsideASignedResponseIsRefused() {
    refused(
        Reason.ASSERTION,
        said -> {
          said.signResponse = true;
          said.signAssertion = false;
          said.assertionIssuer = OTHER.entityId();
        });
  }

  // --- time ----------------------------------------------------------------------------------

  @Test
  void earlyAssertionIsRefused() {
    refused(Reason.TIME, said -> said.notBefore = Instant.now().plusSeconds(180));
  }

  @Test
  void lateAssertionIsRefused() {
    refused(Reason.TIME, said -> said.notOnOrAfter = Instant.now().minusSeconds(180));
  }

  @Test
  void lateConfirmationIsRefused() {
    refused(Reason.TIME, said -> said.confirmedUntil = Instant.now().minusSeconds(180));
  }

  @Test
  void confirmationForEverIsRefused() {
    refused(Reason.ASSERTION, said -> said.confirmedUntil = null);
  }

  // --- doors ---------------------------------------------------------------------------------

  @Test
  void browsersResponseAtTheDoorOfEnhancedClientsIsRefused() {
    TestBrowser browser = slcs.browser();
    TestIdp.Said said = IDP.good(slcs.url().toString(), begin(browser));

    HttpResponse<String> answer =
        browser.post(
            slcs.url().resolve(ServiceProvider.CONSUMER),
            Paos.TYPE,
            TestIdp.text(IDP.response(said)));

    assertThat(answer.statusCode()).isEqualTo(403);
    assertThat(answer.body()).isEqualTo("not logged in: " + Reason.UNKNOWN_REQUEST.line() + "\n");
  }

  @Test
  void returnToAnotherSiteLeadsHome() {
    for (String to : List.of("//evil.org", "/\\evil.org", "https://evil.org/", "/%0d%0ax: y")) {
      TestBrowser browser = slcs.browser();
      String request =
          TestIdp.requestId(
              URI.create(
                  browser
                      .get(
                          "/saml2/authenticate/test?to="
                              + java.net.URLEncoder.encode(to, StandardCharsets.UTF_8))
                      .headers()
                      .firstValue("Location")
                      .orElseThrow()));
      HttpResponse<String> answer =
          post(browser, TestIdp.text(IDP.response(IDP.good(slcs.url().toString(), request))));
      assertThat(answer.headers().firstValue("Location").orElseThrow())
          .startsWith(slcs.url() + "/")
          .doesNotContain("evil");
      Trials.held();
    }
  }
}
