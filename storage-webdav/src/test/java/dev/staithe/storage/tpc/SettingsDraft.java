package dev.staithe.storage.tpc;

import dev.staithe.service.Networks;
import dev.staithe.storage.remote.CopySettings;
import dev.staithe.storage.remote.CopyTuning;
import java.time.Duration;

/** Settings like others but for what is said. Each call changes the draft and returns it. */
final class SettingsDraft {
  private final CopySettings like;
  private CopySettings.Limits limits;
  private CopySettings.Timeouts timeouts;
  private Duration handshake;
  private Duration firstByte;
  private Duration stall;
  private Duration notReady;
  private Duration markerPeriod;
  private Duration earlyAnswer;
  private boolean credentialsOverPlainHttp;
  private Networks allowedNetworks;
  private CopyTuning tuning;

  private SettingsDraft(CopySettings like) {
    this.like = like;
    limits = like.limits();
    timeouts = like.timeouts();
    handshake = timeouts.handshake();
    firstByte = timeouts.firstByte();
    stall = timeouts.stall();
    notReady = timeouts.notReady();
    markerPeriod = like.markerPeriod();
    earlyAnswer = like.earlyAnswer();
    credentialsOverPlainHttp = like.credentialsOverPlainHttp();
    allowedNetworks = like.allowedNetworks();
    tuning = like.tuning();
  }

  static SettingsDraft like(CopySettings settings) {
    return new SettingsDraft(settings);
  }

  SettingsDraft limits(int running, int perHost, int queued, int queuedPerGroup) {
    limits =
        new CopySettings.Limits(running, perHost, queued, queuedPerGroup, Duration.ofSeconds(7));
    return this;
  }

  SettingsDraft timeouts(CopySettings.Timeouts value) {
    timeouts = value;
    handshake = value.handshake();
    firstByte = value.firstByte();
    stall = value.stall();
    notReady = value.notReady();
    return this;
  }

  SettingsDraft handshake(Duration value) {
    handshake = value;
    return this;
  }

  SettingsDraft firstByte(Duration value) {
    firstByte = value;
    return this;
  }

  SettingsDraft stall(Duration value) {
    stall = value;
    return this;
  }

  SettingsDraft notReady(Duration value) {
    notReady = value;
    return this;
  }

  SettingsDraft markerPeriod(Duration value) {
    markerPeriod = value;
    return this;
  }

  SettingsDraft earlyAnswer(Duration value) {
    earlyAnswer = value;
    return this;
  }

  SettingsDraft credentialsOverPlainHttp(boolean value) {
    credentialsOverPlainHttp = value;
    return this;
  }

  SettingsDraft allowedNetworks(Networks value) {
    allowedNetworks = value;
    return this;
  }

  SettingsDraft tuning(CopyTuning value) {
    tuning = value;
    return this;
  }

  CopySettings done() {
    return new CopySettings(
        limits,
        new CopySettings.Timeouts(
            timeouts.connect(),
            handshake,
            firstByte,
            stall,
            timeouts.slowWindow(),
            timeouts.slowFloor(),
            timeouts.continueWait(),
            notReady,
            timeouts.notReadyRetry(),
            timeouts.cleanUp()),
        markerPeriod,
        earlyAnswer,
        like.maxStreams(),
        like.stripedFrom(),
        like.verifyByDefault(),
        credentialsOverPlainHttp,
        allowedNetworks,
        tuning);
  }
}
