package dev.staithe.contracts.signature;

import dev.staithe.contracts.signature.SignedMessage.Component;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What the signatures of a contract's messages cover (RFC 9421 section 1.4): exactly this, as what
 * is covered is kept for years, and above all no credential. A pull has request, answer and
 * receipt; a push offer, agreement, delivery and receipt. In a pull by several streams HEAD is the
 * request, and each part is asked for by itself.
 */
public enum SignatureProfile {
  /** By which the receiver asks. */
  REQUEST(
      "staithe-contract",
      own("@method", "@target-uri", "contract", "host-properties", "want-repr-digest")),

  /** By which the sender answers, bound to the request (section 2.4). */
  ANSWER(
      "staithe-answer",
      Stream.concat(
              own("@status", "content-length", "repr-digest", "contract").stream(),
              Stream.of("@method", "@target-uri", "signature").map(Component::ofRequest))
          .toList()),

  /**
   * By which the receiver asks for a part of a file that it has an answer for; its contract names
   * that answer by its hash.
   */
  PART("staithe-part", own("@method", "@target-uri", "contract", "range")),

  /** By which the sender offers a file. */
  OFFER(
      "staithe-offer", own("@method", "@target-uri", "contract", "host-properties", "repr-digest")),

  /** By which the receiver agrees to take it, bound to the offer. */
  AGREEMENT(
      "staithe-agreement",
      Stream.concat(
              own("@status", "contract", "host-properties").stream(),
              Stream.of("@method", "@target-uri", "repr-digest", "signature")
                  .map(Component::ofRequest))
          .toList()),

  /** By which the sender brings it; its contract names the agreement by its hash. */
  DELIVERY(
      "staithe-delivery",
      own("@method", "@target-uri", "contract", "content-length", "repr-digest")),

  /**
   * The same where a person brings it: with her property list, as no other of the messages that are
   * kept has the key by which she signs.
   */
  PERSON_DELIVERY(
      "staithe-person-delivery",
      own(
          "@method",
          "@target-uri",
          "contract",
          "host-properties",
          "content-length",
          "repr-digest")),

  /** By which a person asks for the statement of what she brought. */
  STATEMENT("staithe-statement", own("@method", "@target-uri", "contract")),

  /** By which the receiver says what it received. */
  RECEIPT("staithe-receipt", own("@method", "@target-uri", "contract", "content-digest"));

  private final String tag;
  private final List<Component> covered;

  SignatureProfile(String tag, List<Component> covered) {
    this.tag = tag;
    this.covered = covered;
  }

  private static List<Component> own(String... names) {
    return Stream.of(names).map(Component::of).toList();
  }

  /** The signature's tag (section 2.3). */
  public String tag() {
    return tag;
  }

  /** What it covers, in the order in which it is made. */
  public List<Component> covered() {
    return covered;
  }

  /**
   * Finds the message's one signature of this kind; it is not verified.
   *
   * @throws BadSignature where there is none, or it covers less or more
   */
  public MessageSignature find(SignedMessage message) throws BadSignature {
    MessageSignature signature = MessageSignature.find(message, tag);
    if (!Set.copyOf(signature.covered()).equals(Set.copyOf(covered))) {
      throw new BadSignature("the signature must cover exactly " + covered);
    }
    return signature;
  }
}
