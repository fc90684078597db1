package dev.staithe.storage.pages;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Objects;
import java.util.Optional;

/**
 * A file that the pages load from this server. Its URL carries a part of its digest, so it may be
 * cached for ever ({@code Cache-Control: public, max-age=31536000, immutable}).
 */
public enum PageAsset {
  /** How pages look. */
  STYLE("listing.css", "text/css;charset=utf-8"),
  /** What pages do. */
  SCRIPT("listing.js", "text/javascript;charset=utf-8"),
  /** The tab's icon. */
  ICON("icon.svg", "image/svg+xml");

  /** The folder that assets are served below, with both slashes. */
  public static final String FOLDER = "/.staithe/static/";

  private final String name;
  private final String contentType;
  private final byte[] bytes;
  private final String digest;

  PageAsset(String name, String contentType) {
    this.name = name;
    this.contentType = contentType;
    this.bytes = read(name);
    this.digest = digest(bytes);
  }

  /** The asset of that name, such as {@code listing.css}; a query is not part of the name. */
  public static Optional<PageAsset> find(String name) {
    for (PageAsset asset : values()) {
      if (asset.name.equals(name)) {
        return Optional.of(asset);
      }
    }
    return Optional.empty();
  }

  /** The path and query that pages load it by. */
  public String url() {
    return FOLDER + name + "?" + digest.substring(0, 12);
  }

  /** The value of {@code Content-Type}. */
  public String contentType() {
    return contentType;
  }

  /** The value of {@code ETag}, with its quotes. */
  public String etag() {
    return '"' + digest.substring(0, 32) + '"';
  }

  /** The content, read-only. */
  public ByteBuffer content() {
    return ByteBuffer.wrap(bytes).asReadOnlyBuffer();
  }

  private static byte[] read(String name) {
    try (InputStream in = Objects.requireNonNull(PageAsset.class.getResourceAsStream(name), name)) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String digest(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java runtime has SHA-256", e);
    }
  }
}
