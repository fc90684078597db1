package dev.staithe.storage.tpc;

import dev.staithe.http.HeaderField;
import dev.staithe.storage.checksum.Checksum;
import dev.staithe.storage.checksum.ChecksumAlgorithm;
import dev.staithe.storage.exchange.DigestHeaders;
import dev.staithe.storage.flows.SciTag;
import dev.staithe.storage.remote.CopySettings;
import dev.staithe.storage.remote.ForwardedHeaders;
import dev.staithe.storage.remote.RemoteUrl;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.jspecify.annotations.Nullable;

/**
 * What a client asks for by {@code COPY} with {@code Source} or a remote {@code Destination}.
 *
 * @param direction which way the bytes go
 * @param remote the file on the passive party
 * @param overwrite whether a file at the destination may be replaced
 * @param requireVerification whether a missing checksum of the other side is a failure
 * @param requireContract whether no byte is to move without a contract
 * @param streams parallel requests wanted, 1 for a single one
 * @param forwarded what the passive party is to receive
 * @param checkAfterPush whether the destination is asked for size and checksum after a push
 * @param expected checksums that the client knows
 * @param clientInfo for logs: printable, without line breaks
 * @param sciTag 65 to 65535 for flow marking, or 0
 * @param delegated whether the passive party is to see the caller, by a proxy that the caller
 *     delegated
 * @param own whether the passive party is this very server, which needs no proxy to see the caller
 */
record CopyRequest(
    Direction direction,
    RemoteUrl remote,
    boolean overwrite,
    boolean requireVerification,
    boolean requireContract,
    int streams,
    ForwardedHeaders forwarded,
    boolean checkAfterPush,
    Map<ChecksumAlgorithm, Checksum> expected,
    String clientInfo,
    int sciTag,
    boolean delegated,
    boolean own) {

  /** Which way the bytes go. */
  enum Direction {
    /** From the remote server to this one. */
    PULL("pull", "GET"),
    /** From this server to the remote one. */
    PUSH("push", "PUT");

    private final String label;
    private final String method;

    Direction(String label, String method) {
      this.label = label;
      this.method = method;
    }

    String label() {
      return label;
    }

    /** What the passive party is asked for. */
    String method() {
      return method;
    }
  }

  /** What came of reading a COPY's header. */
  sealed interface Parsed {
    /** A copy within this server (RFC 4918 section 9.8): somebody else's work. */
    record Local() implements Parsed {}

    /** A third-party copy. */
    record Remote(CopyRequest request) implements Parsed {}

    /** Not acceptable; {@code line} is safe to show. */
    record Refused(int status, String line) implements Parsed {}
  }

  /** Ends the reading with a refusal; never leaves this class. */
  private static final class Bad extends Exception {
    private static final long serialVersionUID = 1L;

    Bad(String line) {
      super(line);
    }
  }

  /** Headers whose repetition with another value would be ambiguous. */
  private static final Set<String> SINGLE =
      Set.of(
          "source",
          "destination",
          "overwrite",
          "depth",
          "credential",
          "requirechecksumverification",
          "requirecontract",
          "x-number-of-streams",
          "scitag",
          "clientinfo");

  /** Headers that tell a push from a COPY of RFC 4918 where the Destination is on this server. */
  private static final Set<String> ONLY_THERE =
      Set.of(
          "credential",
          "copy-header",
          "clientinfo",
          "requirechecksumverification",
          "requirecontract",
          "x-number-of-streams");

  private static final String TRANSFER_HEADER = "transferheader";

  /** Copies the map. */
  CopyRequest {
    expected = Map.copyOf(expected);
  }

  /** Reads the header; {@code ownAuthorities} are this server's {@code host:port}, lower case. */
  static Parsed parse(HttpFields headers, Set<String> ownAuthorities, CopySettings settings) {
    try {
      return read(headers, ownAuthorities, settings);
    } catch (Bad bad) {
      return new Parsed.Refused(400, String.valueOf(bad.getMessage()));
    }
  }

  private static Parsed read(HttpFields headers, Set<String> ownAuthorities, CopySettings settings)
      throws Bad {
    Map<String, String> single = singles(headers);
    String source = single.get("source");
    String destination = single.get("destination");
    if (source != null && destination != null) {
      throw new Bad("COPY has both Source and Destination");
    }
    if (source == null && destination == null) {
      throw new Bad("COPY has neither Source nor Destination");
    }
    if (destination != null && destination.startsWith("/") && !destination.startsWith("//")) {
      return new Parsed.Local();
    }
    String name = source == null ? "Destination" : "Source";
    RemoteUrl remote =
        switch (RemoteUrl.parse(source == null ? String.valueOf(destination) : source)) {
          case RemoteUrl.Parsed.Valid(RemoteUrl url) -> url;
          case RemoteUrl.Parsed.Invalid(String reason) -> throw new Bad(name + ": " + reason);
        };
    boolean own = ownAuthorities.contains(remote.hostPort());
    if (own && source == null && !ofThirdPartyCopy(headers)) {
      return new Parsed.Local();
    }
    boolean delegated = delegated(single.get("credential"));
    checkDepth(single.get("depth"));
    Direction direction = source == null ? Direction.PUSH : Direction.PULL;
    int sciTag = sciTag(single.get("scitag"));
    ForwardedHeaders forwarded = forwarded(headers, direction, sciTag);
    if (delegated) {
      checkDelegated(remote, name, forwarded);
    }
    return new Parsed.Remote(
        new CopyRequest(
            direction,
            remote,
            flag("Overwrite", single.get("overwrite"), "T", "F", true),
            flag(
                "RequireChecksumVerification",
                single.get("requirechecksumverification"),
                "true",
                "false",
                settings.verifyByDefault()),
            flag("RequireContract", single.get("requirecontract"), "true", "false", false),
            streams(single.get("x-number-of-streams"), settings.maxStreams()),
            forwarded,
            !listed(headers, "Copy-Flags", "NoHead"),
            expected(headers),
            clientInfo(single.get("clientinfo")),
            sciTag,
            delegated && !own,
            own));
  }

  /** Whether one who expects markers wrote it, and not any client of WebDAV. */
  private static boolean ofThirdPartyCopy(HttpFields headers) {
    return headers.stream()
        .map(field -> field.getName().toLowerCase(Locale.ROOT))
        .anyMatch(name -> ONLY_THERE.contains(name) || name.startsWith(TRANSFER_HEADER));
  }

  /** The headers that must not contradict themselves; some clients send them twice alike. */
  private static Map<String, String> singles(HttpFields headers) throws Bad {
    Map<String, String> found = new TreeMap<>();
    for (HttpField field : headers) {
      String name = field.getName().toLowerCase(Locale.ROOT);
      if (SINGLE.contains(name)) {
        String value = field.getValue() == null ? "" : field.getValue().strip();
        String before = found.putIfAbsent(name, value);
        if (before != null && !before.equals(value)) {
          throw new Bad(field.getName() + " is given twice with different values");
        }
      }
    }
    return found;
  }

  private static boolean delegated(@Nullable String value) throws Bad {
    if (value == null || value.isEmpty() || value.equalsIgnoreCase("none")) {
      return false;
    }
    if (value.equalsIgnoreCase("gridsite")) {
      return true;
    }
    throw new Bad("Credential must be none or gridsite");
  }

  /** The passive party must not be left to choose whom it believes. */
  private static void checkDelegated(RemoteUrl remote, String name, ForwardedHeaders forwarded)
      throws Bad {
    if (!remote.https()) {
      throw new Bad(name + " must be https with Credential: gridsite");
    }
    if (forwarded.fields().stream().anyMatch(f -> f.name().equalsIgnoreCase("Authorization"))) {
      throw new Bad("Credential: gridsite and TransferHeaderAuthorization exclude each other");
    }
  }

  private static void checkDepth(@Nullable String value) throws Bad {
    if (value == null || value.equals("0") || value.equals("1")) {
      return;
    }
    throw new Bad(
        value.equalsIgnoreCase("infinity")
            ? "Depth infinity: third-party copy copies single files"
            : "Depth must be 0");
  }

  private static boolean flag(
      String name, @Nullable String value, String yes, String no, boolean absent) throws Bad {
    if (value == null) {
      return absent;
    }
    if (value.equalsIgnoreCase(yes)) {
      return true;
    }
    if (value.equalsIgnoreCase(no)) {
      return false;
    }
    throw new Bad(name + " must be " + yes + " or " + no);
  }

  private static int streams(@Nullable String value, int most) throws Bad {
    if (value == null || value.isEmpty()) {
      return 1;
    }
    if (!value.matches("[0-9]{1,3}") || Integer.parseInt(value) > 100) {
      throw new Bad("X-Number-Of-Streams must be 0 to 100");
    }
    return Math.clamp(Integer.parseInt(value), 1, most);
  }

  /** A value out of range marks nothing, rather than ending a copy. */
  private static int sciTag(@Nullable String value) {
    return SciTag.parse(value).map(SciTag::value).orElse(0);
  }

  private static String clientInfo(@Nullable String value) {
    if (value == null) {
      return "";
    }
    StringBuilder clean = new StringBuilder();
    for (int i = 0; i < Math.min(value.length(), 256); i++) {
      char c = value.charAt(i);
      clean.append(c >= 0x20 && c < 0x7f ? c : '?');
    }
    return clean.toString();
  }

  private static boolean listed(HttpFields headers, String name, String member) {
    for (String value : headers.getValuesList(name)) {
      for (String one : value.split("[,;]", -1)) {
        if (one.strip().equalsIgnoreCase(member)) {
          return true;
        }
      }
    }
    return false;
  }

  private static ForwardedHeaders forwarded(HttpFields headers, Direction direction, int sciTag)
      throws Bad {
    Map<String, String> byName = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    int length = 0;
    for (HttpField field : headers) {
      String name;
      String value = field.getValue() == null ? "" : field.getValue().strip();
      if (field.getName().equalsIgnoreCase("Copy-Header")) {
        int colon = value.indexOf(':');
        if (colon < 1) {
          throw new Bad("Copy-Header must be \"name: value\"");
        }
        name = value.substring(0, colon).strip();
        value = value.substring(colon + 1).strip();
      } else if (field.getName().toLowerCase(Locale.ROOT).startsWith(TRANSFER_HEADER)) {
        name = field.getName().substring(TRANSFER_HEADER.length());
      } else {
        continue;
      }
      if (name.isEmpty() || !ForwardedHeaders.allowed(name) || skipped(name, direction, sciTag)) {
        continue;
      }
      checkForwarded(name, value);
      length += name.length() + value.length();
      String before = byName.putIfAbsent(name, value);
      if (before != null && !before.equals(value)) {
        throw new Bad("the forwarded header " + name + " is given twice with different values");
      }
    }
    if (sciTag != 0) {
      byName.put("SciTag", String.valueOf(sciTag));
    }
    if (byName.size() > ForwardedHeaders.MAX_FIELDS || length > ForwardedHeaders.MAX_LENGTH) {
      throw new Bad(
          "more than "
              + ForwardedHeaders.MAX_FIELDS
              + " forwarded headers, or more than "
              + ForwardedHeaders.MAX_LENGTH
              + " characters in them");
    }
    List<HeaderField> fields = new ArrayList<>();
    byName.forEach((name, value) -> fields.add(new HeaderField(name, value)));
    return new ForwardedHeaders(fields);
  }

  private static boolean skipped(String name, Direction direction, int sciTag) {
    return name.equalsIgnoreCase("SciTag") && sciTag != 0
        || name.equalsIgnoreCase("ArchiveMetadata") && direction == Direction.PULL;
  }

  private static void checkForwarded(String name, String value) throws Bad {
    if (!name.matches("[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}")) {
      throw new Bad("a forwarded header has a name that is none");
    }
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c < 0x20 && c != '\t' || c == 0x7f || c > 0xff) {
        throw new Bad("the forwarded header " + name + " has a character that is not allowed");
      }
    }
  }

  /** A checksum of a known algorithm that cannot be read must not pass as if it were compared. */
  private static Map<ChecksumAlgorithm, Checksum> expected(HttpFields headers) throws Bad {
    DigestHeaders.Stated stated = DigestHeaders.stated(headers);
    if (!stated.malformed().isEmpty()) {
      throw new Bad("the " + stated.malformed().getFirst() + " checksum given is malformed");
    }
    return stated.checksums();
  }
}
