package dev.staithe.authn;

import dev.staithe.authn.users.GroupPath;
import dev.staithe.authn.users.LdapSettings;
import dev.staithe.database.DatabaseProperties;
import dev.staithe.service.Settings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Accounts. Those of the relational store come first; a directory is asked for all other names.
 *
 * @param database their own database, where it is not {@code staithe.database}
 * @param ldap a directory; absent: none
 */
public record UsersProperties(@Nullable DatabaseProperties database, @Nullable Ldap ldap) {
  /**
   * An LDAP directory. It checks passwords itself; nothing of them is kept here.
   *
   * @param servers host:port, the first that answers is used
   * @param security what protects the connections
   * @param trust PEM file or folder of authorities of the servers' certificates
   * @param readerDn who searches; absent: anonymous
   * @param readerPasswordFile a file that holds that one's password alone
   * @param base below which people are searched
   * @param filter of people, {@code {0}} stands for the name
   * @param nameAttribute what becomes the account's name
   * @param displayNameAttribute the name for people
   * @param mailAttribute the mail address
   * @param idAttribute what an entry keeps for ever and no other ever has; empty: names are the
   *     subjects of tokens, for a directory that never gives one out again
   * @param groupBase below which groups are searched; absent: {@code group-attribute} counts
   * @param groupFilter of groups, {@code {0}} stands for the user's DN
   * @param groupNameAttribute what becomes the group's name
   * @param groupAttribute of the user's entry that names groups; empty for no groups
   * @param groupPrefix before a group's name
   * @param administratorGroups paths of the directory's groups whose members administer this
   *     service
   * @param connections at once for searches, and as many again for passwords
   * @param timeout of a connection, a handshake, an answer, each
   */
  public record Ldap(
      @DefaultValue List<String> servers,
      @DefaultValue("ldaps") LdapSettings.Security security,
      @Nullable Path trust,
      @Nullable String readerDn,
      @Nullable Path readerPasswordFile,
      @DefaultValue("") String base,
      @DefaultValue("(&(objectClass=inetOrgPerson)(uid={0}))") String filter,
      @DefaultValue("uid") String nameAttribute,
      @DefaultValue("cn") String displayNameAttribute,
      @DefaultValue("mail") String mailAttribute,
      @DefaultValue("entryUUID") String idAttribute,
      @Nullable String groupBase,
      @DefaultValue("(member={0})") String groupFilter,
      @DefaultValue("cn") String groupNameAttribute,
      @DefaultValue("memberOf") String groupAttribute,
      @DefaultValue("/") String groupPrefix,
      @DefaultValue List<String> administratorGroups,
      @DefaultValue("10") int connections,
      @DefaultValue("5s") Duration timeout) {
    /** Checks what needs no server. */
    public Ldap {
      Settings.require(
          !servers.isEmpty() && servers.stream().allMatch(Ldap::isServer),
          "servers",
          servers,
          "one or more of host:port");
      Settings.require(!base.isBlank(), "base", base, "a DN such as ou=people,dc=example,dc=org");
      if (trust != null || security != LdapSettings.Security.PLAIN) {
        Settings.requireFile(trust, "trust");
      }
      if (readerDn != null || readerPasswordFile != null) {
        Settings.requireFile(readerPasswordFile, "reader-password-file");
      }
      Settings.requireWithin(connections, 1, 1000, "connections");
      Settings.requireWithin(timeout, Duration.ofMillis(100), Duration.ofMinutes(5), "timeout");
      servers = List.copyOf(servers);
      Settings.require(
          administratorGroups.stream().allMatch(GroupPath::isValid),
          "administrator-groups",
          administratorGroups,
          "groups such as /operators");
      administratorGroups = List.copyOf(administratorGroups);
    }

    private static boolean isServer(String text) {
      if (!text.matches(".+:[0-9]{1,5}")) {
        return false;
      }
      int port = Integer.parseInt(text.substring(text.lastIndexOf(':') + 1));
      return port >= 1 && port <= 65535;
    }
  }
}
