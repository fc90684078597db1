package dev.staithe.delegation.door;

import dev.staithe.pki.Credential;
import dev.staithe.pki.KeyKind;
import dev.staithe.pki.Pem;
import dev.staithe.pki.RequestedKey;
import java.time.Duration;
import java.time.Instant;

/** What is put in place of an honest proxy, and what the refusal says of it. */
enum BadChain {
  FOR_ANOTHER_KEY(400, "key") {
    @Override
    String make(Cast cast, String request) {
      return Forger.below(cast.ada()).forKey(RequestedKey.make(KeyKind.EC_P256).publicKey());
    }
  },
  SIGNED_BY_SOMEBODY_ELSE(400, "sign") {
    @Override
    String make(Cast cast, String request) {
      return Forger.below(cast.ada()).signedBy(cast.bob()).forRequest(request);
    }
  },
  OF_SOMEBODY_ELSE(400, "") {
    @Override
    String make(Cast cast, String request) {
      return Forger.below(cast.bob()).forRequest(request);
    }
  },
  WIDENED_POLICY(400, "limited") {
    @Override
    String make(Cast cast, String request) {
      Credential limited = Forger.below(cast.ada()).policy(Forger.LIMITED).withNewKey();
      return Forger.below(limited).policy(Forger.INHERIT_ALL).forRequest(request);
    }
  },
  POLICY_THAT_NOBODY_KNOWS(400, "") {
    @Override
    String make(Cast cast, String request) {
      return Forger.below(cast.ada()).policy("1.3.6.1.4.1.99999.1").forRequest(request);
    }
  },
  PATH_TOO_LONG(400, "") {
    @Override
    String make(Cast cast, String request) {
      Credential last = Forger.below(cast.ada()).pathLength(0).withNewKey();
      return Forger.below(last).forRequest(request);
    }
  },
  LONGER_THAN_ITS_MAKER(400, "") {
    @Override
    String make(Cast cast, String request) {
      Credential shorter =
          Forger.below(cast.ada()).until(Instant.now().plus(Duration.ofHours(1))).withNewKey();
      return Forger.below(shorter)
          .until(Instant.now().plus(Duration.ofHours(5)))
          .forRequest(request);
    }
  },
  EXPIRED(400, "expired|ended") {
    @Override
    String make(Cast cast, String request) {
      return Forger.below(cast.ada())
          .from(Instant.now().minus(Duration.ofHours(3)))
          .until(Instant.now().minus(Duration.ofHours(1)))
          .forRequest(request);
    }
  },
  BELOW_AN_EXPIRED_ONE(400, "") {
    @Override
    String make(Cast cast, String request) {
      Credential old =
          Forger.below(cast.ada())
              .from(Instant.now().minus(Duration.ofHours(3)))
              .until(Instant.now().minus(Duration.ofHours(1)))
              .withNewKey();
      return Forger.below(old).until(Instant.now().plus(Duration.ofHours(1))).forRequest(request);
    }
  },
  TWO_NAMES_MORE(400, "") {
    @Override
    String make(Cast cast, String request) {
      return Forger.below(cast.ada()).names(2).forRequest(request);
    }
  },
  OF_A_REVOKED_CERTIFICATE(400, "revoked") {
    @Override
    String make(Cast cast, String request) {
      return Forger.below(cast.revokedAda()).forRequest(request);
    }
  },
  OF_AN_AUTHORITY_THAT_NOBODY_TRUSTS(400, "") {
    @Override
    String make(Cast cast, String request) {
      return Forger.below(cast.strangersAda()).forRequest(request);
    }
  },
  NO_PROXY(400, "") {
    @Override
    String make(Cast cast, String request) {
      return Pem.encode(cast.ada().chain());
    }
  },
  FROM_BEFORE_THE_RFC(400, "") {
    @Override
    String make(Cast cast, String request) {
      return Forger.below(cast.ada()).legacy().forRequest(request);
    }
  },
  BROKEN_DER(400, "") {
    @Override
    String make(Cast cast, String request) {
      String chain = Forger.below(cast.ada()).forRequest(request);
      // Whole lines of Base64 are missing: the lengths inside are wrong.
      int third = chain.indexOf('\n', chain.indexOf('\n') + 1);
      return chain.substring(0, third + 1) + chain.substring(third + 1 + 65 * 2);
    }
  },
  NO_PEM(400, "") {
    @Override
    String make(Cast cast, String request) {
      return "MALFORMED!!!1";
    }
  },
  NOTHING(400, "") {
    @Override
    String make(Cast cast, String request) {
      return "";
    }
  },
  WITH_A_PRIVATE_KEY(400, "key") {
    @Override
    String make(Cast cast, String request) {
      return Forger.below(cast.ada()).forRequest(request) + Pem.encode(cast.ada().key());
    }
  },
  A_MEBIBYTE(413, "") {
    @Override
    String make(Cast cast, String request) {
      String chain = Forger.below(cast.ada()).forRequest(request);
      return chain.repeat((1 << 20) / chain.length() + 1);
    }
  },
  FOUR_MEBIBYTES(413, "") {
    @Override
    String make(Cast cast, String request) {
      return "A".repeat(4 << 20);
    }
  },
  THE_REQUEST_ITSELF(400, "") {
    @Override
    String make(Cast cast, String request) {
      return request;
    }
  };

  /**
   * Who is in it.
   *
   * @param ada whose request it is
   * @param revokedAda her certificate of before, of the same name, which was revoked
   * @param strangersAda of the same name, by an authority of a stranger's
   */
  record Cast(Credential ada, Credential bob, Credential revokedAda, Credential strangersAda) {}

  private final int status;
  private final String says;

  BadChain(int status, String says) {
    this.status = status;
    this.says = says;
  }

  int status() {
    return status;
  }

  /** A regular expression that is found in the line. */
  String says() {
    return says;
  }

  abstract String make(Cast cast, String request);
}
