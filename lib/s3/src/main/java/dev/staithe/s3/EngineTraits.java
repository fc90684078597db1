package dev.staithe.s3;

import java.util.ArrayList;
import java.util.List;

/**
 * What an engine was seen to keep of what the protocol promises.
 *
 * @param createsOnce a write with {@code If-None-Match: *} leaves what is there
 * @param completesOnce so does the completion of an upload in parts
 * @param replacesMatching a write with {@code If-Match} happens with the right entity tag and with
 *     no other
 * @param comparesMd5 a body that is not what {@code Content-MD5} says is refused
 * @param comparesSha256 so is one that is not what was signed
 * @param hidesParts an object in parts is not to be seen before it is complete
 * @param keepsTags tags can be put on an object whose entity tag stays
 * @param copiesTags a copy within the engine has metadata and tags of its original
 * @param listsAtOnce a listing has what was written before, and has not what was removed
 */
public record EngineTraits(
    boolean createsOnce,
    boolean completesOnce,
    boolean replacesMatching,
    boolean comparesMd5,
    boolean comparesSha256,
    boolean hidesParts,
    boolean keepsTags,
    boolean copiesTags,
    boolean listsAtOnce) {

  /** How this engine is best told what a body is. */
  public BodyCheck check() {
    return comparesSha256 ? BodyCheck.SHA_256 : BodyCheck.MD5;
  }

  /**
   * Why nothing may be kept in this engine, one line each: what it lacks cannot be made good from
   * outside. Empty where it will do.
   */
  public List<String> obstacles() {
    List<String> lines = new ArrayList<>();
    if (!createsOnce) {
      lines.add("it replaces objects in spite of If-None-Match: *");
    }
    if (!comparesMd5 && !comparesSha256) {
      lines.add("it stores bytes that are not those of the digest they came with");
    }
    if (!hidesParts) {
      lines.add("it shows objects before they are complete");
    }
    if (!listsAtOnce) {
      lines.add("its listings are not of the present");
    }
    return lines;
  }

  /** One line for logs and health. */
  public String summary() {
    return said("create-only writes", createsOnce)
        + said(", create-only completions", completesOnce)
        + said(", replacing by entity tag", replacesMatching)
        + said(", MD5 compared", comparesMd5)
        + said(", SHA-256 compared", comparesSha256)
        + said(", parts hidden", hidesParts)
        + said(", tags", keepsTags)
        + said(", tags copied", copiesTags)
        + said(", listings current", listsAtOnce);
  }

  private static String said(String what, boolean kept) {
    return what + (kept ? ": yes" : ": no");
  }
}
