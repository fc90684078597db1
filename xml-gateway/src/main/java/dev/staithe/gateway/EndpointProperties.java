package dev.staithe.gateway;

import dev.staithe.service.Settings;
import dev.staithe.wss.policy.AlgorithmList;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * A path that stands for a service behind.
 *
 * @param path as clients ask for it
 * @param backEnd http or https URL of the plain SOAP service; absent: the built-in echo
 * @param policy the name of a built-in policy, or a file with a WS-Policy document, which is read
 *     again when it changes
 * @param algorithms which algorithms are taken at all
 * @param engine which engine judges
 * @param wsdl a file with its description; absent: the back end's own {@code ?wsdl}
 * @param callers subjects that may; none: everybody whom the policy admits
 * @param callerHeader the field of HTTP in which the service is told the caller's subject
 * @param callerToken the field of HTTP in which the service is told it in a signed token
 * @param pass fields of HTTP that go on to the service as clients send them
 * @param evidence whether signed messages are kept
 * @param messageSize the most of a request or an answer
 * @param timeout of the back end
 */
public record EndpointProperties(
    @DefaultValue("") String path,
    @Nullable URI backEnd,
    @DefaultValue("") String policy,
    @DefaultValue("modern") AlgorithmList algorithms,
    @DefaultValue("auto") Choice engine,
    @Nullable Path wsdl,
    @DefaultValue List<String> callers,
    @Nullable String callerHeader,
    @Nullable String callerToken,
    @DefaultValue List<String> pass,
    @DefaultValue("false") boolean evidence,
    @DefaultValue("32MB") DataSize messageSize,
    @DefaultValue("30s") Duration timeout) {
  /** Which engine judges messages that keys protect. */
  public enum Choice {
    /** The streaming engine, and the other one for shapes that it does not know. */
    AUTO,
    /** The one that knows every accepted shape. */
    DOM,
    /** Both, which must agree: what only one knows or accepts goes nowhere. */
    BOTH
  }

  private static final Pattern PATH = Pattern.compile("(/[A-Za-z0-9._~-]*[A-Za-z0-9_~-]+)+");

  /** RFC 9110 section 5.1, without those that say something else on the way. */
  private static final Pattern FIELD =
      Pattern.compile(
          "(?i)(?!(host|content-.*|transfer-encoding|connection|soapaction|x-request-id|expect|te)$)"
              + "[A-Za-z0-9-]{1,64}");

  /** What this service has at its own paths. */
  private static final Set<String> OWN = Set.of(".staithe", "pages", "evidence", "static");

  /** Checks the values; a path may be written without its first slash. */
  public EndpointProperties {
    path = path.isEmpty() || path.startsWith("/") ? path : "/" + path;
    Settings.require(
        PATH.matcher(path).matches() && !OWN.contains(path.split("/", 3)[1]),
        "path",
        path,
        "a path such as /jobs, not one of this service's own");
    Settings.require(
        backEnd == null
            || (("http".equals(backEnd.getScheme()) || "https".equals(backEnd.getScheme()))
                && backEnd.getHost() != null
                && backEnd.getRawUserInfo() == null
                && backEnd.getRawFragment() == null),
        "back-end",
        backEnd == null ? "" : backEnd,
        "an http or https URL, as http://127.0.0.1:8080/services/jobs");
    Settings.require(
        !policy.isBlank(), "policy", policy, "a built-in policy's name or a file with a document");
    if (wsdl != null) {
      Settings.requireFile(wsdl, "wsdl");
    }
    Settings.requireWithin(
        messageSize, DataSize.ofKilobytes(1), DataSize.ofGigabytes(1), "message-size");
    Settings.requireWithin(timeout, Duration.ofMillis(100), Duration.ofHours(1), "timeout");
    callers = List.copyOf(callers);
    requireField(callerHeader, "caller-header");
    requireField(callerToken, "caller-token");
    Settings.require(
        callerHeader == null || !callerHeader.equalsIgnoreCase(callerToken),
        "caller-token",
        String.valueOf(callerToken),
        "another field than caller-header");
    pass = List.copyOf(pass);
    for (String field : pass) {
      requireField(field, "pass");
      Settings.require(
          !field.equalsIgnoreCase(callerHeader) && !field.equalsIgnoreCase(callerToken),
          "pass",
          field,
          "a field that the gateway does not write itself");
    }
    Settings.requireDistinct(
        pass.stream().map(each -> each.toLowerCase(Locale.ROOT)).toList(), "pass", "field");
  }

  private static void requireField(@Nullable String field, String key) {
    Settings.require(
        field == null || FIELD.matcher(field).matches(),
        key,
        String.valueOf(field),
        "a field of HTTP that says nothing else, as X-Caller");
  }
}
