package dev.staithe.authn.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.staithe.authn.persistence.PersistenceModel;
import dev.staithe.authn.persistence.Revocation;
import dev.staithe.authn.persistence.Session;
import dev.staithe.authn.persistence.SessionStore;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class H2SessionsTests implements SessionStoreContract {
  @TempDir Path folder;
  private SessionStore store;

  @BeforeEach
  void open() {
    store = SessionStores.open(settings(PersistenceModel.BEST_EFFORT), Some.CLOCK);
  }

  @AfterEach
  void close() {
    store.close();
  }

  @Override
  public SessionStore store() {
    return store;
  }

  private StoreSettings settings(PersistenceModel model) {
    return new StoreSettings.Relational(
        model,
        "jdbc:h2:file:" + folder.resolve("sessions"),
        "staithe",
        Optional.empty(),
        Optional.empty());
  }

  @Test
  void whatWasAnsweredIsThereWhenTheFileIsOpenedAgain() {
    Session kept = Some.session("anna");
    Session ended = Some.session("anna");
    store.open(kept, Some.LONG);
    store.open(ended, Some.LONG);
    Revocation end = Some.endOf(ended);
    store.revoke(List.of(end), Some.LONG);
    long epoch = Some.log(store).epoch();
    store.close();

    open();

    assertThat(Some.find(store, kept)).contains(kept);
    assertThat(Some.find(store, ended)).isEmpty();
    assertThat(Some.log(store).entries()).containsExactly(end);
    assertThat(Some.log(store).epoch()).isEqualTo(epoch);
  }

  @ParameterizedTest
  @EnumSource(value = PersistenceModel.class, mode = EnumSource.Mode.EXCLUDE, names = "BEST_EFFORT")
  void otherModelsAreRefusedWithOneLine(PersistenceModel model) {
    assertThatThrownBy(() -> SessionStores.open(settings(model), Some.CLOCK))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            SessionStores.name(model)
                + " is not possible with H2, which knows only best-effort: use PostgreSQL or"
                + " Redis");
  }
}
