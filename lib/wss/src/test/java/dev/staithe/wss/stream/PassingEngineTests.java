package dev.staithe.wss.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.wss.Arrival;
import dev.staithe.wss.Caller;
import dev.staithe.wss.Expectation;
import dev.staithe.wss.Findings;
import dev.staithe.wss.Namespaces;
import dev.staithe.wss.Opening;
import dev.staithe.wss.Refusal;
import dev.staithe.wss.policy.AlgorithmList;
import dev.staithe.wss.policy.Binding;
import dev.staithe.wss.policy.BuiltInPolicies;
import dev.staithe.wss.policy.EndpointPolicy;
import java.nio.charset.StandardCharsets;
import javax.xml.namespace.QName;
import org.junit.jupiter.api.Test;

class PassingEngineTests {
  private static final String SOAP = "http://www.w3.org/2003/05/soap-envelope";
  private static final EndpointPolicy NONE = BuiltInPolicies.policy("none", AlgorithmList.MODERN);
  private static final EndpointPolicy TRANSPORT = transport(false);
  private static final EndpointPolicy CERTIFICATE = transport(true);
  private final PassingEngine engine = new PassingEngine();

  private static EndpointPolicy transport(boolean certificate) {
    return new EndpointPolicy(
        NONE.version(),
        NONE.securityPolicy(),
        new Binding.Transport(certificate),
        NONE.suite(),
        false,
        false,
        false,
        false,
        NONE.layout(),
        NONE.signed(),
        NONE.encrypted(),
        NONE.supporting(),
        false,
        false,
        false,
        false);
  }

  private Opening open(EndpointPolicy policy, String envelope, Arrival.TransportFacts facts) {
    var expectation =
        new Expectation("say", policy, AlgorithmList.MODERN, Expectation.Limits.DEFAULT, false);
    return engine.open(new Arrival(envelope.getBytes(StandardCharsets.UTF_8), expectation, facts));
  }

  private Opening open(String envelope) {
    return open(NONE, envelope, Arrival.TransportFacts.PLAIN);
  }

  private static void isRefused(Opening opening, Refusal reason) {
    assertThat(opening).isInstanceOf(Opening.Refused.class);
    assertThat(((Opening.Refused) opening).reason()).isEqualTo(reason);
  }

  @Test
  void openThenTellsWhatTheMessageIsFor() {
    Opening opening =
        open(
            "<?xml version='1.0'?><!-- hello --><s:Envelope xmlns:s='"
                + SOAP
                + "' xmlns:xs='urn:types' xmlns:a='"
                + Namespaces.WSA
                + "'><s:Header><a:Action>urn:do</a:Action><a:MessageID> urn:1 </a:MessageID>"
                + "<x xmlns=''>1</x></s:Header><s:Body><?pi x?><do xmlns='urn:d' "
                + "xmlns:i='http://www.w3.org/2001/XMLSchema-instance' i:type='xs:t'>"
                + "<!--Optional:--><y xmlns:later='urn:l' q='later:q'/>a&gt;b</do></s:Body>"
                + "</s:Envelope>");
    assertThat(opening).isInstanceOf(Opening.Opened.class);
    var opened = (Opening.Opened) opening;
    assertThat(opened.message().operation()).isEqualTo(new QName("urn:d", "do"));
    assertThat(opened.message().addressing().action()).isEqualTo("urn:do");
    assertThat(opened.message().addressing().messageId()).isEqualTo("urn:1");
    assertThat(opened.reply().messageId()).isEqualTo("urn:1");
    assertThat(opened.findings()).isEqualTo(Findings.NOTHING);
    assertThat(opened.caller()).isEqualTo(new Caller.Anonymous());
  }

  @Test
  void openWhenThereAreRemarksInAnyNumberThenPassesThem() {
    String remarks = "<!----><?pi?>".repeat(100_000);
    assertThat(
            open(
                remarks
                    + "<s:Envelope xmlns:s='"
                    + SOAP
                    + "'><s:Body>"
                    + remarks
                    + "<do/>"
                    + remarks
                    + "</s:Body></s:Envelope>"
                    + remarks))
        .isInstanceOf(Opening.Opened.class);
  }

  @Test
  void openWhenItIsNoEnvelopeThenRefuses() {
    for (String each :
        new String[] {
          "",
          "hello",
          "<a/>",
          "<s:Envelope xmlns:s='" + SOAP + "'/>",
          "<s:Envelope xmlns:s='" + SOAP + "'><s:Body/><s:Body/></s:Envelope>",
          "<s:Envelope xmlns:s='" + SOAP + "'><s:Body/><s:Header/></s:Envelope>",
          "<s:Envelope xmlns:s='" + SOAP + "'><s:Body></s:Envelope>",
          "<!DOCTYPE a [<!ENTITY b 'c'>]><s:Envelope xmlns:s='" + SOAP + "'><s:Body/></s:Envelope>"
        }) {
      isRefused(open(each), Refusal.MALFORMED);
    }
  }

  @Test
  void openThenTellsWhereAnswersAndFaultsAreWanted() {
    for (String namespace : new String[] {Namespaces.WSA, Namespaces.WSA_2004}) {
      var opened = (Opening.Opened) open(addressed(namespace, "<a:Address>urn:1</a:Address>"));

      assertThat(opened.message().addressing().replyTo()).isEqualTo("urn:reply");
      assertThat(opened.message().addressing().faultTo()).isEqualTo("urn:1");
    }
  }

  @Test
  void openWhenAnEndpointHasNotOneAddressThenItIsNowhere() {
    for (String each :
        new String[] {"", "<a:Address>urn:1</a:Address><a:Address>urn:2</a:Address>"}) {
      var opened = (Opening.Opened) open(addressed(Namespaces.WSA, each));

      assertThat(opened.message().addressing().faultTo()).isEmpty();
    }
  }

  @Test
  void openWhenAddressingIsOfTwoNamespacesThenRefuses() {
    String message =
        addressed(Namespaces.WSA, "<a:Address>urn:1</a:Address>")
            .replace(
                "</s:Header>",
                "<b:To xmlns:b='" + Namespaces.WSA_2004 + "'>urn:to</b:To></s:Header>");

    isRefused(open(message), Refusal.MALFORMED);
  }

  private static String addressed(String namespace, String faultTo) {
    return "<s:Envelope xmlns:s='"
        + SOAP
        + "'><s:Header xmlns:a='"
        + namespace
        + "'><a:ReplyTo><a:Address>urn:reply</a:Address></a:ReplyTo><a:FaultTo>"
        + faultTo
        + "<a:Other><a:Address>urn:inner</a:Address></a:Other>"
        + "</a:FaultTo></s:Header><s:Body/></s:Envelope>";
  }

  @Test
  void openWhenDeeperThanTheLimitThenRefuses() {
    isRefused(
        open(
            "<s:Envelope xmlns:s='"
                + SOAP
                + "'><s:Body>"
                + "<a>".repeat(63)
                + "</a>".repeat(63)
                + "</s:Body></s:Envelope>"),
        Refusal.LIMIT);
  }

  @Test
  void openWhenASecurityHeaderComesUnaskedThenItIsTheServicesOrAnotherEngines() {
    String envelope =
        "<s:Envelope xmlns:s='"
            + SOAP
            + "'><s:Header><w:Security xmlns:w='"
            + Namespaces.WSSE
            + "'/></s:Header><s:Body/></s:Envelope>";
    assertThat(open(envelope)).isInstanceOf(Opening.Opened.class);
    assertThat(open(TRANSPORT, envelope, new Arrival.TransportFacts(true, null, null)))
        .isInstanceOf(Opening.Unknown.class);
  }

  @Test
  void openWhenTlsOrACertificateIsDemandedAndMissingThenRefuses() {
    String envelope = "<s:Envelope xmlns:s='" + SOAP + "'><s:Body/></s:Envelope>";
    isRefused(open(CERTIFICATE, envelope, Arrival.TransportFacts.PLAIN), Refusal.TRANSPORT);
    isRefused(
        open(CERTIFICATE, envelope, new Arrival.TransportFacts(true, null, null)),
        Refusal.TRANSPORT);
    var caller = new Caller.Certificate("/CN=ada", java.util.List.of());
    Opening opening = open(CERTIFICATE, envelope, new Arrival.TransportFacts(true, caller, null));
    assertThat(opening).isInstanceOf(Opening.Opened.class);
    assertThat(((Opening.Opened) opening).caller()).isEqualTo(caller);
  }
}
