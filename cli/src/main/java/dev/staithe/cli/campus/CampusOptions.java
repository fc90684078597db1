package dev.staithe.cli.campus;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What a login by a campus can be told; the same wherever one may become necessary. */
public final class CampusOptions {
  @Option(
      names = "--idp",
      paramLabel = "NAME",
      description = "logs in by this campus (SAML), as staithe idps lists it")
  public @Nullable String provider;

  @Option(
      names = "--password-file",
      paramLabel = "FILE",
      description =
          "its first line is the password; - for standard input; default: asked at the terminal")
  public @Nullable String passwordFile;

  @Option(
      names = "--idp-host",
      paramLabel = "HOST",
      description =
          "the only host that gets the password where nobody is asked; default: that of the last"
              + " login")
  @Nullable String host;

  @Option(
      names = "--no-remember",
      description =
          "asks for the password though the campus may know us, and forgets its session afterwards")
  boolean forgetful;

  @Option(names = "--pages", description = "by the campus's login page, not without pages (ECP)")
  boolean pagesOnly;

  /** These, and what was said before the name of the command below. */
  public CampusOptions or(CampusOptions above) {
    provider = provider == null ? above.provider : provider;
    passwordFile = passwordFile == null ? above.passwordFile : passwordFile;
    host = host == null ? above.host : host;
    forgetful |= above.forgetful;
    pagesOnly |= above.pagesOnly;
    return this;
  }
}
