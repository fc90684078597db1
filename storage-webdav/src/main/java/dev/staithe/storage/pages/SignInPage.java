package dev.staithe.storage.pages;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;

/**
 * The page for a browser that may not look without a token. It takes one, keeps it in the tab's
 * memory only, and then shows the folder that was asked for in place.
 */
public final class SignInPage {
  private static final byte[] HTML = render();

  private SignInPage() {}

  /** HTML in UTF-8; a new array. The same for every address, so it reveals nothing of it. */
  public static byte[] html() {
    return HTML.clone();
  }

  private static byte[] render() {
    var out = new ByteArrayOutputStream();
    Markup page = new Markup(bytes -> copy(bytes, out));
    try {
      PageShell.begin(page, "Sign in");
      page.raw(
          """
          <main id="folder" data-sign-in="true">
          <h1>A token is needed here</h1>
          <p>What is stored at this address is shown to holders of an access token that reaches it.</p>
          <form class="sign-in" autocomplete="off">
          <label for="token">Access token</label>
          <textarea id="token" rows="5" spellcheck="false" autocapitalize="off" autocomplete="off" \
          aria-describedby="token-note" required></textarea>
          <p id="token-note" class="note">It stays in the memory of this tab: it is not stored, and \
          it is gone when you reload or close the tab.</p>
          <p class="problem" role="alert" hidden></p>
          <button type="submit" class="main">Open the folder</button>
          </form>
          </main>
          """);
      PageShell.end(page);
      page.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }

  private static void copy(ByteBuffer bytes, ByteArrayOutputStream out) {
    byte[] copy = new byte[bytes.remaining()];
    bytes.get(copy);
    out.writeBytes(copy);
  }
}
