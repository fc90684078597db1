package dev.staithe.authn.users;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How the users of an LDAP directory (RFC 4511) are found.
 *
 * @param servers host and port, as {@code ldap.example.org:636}; the first that answers is used
 * @param security what protects the connection
 * @param trust a PEM bundle or folder of the authorities that may have signed the servers'
 *     certificates; null only with {@link Security#PLAIN}
 * @param reader who searches; null for anonymous searches
 * @param people where users are and what is read of them
 * @param groups where the groups come from
 * @param connections to search, and as many again to check passwords; 1 to 1000
 * @param timeout for a connection, a handshake or an answer, each
 */
public record LdapSettings(
    List<String> servers,
    Security security,
    @Nullable Path trust,
    @Nullable Reader reader,
    People people,
    Groups groups,
    int connections,
    Duration timeout) {
  /** What protects a connection on which passwords travel. */
  public enum Security {
    /** Nothing: for a server on the same machine, and for tests. */
    PLAIN,
    /** The operation StartTLS (RFC 4511 section 4.14), or nothing is sent at all. */
    START_TLS,
    /** TLS from the first byte. */
    LDAPS
  }

  /** An account that may search. */
  public record Reader(String dn, String password) {
    /** Without the password. */
    @Override
    public String toString() {
      return "Reader[" + dn + "]";
    }
  }

  /**
   * Where users are.
   *
   * @param base below which they are searched, at any depth
   * @param filter with {@code {0}} where the escaped name goes, as {@code (uid={0})}
   * @param nameAttribute what becomes the account's name, as {@code uid}
   * @param idAttribute what an entry keeps for ever and no other entry ever has, as {@code
   *     entryUUID} (RFC 4530); empty where names are never given out again: they are the subjects
   */
  public record People(
      String base,
      String filter,
      String nameAttribute,
      String displayNameAttribute,
      String mailAttribute,
      String idAttribute) {
    /** Checks the filter. */
    public People {
      LdapFilter.check(filter);
    }

    /** As inetOrgPerson (RFC 2798) has it. */
    public static People below(String base) {
      return new People(
          base, "(&(objectClass=inetOrgPerson)(uid={0}))", "uid", "cn", "mail", "entryUUID");
    }
  }

  /** Where a user's groups come from. */
  public sealed interface Groups {
    /** Before a group's name to make it a path: {@code /} or as {@code /site/}. */
    String prefix();

    /** There are none. */
    record None() implements Groups {
      @Override
      public String prefix() {
        return "/";
      }
    }

    /**
     * The user's entry names them, as {@code memberOf}: DNs whose first value is the group's name,
     * or names or paths themselves.
     */
    record MemberOf(String attribute, String prefix) implements Groups {
      /** Checks the prefix. */
      public MemberOf {
        checkPrefix(prefix);
      }
    }

    /**
     * They are searched.
     *
     * @param filter with {@code {0}} where the user's escaped DN goes, as {@code (member={0})}
     * @param nameAttribute of the group, as {@code cn}
     */
    record Search(String base, String filter, String nameAttribute, String prefix)
        implements Groups {
      /** Checks filter and prefix. */
      public Search {
        LdapFilter.check(filter);
        checkPrefix(prefix);
      }
    }
  }

  private static void checkPrefix(String prefix) {
    if (!prefix.startsWith("/") || !prefix.endsWith("/")) {
      throw new IllegalArgumentException("the prefix of groups begins and ends with a slash");
    }
  }

  /** Checks what can be checked without a server. */
  public LdapSettings {
    servers = List.copyOf(servers);
    if (servers.isEmpty()) {
      throw new IllegalArgumentException("at least one LDAP server is needed");
    }
    for (String server : servers) {
      if (!server.matches(".+:[0-9]{1,5}")) {
        throw new IllegalArgumentException("an LDAP server is host:port, not " + server);
      }
    }
    if (security != Security.PLAIN && trust == null) {
      throw new IllegalArgumentException("TLS to LDAP needs a file of trusted authorities");
    }
    if (connections < 1 || connections > 1000) {
      throw new IllegalArgumentException("LDAP connections are 1 to 1000");
    }
    if (timeout.toMillis() < 1 || timeout.toMinutes() > 5) {
      throw new IllegalArgumentException("the LDAP timeout is 1 ms to 5 min");
    }
  }
}
