package dev.staithe.gateway.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.wss.PlainMessage;
import dev.staithe.xml.SoapVersion;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import javax.xml.namespace.QName;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What descriptions of many kinds say of actions. */
final class ActionsTests {
  private static final String NAMESPACES =
      """
      xmlns="http://schemas.xmlsoap.org/wsdl/" xmlns:t="urn:jobs" xmlns:e="urn:types"
      xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/" xmlns:mime="http://schemas.xmlsoap.org/wsdl/mime/"
      xmlns:soap12="http://schemas.xmlsoap.org/wsdl/soap12/"\
      """;
  private static final String MESSAGES =
      """
      <message name="put"><part name="parameters" element="e:put"/></message>
      <message name="get"><part name="parameters" element="e:get"/></message>
      <message name="headed"><part name="session" element="e:session"/>
        <part name="body" element="e:headed"/></message>
      <message name="nothing"/>
      <message name="typed"><part name="a" type="e:type"/></message>
      <message name="two"><part name="a" element="e:put"/><part name="b" element="e:get"/></message>
      """;

  @TempDir private Path folder;

  private Actions read(String content) throws IOException {
    Path file = folder.resolve("jobs.wsdl");
    Files.writeString(
        file,
        "<definitions "
            + NAMESPACES
            + " targetNamespace=\"urn:jobs\">"
            + content
            + "</definitions>");
    return ActionsReader.read(DescriptionTree.read(new Origin.Folder(file)));
  }

  /** A port type with operations of the same name as their messages, and a binding of it. */
  private Actions document(String operations, String bound) throws IOException {
    return read(MESSAGES + portType(operations) + binding("soap", "B", bound));
  }

  private static String portType(String operations) {
    return "<portType name=\"P\">" + operations + "</portType>";
  }

  private static String operation(String name, String message) {
    return "<operation name=\"%s\"><input message=\"t:%s\"/></operation>".formatted(name, message);
  }

  private static String binding(String prefix, String name, String operations) {
    return "<binding name=\"%s\" type=\"t:P\"><%s:binding transport=\"urn:any\"/>%s</binding>"
        .formatted(name, prefix, operations);
  }

  private static String bound(String prefix, String name, String action) {
    return bound(prefix, name, action, "<" + prefix + ":body use=\"literal\"/>");
  }

  private static String bound(String prefix, String name, String action, String input) {
    return "<operation name=\"%s\"><%s:operation soapAction=\"%s\"/><input>%s</input></operation>"
        .formatted(name, prefix, action, input);
  }

  private static @Nullable String of(Actions actions, SoapVersion version, String element) {
    QName name = element.isEmpty() ? null : new QName("urn:types", element);
    String content = element.isEmpty() ? "" : "<" + element + "/>";
    return of(actions, version, name, content);
  }

  private static @Nullable String of(
      Actions actions, SoapVersion version, @Nullable QName name, String content) {
    return actions.of(
        new PlainMessage(
            version,
            List.of(),
            ("<s:Body>" + content + "</s:Body>").getBytes(StandardCharsets.UTF_8),
            Map.of(),
            name,
            PlainMessage.Addressing.NONE));
  }

  private static @Nullable String of(Actions actions, String element) {
    return of(actions, SoapVersion.SOAP_1_1, element);
  }

  @Test
  void elementOfADocumentStandsForItsOperation() throws IOException {
    Actions actions =
        document(
            operation("store", "put") + operation("fetch", "get"),
            bound("soap", "store", "urn:do:store") + bound("soap", "fetch", " urn:do:fetch "));

    assertThat(of(actions, "put")).isEqualTo("urn:do:store");
    assertThat(of(actions, "get")).isEqualTo("urn:do:fetch");
    assertThat(of(actions, "store")).isNull();
    assertThat(of(actions, SoapVersion.SOAP_1_2, "put")).isNull();
    assertThat(of(actions, SoapVersion.SOAP_1_1, new QName("urn:other", "put"), "<put/>")).isNull();
    assertThat(of(actions, SoapVersion.SOAP_1_1, null, "")).isNull();
  }

  @Test
  void eachVersionOfSoapHasItsOwnActions() throws IOException {
    Actions actions =
        read(
            MESSAGES
                + portType(operation("store", "put") + operation("fetch", "get"))
                + binding(
                    "soap", "B", bound("soap", "store", "urn:1") + bound("soap", "fetch", "urn:s"))
                + binding(
                    "soap12",
                    "C",
                    bound("soap12", "store", "urn:2") + bound("soap12", "fetch", "urn:s")));

    assertThat(of(actions, SoapVersion.SOAP_1_1, "put")).isEqualTo("urn:1");
    assertThat(of(actions, SoapVersion.SOAP_1_2, "put")).isEqualTo("urn:2");
    assertThat(of(actions, SoapVersion.SOAP_1_1, "get")).isEqualTo("urn:s");
    assertThat(of(actions, SoapVersion.SOAP_1_2, "get")).isEqualTo("urn:s");
    assertThat(actions.ambiguous()).isEmpty();
  }

  @Test
  void bindingsThatSayTheSameAreOne() throws IOException {
    String same = bound("soap", "store", "urn:do:store");
    Actions actions =
        read(
            MESSAGES
                + portType(operation("store", "put"))
                + binding("soap", "B", same)
                + binding("soap", "C", same));

    assertThat(of(actions, "put")).isEqualTo("urn:do:store");
  }

  @Test
  void elementOfTwoOperationsStandsForNeither() throws IOException {
    Actions actions =
        document(
            operation("store", "put") + operation("check", "put") + operation("fetch", "get"),
            bound("soap", "store", "urn:do:store")
                + bound("soap", "check", "urn:do:check")
                + bound("soap", "fetch", "urn:do:fetch"));

    assertThat(of(actions, "put")).isNull();
    assertThat(of(actions, "get")).isEqualTo("urn:do:fetch");
    assertThat(actions.ambiguous()).containsExactly(new QName("urn:types", "put"));
  }

  /** Or else the other operation's action would be sent with what is meant for this one. */
  @Test
  void elementOfAnOperationWithoutActionIsNotThatOfTheOther() throws IOException {
    Actions actions =
        document(
            operation("store", "put") + operation("check", "put"),
            bound("soap", "store", "urn:do:store") + bound("soap", "check", ""));

    assertThat(of(actions, "put")).isNull();
    assertThat(actions.ambiguous()).hasSize(1);
  }

  @Test
  void operationWithoutActionHasNone() throws IOException {
    Actions actions =
        document(
            operation("store", "put") + operation("fetch", "get"),
            bound("soap", "store", "")
                + "<operation name=\"fetch\"><input><soap:body use=\"literal\"/></input></operation>");

    assertThat(of(actions, "put")).isNull();
    assertThat(of(actions, "get")).isNull();
    assertThat(actions).isSameAs(Actions.NONE);
  }

  @Test
  void emptyBodyStandsForTheOperationWithoutParts() throws IOException {
    Actions actions = document(operation("ping", "nothing"), bound("soap", "ping", "urn:do:ping"));

    assertThat(of(actions, "")).isEqualTo("urn:do:ping");
    assertThat(of(actions, SoapVersion.SOAP_1_1, null, " \n ")).isEqualTo("urn:do:ping");
    assertThat(of(actions, SoapVersion.SOAP_1_1, null, "<a></a><b></b>")).isNull();
    assertThat(of(actions, "put")).isNull();
  }

  @Test
  void bodyMayBeSomeOfTheParts() throws IOException {
    String input =
        "<soap:header message=\"t:headed\" part=\"session\" use=\"literal\"/>"
            + "<soap:body %s use=\"literal\"/>";
    for (String parts : List.of("parts=\"body\"", "")) {
      Actions actions =
          document(
              operation("run", "headed"),
              bound("soap", "run", "urn:do:run", input.formatted(parts)));

      assertThat(of(actions, "headed")).as(parts).isEqualTo("urn:do:run");
      assertThat(of(actions, "session")).as(parts).isNull();
    }
    Actions none =
        document(
            operation("run", "headed"),
            bound("soap", "run", "urn:do:run", input.formatted("parts=\"\"")));
    assertThat(of(none, "")).isEqualTo("urn:do:run");
    assertThat(of(none, "headed")).isNull();
  }

  @Test
  void bodyWithinAPartOfMimeCounts() throws IOException {
    Actions actions =
        document(
            operation("run", "headed"),
            bound(
                "soap",
                "run",
                "urn:do:run",
                "<mime:multipartRelated><mime:part><soap:body parts=\"body\" use=\"literal\"/>"
                    + "</mime:part></mime:multipartRelated>"));

    assertThat(of(actions, "headed")).isEqualTo("urn:do:run");
  }

  @Test
  void bodyOfTypesOrOfSeveralElementsStandsForNothing() throws IOException {
    Actions actions =
        document(
            operation("plain", "typed") + operation("both", "two"),
            bound("soap", "plain", "urn:do:plain") + bound("soap", "both", "urn:do:both"));

    assertThat(actions).isSameAs(Actions.NONE);
  }

  @Test
  void operationOfRpcIsTheElementInTheNamespaceOfItsBody() throws IOException {
    String input = "<soap:body use=\"literal\" namespace=\"urn:types\"/>";
    Actions byBinding =
        read(
            MESSAGES
                + portType(operation("add", "typed"))
                + "<binding name=\"B\" type=\"t:P\"><soap:binding style=\"rpc\"/>"
                + bound("soap", "add", "urn:do:add", input)
                + "</binding>");
    Actions byOperation =
        document(
            operation("add", "typed") + operation("store", "put"),
            bound("soap", "add", "urn:do:add", input)
                    .replace("soapAction", "style=\"rpc\" soapAction")
                + bound("soap", "store", "urn:do:store"));

    assertThat(of(byBinding, "add")).isEqualTo("urn:do:add");
    assertThat(of(byOperation, "add")).isEqualTo("urn:do:add");
    assertThat(of(byOperation, "put")).isEqualTo("urn:do:store");
  }

  @Test
  void operationsOfOneNameAreToldApartByTheirInputs() throws IOException {
    String named = "<operation name=\"do\"><input name=\"%s\" message=\"t:%s\"/></operation>";
    String bound =
        "<operation name=\"do\"><soap:operation soapAction=\"urn:%s\"/>"
            + "<input %s><soap:body use=\"literal\"/></input></operation>";
    String operations = named.formatted("first", "put") + named.formatted("second", "get");

    Actions told =
        document(
            operations,
            bound.formatted("1", "name=\"first\"") + bound.formatted("2", "name=\"second\""));
    Actions untold = document(operations, bound.formatted("1", "") + bound.formatted("2", ""));

    assertThat(of(told, "put")).isEqualTo("urn:1");
    assertThat(of(told, "get")).isEqualTo("urn:2");
    assertThat(of(untold, "put")).isNull();
    assertThat(untold.ambiguous()).hasSize(2);
  }

  @Test
  void portTypeAndMessagesMayBeImported() throws IOException {
    Files.writeString(
        folder.resolve("abstract.wsdl"),
        "<w:definitions xmlns:w=\"http://schemas.xmlsoap.org/wsdl/\" xmlns:a=\"urn:abstract\""
            + " xmlns:x=\"urn:types\" targetNamespace=\"urn:abstract\">"
            + "<w:message name=\"m\"><w:part name=\"p\" element=\"x:put\"/></w:message>"
            + "<w:portType name=\"P\"><w:operation name=\"store\"><w:input message=\"a:m\"/>"
            + "</w:operation></w:portType></w:definitions>");

    Actions actions =
        read(
            "<import namespace=\"urn:abstract\" location=\"abstract.wsdl\"/>"
                + "<binding name=\"B\" xmlns:far=\"urn:abstract\" type=\"far:P\"><soap:binding/>"
                + bound("soap", "store", "urn:do:store")
                + "</binding>");

    assertThat(of(actions, "put")).isEqualTo("urn:do:store");
  }

  @Test
  void descriptionWithHolesIsReadWithoutThem() throws IOException {
    Actions actions =
        read(
            MESSAGES
                + portType(
                    operation("store", "put")
                        + operation("lost", "missing")
                        + "<operation name=\"told\"><output message=\"t:get\"/></operation>")
                + binding(
                    "soap",
                    "B",
                    bound("soap", "store", "urn:do:store")
                        + bound("soap", "lost", "urn:lost")
                        + bound("soap", "told", "urn:told")
                        + bound("soap", "nowhere", "urn:nowhere")
                        + "<operation name=\"store\"/>")
                + "<binding name=\"N\" type=\"t:None\"><soap:binding/>"
                + bound("soap", "store", "urn:none")
                + "</binding><binding name=\"H\" type=\"undeclared:P\"/>");

    assertThat(of(actions, "get")).isNull();
    assertThat(actions.ambiguous()).containsExactly(new QName("urn:types", "put"));
  }

  private static @Nullable String ofAnswer(Actions actions, String element) {
    return actions.ofAnswer(
        new PlainMessage(
            SoapVersion.SOAP_1_1,
            List.of(),
            ("<s:Body><" + element + "/></s:Body>").getBytes(StandardCharsets.UTF_8),
            Map.of(),
            new QName("urn:types", element),
            PlainMessage.Addressing.NONE));
  }

  private static String answered(String name, String message, String output) {
    return "<operation name=\"%s\"><input message=\"t:%s\"/>%s</operation>"
        .formatted(name, message, output);
  }

  @Test
  void answerHasTheActionOfItsOutputOrWhatStandsForIt() throws IOException {
    Actions actions =
        document(
            answered("store", "put", "<output message=\"t:nothing\"/>")
                + answered("fetch", "get", "<output name=\"got\" message=\"t:nothing\"/>")
                + answered(
                    "told",
                    "headed",
                    "<output xmlns:m=\"http://www.w3.org/2007/05/addressing/metadata\""
                        + " m:Action=\" urn:told \" message=\"t:nothing\"/>"),
            bound("soap", "store", "")
                + bound("soap", "fetch", "")
                + bound(
                    "soap",
                    "told",
                    "",
                    "<soap:body parts=\"body\"/><soap:header message=\"t:headed\" part=\"session\"/>"));

    assertThat(ofAnswer(actions, "put")).isEqualTo("urn:jobs:P:storeResponse");
    assertThat(ofAnswer(actions, "get")).isEqualTo("urn:jobs:P:got");
    assertThat(ofAnswer(actions, "headed")).isEqualTo("urn:told");
    assertThat(of(actions, "put")).isNull();
  }

  @Test
  void answerHasNoActionWhereItIsNotClearWhichOrThereIsNone() throws IOException {
    Actions actions =
        document(
            operation("store", "put")
                + answered("fetch", "get", "<output message=\"t:nothing\"/>")
                + answered("take", "get", "<output message=\"t:nothing\"/>"),
            bound("soap", "store", "urn:store")
                + bound("soap", "fetch", "urn:same")
                + bound("soap", "take", "urn:same"));

    assertThat(ofAnswer(actions, "put")).isNull();
    assertThat(ofAnswer(actions, "get")).isNull();
    assertThat(of(actions, "get")).isEqualTo("urn:same");
  }

  @Test
  void actionOfAnAnswerHasNoSecondDelimiter() throws IOException {
    Path file = folder.resolve("slash.wsdl");
    Files.writeString(
        file,
        "<definitions "
            + NAMESPACES.replace("\"urn:jobs\"", "\"http://jobs.example.org/\"")
            + " targetNamespace=\"http://jobs.example.org/\">"
            + MESSAGES
            + portType(answered("store", "put", "<output message=\"t:nothing\"/>"))
            + binding("soap", "B", bound("soap", "store", ""))
            + "</definitions>");

    assertThat(ofAnswer(ActionsReader.read(DescriptionTree.read(new Origin.Folder(file))), "put"))
        .isEqualTo("http://jobs.example.org/P/storeResponse");
  }
}
