package dev.staithe.storage.contracts;

import dev.staithe.contracts.ContractAudit;
import dev.staithe.contracts.record.ContractField;
import dev.staithe.contracts.record.ContractRecord;
import dev.staithe.contracts.record.Received;
import dev.staithe.contracts.record.Statement;
import dev.staithe.contracts.signature.BadSignature;
import dev.staithe.contracts.signature.Hash;
import dev.staithe.contracts.signature.MessageSignature;
import dev.staithe.contracts.signature.SignatureProfile;
import dev.staithe.contracts.signature.SignedMessage;
import dev.staithe.http.HeaderField;
import dev.staithe.storage.contracts.host.Party;
import dev.staithe.storage.contracts.journal.ContractRow;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Acknowledges what came to those who sent it: at once, or again and again for a day, also of
 * before a restart. It is the same receipt by its id however often it is told. Thread-safe.
 */
final class Acknowledging implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Acknowledging.class);
  private static final Duration LONGEST = Duration.ofHours(24);
  private static final Duration SHORTEST_PAUSE = Duration.ofSeconds(1);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(60);

  private static final List<ContractRow.State> OF_HOST =
      List.of(ContractRow.State.AGREED, ContractRow.State.BROKEN);

  /** What a person brought is hers to prove from when it has its name, and until then it is not. */
  private static final List<ContractRow.State> OF_PERSON =
      List.of(
          ContractRow.State.AGREED,
          ContractRow.State.VERIFIED,
          ContractRow.State.LOGGED,
          ContractRow.State.BROKEN);

  private final Contracts contracts;
  private final Party party;
  private final Semaphore wanted = new Semaphore(1);

  /**
   * Transfers that broke off while the database was away. Nobody else comes back to them before a
   * restart, and their senders count them as open.
   */
  private final Map<String, Broken> unkept = new ConcurrentHashMap<>();

  private record Broken(ContractRow row, Received received) {}

  /** Contracts that a copy has in hand just now, or the thread. */
  private final Set<String> inHand = ConcurrentHashMap.newKeySet();

  private final Thread thread;
  private volatile boolean closed;

  Acknowledging(Contracts contracts, Party party) {
    this.contracts = contracts;
    this.party = party;
    this.thread = Thread.ofVirtual().name("acknowledging").unstarted(this::run);
  }

  /** What ended before is not told any more. */
  static Instant since(Instant now) {
    return now.minus(LONGEST);
  }

  /** Begins with what is left from before. */
  void start() {
    thread.start();
  }

  /** Looks soon for what is to be told. */
  void wake() {
    wanted.release();
  }

  /**
   * Keeps that all bytes came, as our statement, with its hash in our log. From then on the
   * contract is in the caller's hand until it is {@link #acknowledge acknowledged} or {@link #later
   * told later}.
   *
   * @return the receipt, to be told by
   */
  MessageSignature verified(ContractRow row, Received received) throws IOException {
    String body = received.encode();
    inHand.add(row.id());
    boolean kept = false;
    try {
      boolean first =
          contracts
              .store()
              .conclude(
                  row,
                  List.of(ContractRow.State.AGREED),
                  ContractRow.State.VERIFIED,
                  body,
                  new byte[0],
                  party.now());
      if (!first) {
        throw new IOException("the contract was ended before all bytes had come");
      }
      MessageSignature receipt = logged(row, body);
      kept = true;
      return receipt;
    } finally {
      if (!kept) {
        later(row.id());
      }
    }
  }

  /** Gives a contract out of hand: what is still to be told of it is told soon, and again. */
  void later(String id) {
    if (inHand.remove(id)) {
      wake();
    }
  }

  private MessageSignature logged(ContractRow row, String body) throws IOException {
    try {
      MessageSignature receipt = party.sign(message(row, body), SignatureProfile.RECEIPT);
      byte[] statement = party.state(row.id(), record(row, receipt, body).encode()).encode();
      contracts
          .store()
          .conclude(
              row,
              List.of(ContractRow.State.VERIFIED),
              ContractRow.State.LOGGED,
              body,
              statement,
              party.now());
      return receipt;
    } catch (BadSignature bad) {
      throw new IOException(bad.line(), bad);
    }
  }

  private ContractRecord record(ContractRow row, MessageSignature receipt, String body) {
    return new ContractRecord(
        row.id(),
        row.party(),
        party.origin(),
        row.request(),
        row.answer(),
        ContractRecord.Part.of(receipt),
        body);
  }

  private static String path(ContractRow row) {
    return ContractController.CONTRACTS + row.id();
  }

  /** To the sender's door; a person, who has none, asks for our statement at ours. */
  private SignedMessage message(ContractRow row, String body) {
    return SignedMessage.request(
        "POST",
        (row.ofPerson() ? party.origin() : row.party()) + path(row),
        Map.of(
            "contract",
            List.of(new ContractField(row.id(), "", "").encode()),
            "content-digest",
            List.of(ContractAudit.digest(Hash.of(body.getBytes(StandardCharsets.UTF_8))))));
  }

  /**
   * Tells the sender, and keeps its statement; then nothing is left to be told.
   *
   * @param receipt that was signed just now
   * @throws IOException with one line, where it does not take the receipt
   */
  void acknowledge(String id, MessageSignature receipt) throws IOException {
    ContractRow row =
        contracts
            .store()
            .find(ContractRow.Side.RECEIVER, id)
            .orElseThrow(() -> new IOException("there is no such contract"));
    if (row.state() != ContractRow.State.ACKNOWLEDGED) {
      acknowledge(row, receipt);
    }
    inHand.remove(id);
  }

  private void acknowledge(ContractRow row) throws IOException {
    try {
      acknowledge(row, party.sign(message(row, row.received()), SignatureProfile.RECEIPT));
    } catch (BadSignature bad) {
      throw new IOException(bad.line(), bad);
    }
  }

  private void acknowledge(ContractRow row, MessageSignature receipt) throws IOException {
    try {
      PartnerConnections.Answer answer = tell(row, receipt);
      if (answer.status() != 201) {
        throw new IOException(
            row.peer() + " does not take the receipt: it answers " + answer.status());
      }
      judge(row, answer.body());
      contracts.store().acknowledged(row.id(), answer.body(), party.now());
      log.info("contract {}: acknowledged by {}", row.id(), row.peer());
    } catch (BadSignature bad) {
      contracts.failedVerification();
      throw new IOException(row.peer() + " answers the receipt wrongly: " + bad.line(), bad);
    }
  }

  private PartnerConnections.Answer tell(ContractRow row, MessageSignature signature)
      throws IOException {
    SignedMessage message = message(row, row.received());
    return contracts
        .partners()
        .send(
            row.peer(),
            path(row),
            List.of(
                new HeaderField("Content-Type", "application/json"),
                new HeaderField(Party.CONTRACT, String.valueOf(message.field("contract"))),
                new HeaderField("Content-Digest", String.valueOf(message.field("content-digest"))),
                new HeaderField("Signature-Input", signature.inputField()),
                new HeaderField("Signature", signature.signatureField())),
            row.received().getBytes(StandardCharsets.UTF_8));
  }

  /** Whether the sender's statement is of this very contract, and in its log. */
  private void judge(ContractRow row, byte[] bytes) throws BadSignature, IOException {
    Statement statement = Statement.parse(bytes);
    Partners.Known known = contracts.partners().of(row.peer(), statement.keyId());
    Statement.Content content = statement.verify(known.keys());
    statement.verifyReceipt(known.log());
    ContractRecord record = ContractRecord.parse(content.content());
    if (!content.issuer().equals("https://" + row.peer())
        || !record.id().equals(row.id())
        || !record.request().equals(row.request())
        || !record.answer().equals(row.answer())
        || !record.received().equals(row.received())) {
      throw new BadSignature("its statement is of something else");
    }
  }

  /**
   * The bytes were thrown away, which the sender is told: now, or later where it does not listen,
   * or where that cannot be kept now.
   *
   * @param received what came; of what broke off, nothing
   */
  void refused(ContractRow row, Received received) {
    Broken broken = new Broken(row, received);
    try {
      keep(broken);
    } catch (RuntimeException e) {
      log.warn("contract {}: that it broke off is still to be kept: {}", row.id(), e.getMessage());
      unkept.put(row.id(), broken);
      wake();
    }
  }

  private void keep(Broken broken) {
    ContractRow row = broken.row();
    boolean first =
        contracts
            .store()
            .conclude(
                row,
                row.ofPerson() ? OF_PERSON : OF_HOST,
                ContractRow.State.BROKEN,
                broken.received().encode(),
                new byte[0],
                party.now());
    unkept.remove(row.id());
    if (first) {
      wake();
    }
  }

  /** Nothing of a transfer that broke off was kept. */
  Received nothing() {
    return new Received(false, 0, Hash.of(), party.now());
  }

  private void tellRefused(ContractRow row) throws IOException {
    if (row.received().isEmpty()) {
      // From before a restart: told with one time, however often.
      refused(row, nothing());
      return;
    }
    try {
      if (!row.ofPerson()) {
        MessageSignature signature =
            party.sign(message(row, row.received()), SignatureProfile.RECEIPT);
        int status = tell(row, signature).status();
        if (status != 201) {
          throw new IOException(row.peer() + " does not take that it is refused: " + status);
        }
      }
      contracts
          .store()
          .move(
              row.side(),
              row.id(),
              List.of(ContractRow.State.BROKEN),
              ContractRow.State.REFUSED,
              party.now());
    } catch (BadSignature bad) {
      throw new IOException(bad.line(), bad);
    }
  }

  private void run() {
    Duration pause = SHORTEST_PAUSE;
    while (!closed) {
      try {
        boolean all = pending();
        pause = all ? SHORTEST_PAUSE : longer(pause);
        boolean woken =
            wanted.tryAcquire((all ? LONGEST_PAUSE : pause).toMillis(), TimeUnit.MILLISECONDS);
        if (woken) {
          wanted.drainPermits();
        }
      } catch (InterruptedException end) {
        return;
      } catch (RuntimeException | Error e) { // Memory may be short for a moment.
        if (closed) {
          return;
        }
        log.error("receipts cannot be told now: {}", e.getMessage());
        pause = longer(pause);
        if (!rest(pause)) {
          return;
        }
      }
    }
  }

  private static Duration longer(Duration pause) {
    Duration twice = pause.multipliedBy(2);
    return twice.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : twice;
  }

  private boolean rest(Duration pause) {
    try {
      return !wanted.tryAcquire(pause.toMillis(), TimeUnit.MILLISECONDS) || !closed;
    } catch (InterruptedException end) {
      return false;
    }
  }

  /** Does what is to be done; true where nothing is left. */
  private boolean pending() {
    unkept.values().forEach(this::keep);
    TellingRound round = new TellingRound(contracts.store(), party.now(), () -> closed);
    return each(round, ContractRow.State.VERIFIED, ofHost(row -> logged(row, row.received())))
        & each(round, ContractRow.State.LOGGED, ofHost(this::acknowledge))
        & each(round, ContractRow.State.BROKEN, this::tellRefused);
  }

  /** What a person brought, and a process that is gone gave no name, was not kept. */
  private TellingRound.Step ofHost(TellingRound.Step step) {
    return row -> {
      if (row.ofPerson()) {
        refused(row, nothing());
      } else {
        step.take(row);
      }
    };
  }

  private boolean each(TellingRound round, ContractRow.State state, TellingRound.Step step) {
    return round.each(
        state,
        found -> {
          if (!inHand.add(found.id())) {
            return;
          }
          try {
            // A copy may have had it in hand when it was found.
            Optional<ContractRow> now =
                contracts
                    .store()
                    .find(found.side(), found.id())
                    .filter(row -> row.state() == state);
            if (now.isPresent()) {
              step.take(now.get());
            }
          } finally {
            inHand.remove(found.id());
          }
        });
  }

  /**
   * Ends without an interrupt, by which H2 would close its file; whoever waits for a partner is
   * waked as its connection is closed.
   */
  @Override
  public void close() {
    closed = true;
    wake();
  }
}
