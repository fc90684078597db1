package dev.staithe.storage.pages;

/**
 * The page for a browser that may not look without a token. It takes one, keeps it in the tab's
 * memory only, and then shows the folder that was asked for in place.
 */
public final class SignInPage {
  private static final String MAIN =
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
      """;

  private static final byte[] HTML = PageShell.page("Sign in", page -> page.raw(MAIN));

  private SignInPage() {}

  /** HTML in UTF-8; a new array. The same for every address, so it reveals nothing of it. */
  public static byte[] html() {
    return HTML.clone();
  }
}
