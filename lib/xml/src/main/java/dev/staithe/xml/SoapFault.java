package dev.staithe.xml;

import javax.xml.namespace.QName;
import org.jspecify.annotations.Nullable;

/**
 * Why a SOAP request is not served.
 *
 * @param code whose fault it is
 * @param line for people, one line, in English
 * @param notUnderstood the header block of {@link Code#MUST_UNDERSTAND}, null with other codes
 */
public record SoapFault(Code code, String line, @Nullable QName notUnderstood) {
  /** Whose fault it is: SOAP 1.1 §4.4.1, SOAP 1.2 part 1 §5.4.6. */
  public enum Code {
    /** The message is wrong or not allowed, and will be again. */
    SENDER,
    /** We failed; the same message may succeed later. */
    RECEIVER,
    /** A header block that must be understood is not. */
    MUST_UNDERSTAND,
    /** The envelope is of another SOAP than 1.1 and 1.2. */
    VERSION_MISMATCH
  }

  /** The sender's. */
  public static SoapFault sender(String line) {
    return new SoapFault(Code.SENDER, line, null);
  }

  /** Ours. */
  public static SoapFault receiver(String line) {
    return new SoapFault(Code.RECEIVER, line, null);
  }

  /**
   * The status of HTTP that goes with it where no other says more: always 500 in SOAP 1.1 (§6.2),
   * 400 for the sender's in SOAP 1.2 (part 2 §7.5.2.2).
   */
  public int status(SoapVersion version) {
    return version == SoapVersion.SOAP_1_2 && code == Code.SENDER ? 400 : 500;
  }
}
