package dev.staithe.xml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.NotBlank;
import net.jqwik.api.constraints.Size;

class OctetsTests {
  @Property(tries = 300)
  void whatIsPutIsThereInItsOrder(@ForAll @Size(max = 20) List<@NotBlank String> texts) {
    var octets = new Octets(1);
    var all = new StringBuilder();
    for (String each : texts) {
      String whole = new String(each.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
      octets.put(whole);
      octets.put('|');
      octets.put(whole.getBytes(StandardCharsets.UTF_8));
      whole.codePoints().forEach(octets::putCodePoint);
      all.append(whole).append('|').append(whole).append(whole);
    }
    assertThat(new String(octets.toByteArray(), StandardCharsets.UTF_8)).isEqualTo(all.toString());
  }

  @Property(tries = 100)
  void whatIsTakenBackIsGoneAndTheRestStays(
      @ForAll byte[] before,
      @ForAll byte[] after,
      @ForAll @IntRange(min = 1, max = 40) int reserved) {
    var octets = new Octets(16);
    octets.put(before);
    octets.put(after);
    octets.truncate(before.length);
    assertThat(octets.toByteArray()).isEqualTo(before);
    octets.reserve(reserved);
    Arrays.fill(octets.array(), octets.size(), octets.size() + reserved, (byte) 7);
    octets.advance(reserved);
    assertThat(octets.size()).isEqualTo(before.length + reserved);
    assertThat(octets.toByteArray(before.length, octets.size())).containsOnly((byte) 7);
  }

  @Example
  void whatIsWipedIsNowhere() {
    var octets = new Octets(16);
    octets.put("secret");
    byte[] array = octets.array();
    octets.wipe();
    assertThat(octets.size()).isZero();
    assertThat(new String(array, StandardCharsets.US_ASCII)).doesNotContain("secret");
  }

  @Example
  void roomOfALongMessageIsGivenBack() {
    var octets = new Octets(16);
    octets.put(new byte[(1 << 20) + 1]);
    octets.clear();
    assertThat(octets.array()).hasSizeLessThan(1 << 20);
  }

  @Example
  void lengthsThatCannotBeAreRefused() {
    var octets = new Octets(16);
    octets.put(1);
    assertThatThrownBy(() -> octets.truncate(2)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> octets.advance(-1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> octets.advance(octets.array().length))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
