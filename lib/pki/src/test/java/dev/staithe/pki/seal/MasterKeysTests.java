package dev.staithe.pki.seal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.staithe.pki.OpenSsl;
import dev.staithe.pki.PemException;
import dev.staithe.pki.seal.MasterKeys.Opening;
import dev.staithe.pki.seal.MasterKeys.Rewrapping;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MasterKeysTests {
  private static final byte[] SECRET = "the user's private key".getBytes(StandardCharsets.UTF_8);
  private static final SecureRandom RANDOM = new SecureRandom();

  private static SoftHsm token;

  @TempDir Path folder;

  private MasterKeys keys;

  @BeforeAll
  static void findToken() throws Exception {
    token = SoftHsm.token("sealing");
  }

  @BeforeEach
  void makeKeys() throws Exception {
    keys = MasterKeys.of(List.of(file("one")));
    Files.writeString(folder.resolve("password"), "pässword\n");
    Files.writeString(folder.resolve("pin"), "1234\n");
  }

  private MasterKeySource file(String name) throws Exception {
    Path file = folder.resolve(name);
    if (!Files.exists(file)) {
      byte[] key = new byte[32];
      RANDOM.nextBytes(key);
      Files.writeString(file, Base64.getEncoder().encodeToString(key) + "\n");
    }
    return new MasterKeySource.Base64File(file);
  }

  private MasterKeySource ofToken(String label) {
    return new MasterKeySource.Token(
        new Pkcs11Token(
            SoftHsm.LIBRARY,
            new Pkcs11Token.Slot.Label(token.label()),
            folder.resolve("pin"),
            label));
  }

  private Path keystore(String algorithm, String... size) throws Exception {
    Path file = folder.resolve(algorithm + String.join("", size) + ".p12");
    List<String> arguments =
        new java.util.ArrayList<>(
            List.of("-genseckey", "-storetype", "PKCS12", "-keystore", file.toString()));
    arguments.addAll(List.of("-alias", "sealing", "-keyalg", algorithm));
    arguments.addAll(List.of(size));
    arguments.addAll(List.of("-storepass:file", folder.resolve("ascii").toString()));
    Files.writeString(folder.resolve("ascii"), "password\n");
    var made =
        OpenSsl.run(
            folder,
            Map.of(),
            Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
            arguments.toArray(String[]::new));
    assertThat(made.exit()).as(made.text()).isZero();
    return file;
  }

  private static void opens(MasterKeys with, String row, byte[] sealed) {
    assertThat(with.open(row, sealed))
        .isInstanceOfSatisfying(
            Opening.Opened.class, opened -> assertThat(opened.secret()).isEqualTo(SECRET));
  }

  private static String unreadable(Opening opening) {
    return ((Opening.Unreadable) opening).line();
  }

  @Test
  void whatIsSealedForARowOpensThereAndNowhereElse() {
    byte[] sealed = keys.seal("credential/1", SECRET);

    opens(keys, "credential/1", sealed);
    assertThat(unreadable(keys.open("credential/2", sealed)))
        .isEqualTo("what is kept in credential/2 was changed, or was sealed for another row");
    assertThat(new String(sealed, StandardCharsets.ISO_8859_1)).doesNotContain("private");
    assertThat(keys.seal("credential/1", SECRET)).isNotEqualTo(sealed);
  }

  @Test
  void keysThatAreHereAreKnownByName() {
    assertThat(keys.has(keys.name())).isTrue();
    assertThat(keys.has(MasterKeys.name(keys.seal("row", SECRET)))).isTrue();
    assertThat(keys.has("")).isFalse();
    assertThat(keys.has(keys.name().substring(0, 7))).isFalse();
  }

  @Test
  void noByteCanBeChanged() {
    byte[] sealed = keys.seal("row", SECRET);

    for (int i = 0; i < sealed.length; i++) {
      byte[] changed = sealed.clone();
      changed[i] ^= 1;
      assertThat(keys.open("row", changed)).as("byte " + i).isInstanceOf(Opening.Unreadable.class);
      assertThat(keys.open("row", Arrays.copyOf(sealed, i))).isInstanceOf(Opening.Unreadable.class);
    }
    assertThat(keys.open("row", Arrays.copyOf(sealed, sealed.length + 1)))
        .isInstanceOf(Opening.Unreadable.class);
    System.out.println("trials = " + 2L * sealed.length);
  }

  @Test
  void headOfOneRowDoesNotOpenTheBodyOfAnother() {
    byte[] one = keys.seal("row", SECRET);
    byte[] other = keys.seal("row", SECRET);
    byte[] mixed = other.clone();
    System.arraycopy(one, 0, mixed, 0, 65);

    assertThat(keys.open("row", mixed)).isInstanceOf(Opening.Unreadable.class);
  }

  @Test
  void keysAreRotatedWithoutTheSecrets() throws Exception {
    byte[] old = keys.seal("row", SECRET);
    MasterKeys both = MasterKeys.of(List.of(file("two"), file("one")));
    MasterKeys fresh = MasterKeys.of(List.of(file("two")));

    opens(both, "row", old);
    assertThat(unreadable(fresh.open("row", old)))
        .isEqualTo(
            "what is kept in row is sealed with master key " + keys.name() + ", which is not here");
    byte[] again = ((Rewrapping.Rewrapped) both.rewrap("row", old)).sealed();
    opens(fresh, "row", again);
    assertThat(keys.open("row", again)).isInstanceOf(Opening.Unreadable.class);
    assertThat(both.rewrap("row", again)).isEqualTo(new Rewrapping.Current());
    assertThat(both.rewrap("other", old)).isInstanceOf(Rewrapping.Unreadable.class);
    assertThat(fresh.rewrap("row", old)).isInstanceOf(Rewrapping.Unreadable.class);
    assertThat(MasterKeys.name(old)).isEqualTo(keys.name()).matches("[0-9a-f]{8}");
    assertThat(MasterKeys.name(again)).isEqualTo(fresh.name()).isNotEqualTo(keys.name());
  }

  @Test
  void whatIsNotSealedIsToldSo() {
    assertThat(unreadable(keys.open("row", SECRET))).isEqualTo("what is kept in row is not sealed");
    assertThat(MasterKeys.name(SECRET)).isEmpty();
  }

  @Test
  void keyOfAPkcs12FileSeals() throws Exception {
    Path file = keystore("AES", "-keysize", "256");
    Path password = folder.resolve("ascii");

    for (String alias : Arrays.asList("sealing", null)) {
      MasterKeys with = MasterKeys.of(List.of(new MasterKeySource.Pkcs12(file, password, alias)));
      opens(with, "row", with.seal("row", SECRET));
      assertThat(with.inToken()).isFalse();
    }
  }

  @Test
  void keyThatNeverLeavesItsTokenSeals() throws Exception {
    MasterKeys with = MasterKeys.of(List.of(ofToken("master"), file("one")));
    byte[] old = keys.seal("row", SECRET);
    byte[] sealed = with.seal("row", SECRET);

    assertThat(with.inToken()).isTrue();
    opens(with, "row", sealed);
    assertThat(with.open("other", sealed)).isInstanceOf(Opening.Unreadable.class);
    opens(MasterKeys.of(List.of(ofToken("master"))), "row", sealed);
    assertThat(MasterKeys.of(List.of(ofToken("master"))).name()).isEqualTo(with.name());
    opens(with, "row", old);
    opens(with, "row", ((Rewrapping.Rewrapped) with.rewrap("row", old)).sealed());
  }

  @Test
  void tokenServesManyThreads() throws Exception {
    MasterKeys with = MasterKeys.of(List.of(ofToken("master")));

    List<Integer> rows = java.util.stream.IntStream.range(0, 200).boxed().toList();
    assertThat(
            rows.parallelStream()
                .map(row -> with.open("row" + row, with.seal("row" + row, SECRET))))
        .hasSize(200)
        .allMatch(Opening.Opened.class::isInstance);
  }

  @Test
  void keyOfTheEnvironmentSeals() throws Exception {
    MasterKeys with =
        MasterKeys.of(List.of(new MasterKeySource.Environment("STAITHE_TEST_SEALING_KEY")));

    opens(with, "row", with.seal("row", SECRET));
    assertThatThrownBy(
            () -> MasterKeys.of(List.of(new MasterKeySource.Environment("STAITHE_NO_SUCH_KEY"))))
        .isInstanceOf(PemException.class)
        .hasMessage("the environment has no variable STAITHE_NO_SUCH_KEY");
  }

  @Test
  void whatIsNoKeyOf256BitsIsRefusedWithoutShowingIt() throws Exception {
    for (String text : List.of("c2hvcnQ=", "not Base64 of anything", "")) {
      Path file = folder.resolve("bad");
      Files.writeString(file, text + "\n");
      assertThatThrownBy(() -> MasterKeys.of(List.of(new MasterKeySource.Base64File(file))))
          .isInstanceOf(PemException.class)
          .hasMessageStartingWith(file.toString())
          .hasMessageNotContaining("c2hvcnQ")
          .hasMessageNotContaining("anything");
    }
    Path password = folder.resolve("ascii");
    for (Path file :
        List.of(keystore("AES", "-keysize", "128"), keystore("HmacSHA256", "-keysize", "256"))) {
      assertThatThrownBy(
              () -> MasterKeys.of(List.of(new MasterKeySource.Pkcs12(file, password, "sealing"))))
          .isInstanceOf(PemException.class)
          .hasMessageContaining("AES key");
    }
    assertThatThrownBy(
            () ->
                MasterKeys.of(
                    List.of(
                        new MasterKeySource.Pkcs12(
                            folder.resolve("AES-keysize128.p12"),
                            folder.resolve("password"),
                            null))))
        .isInstanceOf(PemException.class)
        .hasMessageContaining("cannot be opened with the password in")
        .hasMessageNotContaining("pässword");
    assertThatThrownBy(() -> MasterKeys.of(List.of(ofToken("absent"))))
        .isInstanceOf(PemException.class)
        .hasMessageContaining("holds no AES key");
    assertThatThrownBy(() -> MasterKeys.of(List.of())).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void nothingPrintsAKeyOrASecret() throws Exception {
    String text = Files.readString(folder.resolve("one")).strip();

    assertThat(keys.toString()).isEqualTo("MasterKeys[" + keys.name() + "]").doesNotContain(text);
    assertThat(MasterKey.of(file("one")).toString()).isEqualTo("MasterKey");
    assertThat(keys.open("row", keys.seal("row", SECRET)).toString()).isEqualTo("Opened");
  }
}
