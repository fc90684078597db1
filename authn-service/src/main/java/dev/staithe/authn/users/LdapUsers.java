package dev.staithe.authn.users;

import com.unboundid.ldap.sdk.DN;
import com.unboundid.ldap.sdk.DereferencePolicy;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.LDAPSearchException;
import com.unboundid.ldap.sdk.RDN;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.SearchRequest;
import com.unboundid.ldap.sdk.SearchResultEntry;
import com.unboundid.ldap.sdk.SearchScope;
import com.unboundid.ldap.sdk.SimpleBindRequest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Date;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * Users in an LDAP directory, which also checks their passwords: by a bind as the user. Nothing of
 * a password is kept. Thread-safe; at most three times as many threads as there are connections are
 * let in, two of three to log in, so that a flood of logins leaves places to those who are in;
 * others are told that it is busy.
 *
 * <p>How long the directory takes for a wrong password, and whether it tells by that who exists, is
 * its own affair; both ways cost the same number of requests here.
 */
public final class LdapUsers implements Users, AutoCloseable {
  private static final int MOST_GROUPS = 500;
  private static final int LONGEST_ID = 100;

  /** When an entry was made (RFC 4512 section 3.4.2). */
  private static final String CREATED = "createTimestamp";

  private final LdapSettings settings;
  private final SecondFactors secondFactors;
  private final DirectorySubjects subjects;
  private final LdapConnections connections;
  private final Semaphore places;
  private final Semaphore logins;

  private record Found(Account account, String dn, boolean fresh) {}

  private LdapUsers(
      LdapSettings settings,
      SecondFactors secondFactors,
      DirectorySubjects subjects,
      LdapConnections connections) {
    this.settings = settings;
    this.secondFactors = secondFactors;
    this.subjects = subjects;
    this.connections = connections;
    this.places = new Semaphore(settings.connections() * 3);
    this.logins = new Semaphore(settings.connections() * 2);
  }

  /**
   * Prepares the connections; the directory may be down meanwhile.
   *
   * @throws IOException where the trusted authorities cannot be read; one line
   */
  public static LdapUsers open(
      LdapSettings settings, SecondFactors secondFactors, DirectorySubjects subjects)
      throws IOException {
    return new LdapUsers(settings, secondFactors, subjects, LdapConnections.open(settings));
  }

  /**
   * {@inheritDoc}
   *
   * <p>Nobody where the name has just become another's: who asked meant the one before, whose
   * sessions have ended by this.
   */
  @Override
  public Optional<Account> find(String name) throws UsersUnavailable {
    Optional<String> valid = UserName.of(name);
    if (valid.isEmpty()) {
      return Optional.empty();
    }
    if (!places.tryAcquire()) {
      throw new UsersUnavailable("LDAP: too many wait for a connection already");
    }
    try {
      return search(valid.get()).filter(found -> !found.fresh()).map(Found::account);
    } catch (LDAPException e) {
      throw down(e);
    } finally {
      places.release();
    }
  }

  /**
   * Whether name and password belong together.
   *
   * <p>An empty password is refused without a bind: RFC 4513 section 5.1.2 makes that an
   * "unauthenticated bind", which servers may let succeed for any name.
   *
   * @param password as UTF-8 (RFC 4513 section 5.1.3)
   */
  public LdapAnswer check(String name, byte[] password) throws UsersUnavailable {
    Optional<String> valid = UserName.of(name);
    if (password.length == 0 || isZero(password)) {
      return new LdapAnswer.Refused();
    }
    if (!logins.tryAcquire()) {
      return new LdapAnswer.Busy();
    }
    if (!places.tryAcquire()) {
      logins.release();
      return new LdapAnswer.Busy();
    }
    try {
      Optional<Found> found = valid.isEmpty() ? Optional.empty() : search(valid.get());
      if (found.isEmpty()) {
        // As many requests as for somebody who exists.
        bind("cn=nobody," + settings.people().base(), password);
        return new LdapAnswer.Unknown();
      }
      return bind(found.get().dn(), password)
          ? new LdapAnswer.Matched(found.get().account())
          : new LdapAnswer.Refused();
    } catch (LDAPException e) {
      throw down(e);
    } finally {
      places.release();
      logins.release();
    }
  }

  /** Servers that read passwords as C strings take leading zeros for the empty password. */
  private static boolean isZero(byte[] password) {
    return password[0] == 0;
  }

  private boolean bind(String dn, byte[] password) throws LDAPException {
    try {
      return connections.binding().bind(new SimpleBindRequest(dn, password)).getResultCode()
          == ResultCode.SUCCESS;
    } catch (LDAPException e) {
      if (isRefusal(e.getResultCode())) {
        return false;
      }
      throw e;
    }
  }

  private static boolean isRefusal(ResultCode code) {
    return code.equals(ResultCode.INVALID_CREDENTIALS)
        || code.equals(ResultCode.INAPPROPRIATE_AUTHENTICATION)
        || code.equals(ResultCode.INSUFFICIENT_ACCESS_RIGHTS)
        || code.equals(ResultCode.UNWILLING_TO_PERFORM)
        || code.equals(ResultCode.CONSTRAINT_VIOLATION)
        || code.equals(ResultCode.NO_SUCH_OBJECT)
        || code.equals(ResultCode.INVALID_DN_SYNTAX);
  }

  private Optional<Found> search(String name) throws LDAPException, UsersUnavailable {
    LdapSettings.People people = settings.people();
    List<String> wanted =
        new ArrayList<>(
            List.of(people.nameAttribute(), people.displayNameAttribute(), people.mailAttribute()));
    if (settings.groups() instanceof LdapSettings.Groups.MemberOf memberOf) {
      wanted.add(memberOf.attribute());
    }
    if (!people.idAttribute().isEmpty()) {
      wanted.add(people.idAttribute());
      wanted.add(CREATED);
    }
    List<SearchResultEntry> entries =
        search(people.base(), LdapFilter.with(people.filter(), name), 2, wanted);
    if (entries.size() != 1) {
      // Two with one name: none of them can be told from the other, so neither gets in.
      return Optional.empty();
    }
    SearchResultEntry entry = entries.getFirst();
    String own = entry.getAttributeValue(people.nameAttribute());
    Optional<String> kept = own == null ? Optional.empty() : UserName.of(own);
    if (kept.isEmpty()) {
      return Optional.empty();
    }
    DirectorySubjects.Bound bound = bound(entry, kept.get());
    String shown = entry.getAttributeValue(people.displayNameAttribute());
    Account account =
        new Account(
            kept.get(),
            shown == null ? kept.get() : shown,
            entry.getAttributeValue(people.mailAttribute()),
            groups(entry),
            true,
            secondFactors.has(kept.get()),
            bound.subject());
    return Optional.of(new Found(account, entry.getDN(), bound.fresh()));
  }

  private DirectorySubjects.Bound bound(SearchResultEntry entry, String name)
      throws UsersUnavailable {
    String attribute = settings.people().idAttribute();
    if (attribute.isEmpty()) {
      return new DirectorySubjects.Bound(name, false);
    }
    byte[] id = entry.getAttributeValueBytes(attribute);
    if (id == null || id.length == 0 || id.length > LONGEST_ID) {
      throw new UsersUnavailable(
          "LDAP: the directory shows no %s of its users, by which to tell them apart"
                  .formatted(attribute)
              + " (staithe.users.ldap.id-attribute)");
    }
    Date created = entry.getAttributeValueAsDate(CREATED);
    return subjects.bind(
        new DirectorySubjects.Entry(text(id), name, created == null ? null : created.toInstant()));
  }

  /** Readable where it is ({@code entryUUID}), else in hexadecimal ({@code objectGUID}). */
  private static String text(byte[] id) {
    String text = new String(id, StandardCharsets.ISO_8859_1);
    return text.chars().allMatch(each -> each > ' ' && each < 127)
        ? text
        : HexFormat.of().formatHex(id);
  }

  /** The name under which the person came last whom tokens call so. */
  Optional<String> nameOf(String subject) throws UsersUnavailable {
    return subjects.nameOf(subject);
  }

  private TreeSet<String> groups(SearchResultEntry user) throws LDAPException {
    TreeSet<String> paths = new TreeSet<>();
    switch (settings.groups()) {
      case LdapSettings.Groups.None none -> {}
      case LdapSettings.Groups.MemberOf memberOf -> {
        String[] values = user.getAttributeValues(memberOf.attribute());
        for (String value : values == null ? new String[0] : values) {
          addPath(paths, DN.isValidDN(value) ? firstValue(value) : value, memberOf.prefix());
        }
      }
      case LdapSettings.Groups.Search search -> {
        String filter = LdapFilter.with(search.filter(), user.getDN());
        for (SearchResultEntry group :
            search(search.base(), filter, MOST_GROUPS, List.of(search.nameAttribute()))) {
          addPath(paths, group.getAttributeValue(search.nameAttribute()), search.prefix());
        }
      }
    }
    return paths;
  }

  private static @Nullable String firstValue(String dn) throws LDAPException {
    RDN first = new DN(dn).getRDN();
    return first == null ? null : first.getAttributeValues()[0];
  }

  /** What cannot be a group of ours is left out: it could not be named in a rule either. */
  private static void addPath(TreeSet<String> paths, @Nullable String name, String prefix) {
    if (name != null) {
      String path = name.startsWith("/") ? name : prefix + name;
      if (GroupPath.isValid(path)) {
        paths.add(path);
      }
    }
  }

  private List<SearchResultEntry> search(
      String base, String filter, int limit, List<String> attributes) throws LDAPException {
    SearchRequest request =
        new SearchRequest(
            base,
            SearchScope.SUB,
            DereferencePolicy.NEVER,
            limit,
            (int) Math.max(1, settings.timeout().toSeconds()),
            false,
            filter,
            attributes.toArray(String[]::new));
    request.setFollowReferrals(false);
    try {
      return entries(connections.searching().search(request).getSearchEntries());
    } catch (LDAPSearchException e) {
      if (e.getResultCode().equals(ResultCode.SIZE_LIMIT_EXCEEDED)) {
        return entries(e.getSearchEntries());
      }
      throw e;
    }
  }

  private static List<SearchResultEntry> entries(@Nullable List<SearchResultEntry> found) {
    return found == null ? List.of() : found;
  }

  private static UsersUnavailable down(LDAPException e) {
    // The server's own words could repeat what it was sent.
    return new UsersUnavailable("LDAP: " + e.getResultCode().getName(), e);
  }

  /** Ends the connections. */
  @Override
  public void close() {
    connections.close();
  }
}
