package dev.staithe.storage.authz;

import dev.staithe.storage.files.StoragePath;
import java.util.Set;

/**
 * The holder of a ticket: another node of this storage element has decided already that whoever is
 * behind it may do one thing at one path.
 *
 * @param label of the caller whom that node knows
 * @param group of that caller
 * @param path the only one, below the area's root
 * @param rights what may be done there
 * @param need of files of the area, as that node has it
 * @param signer {@code host:port} that offers a file by it, and alone may; empty: it is for no
 *     offer
 */
public record TicketCaller(
    String label,
    String group,
    StoragePath path,
    Set<Right> rights,
    ContractNeed need,
    String signer)
    implements Caller {
  /** Takes a copy. */
  public TicketCaller {
    rights = Set.copyOf(rights);
  }

  /** Of one who offers nothing. */
  public TicketCaller(
      String label, String group, StoragePath path, Set<Right> rights, ContractNeed need) {
    this(label, group, path, rights, need, "");
  }

  boolean may(StoragePath where, Right right) {
    return path.equals(where) && rights.contains(right);
  }
}
