package dev.staithe.storage.imports;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The authorization database of XRootD, as its reference says and its server reads it: records that
 * add up, in each of which the first path counts that the name begins with.
 *
 * @param records in the order of the file, without definitions and templates
 */
record AuthDb(List<Entry> records) {
  static final int LOOKUP = 1;
  static final int READ = 2;
  static final int INSERT = 4;
  static final int WRITE = 8;
  static final int DELETE = 16;
  static final int RENAME = 32;
  static final int LOCK = 64;
  static final int ALL = 127;

  /**
   * Privileges below a path.
   *
   * @param path as it is written: whatever begins with these characters
   * @param words the privileges as they are written
   */
  record Grant(String where, String path, int permits, int denies, String words) {}

  /**
   * A record.
   *
   * @param exclusive whether nothing else counts for those whom it is for
   * @param ids what must all hold, by the letter of each: u, g, h, n, o, r
   */
  record Entry(String where, boolean exclusive, Map<Character, String> ids, List<Grant> grants) {
    /** Whether it is for everybody, with a name or without. */
    boolean everybody() {
      return ids.equals(Map.of('u', "*"));
    }

    /** Whether it is for each user, by the name in the path. */
    boolean eachUser() {
      return ids.equals(Map.of('u', "="));
    }
  }

  AuthDb {
    records = List.copyOf(records);
  }

  /**
   * Reads it, and refuses what the server refuses.
   *
   * @param space stands for a space in names; 0: nothing does
   */
  static AuthDb read(Path file, char space) throws IOException {
    Map<String, Map<Character, String>> definitions = new HashMap<>();
    Map<String, List<Grant>> templates = new HashMap<>();
    List<Entry> records = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    for (XrootdLines.Line line : XrootdLines.plain(file)) {
      String type = line.word(0);
      String name = line.word(1);
      if (type.length() != 1 || !"ghnorstux=".contains(type)) {
        throw new WrongSource(line.where(), "no record begins with " + type);
      }
      if (name.isEmpty()) {
        throw new WrongSource(line.where(), "the record has no name");
      }
      boolean composite = type.equals("s") || type.equals("x");
      if (!seen.add((composite ? "s" : type) + " " + name)) {
        throw new WrongSource(line.where(), "there is a record for " + name + " already");
      }
      if (type.equals("=")) {
        definitions.put(name, definition(line, space));
        continue;
      }
      List<Grant> grants = grants(line, templates);
      if (type.equals("t")) {
        templates.put(name, grants);
        continue;
      }
      Map<Character, String> ids = Map.of(type.charAt(0), spaced(name, space));
      if (composite) {
        Map<Character, String> defined = definitions.get(name);
        if (defined == null) {
          throw new WrongSource(line.where(), name + " is not defined before");
        }
        ids = defined;
      }
      records.add(new Entry(line.where(), type.equals("x"), ids, grants));
    }
    return new AuthDb(records);
  }

  private static Map<Character, String> definition(XrootdLines.Line line, char space)
      throws WrongSource {
    Map<Character, String> ids = new LinkedHashMap<>();
    for (int i = 2; i < line.words().size(); i += 2) {
      String selector = line.word(i);
      if (!selector.matches("[ghoru]:") || line.word(i + 1).isEmpty()) {
        throw new WrongSource(
            line.words().get(i).where(), selector + " is not one of g: h: o: r: u: with a name");
      }
      if (selector.equals("u:") && line.word(i + 1).matches("[*=]")) {
        throw new WrongSource(line.words().get(i).where(), "no user is called " + line.word(i + 1));
      }
      if (ids.put(selector.charAt(0), spaced(line.word(i + 1), space)) != null) {
        throw new WrongSource(line.words().get(i).where(), selector + " is there twice");
      }
    }
    if (ids.isEmpty()) {
      throw new WrongSource(line.where(), "the definition has no names");
    }
    return ids;
  }

  private static String spaced(String name, char space) {
    return space == 0 || name.equals("*") || name.equals("=") ? name : name.replace(space, ' ');
  }

  private static List<Grant> grants(XrootdLines.Line line, Map<String, List<Grant>> templates)
      throws WrongSource {
    List<Grant> grants = new ArrayList<>();
    for (int i = 2; i < line.words().size(); i++) {
      XrootdLines.Word word = line.words().get(i);
      if (!word.text().startsWith("/")) {
        List<Grant> template = templates.get(word.text());
        if (template == null) {
          throw new WrongSource(
              word.where(), word.text() + " is neither a path nor a template that is there before");
        }
        grants.addAll(template);
        continue;
      }
      // Ours has no names for what lies beside the segments of a path.
      if (word.text().contains("//") || (word.text() + "/").matches(".*/\\.\\.?/.*")) {
        throw new WrongSource(word.where(), word.text() + " has empty or dot segments");
      }
      i++;
      grants.add(grant(word, line.word(i)));
    }
    if (grants.isEmpty()) {
      throw new WrongSource(line.where(), "the record has no path");
    }
    return grants;
  }

  private static Grant grant(XrootdLines.Word path, String words) throws WrongSource {
    if (words.isEmpty()) {
      throw new WrongSource(path.where(), "no privileges follow " + path.text());
    }
    int[] both = {0, 0};
    int at = 0;
    for (char letter : words.toCharArray()) {
      if (letter == '-' && at == 0) {
        at = 1;
        continue;
      }
      int bits =
          switch (letter) {
            case 'a' -> ALL;
            case 'd' -> DELETE;
            case 'i' -> INSERT;
            case 'k' -> LOCK;
            case 'l' -> LOOKUP;
            case 'n' -> RENAME;
            case 'r' -> READ;
            case 'w' -> WRITE;
            default -> throw new WrongSource(path.where(), words + " are no privileges");
          };
      both[at] |= bits;
    }
    return new Grant(path.where(), path.text(), both[0], both[1], words);
  }
}
