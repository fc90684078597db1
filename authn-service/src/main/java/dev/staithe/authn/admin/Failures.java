package dev.staithe.authn.admin;

import dev.staithe.authn.grants.Unavailable;
import dev.staithe.authn.users.UsersUnavailable;
import dev.staithe.service.StoreUnavailable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.http.ResponseEntity;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.transaction.TransactionException;
import org.springframework.web.HttpMediaTypeNotSupportedException;
import org.springframework.web.bind.MissingServletRequestParameterException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.method.annotation.MethodArgumentTypeMismatchException;

/** What goes wrong in the administration, as one line; the cause is in the log. */
@RestControllerAdvice(basePackageClasses = Failures.class)
final class Failures {
  private static final Logger log = LoggerFactory.getLogger(Failures.class);

  @ExceptionHandler
  ResponseEntity<Object> users(UsersUnavailable e) {
    log.warn("the user store does not answer: {}", e.getMessage());
    return Answers.refused(503, "the user store does not answer");
  }

  @ExceptionHandler
  ResponseEntity<Object> sessions(StoreUnavailable e) {
    log.warn("the session store does not answer: {}", e.getMessage());
    return Answers.refused(503, "the session store does not answer");
  }

  @ExceptionHandler
  ResponseEntity<Object> unknown(Unavailable e) {
    log.warn("what was granted cannot be told: {}", e.getMessage());
    return Answers.refused(503, "a store does not answer");
  }

  @ExceptionHandler({DataAccessException.class, TransactionException.class})
  ResponseEntity<Object> store(RuntimeException e) {
    log.warn("the store does not answer", e);
    return Answers.refused(503, "the store does not answer");
  }

  @ExceptionHandler
  ResponseEntity<Object> unreadable(HttpMessageNotReadableException e) {
    return Answers.refused(400, "the body is not the JSON that is expected here");
  }

  @ExceptionHandler
  ResponseEntity<Object> another(HttpMediaTypeNotSupportedException e) {
    return Answers.refused(415, "the body is to be application/json");
  }

  @ExceptionHandler
  ResponseEntity<Object> missing(MissingServletRequestParameterException e) {
    return Answers.refused(400, e.getParameterName() + " is missing");
  }

  @ExceptionHandler
  ResponseEntity<Object> unreadable(MethodArgumentTypeMismatchException e) {
    return Answers.refused(400, e.getName() + " is not of the kind that is expected here");
  }
}
