package dev.staithe.contracts.signature;

import dev.staithe.contracts.signature.SignedMessage.Component;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.greenbytes.http.sfv.ByteSequenceItem;
import org.greenbytes.http.sfv.Dictionary;
import org.greenbytes.http.sfv.InnerList;
import org.greenbytes.http.sfv.IntegerItem;
import org.greenbytes.http.sfv.Item;
import org.greenbytes.http.sfv.ListElement;
import org.greenbytes.http.sfv.Parameters;
import org.greenbytes.http.sfv.Parser;
import org.greenbytes.http.sfv.StringItem;
import org.jspecify.annotations.Nullable;

/**
 * One signature of an HTTP message (RFC 9421) by {@code ecdsa-p256-sha256}: made, or found in a
 * message and not yet believed.
 *
 * @param label by which both fields name it
 * @param covered what it covers, in its order
 * @param parameters of the signature, as its list of components has them
 * @param base what is signed (section 2.5)
 * @param value 64 bytes
 */
public record MessageSignature(
    String label, List<Component> covered, Parameters parameters, String base, byte[] value) {
  /** Clocks of two hosts may differ by so much. */
  public static final Duration SKEW = Duration.ofSeconds(60);

  /** The longest that a signature is good for. */
  public static final Duration LONGEST = Duration.ofMinutes(5);

  private static final String ALGORITHM = "ecdsa-p256-sha256";

  /** More in one message is nobody's who signs here. */
  private static final int MOST = 8;

  /** What is signed is kept for years, in a table: nobody makes others keep more than these. */
  private static final int LONGEST_LABEL = 64;

  private static final int LONGEST_FIELD = 2 * 1024;
  private static final int LONGEST_BASE = 20 * 1024;

  /**
   * How a signature is made.
   *
   * @param label by which both fields name it
   * @param covered what it covers
   * @param created when
   * @param lifetime at most {@link #LONGEST}
   * @param nonce never used before
   * @param tag what it is for (section 2.3)
   */
  public record Wanted(
      String label,
      List<Component> covered,
      Instant created,
      Duration lifetime,
      String nonce,
      String tag) {}

  /**
   * Signs.
   *
   * @throws BadSignature where the message lacks a component
   */
  public static MessageSignature sign(SignedMessage message, ContractKey key, Wanted wanted)
      throws BadSignature {
    Map<String, Object> parameters = new LinkedHashMap<>();
    parameters.put("created", IntegerItem.valueOf(wanted.created().getEpochSecond()));
    parameters.put(
        "expires", IntegerItem.valueOf(wanted.created().plus(wanted.lifetime()).getEpochSecond()));
    parameters.put("nonce", StringItem.valueOf(wanted.nonce()));
    parameters.put("keyid", StringItem.valueOf(key.id()));
    parameters.put("tag", StringItem.valueOf(wanted.tag()));
    Parameters written = Parameters.valueOf(parameters);
    String base = base(message, wanted.covered(), written);
    return new MessageSignature(
        wanted.label(),
        List.copyOf(wanted.covered()),
        written,
        base,
        key.sign(base.getBytes(StandardCharsets.US_ASCII)));
  }

  /** The value of {@code Signature-Input}. */
  public String inputField() {
    return label + "=" + list(covered, parameters).serialize();
  }

  /** The value of {@code Signature}. */
  public String signatureField() {
    return label + "=:" + Base64.getEncoder().encodeToString(value) + ":";
  }

  /**
   * Finds the one signature with that tag.
   *
   * @throws BadSignature where there is none, more than one, or one that cannot be read
   */
  public static MessageSignature find(SignedMessage message, String tag) throws BadSignature {
    String input = message.field("signature-input");
    String signature = message.field("signature");
    if (input == null || signature == null) {
      throw new BadSignature("the message is not signed");
    }
    if (input.length() > LONGEST_FIELD || signature.length() > LONGEST_FIELD) {
      throw new BadSignature(
          "the signature fields have more than " + LONGEST_FIELD + " characters each");
    }
    MessageSignature found = null;
    try {
      Map<String, ListElement<?>> inputs = Parser.parseDictionary(input).get();
      Dictionary values = Parser.parseDictionary(signature);
      if (inputs.size() > MOST) {
        throw new BadSignature("the message has more than " + MOST + " signatures");
      }
      for (Map.Entry<String, ListElement<?>> entry : inputs.entrySet()) {
        if (entry.getValue() instanceof InnerList list
            && list.getParams().get("tag") instanceof StringItem given
            && given.get().equals(tag)) {
          if (found != null) {
            throw new BadSignature("the message has two signatures for " + tag);
          }
          found = read(message, entry.getKey(), list, values.get().get(entry.getKey()));
        }
      }
    } catch (IllegalArgumentException malformed) {
      throw new BadSignature("the signature fields are malformed");
    }
    if (found == null) {
      throw new BadSignature("the message has no signature for " + tag);
    }
    return found;
  }

  private static MessageSignature read(
      SignedMessage message, String label, InnerList list, @Nullable ListElement<?> value)
      throws BadSignature {
    if (label.length() > LONGEST_LABEL) {
      throw new BadSignature(
          "the signature's label has more than " + LONGEST_LABEL + " characters");
    }
    List<Component> covered = new ArrayList<>();
    for (Item<?> item : list.get()) {
      if (!(item instanceof StringItem name)) {
        throw new BadSignature("the signature covers something that has no name");
      }
      Set<String> beside = new HashSet<>(item.getParams().keySet());
      boolean ofRequest = beside.remove("req");
      if (!beside.isEmpty()) {
        throw new BadSignature("the signature covers " + name.get() + " in a way unknown here");
      }
      covered.add(new Component(name.get(), ofRequest));
    }
    if (new HashSet<>(covered).size() != covered.size()) {
      throw new BadSignature("the signature covers a component twice");
    }
    if (!(value instanceof ByteSequenceItem bytes)) {
      throw new BadSignature("the signature " + label + " has no value");
    }
    ByteBuffer raw = bytes.get().duplicate();
    byte[] copy = new byte[raw.remaining()];
    raw.get(copy);
    String base = base(message, covered, list.getParams());
    if (base.length() > LONGEST_BASE) {
      throw new BadSignature("the signature covers more than " + LONGEST_BASE + " characters");
    }
    return new MessageSignature(label, covered, list.getParams(), base, copy);
  }

  /**
   * Whether it is good: made by the key, now, and covers all that its profile names.
   *
   * @throws BadSignature with the first reason why it is not
   */
  public void verify(PartyKey key, SignatureProfile profile, Instant now) throws BadSignature {
    verify(key, Set.copyOf(profile.covered()), now);
  }

  /**
   * Whether it is good: made by the key, now, and covers what it must.
   *
   * @param must all of these
   * @throws BadSignature with the first reason why it is not
   */
  public void verify(PartyKey key, Set<Component> must, Instant now) throws BadSignature {
    Item<?> algorithm = parameters.get("alg");
    if (algorithm != null && !ALGORITHM.equals(algorithm.get())) {
      throw new BadSignature("the signature is not by " + ALGORITHM);
    }
    Instant created = time("created");
    Instant expires = time("expires");
    if (created.isAfter(now.plus(SKEW))) {
      throw new BadSignature("the signature was made in the future: do the clocks agree?");
    }
    if (!key.signsAt(created)) {
      throw new BadSignature("the signature was made after its key had ended");
    }
    if (expires.isBefore(now.minus(SKEW))) {
      throw new BadSignature("the signature has expired: do the clocks agree?");
    }
    if (!expires.isAfter(created) || Duration.between(created, expires).compareTo(LONGEST) > 0) {
      throw new BadSignature("the signature is good for more than " + LONGEST.toMinutes() + " min");
    }
    for (Component component : must) {
      if (!covered.contains(component)) {
        throw new BadSignature("the signature does not cover " + component);
      }
    }
    if (!keyId().equals(key.id()) || !fits(key)) {
      throw new BadSignature("the signature is not by the key that it names");
    }
  }

  /** Whether the key made it, whenever that was. */
  public boolean fits(PartyKey key) {
    return key.verify(base.getBytes(StandardCharsets.US_ASCII), value);
  }

  /** Which key it says it is by. */
  public String keyId() throws BadSignature {
    return text("keyid");
  }

  /** What its maker says was never used before. */
  public String nonce() throws BadSignature {
    return text("nonce");
  }

  /** When it ends. */
  public Instant expires() throws BadSignature {
    return time("expires");
  }

  private String text(String name) throws BadSignature {
    if (parameters.get(name) instanceof StringItem text && !text.get().isEmpty()) {
      return text.get();
    }
    throw new BadSignature("the signature has no " + name);
  }

  private Instant time(String name) throws BadSignature {
    if (parameters.get(name) instanceof IntegerItem seconds) {
      return Instant.ofEpochSecond(seconds.getAsLong());
    }
    throw new BadSignature("the signature has no " + name);
  }

  private static InnerList list(List<Component> covered, Parameters parameters) {
    List<Item<?>> items = new ArrayList<>();
    for (Component component : covered) {
      StringItem item = StringItem.valueOf(component.name());
      items.add(
          component.ofRequest()
              ? item.withParams(Parameters.valueOf(Map.of("req", Boolean.TRUE)))
              : item);
    }
    return InnerList.valueOf(items).withParams(parameters);
  }

  /** The signature base (section 2.5). */
  static String base(SignedMessage message, List<Component> covered, Parameters parameters)
      throws BadSignature {
    StringBuilder base = new StringBuilder(512);
    for (Component component : covered) {
      base.append(component).append(": ").append(message.value(component)).append('\n');
    }
    return base.append("\"@signature-params\": ")
        .append(list(covered, parameters).serialize())
        .toString();
  }
}
