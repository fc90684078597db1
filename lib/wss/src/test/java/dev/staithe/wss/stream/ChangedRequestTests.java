package dev.staithe.wss.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.pki.KeyKind;
import dev.staithe.testkit.Trials;
import dev.staithe.wss.Opening;
import dev.staithe.wss.PlainMessage;
import dev.staithe.wss.SecurityContext;
import dev.staithe.wss.StructureChange;
import dev.staithe.wss.policy.AlgorithmList;
import dev.staithe.wss.policy.BuiltInPolicies;
import dev.staithe.wss.policy.EndpointPolicy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Requests of which every element in turn is dropped, repeated, moved, wrapped, emptied or renamed
 * (signature wrapping and what is like it): what the engine opens is what was signed, and nothing
 * more.
 */
class ChangedRequestTests {
  private static final AlgorithmList LIST = AlgorithmList.MODERN;

  @TempDir static Path folder;
  private static Parties parties;
  private static byte[] asymmetric;
  private static byte[] symmetric;

  @BeforeAll
  static void make() throws Exception {
    parties = new Parties(folder, Clock.systemUTC(), KeyKind.RSA_2048);
    asymmetric = request("x509");
    symmetric = request("conversation");
  }

  private static EndpointPolicy policy(String name) {
    return BuiltInPolicies.policy(name, LIST);
  }

  private static byte[] request(String name) throws Exception {
    EndpointPolicy policy = policy(name);
    SecurityContext context = name.equals("x509") ? null : parties.context(policy);
    return parties.request(policy, context, StreamEngineTests.PLAIN).envelope();
  }

  private static byte[] envelope(String name) {
    return name.equals("x509") ? asymmetric : symmetric;
  }

  private static Opening open(String name, byte[] envelope) {
    return parties.open(envelope, policy(name), LIST);
  }

  /** All that a back end gets, or is done by. */
  private static String meaning(Opening.Opened opened) {
    PlainMessage message = opened.message();
    var text = new StringBuilder(message.version() + " " + message.operation() + "\n");
    // Each is signed by itself; their order is not, and means nothing.
    message.headers().stream()
        .map(each -> each.name() + new String(each.canonical(), StandardCharsets.UTF_8) + "\n")
        .sorted()
        .forEach(text::append);
    return text.append(new String(message.body(), StandardCharsets.UTF_8))
        .append('\n')
        .append(message.addressing())
        .append(new TreeMap<>(message.namespaces()))
        .append(opened.caller().subject())
        .toString();
  }

  @ParameterizedTest
  @ValueSource(strings = {"x509", "conversation"})
  void messageThatIsOnlyWrittenAnewMeansTheSame(String name) {
    byte[] anew = StructureChange.unchanged(envelope(name));

    assertThat(open(name, anew))
        .isInstanceOfSatisfying(
            Opening.Opened.class,
            it ->
                assertThat(meaning(it))
                    .isEqualTo(meaning((Opening.Opened) open(name, envelope(name)))));
  }

  @ParameterizedTest
  @EnumSource(StructureChange.class)
  void changeOfAnElementOpensNothingElseUnderCertificates(StructureChange change) {
    opensNothingElse("x509", change);
  }

  @ParameterizedTest
  @EnumSource(StructureChange.class)
  void changeOfAnElementOpensNothingElseUnderAContext(StructureChange change) {
    opensNothingElse("conversation", change);
  }

  private static void opensNothingElse(String name, StructureChange change) {
    String meant = meaning((Opening.Opened) open(name, envelope(name)));
    List<String> opened = new ArrayList<>();
    int[] tried = {0};
    change.each(
        envelope(name),
        changed -> {
          tried[0]++;
          if (open(name, changed.envelope()) instanceof Opening.Opened out) {
            opened.add(changed.name());
            assertThat(meaning(out)).as(changed.name()).isEqualTo(meant);
          }
        });

    assertThat(tried[0]).isPositive();
    assertThat(opened.size()).as("of %s: %s", tried[0], opened).isLessThan(tried[0]);
    assertThat(opened).noneMatch(each -> each.contains("SignedInfo") || each.contains("Cipher"));
    Trials.held(tried[0]);
  }

  /** Whose refusal says more than another's would tell a forger where to go on. */
  @Test
  void refusalIsOneLine() {
    for (StructureChange change : StructureChange.values()) {
      change.each(
          asymmetric,
          changed -> {
            if (open("x509", changed.envelope()) instanceof Opening.Refused refused) {
              assertThat(refused.detail()).as(changed.name()).isNotBlank().doesNotContain("\n");
            }
          });
    }
  }

  /** Neither part of one message makes another one good. */
  @Test
  void partsOfTwoMessagesAreNoThird() throws Exception {
    String one = new String(request("x509"), StandardCharsets.UTF_8);
    String other = new String(request("x509"), StandardCharsets.UTF_8);
    for (String element : new String[] {"Body", "Security", "Signature", "Timestamp"}) {
      String mixed = one.replace(part(one, element), part(other, element));
      if (!mixed.equals(one) && !element.equals("Security")) {
        assertThat(open("x509", mixed.getBytes(StandardCharsets.UTF_8)))
            .as(element)
            .isNotInstanceOf(Opening.Opened.class);
      }
    }
  }

  private static String part(String envelope, String element) {
    var matcher =
        java.util.regex.Pattern.compile("<([a-z0-9]+:)?" + element + "[ >].*</\\1" + element + ">")
            .matcher(envelope);
    assertThat(matcher.find()).as(element).isTrue();
    return matcher.group();
  }
}
