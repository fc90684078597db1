package dev.staithe.gateway.pages;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The page in words and figures as they are printed.
 *
 * @param name the gateway as its clients know it
 * @param at when, for people
 * @param window what rates and times are of, as {@code the last 60 s}
 * @param refusals the most frequent first
 * @param evidence signed messages that are kept; null where none are
 * @param expiring what ends first comes first
 */
record Overview(
    String name,
    String at,
    String window,
    List<Row> endpoints,
    List<Figure> refusals,
    Stock contexts,
    Stock replays,
    @Nullable Stock evidence,
    List<End> expiring) {
  /**
   * One endpoint.
   *
   * @param policy its name
   * @param version of its document
   * @param since when that came into force
   * @param sinceMachine the same as RFC 3339 writes it
   * @param refused why the newest document is not in force; null where it is
   * @param engine as it is configured
   * @param median within which half of the exchanges was over
   * @param slowest the same of 99 of 100
   * @param kept what is kept of signed messages; null for nothing
   */
  record Row(
      String path,
      String backEnd,
      String policy,
      String version,
      String since,
      String sinceMachine,
      @Nullable String refused,
      String engine,
      List<Figure> engines,
      List<Figure> exchanges,
      List<Figure> backEndErrors,
      String median,
      String slowest,
      @Nullable EvidenceLine kept) {}

  /**
   * Signed messages that are kept.
   *
   * @param count how many, in words
   * @param last when the last of them came; null for none
   * @param lastMachine the same as RFC 3339 writes it
   * @param problem why nothing is kept now; null where it is
   */
  record EvidenceLine(
      String count,
      @Nullable String last,
      @Nullable String lastMachine,
      @Nullable String problem) {}

  /**
   * Something counted.
   *
   * @param total since the start
   * @param rate in the window
   */
  record Figure(String endpoint, String word, String total, String rate) {}

  /**
   * Something kept.
   *
   * @param most null for no limit of this node
   * @param trouble null for none
   */
  record Stock(String count, @Nullable String most, @Nullable String trouble) {}

  /**
   * Something that ends.
   *
   * @param until null where it does not say
   * @param machine the same as RFC 3339 writes it
   * @param left how long that is away; a warning where it is soon
   * @param bad whether somebody has to act
   */
  record End(
      String name,
      String subject,
      @Nullable String until,
      @Nullable String machine,
      String left,
      boolean bad) {}
}
