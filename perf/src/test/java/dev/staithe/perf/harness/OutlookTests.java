package dev.staithe.perf.harness;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.perf.result.Form;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OutlookTests {
  private static Outlook outlook() {
    var seconds = new LinkedHashMap<String, Double>();
    seconds.put("storage", 600.0);
    seconds.put("slcs", 540.0);
    seconds.put("gateway", 780.0);
    return new Outlook(seconds, Map.of("storage", 300.0, "slcs", 270.0, "gateway", 390.0));
  }

  @Test
  void itSaysHowLongEachTakesAndAllOfThem() {
    assertThat(outlook().lines(Double.POSITIVE_INFINITY, null))
        .containsExactly(
            "storage 10 minutes, slcs 9 minutes, gateway 13 minutes: about 32 minutes in all on two"
                + " idle cores",
            "what is interrupted begins anew: --resume FILE goes on where it ended");
  }

  @Test
  void itSaysWhatABudgetAllowsAndWhatIsGoneOnWith() {
    List<String> lines = outlook().lines(1200, Path.of("night"));

    assertThat(lines.getFirst()).endsWith(", of which there is time for 20 minutes");
    assertThat(lines.getLast())
        .isEqualTo("goes on where night-STUDY ended, and keeps each sample there");
  }

  @Test
  void beforeEachItSaysWhatIsLeft() {
    assertThat(outlook().before("slcs", Double.POSITIVE_INFINITY))
        .isEqualTo("slcs, 2 of 3: about 22 minutes left in all");
    assertThat(outlook().before("slcs", 600))
        .isEqualTo("slcs, 2 of 3: about 10 minutes left in all");
  }

  /** What one study does not take is the others'. */
  @Test
  void eachMayTakeOfTheTimeThatIsLeftWhatItsPromisesAskFor() {
    assertThat(outlook().share("storage", 960)).isEqualTo(300);
    assertThat(outlook().share("slcs", 660)).isEqualTo(270);
    assertThat(outlook().share("slcs", 880)).isEqualTo(360);
    assertThat(outlook().share("gateway", 390)).isEqualTo(390);
    assertThat(outlook().share("slcs", Double.POSITIVE_INFINITY)).isInfinite();
    assertThat(outlook().share("slcs", 330)).isEqualTo(135);
  }

  @Test
  void whereNothingElseIsMeasuredTheNextMayTakeAllThatIsLeftBesideTheOthersPromises() {
    var promises = new Outlook(outlook().seconds(), outlook().seconds());
    assertThat(promises.share("slcs", 1400)).isEqualTo(620);
  }

  @Test
  void shortFormOfAllMeasuresWhatTargetsHangOnAndNothingElse() {
    Outlook brief = Outlook.of(List.of("storage", "authn"), Form.SHORT);
    assertThat(brief.seconds()).isEqualTo(brief.promised());
    assertThat(Outlook.promised("storage", Form.SHORT))
        .contains("get", "object-listing")
        .doesNotContain("push", "cephfs-get");
    Outlook whole = Outlook.of(List.of("storage"), Form.FULL);
    assertThat(whole.seconds().get("storage")).isGreaterThan(whole.promised().get("storage"));
  }

  /** Else the short form of all of them would leave promises out. */
  @Test
  void whatTargetsHangOnTakesNoLongerThanTheShortFormOfAllMay() {
    double minutes =
        Outlook.of(
                    List.of("storage", "authn", "slcs", "delegation", "gateway", "contracts"),
                    Form.SHORT)
                .promised()
                .values()
                .stream()
                .mapToDouble(Double::doubleValue)
                .sum()
            / 60;
    assertThat(minutes).as("by the tables").isLessThanOrEqualTo(74);
  }
}
