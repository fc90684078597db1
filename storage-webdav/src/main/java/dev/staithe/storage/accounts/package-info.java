/**
 * Storage areas whose files belong to the local accounts of those who write them. A process of its
 * own, {@code deploy/accounts/staithe-accounts.c}, opens, names and removes them as the account;
 * this one reads and writes what it is given open, and has no capability.
 */
@NullMarked
package dev.staithe.storage.accounts;

import org.jspecify.annotations.NullMarked;
