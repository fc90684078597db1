package dev.staithe.storage.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.StringLength;

class StoragePathPropertyTests {
  @Property
  void whatIsWrittenAsHrefIsReadAsTheSamePath(@ForAll("names") List<String> names) {
    StoragePath path = StoragePath.root();
    for (String name : names) {
      path = path.child(name);
    }

    for (boolean collection : new boolean[] {true, false}) {
      StoragePath form = path.asCollection(collection);
      assertThat(form.href()).matches("[\\x21-\\x7e]+");
      assertThat(StoragePath.parse(form.href()))
          .isInstanceOfSatisfying(
              StoragePath.Parsed.Valid.class,
              valid -> {
                assertThat(valid.path().segments()).isEqualTo(form.segments());
                assertThat(valid.path().collectionForm()).isEqualTo(form.collectionForm());
              });
    }
  }

  @Property
  void encodingMoreThanNeededChangesNothing(@ForAll("names") List<String> names) {
    StringBuilder raw = new StringBuilder();
    for (String name : names) {
      raw.append('/');
      for (byte b : name.getBytes(StandardCharsets.UTF_8)) {
        raw.append("%%%02x".formatted(b & 0xff));
      }
    }

    assertThat(StoragePath.parse(raw.toString()))
        .isInstanceOfSatisfying(
            StoragePath.Parsed.Valid.class,
            valid -> assertThat(valid.path().segments()).isEqualTo(names));
  }

  @Property(tries = 3000)
  void whateverIsAcceptedHasOnlyNamesThatStayWhereTheyAre(@ForAll("hostile") String raw) {
    if (StoragePath.parse(raw) instanceof StoragePath.Parsed.Valid(StoragePath path)) {
      for (String name : path.segments()) {
        assertThat(name).isNotEmpty().isNotIn(".", "..").doesNotContain("/", "\0");
        assertThat(name.chars().noneMatch(c -> c < 0x20 || c == 0x7f)).isTrue();
        assertThat(name.getBytes(StandardCharsets.UTF_8).length).isBetween(1, 255);
        assertThat(new String(name.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8))
            .isEqualTo(name);
      }
    }
  }

  @Property
  void anythingAtAllIsEitherAPathOrRefusedInOneLine(@ForAll @StringLength(max = 40) String raw) {
    switch (StoragePath.parse("/" + raw)) {
      case StoragePath.Parsed.Valid valid -> assertThat(valid.path().href()).startsWith("/");
      case StoragePath.Parsed.Invalid invalid ->
          assertThat(invalid.reason()).isNotBlank().doesNotContain("\n", "\r");
    }
  }

  @Property
  void aChildIsBelowItsParentAndNowhereElse(
      @ForAll("names") List<String> names, @ForAll("name") String name, @ForAll("name") String no) {
    StoragePath parent = StoragePath.of("/" + String.join("/", names));
    StoragePath child = parent.child(name);

    assertThat(child.startsWith(parent)).isTrue();
    assertThat(parent.startsWith(child)).isFalse();
    assertThat(child.parent()).isEqualTo(parent);
    assertThat(child.without(names.size()).segments()).containsExactly(name);
    assertThat(child.startsWith(parent.child(no))).isEqualTo(name.equals(no));
  }

  @Provide
  static Arbitrary<String> name() {
    return Arbitraries.strings()
        .withChars("ab.%+;,?#& \\~\u00e9e\u0301\u20ac\u202e")
        .withCharRange('\u4e00', '\u4e20')
        .ofMinLength(1)
        .ofMaxLength(20)
        .filter(name -> !name.equals(".") && !name.equals(".."));
  }

  @Provide
  static Arbitrary<List<String>> names() {
    return name().list().ofMinSize(1).ofMaxSize(6);
  }

  @Provide
  static Arbitrary<String> hostile() {
    return Arbitraries.of(
            "/",
            "//",
            ".",
            "..",
            "%2e",
            "%2E",
            "%2f",
            "%5c",
            "%00",
            "%0a",
            "%25",
            "%c0%ae",
            "%ed",
            "%a0",
            "%80",
            "%",
            "%4",
            "a",
            "b",
            "\u20ac",
            "\ud83d\ude00",
            "\ud83d",
            ";",
            "~",
            "\\")
        .list()
        .ofMaxSize(12)
        .map(parts -> "/" + String.join("", parts));
  }
}
