package dev.staithe.authn.admin;

import dev.staithe.authn.grants.SessionLink;
import dev.staithe.authn.session.SessionEnd;
import dev.staithe.authn.users.Account;
import dev.staithe.authn.users.AdministrationOutcome;
import dev.staithe.authn.users.GroupPath;
import dev.staithe.authn.users.JdbcUsers;
import dev.staithe.authn.users.NewUser;
import dev.staithe.authn.users.UserAdministration;
import dev.staithe.authn.users.UserChange;
import dev.staithe.authn.users.UserDirectory;
import dev.staithe.authn.users.UserName;
import dev.staithe.authn.users.UsersUnavailable;
import dev.staithe.service.log.AuditLog;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** {@code /admin/users} and {@code /admin/groups}: the accounts of the relational store. */
@RestController
@RequestMapping("/admin")
final class UsersController {
  private final JdbcUsers users;
  private final UserDirectory directory;
  private final UserAdministration administration;
  private final SessionLink sessions;
  private final AuditLog audit;

  UsersController(
      JdbcUsers users,
      UserDirectory directory,
      UserAdministration administration,
      SessionLink sessions,
      AuditLog audit) {
    this.users = users;
    this.directory = directory;
    this.administration = administration;
    this.sessions = sessions;
    this.audit = audit;
  }

  /** An account as it is shown. */
  record Shown(
      String name,
      String subject,
      String displayName,
      @Nullable String mail,
      Set<String> groups,
      boolean enabled,
      boolean secondFactor) {
    static Shown of(Account account) {
      return new Shown(
          account.name(),
          account.subject(),
          account.displayName(),
          account.mail(),
          account.groups(),
          account.enabled(),
          account.hasSecondFactor());
    }
  }

  /** What a new account is made of; the password is not shown by {@code toString}. */
  record Draft(
      @Nullable String name,
      @Nullable String displayName,
      @Nullable String mail,
      @Nullable Set<String> groups,
      @Nullable String password,
      @Nullable Boolean enabled) {
    Draft {
      SentList.check(groups);
    }

    @Override
    public String toString() {
      return "Draft[" + name + "]";
    }
  }

  /** A new password. */
  record NewPassword(@Nullable String password) {
    @Override
    public String toString() {
      return "NewPassword[***]";
    }
  }

  /** Who is to be in what. */
  record Membership(@Nullable String group, @Nullable String user) {}

  /** A page; of a group as many as a page may have where no limit is named. */
  @GetMapping("/users")
  ResponseEntity<Object> list(
      @RequestParam(defaultValue = "") String group,
      @RequestParam(defaultValue = "") String after,
      @RequestParam(required = false) @Nullable Integer limit)
      throws UsersUnavailable {
    if (!group.isEmpty() && !GroupPath.isValid(group)) {
      return Answers.refused(400, "group is no path as /physics/analysis");
    }
    if (!after.isEmpty() && UserName.of(after).isEmpty()) {
      return Answers.refused(400, "after is no user's name");
    }
    int most = limit != null ? limit : group.isEmpty() ? 100 : JdbcUsers.LARGEST_PAGE;
    List<Shown> shown =
        users.list(group, after, Math.clamp(most, 1, JdbcUsers.LARGEST_PAGE)).stream()
            .map(Shown::of)
            .toList();
    return Answers.ok(Map.of("users", shown));
  }

  /** By the name, or by the subject that a service has in its log, of the directory's users too. */
  @GetMapping("/users/{name}")
  ResponseEntity<Object> show(@PathVariable String name) throws UsersUnavailable {
    Optional<Account> account = users.find(name);
    if (account.isEmpty()) {
      account = directory.findBySubject(name);
    }
    return account.isPresent()
        ? Answers.ok(Shown.of(account.get()))
        : Answers.refused(404, "there is no such user");
  }

  @PostMapping("/users")
  ResponseEntity<Object> create(
      @RequestBody Draft draft, @RequestAttribute(AdministratorsOnly.ADMINISTRATOR) String who) {
    byte @Nullable [] password = bytes(draft.password());
    String name = draft.name() == null ? "" : draft.name();
    try {
      AdministrationOutcome outcome =
          administration.create(
              new NewUser(
                  name,
                  draft.displayName() == null ? "" : draft.displayName(),
                  draft.mail(),
                  draft.groups() == null ? Set.of() : draft.groups(),
                  draft.enabled() == null || draft.enabled()),
              password);
      // Groups are what makes an administrator.
      audit
          .line("user.create", word(outcome))
          .with("administrator", who)
          .with("subject", name)
          .with("changed", draft.groups() == null ? null : groups(draft.groups()))
          .write();
      if (outcome instanceof AdministrationOutcome.Done) {
        // Those of a namesake: of the directory, or deleted by a node that did not come so far.
        endSessions(who, name);
      }
      return answer(outcome);
    } finally {
      wipe(password);
    }
  }

  @PatchMapping("/users/{name}")
  ResponseEntity<Object> change(
      @PathVariable String name,
      @RequestBody Draft draft,
      @RequestAttribute(AdministratorsOnly.ADMINISTRATOR) String who) {
    String other = draft.name();
    if (other == null) {
      return changeOthers(name, draft, who);
    }
    // Else the name might be changed and the rest refused.
    return draft.equals(new Draft(other, null, null, null, null, null))
        ? rename(name, other, who)
        : Answers.refused(400, "a name is changed by itself, with nothing else");
  }

  private ResponseEntity<Object> rename(String name, String other, String who) {
    AdministrationOutcome renamed = administration.rename(name, other);
    audit
        .line("user.rename", word(renamed))
        .with("administrator", who)
        .with("subject", name)
        .with("changed", "name=" + other)
        .write();
    if (renamed instanceof AdministrationOutcome.Done) {
      endSessions(who, name);
      endSessions(who, other);
    }
    return answer(renamed);
  }

  private ResponseEntity<Object> changeOthers(String name, Draft draft, String who) {
    AdministrationOutcome outcome =
        administration.change(
            name,
            new UserChange(draft.displayName(), draft.mail(), draft.enabled(), draft.groups()));
    if (outcome instanceof AdministrationOutcome.Done && Boolean.FALSE.equals(draft.enabled())) {
      endSessions(who, name);
    }
    var changed = new ArrayList<String>();
    if (draft.enabled() != null) {
      changed.add("enabled=" + draft.enabled());
    }
    if (draft.groups() != null) {
      changed.add(groups(draft.groups()));
    }
    if (draft.displayName() != null) {
      changed.add("displayName");
    }
    if (draft.mail() != null) {
      changed.add("mail");
    }
    audit
        .line("user.change", outcome instanceof AdministrationOutcome.Done ? "ok" : "refused")
        .with("administrator", who)
        .with("subject", name)
        .with("changed", String.join(" ", changed))
        .write();
    return answer(outcome);
  }

  @PutMapping("/users/{name}/password")
  ResponseEntity<Object> password(
      @PathVariable String name,
      @RequestBody NewPassword given,
      @RequestAttribute(AdministratorsOnly.ADMINISTRATOR) String who) {
    byte @Nullable [] password = bytes(given.password());
    if (password == null) {
      return Answers.refused(400, "password is missing");
    }
    try {
      AdministrationOutcome outcome = administration.setPassword(name, password);
      if (outcome instanceof AdministrationOutcome.Done) {
        endSessions(who, name);
      }
      return answered(who, "user.password", name, outcome);
    } finally {
      wipe(password);
    }
  }

  @DeleteMapping("/users/{name}")
  ResponseEntity<Object> delete(
      @PathVariable String name, @RequestAttribute(AdministratorsOnly.ADMINISTRATOR) String who) {
    AdministrationOutcome outcome = administration.delete(name);
    if (outcome instanceof AdministrationOutcome.Done) {
      endSessions(who, name);
    }
    return answered(who, "user.delete", name, outcome);
  }

  @DeleteMapping("/users/{name}/sessions")
  ResponseEntity<Object> logout(
      @PathVariable String name, @RequestAttribute(AdministratorsOnly.ADMINISTRATOR) String who) {
    if (UserName.of(name).isEmpty()) {
      // No store takes what cannot be one: its end would wait for ever, and others behind it.
      step(who, "user.logout", name, "unknown");
      return Answers.refused(404, "there is no such user");
    }
    return switch (endSessions(who, name)) {
      case SessionEnd.Pending pending ->
          Answers.refused(202, "ended here; elsewhere as soon as the store answers");
      case SessionEnd.Failed failed -> Answers.refused(503, "the session store does not answer");
      case SessionEnd end -> Answers.done();
    };
  }

  @DeleteMapping("/users/{name}/code")
  ResponseEntity<Object> codeOff(
      @PathVariable String name, @RequestAttribute(AdministratorsOnly.ADMINISTRATOR) String who) {
    AdministrationOutcome outcome = administration.removeSecondFactor(directory, name);
    if (outcome instanceof AdministrationOutcome.Done) {
      // What was begun with that factor says so for as long as it lasts.
      endSessions(who, name);
    }
    return answered(who, "user.code.off", name, outcome);
  }

  @GetMapping("/groups")
  ResponseEntity<Object> groups() throws UsersUnavailable {
    var groups = new ArrayList<Map<String, Object>>();
    users.groups().forEach((name, size) -> groups.add(Map.of("name", name, "members", size)));
    return Answers.ok(Map.of("groups", groups));
  }

  @PostMapping("/groups/members")
  ResponseEntity<Object> join(
      @RequestBody Membership membership,
      @RequestAttribute(AdministratorsOnly.ADMINISTRATOR) String who) {
    String user = membership.user() == null ? "" : membership.user();
    String group = membership.group() == null ? "" : membership.group();
    return answered(who, "group.add " + group, user, administration.addToGroup(user, group));
  }

  @DeleteMapping("/groups/members")
  ResponseEntity<Object> leave(
      @RequestParam String group,
      @RequestParam String user,
      @RequestAttribute(AdministratorsOnly.ADMINISTRATOR) String who) {
    return answered(
        who, "group.remove " + group, user, administration.removeFromGroup(user, group));
  }

  private SessionEnd endSessions(String who, String name) {
    SessionEnd end = sessions.endAllOf(name);
    String outcome =
        switch (end) {
          case SessionEnd.Pending pending -> "pending: " + pending.reason();
          case SessionEnd.Failed failed -> "failed: " + failed.reason();
          case SessionEnd done -> "ok";
        };
    step(who, "user.logout", name, outcome);
    return end;
  }

  private ResponseEntity<Object> answered(
      String who, String event, String name, AdministrationOutcome outcome) {
    step(who, event, name, word(outcome));
    return answer(outcome);
  }

  /** As the audit log says it. */
  private static String word(AdministrationOutcome outcome) {
    return switch (outcome) {
      case AdministrationOutcome.Done done -> "ok";
      case AdministrationOutcome.Unknown unknown -> "unknown";
      case AdministrationOutcome.Exists exists -> "exists";
      case AdministrationOutcome.Invalid invalid -> "invalid";
      case AdministrationOutcome.LastOne last -> "refused: " + last.reason();
      case AdministrationOutcome.Busy busy -> "busy";
      case AdministrationOutcome.Unavailable unavailable -> "store: " + unavailable.reason();
    };
  }

  private static ResponseEntity<Object> answer(AdministrationOutcome outcome) {
    return switch (outcome) {
      case AdministrationOutcome.Done done -> Answers.ok(Shown.of(done.account()));
      case AdministrationOutcome.Unknown unknown -> Answers.refused(404, "there is no such user");
      case AdministrationOutcome.Exists exists ->
          Answers.refused(409, "there is a user of that name");
      case AdministrationOutcome.Invalid invalid -> Answers.refused(400, invalid.reason());
      case AdministrationOutcome.LastOne last -> Answers.refused(409, last.reason());
      case AdministrationOutcome.Busy busy ->
          Answers.refused(503, "too many passwords wait to be hashed");
      case AdministrationOutcome.Unavailable unavailable ->
          Answers.refused(503, "the user store does not answer");
    };
  }

  private void step(String who, String event, String name, String outcome) {
    audit.line(event, outcome).with("administrator", who).with("subject", name).write();
  }

  private static String groups(Collection<String> groups) {
    return "groups=" + String.join(",", new TreeSet<>(groups));
  }

  private static byte @Nullable [] bytes(@Nullable String text) {
    return text == null ? null : text.getBytes(StandardCharsets.UTF_8);
  }

  private static void wipe(byte @Nullable [] secret) {
    if (secret != null) {
      Arrays.fill(secret, (byte) 0);
    }
  }
}
