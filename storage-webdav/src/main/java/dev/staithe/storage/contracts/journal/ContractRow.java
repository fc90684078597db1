package dev.staithe.storage.contracts.journal;

import dev.staithe.contracts.record.ContractRecord;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A contract as one side keeps it.
 *
 * @param side of this host
 * @param id a UUID
 * @param state how far it is
 * @param area of the file here
 * @param path of it, below the area
 * @param peer {@code host:port} of the other side, or the name of a person ({@code
 *     CN=Ada,O=Example})
 * @param opened when it began
 * @param size of the file in bytes
 * @param sha256 of it, in hexadecimal
 * @param request by which the receiver asked, or agreed to an offer
 * @param answer by which the sender answered, or brought the file
 * @param received what the receiver says, empty before
 * @param own our statement
 * @param partner the other side's
 */
public record ContractRow(
    Side side,
    String id,
    State state,
    String area,
    String path,
    String peer,
    Instant opened,
    long size,
    String sha256,
    ContractRecord.Part request,
    ContractRecord.Part answer,
    String received,
    byte @Nullable [] own,
    byte @Nullable [] partner) {
  /** The same, gone on. */
  ContractRow with(ContractStep.Changed changed) {
    String said = changed.received();
    byte[] ours = changed.own();
    byte[] theirs = changed.partner();
    return new ContractRow(
        side,
        id,
        changed.state(),
        area,
        path,
        peer,
        opened,
        size,
        sha256,
        request,
        answer,
        said == null ? received : said,
        ours == null ? own : ours,
        theirs == null ? partner : theirs);
  }

  /** Whether anything is still to come of it. */
  boolean ended() {
    return state == State.RECEIVED || state == State.REFUSED || state == State.ACKNOWLEDGED;
  }

  /** Whether it counts against its peer: bytes go or went out, and nobody acknowledged them. */
  boolean open() {
    return side == Side.SENDER && (state == State.SENDING || state == State.SENT);
  }

  /** The other side as a party of the contract: a host's origin, or a person's name. */
  public String party() {
    return ofPerson() ? peer : "https://" + peer;
  }

  /** Whether the other side is a person: no host's name has an equals sign. */
  public boolean ofPerson() {
    return peer.indexOf('=') >= 0;
  }

  /** Which side this host is. */
  public enum Side {
    /** Sends the bytes. */
    SENDER,
    /** Asked for them, or agreed to take them. */
    RECEIVER
  }

  /** How far a contract is. */
  public enum State {
    /** Sender: bytes go out. */
    SENDING,
    /** Sender: all have gone out. */
    SENT,
    /** The transfer broke off; the receiver has still to tell the sender so. */
    BROKEN,
    /** Sender: acknowledged by the receiver. */
    RECEIVED,
    /** Sender: the receiver threw the bytes away; receiver: it did. */
    REFUSED,
    /** Receiver: both have signed, bytes come. */
    AGREED,
    /** Receiver: all came, and are what was signed. */
    VERIFIED,
    /** Receiver: its own log has it. */
    LOGGED,
    /**
     * Receiver: the sender has acknowledged the receipt. Where that is a person, who has nothing to
     * acknowledge it by: the file has its name, and she may have our statement.
     */
    ACKNOWLEDGED
  }
}
