package dev.staithe.storage.redirect;

import dev.staithe.storage.authz.Caller;
import dev.staithe.storage.authz.ContractNeed;
import dev.staithe.storage.authz.Right;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Set;

/** Tickets of offers as a head gives them, at another time. */
public final class OfferTickets {
  private OfferTickets() {}

  /**
   * One that was given then.
   *
   * @param key the file that the nodes share
   * @param path as it is written in the URL
   */
  public static String make(Path key, String path, String signer, Instant when) throws IOException {
    return new Tickets(Files.readAllBytes(key), Clock.fixed(when, ZoneOffset.UTC))
        .make(
            "POST",
            path,
            Set.of(Right.STAT, Right.CREATE, Right.MODIFY),
            ContractNeed.CONTRACT,
            signer,
            new Caller.Anonymous());
  }
}
