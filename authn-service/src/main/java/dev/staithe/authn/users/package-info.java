/**
 * Who there is: accounts, their groups and second factors, in relational tables or in LDAP. Knows
 * no other package of this service.
 */
@NullMarked
package dev.staithe.authn.users;

import org.jspecify.annotations.NullMarked;
