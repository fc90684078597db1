package dev.staithe.gateway.attack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.gateway.MessageSite;
import dev.staithe.gateway.RunningGateway;
import dev.staithe.gateway.echo.EchoBackEnd;
import dev.staithe.testkit.Trials;
import dev.staithe.wss.Namespaces;
import dev.staithe.wss.PlainMessage;
import dev.staithe.xml.XmlText;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * An answer repeats the identifier of its request, and the gateway signs it: a caller must not get
 * text of their own into what others read as the gateway's word.
 */
final class CallersTextAttackTests {
  private static final String WORD = "admitted";

  @TempDir private static Path folder;
  private static EchoBackEnd service;
  private static RunningGateway gateway;

  @BeforeAll
  static void start() throws IOException {
    service = new EchoBackEnd();
    Map<String, Object> settings =
        new LinkedHashMap<>(
            MessageSite.in(Files.createDirectory(folder.resolve("site"))).settings());
    settings.putAll(RunningGateway.endpoint(0, "/echo", "transport-username", service.address()));
    gateway = RunningGateway.start(folder.resolve("gateway"), settings);
  }

  @AfterAll
  static void stop() {
    gateway.close();
    service.close();
  }

  private static HttpResponse<String> ask(String id, String payload) {
    Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
    return gateway.post(
        "/echo",
        """
        <s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Header>
        <a:MessageID xmlns:a="%s">%s</a:MessageID>
        <w:Security xmlns:w="%s" xmlns:u="%s"><u:Timestamp><u:Created>%s</u:Created><u:Expires>%s</u:Expires></u:Timestamp>
        <w:UsernameToken><w:Username>ada</w:Username><w:Password>correct horse</w:Password></w:UsernameToken></w:Security>
        </s:Header><s:Body>%s</s:Body></s:Envelope>"""
            .formatted(
                Namespaces.WSA,
                XmlText.escape(id),
                Namespaces.WSSE,
                Namespaces.WSU,
                now,
                now.plusSeconds(60),
                payload));
  }

  private static String echo() {
    return "<e:echo xmlns:e=\"" + EchoBackEnd.NAMESPACE + "\"><e:say>hello</e:say></e:echo>";
  }

  @Test
  void identifierIsRepeatedInAnswersAndFaults() {
    assertThat(ask("urn:uuid:4711", echo()).body())
        .contains(">urn:uuid:4711</wsa:RelatesTo>", "/EchoPortType/echoResponse</wsa:Action>");
    assertThat(ask("urn:uuid:4712", "<nobody xmlns=\"urn:x\"/>").body())
        .contains(">urn:uuid:4712</wsa:RelatesTo>", "/addressing/soap/fault</wsa:Action>");
  }

  @Test
  void textThatIsNoIdentifierIsRepeatedInNoAnswer() {
    for (String each :
        List.of(
            WORD,
            "/" + WORD,
            "urn:x " + WORD,
            "urn:x\n" + WORD,
            "urn:x<" + WORD + "/>",
            "urn:x\"" + WORD,
            "urn:x&" + "lt;" + WORD + ">",
            "urn:{" + WORD + "}",
            "urn:x\u00a0" + WORD,
            "urn:\u202e" + WORD,
            "urn:%y" + WORD,
            ":" + WORD,
            "urn:x:" + WORD + "x".repeat(256))) {
      HttpResponse<String> answer = ask(each, echo());
      assertThat(answer.statusCode()).as(each).isEqualTo(200);
      assertThat(answer.body()).as(each).doesNotContain(WORD, "RelatesTo");
      assertThat(ask(each, "<nobody xmlns=\"urn:x\"/>").body()).doesNotContain(WORD);
      Trials.held();
    }
  }

  @Test
  void identifierIsAnAbsoluteUriOfLimitedLength() {
    assertThat(relation("  urn:uuid:1\n")).isEqualTo("urn:uuid:1");
    assertThat(relation("http://example.org/m?1#2")).isEqualTo("http://example.org/m?1#2");
    assertThat(relation("urn:" + "x".repeat(252))).hasSize(256);
    for (String each :
        List.of("", "urn:", "urn:" + "x".repeat(253), "urn:a b", "a/b", "\u00e4:b")) {
      assertThat(relation(each)).as(each).isNull();
    }
    assertThat(relation(null)).isNull();
  }

  private static @Nullable String relation(@Nullable String id) {
    return new PlainMessage.Addressing(Namespaces.WSA, null, id, null, null, null).relation();
  }
}
