package dev.staithe.storage.policy;

import dev.staithe.pki.GridSubject;
import dev.staithe.service.Networks;
import dev.staithe.storage.authz.GroupName;
import dev.staithe.storage.authz.Right;
import dev.staithe.storage.authz.VomsRule;
import dev.staithe.storage.files.StoragePath;
import dev.staithe.storage.state.RuleFile;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.events.Event;
import org.yaml.snakeyaml.events.MappingStartEvent;
import org.yaml.snakeyaml.events.NodeEvent;
import org.yaml.snakeyaml.events.ScalarEvent;
import org.yaml.snakeyaml.events.SequenceStartEvent;

/**
 * Reads a policy as a stream of YAML events, so that a million rules take no more room than they
 * have as rules. One wrong rule refuses the whole file, with its line. Anchors and aliases are
 * refused: nothing in a policy refers to anything else, so nothing can go round.
 */
final class PolicyFile {
  private static final int MOST_RULES = 1_000_000;
  private static final int MOST_VALUES = 10_000;
  private static final int MOST_CHARACTERS = 512 * 1024 * 1024;
  private static final Set<String> KEYS =
      Set.of(
          "permit",
          "deny",
          "path",
          "except",
          "anyone",
          "authenticated",
          "issuer",
          "subject",
          "group",
          "voms",
          "certificate",
          "network",
          "method",
          "widens");
  private static final Set<String> METHODS =
      Set.of(
          "GET",
          "HEAD",
          "PUT",
          "DELETE",
          "MKCOL",
          "COPY",
          "MOVE",
          "PROPFIND",
          "PROPPATCH",
          "LOCK",
          "UNLOCK",
          "POST",
          "PATCH");

  /** The file is refused; the message is one line that begins with where. */
  static final class Wrong extends IOException {
    private static final long serialVersionUID = 1;

    Wrong(int line, String reason) {
      super("line " + line + ": " + reason);
    }
  }

  private final Iterator<Event> events;
  private final Set<String> issuers;
  private final int most;
  private final Policy.Builder policy = new Policy.Builder();

  /** Values come again and again; each is kept once. */
  private final Map<Object, Object> once = new HashMap<>();

  private PolicyFile(Iterator<Event> events, Set<String> issuers, int most) {
    this.events = events;
    this.issuers = issuers;
    this.most = most;
  }

  /**
   * Reads a file.
   *
   * @param issuers those that a rule may name
   * @throws IOException whose message is one line, without the file's name
   */
  static Policy read(Path file, Set<String> issuers) throws IOException {
    try (Reader text = RuleFile.open(file, MOST_CHARACTERS)) {
      return read(text, issuers, MOST_RULES);
    } catch (java.nio.charset.CharacterCodingException e) {
      throw new IOException("it is not UTF-8", e);
    }
  }

  static Policy read(Reader text, Set<String> issuers, int most) throws IOException {
    LoaderOptions options = new LoaderOptions();
    options.setCodePointLimit(MOST_CHARACTERS);
    try {
      return new PolicyFile(new Yaml(options).parse(text).iterator(), issuers, most).all();
    } catch (MarkedYAMLException e) {
      int line = e.getProblemMark() == null ? 1 : e.getProblemMark().getLine() + 1;
      throw new Wrong(line, "no YAML: " + oneLine(e.getProblem()));
    } catch (YAMLException e) {
      if (e.getCause() instanceof IOException unreadable) {
        throw unreadable;
      }
      throw new IOException("no YAML: " + oneLine(e.getMessage()), e);
    }
  }

  private Policy all() throws IOException {
    expect(Event.ID.StreamStart, "a policy");
    if (next().is(Event.ID.StreamEnd)) {
      throw new Wrong(1, "the file is empty; no rules at all are written \"rules: []\"");
    }
    expect(Event.ID.MappingStart, "\"rules:\" with a list of rules");
    Event key = next();
    if (!(key instanceof ScalarEvent name) || !name.getValue().equals("rules")) {
      throw wrong(key, "begin with \"rules:\" and a list of rules");
    }
    expect(Event.ID.SequenceStart, "a list of rules below \"rules:\"");
    for (Event event = next(); !event.is(Event.ID.SequenceEnd); event = next()) {
      if (!(event instanceof MappingStartEvent)) {
        throw wrong(event, "a rule is a mapping that begins with \"permit:\" or \"deny:\"");
      }
      rule(line(event));
    }
    expect(Event.ID.MappingEnd, "nothing but \"rules:\"");
    expect(Event.ID.DocumentEnd, "the end of the file");
    expect(Event.ID.StreamEnd, "one document only");
    return policy.build();
  }

  private void rule(int line) throws IOException {
    Map<String, List<String>> values = new LinkedHashMap<>();
    for (Event event = next(); !event.is(Event.ID.MappingEnd); event = next()) {
      if (!(event instanceof ScalarEvent key)) {
        throw wrong(event, "the name of a key is a word");
      }
      if (!KEYS.contains(key.getValue())) {
        throw wrong(event, "unknown key " + shown(key.getValue()));
      }
      if (values.put(key.getValue(), values(next())) != null) {
        throw wrong(event, "the key " + key.getValue() + " is there twice");
      }
    }
    try {
      if (policy.rules() >= most) {
        throw new IllegalArgumentException("there are more than " + most + " rules");
      }
      policy.add(rule(line, values), paths(require(values, "path")));
    } catch (IllegalArgumentException e) {
      throw new Wrong(
          line, "rule " + (policy.rules() + 1) + ": " + oneLine(String.valueOf(e.getMessage())));
    }
  }

  private PolicyRule rule(int line, Map<String, List<String>> values) {
    boolean permit = values.containsKey("permit");
    if (permit == values.containsKey("deny")) {
      throw new IllegalArgumentException("a rule has one of permit and deny");
    }
    List<StoragePath> paths = paths(require(values, "path"));
    List<StoragePath> except =
        values.containsKey("except") ? paths(values.get("except")) : List.of();
    for (StoragePath spared : except) {
      if (paths.stream().noneMatch(path -> spared.startsWith(path) && !spared.equals(path))) {
        throw new IllegalArgumentException("except " + shown(spared.href()) + " is below no path");
      }
    }
    Set<String> methods = new HashSet<>(values.getOrDefault("method", List.of()));
    for (String method : methods) {
      if (!METHODS.contains(method)) {
        throw new IllegalArgumentException("no method is called " + shown(method));
      }
    }
    List<String> networks = values.get("network");
    boolean widens = flag(values, "widens");
    if (widens && (!permit || flag(values, "anyone"))) {
      throw new IllegalArgumentException("only what permits to somebody named widens");
    }
    return new PolicyRule(
        policy.rules() + 1,
        line,
        permit,
        shared(rights(permit, require(values, permit ? "permit" : "deny"))),
        shared(Set.copyOf(methods)),
        who(values),
        networks == null ? null : Networks.parse(networks),
        except,
        widens);
  }

  private static Set<Right> rights(boolean permit, List<String> words) {
    Set<Right> rights = EnumSet.noneOf(Right.class);
    for (String word : words) {
      Action action = Action.of(word);
      if (action == null) {
        throw new IllegalArgumentException(
            "no right is called "
                + shown(word)
                + "; these are: read, list, stat, stage, poll, create, modify, all");
      }
      rights.addAll(action.rights(permit));
    }
    return rights;
  }

  /** What must be proved, the closest last. */
  private List<Set<Principal>> who(Map<String, List<String>> values) {
    List<Set<Principal>> who = new ArrayList<>();
    if (flag(values, "anyone")) {
      who.add(Set.of(Principal.ANYONE));
    }
    if (flag(values, "authenticated")) {
      who.add(Set.of(Principal.AUTHENTICATED));
    }
    if (values.containsKey("issuer")) {
      who.add(tokens(values));
    } else if (values.containsKey("subject") || values.containsKey("group")) {
      throw new IllegalArgumentException(
          "subjects and groups are words of an issuer; the rule names none");
    }
    if (values.containsKey("voms") || values.containsKey("certificate")) {
      who.add(certificates(values));
    }
    if (who.size() != 1) {
      throw new IllegalArgumentException(
          "a rule names one of anyone, authenticated, issuer, and voms or certificate");
    }
    List<Set<Principal>> all = new ArrayList<>();
    if (values.containsKey("group") && values.containsKey("subject")) {
      all.add(groups(require(values, "issuer"), require(values, "group")));
    }
    if (values.containsKey("voms") && values.containsKey("certificate")) {
      all.add(fqans(values));
    }
    all.add(who.getFirst());
    return List.copyOf(all);
  }

  private Set<Principal> tokens(Map<String, List<String>> values) {
    List<String> named = require(values, "issuer");
    for (String issuer : named) {
      if (!issuers.contains(issuer)) {
        throw new IllegalArgumentException(shown(issuer) + " is not in staithe.issuers");
      }
    }
    List<String> subjects = values.get("subject");
    if (subjects != null) {
      return named(Principal.Kind.SUBJECT, named, subjects);
    }
    List<String> groups = values.get("group");
    return groups == null
        ? named(Principal.Kind.ISSUER, named, List.of(""))
        : groups(named, groups);
  }

  private Set<Principal> groups(List<String> issuers, List<String> names) {
    return named(Principal.Kind.GROUP, issuers, names.stream().map(GroupName::ofRule).toList());
  }

  private Set<Principal> certificates(Map<String, List<String>> values) {
    List<String> names = values.get("certificate");
    return names == null
        ? fqans(values)
        : named(
            Principal.Kind.CERTIFICATE,
            List.of(""),
            names.stream().map(name -> GridSubject.parse(name).name()).toList());
  }

  private Set<Principal> fqans(Map<String, List<String>> values) {
    List<String> fqans = require(values, "voms");
    for (String fqan : fqans) {
      if (!VomsRule.isName(fqan)) {
        throw new IllegalArgumentException(shown(fqan) + " is no name of a group or role");
      }
    }
    return named(Principal.Kind.VOMS, List.of(""), fqans.stream().map(VomsRule::plain).toList());
  }

  private Set<Principal> named(Principal.Kind kind, List<String> issuers, List<String> names) {
    Set<Principal> all = new HashSet<>();
    for (String issuer : issuers) {
      for (String name : names) {
        all.add(shared(new Principal(kind, issuer, name)));
      }
    }
    if (all.size() > MOST_VALUES) {
      throw new IllegalArgumentException("a rule names more than " + MOST_VALUES + " people");
    }
    return shared(Set.copyOf(all));
  }

  private static List<StoragePath> paths(List<String> written) {
    return written.stream().map(StoragePath::of).toList();
  }

  private static boolean flag(Map<String, List<String>> values, String key) {
    List<String> value = values.get(key);
    if (value != null && !value.equals(List.of("true"))) {
      throw new IllegalArgumentException(key + " is true, or is not there");
    }
    return value != null;
  }

  private static List<String> require(Map<String, List<String>> values, String key) {
    List<String> value = values.get(key);
    if (value == null) {
      throw new IllegalArgumentException("it has no " + key);
    }
    return value;
  }

  private List<String> values(Event event) throws IOException {
    List<String> values = new ArrayList<>(1);
    if (event instanceof ScalarEvent one) {
      values.add(text(one));
    } else if (event instanceof SequenceStartEvent) {
      for (Event item = next(); !item.is(Event.ID.SequenceEnd); item = next()) {
        if (!(item instanceof ScalarEvent one) || values.size() >= MOST_VALUES) {
          throw wrong(item, "a list is of words, up to " + MOST_VALUES);
        }
        values.add(text(one));
      }
    }
    if (values.isEmpty()) {
      throw wrong(event, "neither a word nor a list of words");
    }
    return values;
  }

  private String text(ScalarEvent event) throws Wrong {
    if (event.getValue().isBlank() || event.getValue().length() > StoragePath.MAX_PATH) {
      throw wrong(
          event, "an empty word, or one of more than " + StoragePath.MAX_PATH + " characters");
    }
    return event.getValue();
  }

  private Event next() throws Wrong {
    Event event = events.next();
    if (event instanceof NodeEvent node && node.getAnchor() != null) {
      throw wrong(event, "anchors and aliases are not taken");
    }
    return event;
  }

  private void expect(Event.ID id, String wanted) throws Wrong {
    Event event = next();
    if (!event.is(id)) {
      throw wrong(event, "expected " + wanted);
    }
  }

  @SuppressWarnings("unchecked")
  private <T> T shared(T value) {
    Object known = once.putIfAbsent(value, value);
    return known == null ? value : (T) known;
  }

  private static Wrong wrong(Event event, String reason) {
    return new Wrong(line(event), reason);
  }

  private static int line(Event event) {
    return event.getStartMark() == null ? 1 : event.getStartMark().getLine() + 1;
  }

  private static String shown(String text) {
    return "\"" + oneLine(text.length() > 100 ? text.substring(0, 100) + "..." : text) + "\"";
  }

  private static String oneLine(@Nullable String text) {
    return text == null ? "" : text.replaceAll("\\p{Cntrl}+", " ");
  }
}
