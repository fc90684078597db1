package dev.staithe.storage.objects;

import dev.staithe.storage.files.Refusal;
import dev.staithe.storage.files.StoreContract;
import java.util.Optional;

/** What every store holds, but for what no bucket can. */
abstract class ObjectStoreContract extends StoreContract {
  @Override
  protected int severalParts() {
    return (33 << 20) + 7;
  }

  @Override
  protected Optional<Refusal> refusesRanges() {
    return Optional.of(Refusal.UNSUPPORTED);
  }

  @Override
  protected boolean stagesInPlace() {
    return false;
  }

  @Override
  protected boolean keepsModified() {
    return false;
  }

  @Override
  protected boolean keepsProperties() {
    return false;
  }

  @Override
  protected boolean replacesCollections() {
    return false;
  }
}
