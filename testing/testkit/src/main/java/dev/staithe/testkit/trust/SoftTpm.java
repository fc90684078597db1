package dev.staithe.testkit.trust;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.peers.process.ManagedProcess;
import dev.staithe.peers.process.Program;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A TPM in software (swtpm) with an attestation key, reached by sockets in its folder alone. It
 * keeps its key when it is stopped and started again. Not thread-safe.
 */
public final class SoftTpm implements AutoCloseable {
  /** Where its attestation key is. */
  public static final String HANDLE = "0x81010002";

  /** Kinds of attestation keys. */
  public enum Kind {
    /** On P-256. */
    ECC("ecdsa"),
    /** Of 2048 bits. */
    RSA("rsassa");

    private final String scheme;

    Kind(String scheme) {
      this.scheme = scheme;
    }
  }

  private final Path folder;
  private final Path socket;
  private ManagedProcess process;

  private SoftTpm(Path folder) {
    this.folder = folder;
    this.socket = folder.resolve("tpm");
    this.process = run();
  }

  /**
   * Starts one and makes its key.
   *
   * @param folder that is made for it; its name is short enough for that of a socket
   */
  public static SoftTpm start(Path folder, Kind kind) {
    try {
      Files.createDirectories(folder.resolve("state"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    SoftTpm tpm = new SoftTpm(folder);
    tpm.tool(Program.TPM2_CREATEEK, "-G", "ecc", "-c", "ek");
    tpm.tool(
        Program.TPM2_CREATEAK,
        "-C",
        "ek",
        "-G",
        kind.name().toLowerCase(java.util.Locale.ROOT),
        "-g",
        "sha256",
        "-s",
        kind.scheme,
        "-c",
        "ak",
        "-f",
        "pem",
        "-u",
        tpm.key().toString());
    // Without a resource manager what was made stays in the TPM's few places.
    tpm.tool(Program.TPM2_FLUSHCONTEXT, "-t");
    tpm.tool(Program.TPM2_EVICTCONTROL, "-c", "ak", HANDLE);
    tpm.tool(Program.TPM2_FLUSHCONTEXT, "-t");
    return tpm;
  }

  private ManagedProcess run() {
    ManagedProcess started =
        ManagedProcess.start(
            List.of(
                Program.SWTPM.path(),
                "socket",
                "--tpm2",
                "--tpmstate",
                "dir=" + folder.resolve("state"),
                "--server",
                "type=unixio,path=" + socket,
                "--ctrl",
                "type=unixio,path=" + socket + ".ctrl",
                "--flags",
                "not-need-init,startup-clear"),
            Map.of(),
            folder.resolve("log"));
    try {
      started.await(
          "listen", () -> Files.exists(Path.of(socket + ".ctrl")) && Files.exists(socket));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return started;
  }

  /** How tpm2-tools reach it. */
  public String tcti() {
    return "swtpm:path=" + socket;
  }

  /** The public half of its attestation key, in PEM. */
  public Path key() {
    return folder.resolve("key.pem");
  }

  /** Measures something, as a boot loader does. */
  public void extend(int pcr, String sha256) {
    tool(Program.TPM2_PCREXTEND, pcr + ":sha256=" + sha256);
  }

  /** The values of PCRs of SHA-256 in a row. */
  public byte[] pcrs(String list) {
    tool(Program.TPM2_PCRREAD, "-o", "values", "sha256:" + list);
    return read("values");
  }

  /**
   * A quote.
   *
   * @param list of PCRs, as {@code sha256:0,1+sha1:3}
   * @param qualifyingData in hexadecimal
   * @return TPMS_ATTEST and TPMT_SIGNATURE
   */
  public List<byte[]> quote(String list, String qualifyingData) {
    tool(
        Program.TPM2_QUOTE,
        "-c",
        HANDLE,
        "-l",
        list,
        "-q",
        qualifyingData,
        "-g",
        "sha256",
        "-m",
        "message",
        "-s",
        "signature");
    return List.of(read("message"), read("signature"));
  }

  private byte[] read(String name) {
    try {
      return Files.readAllBytes(folder.resolve(name));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void tool(Program program, String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.add("--tcti=" + tcti());
    Program.Ran ran = program.run(all, Map.of(), new byte[0], Duration.ofMinutes(2), folder);
    assertThat(ran.exitCode()).as(program.name() + ": " + ran.errors()).isZero();
  }

  /** Ends it, as a machine that loses its TPM. */
  public void stop() {
    process.close();
    try {
      Files.deleteIfExists(socket);
      Files.deleteIfExists(Path.of(socket + ".ctrl"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Starts it again: its PCRs begin anew. */
  public void restart() {
    process = run();
  }

  @Override
  public void close() {
    stop();
  }
}
