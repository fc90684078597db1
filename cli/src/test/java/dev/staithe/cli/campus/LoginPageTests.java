package dev.staithe.cli.campus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.staithe.cli.campus.LoginPage.Step;
import dev.staithe.cli.program.Page;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.assertj.core.api.ObjectAssert;
import org.junit.jupiter.api.Test;

/**
 * Pages of SimpleSAMLphp 1.19 and Keycloak 26 as their servers gave them, without scripts; those of
 * Shibboleth in their documented shape.
 */
class LoginPageTests {
  private static final String SHIBBOLETH =
      "https://idp.example.org/idp/profile/SAML2/Redirect/SSO?execution=e1s1";

  private static Page page(String address, String html) {
    return new Page(URI.create(address), 200, "text/html", html, null);
  }

  private static Page saved(String name, String address) {
    try (var in = LoginPageTests.class.getResourceAsStream(name + ".html")) {
      return page(address, new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static <T extends Step> T step(Class<T> kind, Page page) {
    Step step = LoginPage.read(page);
    ObjectAssert<T> found = assertThat(step).asInstanceOf(type(kind));
    found.isNotNull();
    return kind.cast(step);
  }

  @Test
  void simpleSamlPhpAsksForNameAndPassword() {
    String address = "https://idp.example.org/simplesaml/module.php/core/loginuserpass.php";
    var step =
        step(Step.Password.class, saved("simplesamlphp-login", address + "?AuthState=_state"));
    assertThat(step.name()).isEqualTo("username");
    assertThat(step.password()).isEqualTo("password");
    WebForm filled = step.form().with(Map.of("username", "alice", "password", "a&b=c d+é"));
    assertThat(filled.action()).hasToString(address + "?");
    assertThat(filled.encoded())
        .contains("username=alice", "password=a%26b%3Dc%20d%2B%C3%A9", "AuthState=_state%3Ahttps");
  }

  @Test
  void aRefusalIsToldInThePagesOwnWords() {
    assertThat(LoginPage.complaint(saved("simplesamlphp-refused", "https://idp.example.org/")))
        .isEqualTo("Incorrect username or password");
    assertThat(LoginPage.complaint(saved("keycloak-refused", "https://keycloak.example.org/")))
        .isEqualTo("Invalid username or password.");
    assertThat(LoginPage.complaint(saved("shibboleth-login", SHIBBOLETH)))
        .isEqualTo("The password you entered was incorrect.");
    assertThat(LoginPage.complaint(saved("keycloak-login", "https://keycloak.example.org/")))
        .isEmpty();
  }

  @Test
  void keycloakAsksForNameAndPassword() {
    var step =
        step(
            Step.Password.class,
            saved("keycloak-login", "https://keycloak.example.org/realms/campus/protocol/saml"));
    assertThat(step.name()).isEqualTo("username");
    assertThat(step.password()).isEqualTo("password");
    assertThat(step.form().action().toString())
        .startsWith(
            "https://keycloak.example.org/realms/campus/login-actions/authenticate?session_code=")
        .contains("&tab_id=");
  }

  @Test
  void aFormWithAnAnswerIsSentOnAsAScriptWould() {
    var step = step(Step.NextForm.class, saved("keycloak-post", "https://keycloak.example.org/"));
    assertThat(step.form().action()).hasToString("https://slcs.example.org/login/saml2/sso");
    assertThat(step.form().encoded()).isEqualTo("SAMLResponse=UmVzcG9uc2U%3D&RelayState=r1");
  }

  @Test
  void shibbolethIsToldThatThereIsNoLocalStorage() {
    var step = step(Step.NextForm.class, saved("shibboleth-storage", SHIBBOLETH));
    assertThat(step.form().action()).hasToString(SHIBBOLETH);
    assertThat(step.form().encoded())
        .contains(
            "csrf_token=_57d1b7",
            "shib_idp_ls_success.shib_idp_session_ss=false",
            "shib_idp_ls_supported=&",
            "_eventId_proceed=");
  }

  @Test
  void shibbolethsFormIsFoundBesideASearchAndSentWithTheButtonThatGoesOn() {
    var step = step(Step.Password.class, saved("shibboleth-login", SHIBBOLETH));
    assertThat(step.name()).isEqualTo("j_username");
    assertThat(step.password()).isEqualTo("j_password");
    assertThat(step.form().encoded())
        .isEqualTo("csrf_token=_57d1b7&j_username=&j_password=&_eventId_proceed=");
  }

  @Test
  void consentIsLeftToThePerson() {
    assertThat(step(Step.Refused.class, saved("shibboleth-consent", SHIBBOLETH)).why())
        .contains("Information Release");
  }

  @Test
  void aSecondFactorIsAskedFor() {
    var step = step(Step.Code.class, saved("shibboleth-code", SHIBBOLETH));
    assertThat(step.code()).isEqualTo("j_tokenNumber");
    assertThat(step.form().action().toString()).endsWith("?execution=e1s3");
  }

  @Test
  void aNameAloneIsAskedForFirst() {
    var step =
        step(
            Step.Name.class,
            page(
                "https://idp.example.org/a/b",
                "<form method=post action=next><input name=username autofocus></form>"));
    assertThat(step.form().action()).hasToString("https://idp.example.org/a/next");
  }

  @Test
  void aFormForANewPasswordIsLeftToThePerson() {
    step(
        Step.Refused.class,
        page(
            "https://idp.example.org/",
            "<form method=post><input type=password name=new>"
                + "<input type=password name=again></form>"));
  }

  @Test
  void twoFormsWithPasswordsAreNotChosenBetween() {
    String form = "<form method=post><input name=user><input type=password name=p></form>";
    assertThat(step(Step.Refused.class, page("https://idp.example.org/", form + form)).why())
        .contains("more than one form");
  }

  @Test
  void aPageWithoutAFormAndBrokenMarkupAreNoFailure() {
    step(Step.Refused.class, page("https://idp.example.org/", "<p>Maintenance"));
    step(Step.Refused.class, page("https://idp.example.org/", ""));
    String report =
        "<title>Error</title><form method='post' action='/report'><input name='email'>"
            + "<textarea name='text'></textarea></form>";
    assertThat(step(Step.Refused.class, page("https://idp.example.org/", report)).why())
        .startsWith("\"Error\"");
    step(
        Step.Refused.class,
        page(
            "https://idp.example.org/",
            "<form action='http://['><input type=password name=p></form>"));
    step(Step.Refused.class, new Page(URI.create("https://x.org/"), 200, "image/png", "", null));
    step(
        Step.Password.class,
        page(
            "https://idp.example.org/",
            "<table><form method=post><tr><td><input name=user><td><input type=password name=p>"));
  }

  @Test
  void aComplaintWithTerminalControlsIsShownWithout() {
    assertThat(
            LoginPage.complaint(
                page(
                    "https://idp.example.org/",
                    "<p class=error>no\u001b]0;owned\u0007 \u202Ewa\ny" + "x".repeat(500))))
        .startsWith("no ]0;owned wa y")
        .hasSizeLessThan(210)
        .doesNotContain("\u001b", "\u0007", "\u202E");
  }
}
