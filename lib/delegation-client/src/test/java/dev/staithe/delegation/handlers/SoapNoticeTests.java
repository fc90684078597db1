package dev.staithe.delegation.handlers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.xml.Elements;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import javax.xml.transform.dom.DOMSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.ws.soap.SoapMessage;
import org.springframework.ws.soap.saaj.SaajSoapMessageFactory;
import org.w3c.dom.Element;

final class SoapNoticeTests {
  private static final Notice NOTICE = new Notice("https://delegation.example.org/", "id&1");
  private static final String PAYLOAD =
      "<e:echoString xmlns:e=\"urn:e\"><e:say>x</e:say></e:echoString>";

  private final SaajSoapMessageFactory factory = new SaajSoapMessageFactory();

  SoapNoticeTests() {
    factory.afterPropertiesSet();
  }

  private SoapMessage message(String header, String body) throws IOException {
    String envelope =
        "<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\"><s:Header>"
            + header
            + "</s:Header><s:Body>"
            + body
            + "</s:Body></s:Envelope>";
    return (SoapMessage)
        factory.createWebServiceMessage(
            new ByteArrayInputStream(envelope.getBytes(StandardCharsets.UTF_8)));
  }

  private static String written(SoapMessage message) throws IOException {
    var out = new ByteArrayOutputStream();
    message.writeTo(out);
    return out.toString(StandardCharsets.UTF_8);
  }

  private SoapMessage sent(SoapMessage message) throws IOException {
    return (SoapMessage)
        factory.createWebServiceMessage(
            new ByteArrayInputStream(written(message).getBytes(StandardCharsets.UTF_8)));
  }

  @ParameterizedTest
  @EnumSource
  void whatIsToldArrivesAndIsGoneBeforeTheMethod(DelegationPlace where) throws IOException {
    SoapMessage message = message("", PAYLOAD);
    SoapNotice.write(NOTICE, message, where);
    SoapMessage arrived = sent(message);

    SoapNotice.NoticeFields taken = SoapNotice.take(arrived);

    int times = where == DelegationPlace.BOTH ? 2 : 1;
    assertThat(taken.services()).hasSize(times).containsOnly(NOTICE.service());
    assertThat(taken.ids()).hasSize(times).containsOnly(NOTICE.id());
    assertThat(written(arrived)).doesNotContain("Delegation").contains("<e:say>x</e:say>");
    assertThat(SoapNotice.take(arrived))
        .isEqualTo(new SoapNotice.NoticeFields(List.of(), List.of()));
  }

  @Test
  void elementsInsideTheRequestAreTakenToo() throws IOException {
    SoapMessage message =
        message(
            "",
            "<e:echoString xmlns:e=\"urn:e\" xmlns:d=\"urn:delegation\"><e:say>x</e:say>"
                + "<d:DelegationService>https://a/</d:DelegationService>"
                + "<d:DelegationID>1</d:DelegationID></e:echoString>");

    assertThat(SoapNotice.take(message))
        .isEqualTo(new SoapNotice.NoticeFields(List.of("https://a/"), List.of("1")));
    var payload = (Element) ((DOMSource) message.getPayloadSource()).getNode();
    assertThat(Elements.children(payload)).hasSize(1);
  }

  @Test
  void elementsOfTheSameNameInAnotherNamespaceAreTheServicesOwn() throws IOException {
    String own = "<o:DelegationID xmlns:o=\"urn:other\">1</o:DelegationID>";
    SoapMessage message = message(own, own);

    assertThat(SoapNotice.take(message).ids()).isEmpty();
    assertThat(written(message)).contains("<o:DelegationID");
  }

  @Test
  void messageThatTellsTwoDelegationsTellsBoth() throws IOException {
    String one = "<d:DelegationID xmlns:d=\"urn:delegation\">1</d:DelegationID>";
    String two = "<d:DelegationID xmlns:d=\"urn:delegation\">2</d:DelegationID>";

    assertThat(SoapNotice.take(message(one + two, PAYLOAD)).ids()).containsExactly("1", "2");
    assertThat(SoapNotice.take(message(one, PAYLOAD + two)).ids()).containsExactly("1", "2");
  }
}
