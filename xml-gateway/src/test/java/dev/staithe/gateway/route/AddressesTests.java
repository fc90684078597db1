package dev.staithe.gateway.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class AddressesTests {
  private static final String TO = "http://back.example/service";

  private static String replace(String envelope, String from) {
    return new String(
        Addresses.replace(envelope.getBytes(StandardCharsets.UTF_8), from, TO),
        StandardCharsets.UTF_8);
  }

  @Test
  void wholeAddressesInTheHeaderAreReplacedAndTheirBeginnings() {
    assertThat(
            replace(
                "<E><H><To>http://a/b</To><X>http://a/b/c</X><Y>http://a/bc</Y></H>"
                    + "<s:Body>http://a/b</s:Body></E>",
                "http://a/b"))
        .isEqualTo(
            "<E><H><To>http://back.example/service</To><X>http://back.example/service/c</X>"
                + "<Y>http://a/bc</Y></H><s:Body>http://a/b</s:Body></E>");
  }

  @Test
  void whoAsksAnonymouslyIsStillAnsweredThere() {
    String envelope =
        "<E><H><To>http://www.w3.org/2005/08/addressing/anonymous</To><ReplyTo><Address>"
            + "http://www.w3.org/2005/08/addressing/anonymous</Address></ReplyTo></H><Body/></E>";

    assertThat(replace(envelope, "http://www.w3.org/2005/08/addressing/anonymous"))
        .isEqualTo(envelope);
    assertThat(replace(envelope, "http://www.w3.org/2005/08")).isEqualTo(envelope);
    assertThat(replace(envelope, "anonymous")).isEqualTo(envelope);
    assertThat(replace(envelope, "www.w3.org")).isEqualTo(envelope);
  }

  /** As many services have one: the address with what follows it, or nothing. */
  @Test
  void namespaceThatIsNamedLikeTheAddressStays() {
    String start =
        "<E xmlns='http://a/b' xmlns:t=\"http://a/b/types\" xmlns:q=\"http://a/b?x\"><H>";

    assertThat(replace(start + "<t:From>http://a/b</t:From></H><Body/></E>", "http://a/b"))
        .isEqualTo(start + "<t:From>" + TO + "</t:From></H><Body/></E>");
  }

  /** A remark that was passed over would be a block when the service reads it. */
  @Test
  void markupIsNoAddress() {
    String envelope =
        "<E><H><To>&lt;!--x</To><!--x <ReplyTo>http://attacker/</ReplyTo> --></H><Body/></E>";

    assertThat(replace(envelope, "<!--x")).isEqualTo(envelope);
  }

  @Test
  void addressThatBeginsAsItGoesOnIsFound() {
    assertThat(replace("<E><H>aabaabaac</H><Body/></E>", "aabaac"))
        .isEqualTo("<E><H>aab" + TO + "</H><Body/></E>");
  }

  /** Naive search takes the product of both lengths: 10^11 steps here, 10^14 for 32 MB. */
  @Test
  void addressThatNearlyMatchesEverywhereIsSearchedInOnePass() {
    String address = "a".repeat(4_000) + "b";
    String envelope = "<E><H><X>" + "a".repeat(24 << 20) + "</X><To>" + address + "</To></H></E>";

    // Far more than one pass takes on any machine, and far less than the other takes.
    String replaced =
        assertTimeoutPreemptively(Duration.ofSeconds(20), () -> replace(envelope, address));

    assertThat(replaced).endsWith("<To>" + TO + "</To></H></E>");
  }
}
