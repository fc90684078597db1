package dev.staithe.wss.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.pki.KeyKind;
import dev.staithe.testkit.Trials;
import dev.staithe.wss.Opening;
import dev.staithe.wss.Refusal;
import dev.staithe.wss.SecurityContext;
import dev.staithe.wss.policy.AlgorithmList;
import dev.staithe.wss.policy.BuiltInPolicies;
import dev.staithe.wss.policy.EndpointPolicy;
import dev.staithe.wss.policy.PolicyOutcome;
import dev.staithe.wss.policy.PolicyReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The order within the security header that a policy prescribes (WS-SecurityPolicy 1.3 section
 * 6.7): every order of what our calling side writes, beside this test's own reading of the text.
 */
class LayoutTests {
  private static final Pattern TAG = Pattern.compile("<(/?)[\\w.:-]+[^>]*?(/?)>");
  private static final Pattern IDENTIFIER =
      Pattern.compile("\\A<[^>]*?\\b(?:wsu:)?Id=\"([^\"]+)\"");
  private static final Pattern USE = Pattern.compile("\\bURI=\"#([^\"]+)\"");

  @TempDir static Path folder;
  private static Parties parties;

  @BeforeAll
  static void makeParties() {
    parties = new Parties(folder, Clock.systemUTC(), KeyKind.RSA_2048);
  }

  /**
   * A message in pieces: what is before and behind the children of the security header, and them.
   */
  private record Cut(String before, List<String> children, String behind) {
    static Cut of(String message) {
      int security = message.indexOf("<wsse:Security ");
      assertThat(security).isPositive();
      int at = message.indexOf('>', security) + 1;
      int first = at;
      List<String> children = new ArrayList<>();
      int depth = 0;
      Matcher tags = TAG.matcher(message);
      while (tags.find(at)) {
        boolean ends = !tags.group(1).isEmpty();
        if (depth == 0 && ends) {
          break;
        }
        depth += ends ? -1 : tags.group(2).isEmpty() ? 1 : 0;
        at = tags.end();
        if (depth == 0) {
          children.add(message.substring(first, at));
          first = at;
        }
      }
      return new Cut(
          message.substring(0, message.indexOf('>', security) + 1),
          children,
          message.substring(first));
    }

    byte[] inOrder(List<String> order) {
      return (before + String.join("", order) + behind).getBytes(StandardCharsets.UTF_8);
    }

    /** Which of the header's own a child leans on, by what a list of references encrypts too. */
    private Set<String> uses(String child) {
      Set<String> used = names(USE, child);
      if (child.contains("DataReference")) {
        used.addAll(names(USE, behind));
      }
      names(IDENTIFIER, child).forEach(used::remove);
      return used;
    }

    /** Whether nothing stands before what it leans on. */
    boolean isStrict(List<String> order) {
      for (int i = 0; i < order.size(); i++) {
        Set<String> used = uses(order.get(i));
        for (String later : order.subList(i + 1, order.size())) {
          if (names(IDENTIFIER, later).stream().anyMatch(used::contains)) {
            return false;
          }
        }
      }
      return true;
    }
  }

  private static Set<String> names(Pattern pattern, String text) {
    Set<String> names = new TreeSet<>();
    pattern.matcher(text).results().forEach(each -> names.add(each.group(1)));
    return names;
  }

  private static EndpointPolicy policy(String name, String layout) {
    String document =
        new String(BuiltInPolicies.document(name, AlgorithmList.MODERN), StandardCharsets.UTF_8)
            .replace("<sp:Lax/>", "<sp:" + layout + "/>");
    if (PolicyReader.read(document.getBytes(StandardCharsets.UTF_8), AlgorithmList.MODERN)
        instanceof PolicyOutcome.Accepted(EndpointPolicy policy)) {
      return policy;
    }
    throw new AssertionError(document);
  }

  private static List<List<String>> orders(List<String> all) {
    if (all.isEmpty()) {
      return List.of(List.of());
    }
    List<List<String>> orders = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      List<String> others = new ArrayList<>(all);
      String first = others.remove(i);
      for (List<String> each : orders(others)) {
        List<String> order = new ArrayList<>(List.of(first));
        order.addAll(each);
        orders.add(order);
      }
    }
    return orders;
  }

  private static boolean isTimestamp(String child) {
    return child.startsWith("<wsu:Timestamp");
  }

  @ParameterizedTest
  @CsvSource({
    "x509, Lax",
    "x509, Strict",
    "x509, LaxTsFirst",
    "x509, LaxTsLast",
    "conversation, Lax",
    "conversation, Strict",
    "conversation, LaxTsFirst",
    "conversation, LaxTsLast",
  })
  void headerIsTakenInTheOrdersOfItsLayoutAndInNoOther(String name, String layout)
      throws Exception {
    EndpointPolicy policy = policy(name, layout);
    SecurityContext context = name.equals("conversation") ? parties.context(policy) : null;
    byte[] message = parties.request(policy, context, StreamEngineTests.PLAIN).envelope();
    Cut cut = Cut.of(new String(message, StandardCharsets.UTF_8));
    assertThat(cut.inOrder(cut.children())).isEqualTo(message);

    int taken = 0;
    List<List<String>> orders = orders(cut.children());
    for (List<String> order : orders) {
      boolean fits =
          switch (layout) {
            case "Strict" -> cut.isStrict(order);
            case "LaxTsFirst" -> isTimestamp(order.getFirst());
            case "LaxTsLast" -> isTimestamp(order.getLast());
            default -> true;
          };
      Opening opening = parties.open(cut.inOrder(order), policy, AlgorithmList.MODERN);
      if (fits) {
        assertThat(opening).as("%s", order).isInstanceOf(Opening.Opened.class);
        taken++;
      } else {
        assertThat(opening)
            .as("%s", order)
            .isEqualTo(new Opening.Refused(Refusal.POLICY, "the order is not that of the layout"));
      }
    }
    Trials.held(orders.size());
    assertThat(taken).isPositive();
    assertThat(taken == orders.size()).isEqualTo(layout.equals("Lax"));
  }
}
