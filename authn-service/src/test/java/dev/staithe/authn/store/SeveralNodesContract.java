package dev.staithe.authn.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.authn.persistence.Session;
import dev.staithe.authn.persistence.WriteOutcome;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What every store does that several nodes write to. */
interface SeveralNodesContract extends SessionStoreContract {
  /** As when the node of the login writes it behind its answer, and that of the logout does not. */
  @Test
  default void loginThatIsWrittenAfterItsLogoutLeavesNoRecord() throws Exception {
    Session session = Some.session("late");
    assertThat(store().revoke(List.of(Some.endOf(session)), Some.LONG))
        .isEqualTo(new WriteOutcome.Stored());

    store().open(session, Some.LONG);
    Session after = Some.session("late");
    store().open(after, Some.LONG);

    Some.eventually("the later one is found", () -> store().find(after.id()).isPresent());
    assertThat(store().sessionsOf("late")).containsExactly(after);
    assertThat(Some.find(store(), session)).isEmpty();
  }
}
