package dev.staithe.wss.policy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/** Documents that are damaged in some way are judged, whatever comes of it. */
final class PolicyReaderPropertyTests {
  private static final Pattern LEAF = Pattern.compile("<(?:sp|own|cxf):[^>]*/>");

  @Provide
  Arbitrary<String> documents() {
    return Arbitraries.of(BuiltInPolicies.NAMES)
        .map(name -> new String(BuiltInPolicies.document(name, AlgorithmList.INTEROP), UTF_8));
  }

  @Property(tries = 500)
  void cutDocumentIsJudgedInOneLine(
      @ForAll("documents") String document,
      @ForAll int from,
      @ForAll @IntRange(max = 400) int length) {
    int start = Math.floorMod(from, document.length());
    int end = Math.min(document.length(), start + length);

    judged(document.substring(0, start) + document.substring(end));
  }

  @Property(tries = 500)
  void documentWithATornPieceInItIsJudgedInOneLine(
      @ForAll("documents") String document,
      @ForAll("documents") String other,
      @ForAll int at,
      @ForAll int from,
      @ForAll @IntRange(max = 400) int length) {
    int place = Math.floorMod(at, document.length());
    int start = Math.floorMod(from, other.length());
    int end = Math.min(other.length(), start + length);

    judged(document.substring(0, place) + other.substring(start, end) + document.substring(place));
  }

  @Property(tries = 500)
  void assertionInTheWrongPlaceNeverMakesAPolicyThatDoesNotProtect(
      @ForAll("documents") String document, @ForAll int from, @ForAll int to) {
    List<MatchResult> leaves = LEAF.matcher(document).results().toList();
    if (leaves.isEmpty()) {
      return;
    }
    MatchResult one = leaves.get(Math.floorMod(from, leaves.size()));
    MatchResult other = leaves.get(Math.floorMod(to, leaves.size()));
    String changed =
        document.substring(0, one.start()) + other.group() + document.substring(one.end());

    if (judged(changed) instanceof PolicyOutcome.Accepted(EndpointPolicy policy)
        && !(policy.binding() instanceof Binding.Transport)) {
      assertThat(policy.signed().body()).isTrue();
      assertThat(policy.timestamp()).isTrue();
    }
  }

  private static PolicyOutcome judged(String document) {
    PolicyOutcome outcome = PolicyReader.read(document.getBytes(UTF_8), AlgorithmList.INTEROP);
    if (outcome instanceof PolicyOutcome.Refused(String line)) {
      assertThat(line).isNotBlank().hasSizeLessThan(1_000).doesNotContain("\n");
    }
    return outcome;
  }
}
