/** Every class of attack on secured messages, one test each, named after the attack. */
@NullMarked
package dev.staithe.gateway.attack;

import org.jspecify.annotations.NullMarked;
