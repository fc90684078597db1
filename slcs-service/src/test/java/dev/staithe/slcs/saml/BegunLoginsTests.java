package dev.staithe.slcs.saml;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.slcs.RunningSlcs;
import dev.staithe.testkit.Trials;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One client that begins logins and ends none. */
class BegunLoginsTests {
  private static final TestIdp IDP = TestIdp.of("https://idp.busy.org", "busy.org");

  @TempDir Path folder;

  @Test
  void oneAddressBeginsSoManyLoginsAndNoMoreAndAnotherIsLetIn() throws Exception {
    Map<String, Object> settings = new HashMap<>();
    settings.put("staithe.saml.providers[0].name", "busy");
    settings.put(
        "staithe.saml.providers[0].metadata",
        Files.writeString(
            folder.resolve("busy.xml"),
            IDP.metadata()
                .replace(
                    "<md:SingleSignOnService",
                    "<md:SingleSignOnService Binding=\"urn:oasis:names:tc:SAML:2.0:bindings:SOAP\""
                        + " Location=\"https://idp.busy.org/ecp\"/><md:SingleSignOnService")));
    settings.put("staithe.saml.begun-per-address", 5);
    settings.put("staithe.proxy.trusted[0]", "127.0.0.0/8");
    try (RunningSlcs slcs = RunningSlcs.start(folder, settings)) {
      for (int i = 0; i < 5; i++) {
        assertThat(begun(slcs, "2001:db8::" + i).statusCode()).isEqualTo(302);
        Trials.held();
      }

      HttpResponse<String> refused = begun(slcs, "2001:db8::ffff");

      assertThat(refused.statusCode()).isEqualTo(429);
      assertThat(refused.headers().firstValue("Retry-After").orElse("")).matches("[0-9]{1,2}");
      assertThat(refused.body()).contains("too many logins were begun from your address");
      assertThat(begun(slcs, "2001:db8:1::1").statusCode()).isEqualTo(302);
      assertThat(enhanced(slcs, "2001:db8::1").statusCode()).isEqualTo(429);
      assertThat(enhanced(slcs, "2001:db8:2::1").statusCode()).isEqualTo(200);
    }
  }

  private static HttpResponse<String> begun(RunningSlcs slcs, String address) {
    return slcs.browser().get("/saml2/authenticate/busy", "X-Forwarded-For", address);
  }

  /** As a client of the ECP profile begins one. */
  private static HttpResponse<String> enhanced(RunningSlcs slcs, String address) {
    return slcs.browser()
        .get(
            "/session",
            "X-Forwarded-For",
            address,
            "Accept",
            Paos.TYPE,
            "PAOS",
            "ver=\"urn:liberty:paos:2003-08\";\"urn:oasis:names:tc:SAML:2.0:profiles:SSO:ecp\"");
  }
}
