package dev.staithe.authn.users;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.unboundid.ldap.sdk.Filter;
import com.unboundid.ldap.sdk.LDAPException;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LdapFilterTests {
  /** Read back by the library, whatever was put in is the value and nothing else. */
  @Property(tries = 500)
  void anyTextStaysAValue(@ForAll String value) throws LDAPException {
    String wellFormed = value.replaceAll("[\\ud800-\\udfff]", "?");
    Filter filter = Filter.create(LdapFilter.with("(uid={0})", wellFormed));
    assertThat(filter.getFilterType()).isEqualTo(Filter.FILTER_TYPE_EQUALITY);
    assertThat(filter.getAttributeName()).isEqualTo("uid");
    assertThat(filter.getAssertionValue()).isEqualTo(wellFormed);
  }

  @Test
  void asterisksAndParenthesesAreEscaped() {
    assertThat(LdapFilter.with("(&(a=b)(uid={0}))", "*)(uid=*\\\0"))
        .isEqualTo("(&(a=b)(uid=\\2a\\29\\28uid=\\2a\\5c\\00))");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "uid={0}", "(uid=*)", "(uid={1})"})
  void aTemplateWithoutAPlaceIsRefused(String template) {
    assertThatIllegalArgumentException().isThrownBy(() -> LdapFilter.check(template));
  }
}
