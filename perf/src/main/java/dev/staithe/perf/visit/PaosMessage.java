package dev.staithe.perf.visit;

import java.io.IOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jsoup.parser.Parser;

/**
 * What an enhanced client does with messages (SAML profiles section 4.2): it carries bodies from
 * one party to the other and has headers of its own. Cut out of the text, because a client that
 * parsed XML would cost what is measured.
 */
public final class PaosMessage {
  /** Of a request that knows the profile; section 4.2.4.1. */
  public static final String HEADER =
      "ver=\"urn:liberty:paos:2003-08\";\"urn:oasis:names:tc:SAML:2.0:profiles:SSO:ecp\"";

  public static final String TYPE = "application/vnd.paos+xml";

  private static final Pattern HEADERS =
      Pattern.compile("(?s)<([A-Za-z0-9_-]+:)?Header\\b[^>]*(/>|>(.*?)</\\1?Header\\s*>)");
  private static final Pattern RELAY_STATE =
      Pattern.compile("(?s)<([A-Za-z0-9_-]+:)?RelayState\\b[^>]*>([^<]*)</");
  private static final Pattern CONSUMER =
      Pattern.compile("\\bresponseConsumerURL\\s*=\\s*[\"']([^\"']*)");
  private static final Pattern ASSERTED =
      Pattern.compile("\\bAssertionConsumerServiceURL\\s*=\\s*[\"']([^\"']*)");

  private final String message;

  /** Reads it as it came. */
  public PaosMessage(String message) {
    this.message = message;
  }

  /**
   * The service's request for the provider: without the headers, which are for the client.
   *
   * @throws IOException where it is none
   */
  public String forProvider() throws IOException {
    if (!message.contains("AuthnRequest")) {
      throw new IOException("no request for authentication: " + shown(message));
    }
    return HEADERS.matcher(message).replaceFirst("");
  }

  /** Where the service wants the answer. */
  public String consumer() throws IOException {
    return first(CONSUMER, 1, "responseConsumerURL");
  }

  private String relayState() {
    Matcher found = RELAY_STATE.matcher(message);
    return found.find() ? found.group(2) : "";
  }

  /**
   * The provider's answer for the service, with the service's own state.
   *
   * @throws IOException where the provider answers somebody else, or not with a response
   */
  public String forService(String answer) throws IOException {
    if (!answer.contains("Response")) {
      throw new IOException("the provider does not answer by a response: " + shown(answer));
    }
    Matcher asserted = ASSERTED.matcher(answer);
    // The client's own check against a service in the middle, section 4.2.4.5.
    if (!asserted.find() || !Parser.unescapeEntities(asserted.group(1), true).equals(consumer())) {
      throw new IOException("the provider answers another service: " + shown(answer));
    }
    Matcher headers = HEADERS.matcher(answer);
    if (!headers.find()) {
      throw new IOException("the provider answers without headers: " + shown(answer));
    }
    String prefix = headers.group(1) == null ? "" : headers.group(1);
    String state = relayState();
    String header =
        state.isEmpty()
            ? ""
            : "<%1$sHeader><ecp:RelayState xmlns:ecp=\"urn:oasis:names:tc:SAML:2.0:profiles:SSO:ecp\" %1$smustUnderstand=\"1\" %1$sactor=\"http://schemas.xmlsoap.org/soap/actor/next\">%2$s</ecp:RelayState></%1$sHeader>"
                .formatted(prefix, state);
    return answer.substring(0, headers.start()) + header + answer.substring(headers.end());
  }

  private String first(Pattern pattern, int group, String name) throws IOException {
    Matcher found = pattern.matcher(message);
    if (!found.find()) {
      throw new IOException("no " + name + " in " + shown(message));
    }
    return Parser.unescapeEntities(found.group(group), true);
  }

  private static String shown(String text) {
    return text.substring(0, Math.min(200, text.length())).replaceAll("\\s+", " ").strip();
  }
}
