package dev.staithe.wss.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.testkit.Trials;
import dev.staithe.wss.StructureChange;
import dev.staithe.xml.SoapVersion;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Answers of which every element in turn is changed: a client believes what the service said. */
class ChangedAnswerTests {
  @TempDir static Path folder;
  private static ConversationService service;
  private static SoapCaller caller;
  private static SecuredRequest request;
  private static AnswerReader reader;
  private static byte[] answer;

  @BeforeAll
  static void make() throws IOException {
    service = new ConversationService(folder, Clock.systemUTC());
    caller = service.caller();
    var context = caller.context(SoapVersion.SOAP_1_1);
    var initiator = new Initiator(service.policy, Holder.NOBODY, context, Clock.systemUTC());
    request =
        initiator.secure(
            PlainRequest.of(
                SoapVersion.SOAP_1_1, "urn:say", service.address().toString(), "<s></s>"));
    answer = service.answerTo(request);
    reader = new AnswerReader(service.policy, Holder.NOBODY, Clock.systemUTC());
  }

  @AfterAll
  static void stop() {
    caller.close();
    service.close();
  }

  @Test
  void answerThatIsOnlyWrittenAnewIsBelieved() {
    assertThat(reader.read(StructureChange.unchanged(answer), request))
        .isInstanceOfSatisfying(
            SoapResponse.Message.class,
            it -> assertThat(it.payload()).isEqualTo(ConversationService.PAYLOAD));
  }

  @ParameterizedTest
  @EnumSource(StructureChange.class)
  void changeOfAnElementMakesNoOtherAnswer(StructureChange change) {
    List<String> believed = new ArrayList<>();
    int[] tried = {0};
    change.each(
        answer,
        changed -> {
          tried[0]++;
          switch (reader.read(changed.envelope(), request)) {
            case SoapResponse.Message message -> {
              believed.add(changed.name());
              assertThat(message.payload())
                  .as(changed.name())
                  .isEqualTo(ConversationService.PAYLOAD);
            }
            case SoapResponse.Fault fault ->
                assertThat(fault.secured()).as(changed.name()).isFalse();
            case SoapResponse.Untrusted(String line) ->
                assertThat(line).as(changed.name()).isNotBlank().doesNotContain("\n");
          }
        });

    assertThat(tried[0]).isPositive();
    assertThat(believed.size()).as("of %s: %s", tried[0], believed).isLessThan(tried[0]);
    Trials.held(tried[0]);
  }
}
