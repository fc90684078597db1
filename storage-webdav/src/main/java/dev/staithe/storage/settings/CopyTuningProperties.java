package dev.staithe.storage.settings;

import dev.staithe.http.TcpSocket;
import dev.staithe.service.Settings;
import dev.staithe.storage.remote.CopyTuning;
import java.util.Locale;
import java.util.stream.Collectors;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * How the kernel sends what third-party copies of an area send.
 *
 * @param congestionControl the kernel's name of an algorithm; empty: its default
 * @param pacing bytes a second of one copy at most; 0: no limit
 */
public record CopyTuningProperties(
    @DefaultValue("") String congestionControl, @DefaultValue("0B") DataSize pacing) {
  /** Asks the kernel. */
  public CopyTuningProperties {
    check(congestionControl, pacing);
  }

  /**
   * The same for copies with one host, before what is set for their area.
   *
   * @param host by the name that clients call it by in Source or Destination, without port
   * @param congestionControl as above
   * @param pacing as above
   */
  public record OfHost(
      @DefaultValue("") String host,
      @DefaultValue("") String congestionControl,
      @DefaultValue("0B") DataSize pacing) {
    /** Asks the kernel. */
    public OfHost {
      Settings.require(
          host.matches("[A-Za-z0-9]([A-Za-z0-9.-]{0,248}[A-Za-z0-9])?|\\[[0-9a-fA-F:.]+]"),
          "host",
          host,
          "a host name such as se.example.org, or an address, without a port");
      check(congestionControl, pacing);
    }

    /** As the host of a URL is known: an address without its brackets. */
    private String inUrls() {
      return host.toLowerCase(Locale.ROOT).replace("[", "").replace("]", "");
    }

    private CopyTuning.Sending sending() {
      return new CopyTuning.Sending(congestionControl, pacing.toBytes());
    }
  }

  private static void check(String congestionControl, DataSize pacing) {
    Settings.require(
        congestionControl.isEmpty() || TcpSocket.knows(congestionControl),
        "congestion-control",
        congestionControl,
        "one that this kernel lets this server use; it has " + TcpSocket.algorithms());
    Settings.require(
        !pacing.isNegative() && (pacing.toBytes() == 0 || TcpSocket.AVAILABLE),
        "pacing",
        pacing,
        TcpSocket.AVAILABLE ? "0 bytes a second or more" : "0B here: there is no call for it");
  }

  private CopyTuning.Sending sending() {
    return new CopyTuning.Sending(congestionControl, pacing.toBytes());
  }

  /** All that is set. */
  public static CopyTuning tuning(StorageProperties properties) {
    return new CopyTuning(
        properties.areas().stream()
            .collect(Collectors.toMap(StorageProperties.Area::name, area -> area.copy().sending())),
        properties.copy().hosts().stream()
            .collect(Collectors.toMap(OfHost::inUrls, OfHost::sending)));
  }
}
