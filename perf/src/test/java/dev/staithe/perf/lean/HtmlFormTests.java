package dev.staithe.perf.lean;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class HtmlFormTests {
  @Test
  void theFormWithTheFieldIsFoundAmongOthersWithItsHiddenFields() throws IOException {
    HtmlForm form =
        HtmlForm.with(
            "password",
            "<form action='/search'><input name=q></form><FORM method=\"post\""
                + " action=\"?a=1&amp;b=2\"><input type='hidden' name='AuthState'"
                + " value='x&#58;y&quot;'/><input name=\"username\"><INPUT TYPE=\"password\""
                + " name=\"password\"></FORM>");

    assertThat(form.action()).isEqualTo("?a=1&b=2");
    assertThat(new String(form.fill("password", "p&w").encoded(), StandardCharsets.US_ASCII))
        .isEqualTo("AuthState=x%3Ay%22&username=&password=p%26w");
  }

  @Test
  void aPageWithoutTheFormIsToldByWhatItShows() {
    assertThatThrownBy(() -> HtmlForm.with("password", "<h1>Closed</h1><p>until\n Monday</p>"))
        .isInstanceOf(IOException.class)
        .hasMessage("a page without a form for password: Closed until Monday");
  }

  @Test
  void anActionThatIsAQueryAloneBelongsToThePage() {
    URI page = URI.create("http://127.0.0.1:8080/module.php/core/login?State=1");

    assertThat(UserAgent.resolve(page, "?State=2"))
        .isEqualTo(URI.create("http://127.0.0.1:8080/module.php/core/login?State=2"));
    assertThat(UserAgent.resolve(page, "")).isEqualTo(page);
    assertThat(UserAgent.resolve(page, "/acs")).isEqualTo(URI.create("http://127.0.0.1:8080/acs"));
  }
}
