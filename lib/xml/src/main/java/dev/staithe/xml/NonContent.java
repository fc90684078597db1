package dev.staithe.xml;

/** What is taken beside elements and text. None of it is ever given to whoever reads. */
public enum NonContent {
  /** Nothing: a comment or a processing instruction refuses the document. */
  NONE,
  /** Comments, which canonical form leaves out; the text around one is one text. */
  COMMENTS,
  /** Processing instructions too. */
  ALL
}
