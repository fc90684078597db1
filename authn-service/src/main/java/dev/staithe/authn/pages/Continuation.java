package dev.staithe.authn.pages;

import dev.staithe.authn.browser.LoginRedirect;
import dev.staithe.authn.browser.Questions;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.util.MultiValueMap;
import org.springframework.web.util.UriComponentsBuilder;
import org.springframework.web.util.UriUtils;

/**
 * Where a login goes on: a page of this service, and nothing else, whatever the address says.
 *
 * @param path with its query
 */
record Continuation(String path) {
  private static final String HOME = "/sessions";
  private static final String AUTHORIZE = "/oauth2/authorize";
  private static final String DEVICE = "/oauth2/device_verification";
  private static final Set<String> PAGES =
      Set.of(
          HOME, AUTHORIZE, DEVICE, "/device", "/consent", "/logout", "/account", "/applications");

  /** Of the parameter; the list of sessions for everything that is not ours. */
  static Continuation of(@Nullable String given) {
    if (given == null || given.length() > LoginRedirect.LONGEST) {
      return new Continuation(HOME);
    }
    try {
      URI uri = new URI(given);
      boolean ours =
          uri.getScheme() == null
              && uri.getRawAuthority() == null
              && uri.getRawFragment() == null
              && uri.getRawPath() != null
              && PAGES.contains(uri.getRawPath());
      // Written anew from what was understood: no other reading of the text gets out.
      String query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
      return new Continuation(ours ? uri.getRawPath() + query : HOME);
    } catch (URISyntaxException e) {
      return new Continuation(HOME);
    }
  }

  /** Whether a password is not enough there. */
  boolean needsSecondFactor(Questions questions) {
    return switch (page()) {
      case AUTHORIZE -> questions.needsSecondFactor(parameter("client_id"), parameter("scope"));
      case DEVICE, "/device" -> questions.deviceNeedsSecondFactor(parameter("user_code"));
      default -> false;
    };
  }

  /** The origins that a browser may be led to from there without another page of ours. */
  List<String> targets(Questions questions) {
    return page().equals(AUTHORIZE) ? questions.targets(parameter("client_id")) : List.of();
  }

  private String page() {
    int query = path.indexOf('?');
    return query < 0 ? path : path.substring(0, query);
  }

  private String parameter(String name) {
    MultiValueMap<String, String> all =
        UriComponentsBuilder.fromUriString(path).build().getQueryParams();
    String value = all.getFirst(name);
    if (value == null) {
      return "";
    }
    try {
      return UriUtils.decode(value.replace('+', ' '), java.nio.charset.StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      return "";
    }
  }
}
