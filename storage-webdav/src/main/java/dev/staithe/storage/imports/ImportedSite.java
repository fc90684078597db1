package dev.staithe.storage.imports;

import dev.staithe.storage.state.OperatorFolder;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.Yaml;

/** A storage element as it was found, and what was not taken over. For one thread. */
public final class ImportedSite {
  /** Where the usual packages put the authorities of the field. */
  private static final String AUTHORITIES = "/etc/grid-security/certificates";

  private final String host;
  private final Set<Note> notes = new LinkedHashSet<>();
  private final Map<String, Map<String, Object>> issuers = new LinkedHashMap<>();
  final List<ImportedArea> areas = new ArrayList<>();
  int port = 8443;
  String certificate = "/etc/grid-security/hostcert.pem";
  String key = "/etc/grid-security/hostkey.pem";
  String authorities = AUTHORITIES;
  String vomsdir = "/etc/grid-security/vomsdir";

  /** Certificates are asked for, as both do who are imported. */
  boolean certificates = true;

  /**
   * A site without anything.
   *
   * @param host the name by which clients know it
   */
  ImportedSite(String host) {
    this.host = host;
  }

  /** In the order of the source, each once. */
  public List<Note> notes() {
    return List.copyOf(notes);
  }

  void note(String where, String what) {
    notes.add(new Note(where, what));
  }

  /** As tokens and clients name it. */
  String audience() {
    return "https://" + host + ":" + port;
  }

  /** Whether its tokens are believed. */
  boolean believes(String issuer) {
    return issuers.containsKey(issuer);
  }

  /** Adds an issuer; the keys are those of {@code staithe.issuers[]}. */
  void issuer(String issuer, Map<String, Object> settings) {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("issuer", issuer);
    all.putAll(settings);
    issuers.put(issuer, all);
  }

  /**
   * Writes {@code storage.yml} and a policy for each area that needs one.
   *
   * @throws IOException with one line where a file cannot be made, or is there already
   */
  public List<Path> write(Path folder) throws IOException {
    Path absolute = folder.toAbsolutePath().normalize();
    Map<Path, String> files = new LinkedHashMap<>();
    List<Object> all = new ArrayList<>();
    boolean voms = false;
    try {
      for (ImportedArea area : areas) {
        Path policy = absolute.resolve(area.name() + ".policy.yml");
        all.add(area.yaml(policy.toString()));
        voms |=
            !area.organizations.isEmpty()
                || area.rules.stream().anyMatch(rule -> rule.whom().words().containsKey("voms"));
        if (!area.rules.isEmpty()) {
          List<Object> rules = new ArrayList<>();
          area.rules.stream().distinct().forEach(rule -> rules.add(rule.yaml()));
          files.put(policy, yaml(Map.of("rules", rules)));
        }
      }
      StringBuilder head = new StringBuilder();
      for (Note note : notes) {
        head.append("# ").append(note.toString().replaceAll("\\p{Cntrl}+", " ")).append('\n');
      }
      files.put(absolute.resolve("storage.yml"), head + yaml(settings(all, voms)));
      OperatorFolder.make(absolute, files);
      return List.copyOf(files.keySet());
    } catch (FileAlreadyExistsException e) {
      throw new IOException(e.getFile() + " is there already; --to names an empty folder", e);
    }
  }

  private Map<String, Object> settings(List<Object> all, boolean voms) {
    Map<String, Object> staithe = new LinkedHashMap<>();
    staithe.put("hosts", List.of(host + ":" + port));
    staithe.put("tls", Map.of("certificate", certificate, "key", key));
    staithe.put("trust", authorities);
    if (certificates) {
      staithe.put("client-certificates", Map.of("trust", authorities));
    }
    if (voms) {
      staithe.put("voms", Map.of("trust", vomsdir));
    }
    if (!issuers.isEmpty()) {
      staithe.put("issuers", List.copyOf(issuers.values()));
    }
    staithe.put("areas", all);
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("server", Map.of("port", port));
    settings.put("staithe", staithe);
    return settings;
  }

  private static String yaml(Map<String, Object> content) {
    DumperOptions options = new DumperOptions();
    options.setDefaultFlowStyle(DumperOptions.FlowStyle.BLOCK);
    options.setIndicatorIndent(2);
    options.setIndentWithIndicator(true);
    // Nothing in a policy may refer to anything else.
    options.setDereferenceAliases(true);
    options.setSplitLines(false);
    return new Yaml(options).dump(content);
  }
}
