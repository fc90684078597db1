package dev.staithe.slcs.ca;

import dev.staithe.pki.DistinguishedName;
import dev.staithe.pki.ca.RevocationList;
import dev.staithe.pki.ca.RevocationReason;
import java.io.ByteArrayInputStream;
import java.math.BigInteger;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.interfaces.RSAPublicKey;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * What all nodes know of one authority, on tables that the migrations of {@code db/ca} have made.
 * Thread-safe; each method is one transaction of its own unless {@link #alone}, or another one on
 * this database, is around it.
 */
final class CertificateStore {
  private final JdbcClient store;
  private final TransactionTemplate transactions;
  private final String authority;

  CertificateStore(DataSource source, String authority) {
    this.store = JdbcClient.create(source);
    this.transactions = new TransactionTemplate(new DataSourceTransactionManager(source));
    this.authority = authority;
  }

  /** A list of revoked certificates as it is served. */
  record Crl(long number, Instant made, Instant nextUpdate, byte[] der) {}

  /**
   * Claims a key for a name, for ever.
   *
   * @return whether it is that name's
   */
  boolean claim(String keyDigest, DistinguishedName name) {
    String subject = name.canonical();
    Optional<String> owner = claimedBy(keyDigest);
    if (owner.isEmpty()) {
      try {
        store
            .sql("insert into ca_key (digest, subject) values (?, ?)")
            .params(keyDigest, subject)
            .update();
        return true;
      } catch (DuplicateKeyException e) {
        // Another node or thread was faster, perhaps with another name.
        owner = claimedBy(keyDigest);
      }
    }
    return owner.filter(subject::equals).isPresent();
  }

  private Optional<String> claimedBy(String keyDigest) {
    return store
        .sql("select subject from ca_key where digest = ?")
        .param(keyDigest)
        .query(String.class)
        .optional();
  }

  /** Keeps a certificate; throws {@link DuplicateKeyException} where its number is taken. */
  void add(IssuedCertificate certificate, byte[] der) {
    store
        .sql(
            "insert into ca_certificate"
                + " (serial, authority, subject, owner, key_digest, issued, not_after, der)"
                + " values (?, ?, ?, ?, ?, ?, ?, ?)")
        .params(
            certificate.serial(),
            authority,
            certificate.subject(),
            certificate.owner(),
            certificate.keyDigest(),
            certificate.issued().toEpochMilli(),
            certificate.notAfter().toEpochMilli(),
            der)
        .update();
  }

  Optional<IssuedCertificate> find(String serial) {
    return store
        .sql("select * from ca_certificate where serial = ? and authority = ?")
        .params(serial, authority)
        .query(CertificateStore::certificate)
        .optional();
  }

  /** The newest first, those of former authorities too. */
  List<IssuedCertificate> ofOwner(String owner, Instant endingAfter, int most) {
    return store
        .sql(
            "select * from ca_certificate where owner = ? and not_after > ?"
                + " order by issued desc, serial fetch first "
                + most
                + " rows only")
        .params(owner, endingAfter.toEpochMilli())
        .query(CertificateStore::certificate)
        .list();
  }

  /** Owners that begin with one text begin with the other from now on. */
  void renameOwners(String before, String becomes) {
    store
        .sql(
            "update ca_certificate set owner = ? || substring(owner, ?)"
                + " where left(owner, ?) = ?")
        .params(becomes, before.length() + 1, before.length(), before)
        .update();
  }

  /** The moduli of the newest certificates of RSA keys, of all nodes. */
  List<BigInteger> newestOfRsa(int most) {
    return store
        .sql(
            "select der from ca_certificate order by issued desc fetch first "
                + most
                + " rows only")
        .query((row, _) -> modulus(row.getBytes(1)))
        .list()
        .stream()
        .flatMap(Optional::stream)
        .distinct()
        .toList();
  }

  private static Optional<BigInteger> modulus(byte[] der) {
    try {
      return CertificateFactory.getInstance("X.509")
                  .generateCertificate(new ByteArrayInputStream(der))
                  .getPublicKey()
              instanceof RSAPublicKey rsa
          ? Optional.of(rsa.getModulus())
          : Optional.empty();
    } catch (CertificateException e) {
      return Optional.empty();
    }
  }

  /** Whether this call revoked it; false where it was revoked before or is not known. */
  boolean revoke(String serial, Instant at, RevocationReason reason) {
    return store
            .sql(
                "update ca_certificate set revoked = ?, reason = ?"
                    + " where serial = ? and authority = ? and revoked is null")
            .params(at.toEpochMilli(), reason.name(), serial, authority)
            .update()
        > 0;
  }

  /** Does it while no other node does. */
  <T> T alone(Supplier<T> work) {
    try {
      return Objects.requireNonNull(
          transactions.execute(
              _ -> {
                store
                    .sql("select name from ca_lock where name = 'crl' for update")
                    .query(String.class)
                    .single();
                return work.get();
              }));
    } catch (TransactionException e) {
      // None of the failures that a statement has, but it means the same.
      throw new DataAccessResourceFailureException("no transaction on the database", e);
    }
  }

  /** Whether a certificate is revoked that no list says so of. */
  boolean unlisted() {
    return store
            .sql(
                "select count(*) from ca_certificate"
                    + " where revoked is not null and listed is null and authority = ?")
            .param(authority)
            .query(Long.class)
            .single()
        > 0;
  }

  /**
   * What the list of that number is to say, within {@link #alone}. It is marked first, and what is
   * marked is said: a certificate that is revoked after this is unlisted until the next one.
   */
  List<RevocationList.Entry> listed(long number, Instant endingAfter) {
    store
        .sql(
            "update ca_certificate set listed = ?"
                + " where revoked is not null and listed is null and authority = ?")
        .params(number, authority)
        .update();
    return store
        .sql(
            "select serial, revoked, reason from ca_certificate"
                + " where listed is not null and authority = ? and not_after > ? order by serial")
        .params(authority, endingAfter.toEpochMilli())
        .query(
            (row, _) ->
                new RevocationList.Entry(
                    new BigInteger(row.getString("serial"), 16),
                    Instant.ofEpochMilli(row.getLong("revoked")),
                    RevocationReason.valueOf(row.getString("reason"))))
        .list();
  }

  /** Numbers go on when the authority's key is another: one name may have both. */
  long nextNumber() {
    return store.sql("select coalesce(max(number), 0) from ca_crl").query(Long.class).single() + 1;
  }

  /** Keeps a list, and drops those that nobody is given any more. */
  void add(Crl crl) {
    store
        .sql(
            "insert into ca_crl (number, authority, made, next_update, der) values (?, ?, ?, ?, ?)")
        .params(
            crl.number(),
            authority,
            crl.made().toEpochMilli(),
            crl.nextUpdate().toEpochMilli(),
            crl.der())
        .update();
    store
        .sql("delete from ca_crl where authority = ? and number < ?")
        .params(authority, crl.number())
        .update();
  }

  Optional<Crl> crl() {
    return store
        .sql(
            "select * from ca_crl where authority = ? order by number desc fetch first 1 rows only")
        .param(authority)
        .query(
            (row, _) ->
                new Crl(
                    row.getLong("number"),
                    Instant.ofEpochMilli(row.getLong("made")),
                    Instant.ofEpochMilli(row.getLong("next_update")),
                    row.getBytes("der")))
        .optional();
  }

  private static IssuedCertificate certificate(ResultSet row, int number) throws SQLException {
    long revoked = row.getLong("revoked");
    boolean isRevoked = !row.wasNull();
    @Nullable String reason = row.getString("reason");
    return new IssuedCertificate(
        row.getString("serial"),
        row.getString("subject"),
        row.getString("owner"),
        row.getString("key_digest"),
        Instant.ofEpochMilli(row.getLong("issued")),
        Instant.ofEpochMilli(row.getLong("not_after")),
        isRevoked ? Instant.ofEpochMilli(revoked) : null,
        reason == null ? null : RevocationReason.valueOf(reason));
  }
}
