package dev.staithe.storage.policy;

import dev.staithe.storage.authz.Admission;
import dev.staithe.storage.authz.AreaAccess;
import dev.staithe.storage.authz.Asked;
import dev.staithe.storage.authz.Authorizer;
import dev.staithe.storage.authz.Caller;
import dev.staithe.storage.authz.GrantedCaller;
import dev.staithe.storage.authz.Right;
import dev.staithe.storage.authz.TicketCaller;
import dev.staithe.storage.files.StoragePath;
import dev.staithe.tls.Reloadable;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Who may do what in an area: its policy, and where no rule of that concerns a request, what the
 * area grants. The policy's file is read again when it changes; where one rule of it is wrong, all
 * that was in force stays so. Thread-safe; no file is read while a caller waits.
 */
public final class AreaPolicy implements AutoCloseable {
  /** What takes a whole tree along with its top. */
  private static final Set<String> OF_TREES = Set.of("DELETE", "MOVE", "COPY", "LOCK");

  private static final int SHOWN = 5;
  private static final Admission ALLOWED = new Admission.Allowed();

  private final String area;
  private final AreaAccess access;
  private final @Nullable Reloadable<Policy> file;

  private AreaPolicy(String area, AreaAccess access, @Nullable Reloadable<Policy> file) {
    this.area = area;
    this.access = access;
    this.file = file;
  }

  /**
   * Reads the policy and begins to watch its file.
   *
   * @param file absent: what the area grants is all
   * @param issuers those that rules may name
   * @param interval between two looks at the file; zero for none but by {@link #reloadIfChanged}
   * @throws IOException where the file is refused; the message is one line that tells which
   */
  public static AreaPolicy open(
      String area,
      AreaAccess access,
      @Nullable Path file,
      Set<String> issuers,
      Duration interval,
      Clock clock)
      throws IOException {
    if (file == null) {
      return new AreaPolicy(area, access, null);
    }
    try {
      return new AreaPolicy(
          area,
          access,
          new Reloadable<>(
              "Policy of area " + area,
              List.of(file),
              interval,
              clock,
              () -> PolicyFile.read(file, issuers)));
    } catch (IOException | GeneralSecurityException e) {
      throw new IOException("policy " + file + ": " + e.getMessage(), e);
    }
  }

  /** Whether there is a policy, so that its rules and its file may be asked for. */
  public boolean present() {
    return file != null;
  }

  /** How many rules are in force. */
  public int rules() {
    return file == null ? 0 : file.current().size();
  }

  /** Why the file as it is now is not in force, one line with the line in it; null where it is. */
  public @Nullable String lastError() {
    return file == null ? null : file.lastError();
  }

  /** Looks at the file now; tells whether something new is in force. */
  public boolean reloadIfChanged() {
    return file != null && file.check();
  }

  /** The decision. */
  public Admission decide(Asked asked, StoragePath path, Right right) {
    if (file == null) {
      return granted(asked, path, right);
    }
    return decide(file.current(), asked, path, right);
  }

  private Admission decide(Policy policy, Asked asked, StoragePath path, Right right) {
    Admission here = at(policy, asked, path, right);
    if (here instanceof Admission.Refused
        || !OF_TREES.contains(asked.method())
        || asked.caller() instanceof TicketCaller
        || policy.holdsBelow(
            path, below -> at(policy, asked, below, right) instanceof Admission.Allowed)) {
      return here;
    }
    return new Admission.Refused(
        asked.caller() instanceof Caller.Anonymous,
        "the area's policy does not let you do this to something below " + path.href());
  }

  private Admission at(Policy policy, Asked asked, StoragePath path, Right right) {
    PolicyRule rule = rule(policy, asked, path, right);
    if (rule == null) {
      return granted(asked, path, right);
    }
    return rule.permit()
        ? ALLOWED
        : new Admission.Refused(
            asked.caller() instanceof Caller.Anonymous, rule.shown() + " denies this");
  }

  private Admission granted(Asked asked, StoragePath path, Right right) {
    return Authorizer.decide(asked.caller(), area, access, path, right);
  }

  /** The first that concerns a caller, or whose token a caller has; none beyond its limits. */
  private @Nullable PolicyRule rule(Policy policy, Asked asked, StoragePath path, Right right) {
    if (!(asked.caller() instanceof GrantedCaller granted)) {
      return policy.decide(asked, path, right);
    }
    return granted.within(area, path, right)
        ? policy.decide(new Asked(granted.giver(), asked.from(), asked.method()), path, right)
        : null;
  }

  /** Why the decision is what it is, and what would permit where it refuses; for operators. */
  public List<String> explain(Asked asked, StoragePath path, Right right) {
    List<String> lines = new ArrayList<>();
    Policy policy = file == null ? null : file.current();
    PolicyRule rule = policy == null ? null : rule(policy, asked, path, right);
    Admission granted = granted(asked, path, right);
    Admission decided = decide(asked, path, right);
    lines.add(right + ": " + (decided instanceof Admission.Allowed ? "allowed" : "refused"));
    if (policy == null) {
      lines.add("  policy: the area has none");
    } else {
      lines.add(
          "  policy: "
              + (rule == null
                  ? "none of its " + policy.size() + " rules concerns this"
                  : rule.described()));
    }
    if (lastError() != null) {
      lines.add("  policy file: not in force as it is now: " + lastError());
    }
    lines.add(
        "  grants: "
            + (granted instanceof Admission.Refused no ? no.reason() : "allow it")
            + (rule == null ? "" : " (not asked, the rule decides)"));
    if (decided instanceof Admission.Refused no) {
      lines.add("  answer: " + no.reason());
      if (policy != null) {
        policy.permitting(path, right, SHOWN).stream()
            .map(PolicyRule::described)
            .forEach(each -> lines.add("  would allow: " + each));
      }
    }
    return lines;
  }

  @Override
  public void close() {
    if (file != null) {
      file.close();
    }
  }
}
