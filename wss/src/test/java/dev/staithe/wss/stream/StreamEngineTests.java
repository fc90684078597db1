package dev.staithe.wss.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.pki.KeyKind;
import dev.staithe.wss.Opening;
import dev.staithe.wss.SecurityContext;
import dev.staithe.wss.client.AnswerReader;
import dev.staithe.wss.client.Heard;
import dev.staithe.wss.client.SecuredRequest;
import dev.staithe.wss.policy.AlgorithmList;
import dev.staithe.wss.policy.BuiltInPolicies;
import dev.staithe.wss.policy.EndpointPolicy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.stream.Stream;
import javax.xml.namespace.QName;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What our calling side writes is opened, and what we answer it believes. */
class StreamEngineTests {
  static final String PLAIN =
      """
      <e:Envelope xmlns:e='http://schemas.xmlsoap.org/soap/envelope/' xmlns:x="urn:x" \
      xmlns:xs='http://www.w3.org/2001/XMLSchema' xmlns="urn:default">
        <e:Header><x:Who b="2" a='1'>ada &gt; "bob"</x:Who></e:Header>
        <e:Body><say xmlns:s='urn:other'>\
      <word xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance' xsi:type='xs:string' \
      x:q="tab&#9;end">h\u00e9llo <![CDATA[<&>]]>&#13;</word>\
      <s:inner s:e='1'/><none xmlns=""/></say></e:Body>
      </e:Envelope>
      """;
  static final String ANSWER =
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <!-- from the back end -->
      <e:Envelope xmlns:e='http://schemas.xmlsoap.org/soap/envelope/' \
      xmlns:xs='http://www.w3.org/2001/XMLSchema' xmlns="urn:default">
        <e:Header><x:Who xmlns:x="urn:x" b="2" a='1'/></e:Header>
        <e:Body><heard xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance' \
      xsi:type='xs:string'>h\u00e9llo <![CDATA[<&>]]>&#13;<none xmlns=""/></heard></e:Body>
      </e:Envelope>
      """;

  @TempDir static Path folder;
  static Parties rsa;
  static Parties elliptic;

  @BeforeAll
  static void makeParties() throws Exception {
    rsa = new Parties(folder.resolve("rsa"), Clock.systemUTC(), KeyKind.RSA_2048);
    elliptic = new Parties(folder.resolve("ec"), Clock.systemUTC(), KeyKind.EC_P256);
  }

  static Stream<Arguments> policies() {
    return Stream.of(AlgorithmList.values())
        .flatMap(list -> Stream.of("x509", "conversation").map(name -> Arguments.of(name, list)));
  }

  private static @Nullable SecurityContext context(String name, EndpointPolicy policy) {
    return name.equals("conversation") ? rsa.context(policy) : null;
  }

  @ParameterizedTest
  @MethodSource("policies")
  void requestIsOpenedAndItsAnswerIsBelieved(String name, AlgorithmList list) throws Exception {
    EndpointPolicy policy = BuiltInPolicies.policy(name, list);
    SecuredRequest request = rsa.request(policy, context(name, policy), PLAIN);
    Opening opening = rsa.open(request.envelope(), policy, list);
    assertThat(opening).isInstanceOf(Opening.Opened.class);
    var opened = (Opening.Opened) opening;
    assertThat(new String(opened.message().body(), StandardCharsets.UTF_8))
        .contains("h\u00e9llo &lt;&amp;&gt;&#xD;</word>", "xmlns:xs=", "xsi:type=\"xs:string\"");
    assertThat(opened.message().operation()).isEqualTo(new QName("urn:default", "say"));
    assertThat(opened.message().addressing().messageId()).isEqualTo(request.messageId());
    assertThat(opened.message().headers())
        .anyMatch(each -> each.name().equals(new QName("urn:x", "Who")));
    assertThat(opened.caller().subject()).isEqualTo(name.equals("x509") ? "/CN=client" : "ada");
    assertThat(opened.findings().signed()).contains("Body", "Timestamp");
    assertThat(opened.findings().encrypted()).isEqualTo(List.of("Body"));
    byte[] answer = rsa.answer(ANSWER, opened.reply(), policy, list);
    Heard heard = new AnswerReader(policy, rsa.holder(), rsa.clock).read(answer, request);
    assertThat(heard)
        .as(new String(answer, StandardCharsets.UTF_8))
        .isInstanceOf(Heard.Answer.class);
    assertThat(((Heard.Answer) heard).payload()).contains("h\u00e9llo &lt;&amp;&gt;");
  }
}
