package dev.staithe.contracts;

import dev.staithe.contracts.SignedMessage.Component;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.greenbytes.http.sfv.InnerList;
import org.greenbytes.http.sfv.IntegerItem;
import org.greenbytes.http.sfv.Parser;
import org.greenbytes.http.sfv.StringItem;

/**
 * Verifies a statement years later, with nothing but the public keys: what each party signed, and
 * whether all of it is of one transfer.
 */
public final class ContractAudit {
  private final Map<String, PartyKey> keys;
  private final LogVerifier log;
  private final List<Finding> findings = new ArrayList<>();

  /** With the contract keys of all parties, and that of the log. */
  public ContractAudit(Map<String, PartyKey> keys, LogVerifier log) {
    this.keys = Map.copyOf(keys);
    this.log = log;
  }

  /**
   * The outcome of one check.
   *
   * @param good whether it holds
   * @param line what was checked, and what was found
   */
  public record Finding(boolean good, String line) {}

  /** A signature base, read again. */
  private record Base(Map<String, String> lines, InnerList parameters) {
    static Base parse(String text) throws BadSignature {
      Map<String, String> lines = new LinkedHashMap<>();
      for (String line : text.split("\n", -1)) {
        int colon = line.indexOf(": ");
        if (colon < 0 || lines.put(line.substring(0, colon), line.substring(colon + 2)) != null) {
          throw new BadSignature("the signature base is malformed");
        }
      }
      String parameters = lines.remove("\"@signature-params\"");
      if (parameters == null) {
        throw new BadSignature("the signature base has no parameters");
      }
      try {
        InnerList list = Parser.parseInnerList(parameters);
        List<String> named = list.get().stream().map(item -> item.serialize()).toList();
        if (!named.equals(List.copyOf(lines.keySet()))) {
          throw new BadSignature("the signature base has other lines than its parameters name");
        }
        return new Base(lines, list);
      } catch (IllegalArgumentException e) {
        throw new BadSignature("the signature base is malformed");
      }
    }

    String line(Component component) throws BadSignature {
      String line = lines.get(component.toString());
      if (line == null) {
        throw new BadSignature("it does not cover " + component);
      }
      return line;
    }

    String line(String name) throws BadSignature {
      return line(Component.of(name));
    }

    String time() {
      return parameters.getParams().get("created") instanceof IntegerItem seconds
          ? java.time.Instant.ofEpochSecond(seconds.getAsLong()).toString()
          : "an unknown time";
    }

    String key() {
      return parameters.getParams().get("keyid") instanceof StringItem id ? id.get() : "";
    }
  }

  /** One check. */
  private interface Check {
    String run() throws BadSignature;
  }

  private boolean check(String what, Check check) {
    try {
      findings.add(new Finding(true, what + ": " + check.run()));
      return true;
    } catch (BadSignature bad) {
      findings.add(new Finding(false, what + ": " + bad.line()));
      return false;
    }
  }

  /**
   * Verifies a statement.
   *
   * @param file as it was exported
   * @return a line for each check; the statement holds where all are good
   */
  public List<Finding> run(byte[] file) {
    findings.clear();
    Optional<Statement> statement = parsed(file);
    if (statement.isEmpty()) {
      return List.copyOf(findings);
    }
    check(
        "log",
        () -> {
          Statement.Place place = statement.get().verifyReceipt(log);
          return log.name() + " has it as entry " + place.index() + " of " + place.size();
        });
    List<Statement.Content> contents = new ArrayList<>();
    boolean stated =
        check(
            "statement",
            () -> {
              Statement.Content content = statement.get().verify(keys);
              contents.add(content);
              return "made by " + content.issuer() + " at " + content.stated();
            });
    if (stated) {
      verify(contents.getFirst());
    }
    return List.copyOf(findings);
  }

  private Optional<Statement> parsed(byte[] file) {
    try {
      return Optional.of(Statement.parse(file));
    } catch (BadSignature bad) {
      findings.add(new Finding(false, "file: " + bad.line()));
      return Optional.empty();
    }
  }

  private void verify(Statement.Content content) {
    try {
      ContractRecord record = ContractRecord.parse(content.content());
      Base request = Base.parse(record.request().base());
      Base answer = Base.parse(record.answer().base());
      Base receipt = Base.parse(record.receipt().base());
      if (!content.subject().equals("urn:uuid:" + record.id())
          || !List.of(record.sender(), record.receiver()).contains(content.issuer())) {
        throw new BadSignature("the statement is of another contract, or by neither party");
      }
      check("request", () -> request(record, request));
      check("properties", () -> properties(record, request));
      check("answer", () -> answer(record, request, answer));
      check("receipt", () -> receipt(record, answer, receipt));
    } catch (BadSignature bad) {
      findings.add(new Finding(false, "record: " + bad.line()));
    }
  }

  private String request(ContractRecord record, Base base) throws BadSignature {
    signed(record.request(), base);
    sameId(record, base.line("contract"));
    if (!base.line("@target-uri").startsWith(record.sender() + "/")) {
      throw new BadSignature("it did not go to " + record.sender());
    }
    String terms = ContractField.parse(base.line("contract")).terms();
    return record.receiver()
        + " asked "
        + base.line("@method")
        + " "
        + base.line("@target-uri")
        + " at "
        + base.time()
        + (terms.isEmpty() ? ", under no terms" : ", under the terms of sha-256 " + terms);
  }

  private String properties(ContractRecord record, Base base) throws BadSignature {
    String text = base.line("host-properties");
    java.time.Instant then =
        base.parameters().getParams().get("created") instanceof IntegerItem seconds
            ? java.time.Instant.ofEpochSecond(seconds.getAsLong())
            : java.time.Instant.MIN;
    HostProperties properties = HostProperties.verify(text, keys, then);
    if (!properties.issuer().equals(record.receiver())) {
      throw new BadSignature("they are of " + properties.issuer());
    }
    return record.receiver() + " said of itself " + properties.values();
  }

  private String answer(ContractRecord record, Base request, Base base) throws BadSignature {
    signed(record.answer(), base);
    sameId(record, base.line("contract"));
    if (!base.line(Component.ofRequest("@target-uri")).equals(request.line("@target-uri"))
        || !base.line(Component.ofRequest("signature")).equals(record.request().signature())) {
      throw new BadSignature("it answers another request");
    }
    return record.sender()
        + " answered "
        + base.line("@status")
        + " with "
        + base.line("content-length")
        + " bytes of "
        + base.line("repr-digest")
        + " at "
        + base.time();
  }

  private String receipt(ContractRecord record, Base answer, Base base) throws BadSignature {
    signed(record.receipt(), base);
    sameId(record, base.line("contract"));
    byte[] body = record.received().getBytes(StandardCharsets.UTF_8);
    if (!base.line("content-digest").equals(digest(Hash.of(body)))) {
      throw new BadSignature("it says something else than is recorded");
    }
    Received received = Received.parse(record.received());
    if (received.kept()
        && !(answer.line("content-length").equals(String.valueOf(received.size()))
            && answer.line("repr-digest").equals(digest(received.sha256())))) {
      throw new BadSignature("it is of other bytes than were sent");
    }
    return record.receiver()
        + (received.kept() ? " received " : " threw away ")
        + received.size()
        + " bytes of sha-256 "
        + Base64.getEncoder().encodeToString(received.sha256())
        + " at "
        + received.time();
  }

  /** RFC 9530, as a field has it. */
  public static String digest(byte[] sha256) {
    return "sha-256=:" + Base64.getEncoder().encodeToString(sha256) + ":";
  }

  private void signed(ContractRecord.Part part, Base base) throws BadSignature {
    PartyKey key = keys.get(base.key());
    int colon = part.signature().indexOf("=:");
    if (key == null || colon < 0 || !part.signature().endsWith(":")) {
      throw new BadSignature("it is signed by no key that is known");
    }
    try {
      byte[] value =
          Base64.getDecoder()
              .decode(part.signature().substring(colon + 2, part.signature().length() - 1));
      if (key.verify(part.base().getBytes(StandardCharsets.US_ASCII), value)) {
        return;
      }
    } catch (IllegalArgumentException malformed) {
      // Told below.
    }
    throw new BadSignature("its signature is wrong");
  }

  private static void sameId(ContractRecord record, String field) throws BadSignature {
    if (!ContractField.parse(field).id().equals(record.id())) {
      throw new BadSignature("it is of another contract");
    }
  }
}
