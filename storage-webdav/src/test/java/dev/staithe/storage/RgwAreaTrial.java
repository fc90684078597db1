package dev.staithe.storage;

import dev.staithe.peers.CephServer;
import dev.staithe.peers.ObjectEngine;

/** Areas in buckets of Debian's Ceph. {@code ./verify --all} runs it, by its name. */
final class RgwAreaTrial extends ObjectAreaIT {
  @Override
  ObjectEngine engine() {
    CephServer ceph = CephServer.shared();
    ceph.bucket("data");
    ceph.bucket("open");
    return ceph;
  }

  @Override
  void end(ObjectEngine engine) {
    // Others may need it.
  }
}
