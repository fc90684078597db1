package dev.staithe.storage.exchange;

import dev.staithe.storage.checksum.Checksum;
import dev.staithe.storage.checksum.ChecksumAlgorithm;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.eclipse.jetty.http.HttpFields;

/**
 * Checksums in headers: {@code Digest} and {@code Want-Digest} (RFC 3230), {@code Repr-Digest} and
 * {@code Want-Repr-Digest} (RFC 9530), {@code Content-MD5} and {@code OC-Checksum}. Algorithms that
 * we do not know are passed over, as both RFCs ask.
 */
public final class DigestHeaders {
  private DigestHeaders() {}

  /** The checksums that a message states, and which cannot be read or contradict each other. */
  public record Stated(Map<ChecksumAlgorithm, Checksum> checksums, List<String> malformed) {}

  /** Reads every checksum that these headers state about the representation. */
  public static Stated stated(HttpFields headers) {
    Map<ChecksumAlgorithm, Checksum> found = new EnumMap<>(ChecksumAlgorithm.class);
    List<String> malformed = new ArrayList<>();
    for (String item : items(headers, "Digest")) {
      take(item, false, found, malformed);
    }
    for (String item : items(headers, "Repr-Digest")) {
      take(item, true, found, malformed);
    }
    for (String value : headers.getValuesList("Content-MD5")) {
      Checksum.fromBase64(ChecksumAlgorithm.MD5, value.trim())
          .ifPresentOrElse(
              c -> add(c, "Content-MD5", found, malformed), () -> malformed.add("Content-MD5"));
    }
    for (String value : headers.getValuesList("OC-Checksum")) {
      int colon = value.indexOf(':');
      if (colon > 0) {
        ChecksumAlgorithm.byName(value.substring(0, colon))
            .ifPresent(
                algorithm ->
                    Checksum.fromHex(algorithm, value.substring(colon + 1))
                        .ifPresentOrElse(
                            c -> add(c, "OC-Checksum", found, malformed),
                            () -> malformed.add("OC-Checksum")));
      }
    }
    return new Stated(found, malformed);
  }

  /** Two headers may state one algorithm; where they differ, neither can be believed. */
  private static void add(
      Checksum checksum,
      String where,
      Map<ChecksumAlgorithm, Checksum> found,
      List<String> malformed) {
    Checksum before = found.put(checksum.algorithm(), checksum);
    if (before != null && !before.equals(checksum)) {
      malformed.add(where);
    }
  }

  private static void take(
      String item,
      boolean structured,
      Map<ChecksumAlgorithm, Checksum> found,
      List<String> malformed) {
    int equals = item.indexOf('=');
    if (equals <= 0) {
      return;
    }
    Optional<ChecksumAlgorithm> algorithm = ChecksumAlgorithm.byName(item.substring(0, equals));
    if (algorithm.isEmpty()) {
      return;
    }
    String text = item.substring(equals + 1).trim();
    Optional<Checksum> checksum;
    if (structured) {
      checksum =
          text.length() >= 2 && text.startsWith(":") && text.endsWith(":")
              ? Checksum.fromBase64(algorithm.get(), text.substring(1, text.length() - 1))
              : Optional.empty();
    } else {
      checksum = Checksum.fromRfc3230(algorithm.get(), text);
    }
    String name = algorithm.get().rfc3230Name();
    checksum.ifPresentOrElse(c -> add(c, name, found, malformed), () -> malformed.add(name));
  }

  /** The algorithms asked for by {@code Want-Digest}, best first. */
  public static List<ChecksumAlgorithm> wanted(HttpFields headers) {
    return preferences(items(headers, "Want-Digest"), ";q=");
  }

  /** The algorithms asked for by {@code Want-Repr-Digest}, best first. */
  public static List<ChecksumAlgorithm> wantedRepr(HttpFields headers) {
    return preferences(items(headers, "Want-Repr-Digest"), "=");
  }

  private static List<ChecksumAlgorithm> preferences(List<String> items, String mark) {
    record Choice(ChecksumAlgorithm algorithm, double weight) {}
    List<Choice> choices = new ArrayList<>();
    for (String item : items) {
      String compact = item.replace(" ", "");
      int at = compact.indexOf(mark);
      String name = at < 0 ? compact : compact.substring(0, at);
      double weight = 1;
      if (at >= 0) {
        try {
          weight = Double.parseDouble(compact.substring(at + mark.length()));
        } catch (NumberFormatException unreadable) {
          weight = 0.5;
        }
      }
      double known = weight;
      if (weight > 0) {
        ChecksumAlgorithm.byName(name).ifPresent(a -> choices.add(new Choice(a, known)));
      }
    }
    choices.sort((a, b) -> Double.compare(b.weight(), a.weight()));
    return choices.stream().map(Choice::algorithm).distinct().toList();
  }

  private static List<String> items(HttpFields headers, String name) {
    List<String> items = new ArrayList<>();
    for (String value : headers.getValuesList(name)) {
      for (String item : value.split(",")) {
        if (!item.isBlank()) {
          items.add(item.trim());
        }
      }
    }
    return items;
  }
}
