package dev.staithe.slcs;

import dev.staithe.service.Settings;
import dev.staithe.slcs.protect.ProtectedService;
import dev.staithe.slcs.protect.Protection;
import java.net.URI;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * An endpoint behind a login or a certificate.
 *
 * @param path it and all below it; {@code /echo}, or below it, where there is no upstream
 * @param protection what admits: none, certificate, saml, session; one of several is enough
 * @param require attributes that are needed, all of them, from a session
 * @param upstream where requests are passed on to, http or https
 * @param largest body of a request
 */
public record ServiceProperties(
    @DefaultValue("") String path,
    @DefaultValue("saml") List<Protection> protection,
    @DefaultValue List<Required> require,
    @Nullable URI upstream,
    @DefaultValue("64KB") DataSize largest) {
  /**
   * An attribute that is needed.
   *
   * @param attribute by its friendly name
   * @param values of which one is needed
   */
  public record Required(@DefaultValue("") String attribute, @DefaultValue List<String> values) {
    /** Checks that there is something to compare. */
    public Required {
      Settings.require(!attribute.isBlank(), "attribute", attribute, "an attribute's name");
      Settings.require(!values.isEmpty(), "values", values, "one value at least");
    }
  }

  private static final Pattern PATH = Pattern.compile("(/[A-Za-z0-9._~-]*[A-Za-z0-9_~-]+)+");

  /** What this service has at its own paths. */
  private static final Set<String> OWN =
      Set.of(
          "saml2", "login", "session", "certificates", "soap", "SLCS", "actuator", "ocsp", "pages");

  /** What there is where nothing is said; below what it is checked with. */
  static final ServiceProperties ECHO =
      new ServiceProperties(
          "/echo", List.of(Protection.SAML), List.of(), null, DataSize.ofKilobytes(64));

  /** Checks the values. */
  public ServiceProperties {
    Settings.require(
        PATH.matcher(path).matches() && !OWN.contains(path.split("/", 3)[1]),
        "path",
        path,
        "a path such as /echo, not one of this service's own");
    Settings.require(
        upstream != null || path.equals("/echo") || path.startsWith("/echo/"),
        "path",
        path,
        "/echo, or below it, where there is no upstream");
    Settings.require(
        upstream == null
            || (("http".equals(upstream.getScheme()) || "https".equals(upstream.getScheme()))
                && upstream.getHost() != null
                && upstream.getRawQuery() == null
                && upstream.getRawFragment() == null
                && !upstream.toString().endsWith("/")),
        "upstream",
        upstream == null ? "" : upstream,
        "a URL without a slash at its end, as http://127.0.0.1:8080/service");
    Settings.require(
        !protection.isEmpty() && (!protection.contains(Protection.NONE) || protection.size() == 1),
        "protection",
        protection,
        "none alone, or one or more of certificate, saml, session");
    Settings.require(
        require.isEmpty()
            || !(protection.contains(Protection.NONE)
                || protection.contains(Protection.CERTIFICATE)),
        "require",
        require,
        "absent where nobody logs in: only sessions have attributes");
    var attributes = require.stream().map(Required::attribute).toList();
    Settings.require(
        Set.copyOf(attributes).size() == attributes.size(),
        "require",
        attributes,
        "different attributes");
    Settings.requireWithin(largest, DataSize.ofKilobytes(1), DataSize.ofGigabytes(1), "largest");
  }

  /** As the package takes it. */
  ProtectedService settings() {
    return new ProtectedService(
        path,
        Set.copyOf(protection),
        require.stream().collect(Collectors.toMap(Required::attribute, Required::values)),
        upstream,
        (int) largest.toBytes());
  }
}
