/*
 * A client of gSOAP's wsse plugin: signs timestamp and body with RSA, encrypts the body for the
 * service's certificate, and demands the same of the answer.
 *
 *   tide URL CERTIFICATE KEY SERVICE_CERTIFICATE AUTHORITY basic128|modern PORT
 *
 * Prints the answer's height and ends with 0; ends with 1 where there is a fault, which it prints.
 */
#include "soapH.h"
#include "tide.nsmap"
#include "wsseapi.h"
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>

static X509 *certificate(const char *path) {
  FILE *file = fopen(path, "r");
  X509 *found = file ? PEM_read_X509(file, NULL, NULL, NULL) : NULL;
  if (file) fclose(file);
  return found;
}

static EVP_PKEY *private_key(const char *path) {
  FILE *file = fopen(path, "r");
  EVP_PKEY *found = file ? PEM_read_PrivateKey(file, NULL, NULL, NULL) : NULL;
  if (file) fclose(file);
  return found;
}

/*
 * The plugin says rsa-oaep-mgf1p and does RSA 1.5: it sets the padding of the content's cipher, not
 * that of the key's. It is compiled with these in place of OpenSSL's.
 */
int oaep_encrypt(unsigned char *to, const unsigned char *key, int length, EVP_PKEY *public_key) {
  size_t size = EVP_PKEY_size(public_key);
  EVP_PKEY_CTX *context = EVP_PKEY_CTX_new(public_key, NULL);
  int fine = context && EVP_PKEY_encrypt_init(context) > 0 &&
             EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_OAEP_PADDING) > 0 &&
             EVP_PKEY_encrypt(context, to, &size, key, length) > 0;
  EVP_PKEY_CTX_free(context);
  return fine ? (int)size : -1;
}

int oaep_open(EVP_CIPHER_CTX *cipher, const EVP_CIPHER *type, const unsigned char *wrapped,
              int length, const unsigned char *iv, EVP_PKEY *own) {
  unsigned char key[1024];
  size_t size = sizeof key;
  EVP_PKEY_CTX *context = EVP_PKEY_CTX_new(own, NULL);
  int fine = context && EVP_PKEY_decrypt_init(context) > 0 &&
             EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_OAEP_PADDING) > 0 &&
             EVP_PKEY_decrypt(context, key, &size, wrapped, length) > 0 &&
             (!type || EVP_DecryptInit_ex(cipher, type, NULL, NULL, NULL)) &&
             EVP_DecryptInit_ex(cipher, NULL, NULL, key, iv);
  EVP_PKEY_CTX_free(context);
  return fine;
}

static X509 *service;

/* The answer names the certificate that signed it, and does not bring it. */
static const void *service_certificate(struct soap *soap, int *algorithm, const char *name,
                                       const unsigned char *id, int length, int *key_length) {
  (void)soap, (void)name, (void)id, (void)length, (void)key_length;
  return *algorithm == SOAP_SMD_VRFY_RSA_SHA1 || *algorithm == SOAP_SMD_VRFY_RSA_SHA256 ? service : NULL;
}

int main(int count, char **arguments) {
  if (count != 8) return 2;
  int modern = !strcmp(arguments[6], "modern");
  X509 *own = certificate(arguments[2]);
  EVP_PKEY *key = private_key(arguments[3]);
  service = certificate(arguments[4]);
  if (!own || !key || !service) {
    fprintf(stderr, "no certificate or key\n");
    return 2;
  }
  struct soap *soap = soap_new1(SOAP_XML_CANONICAL | SOAP_C_UTFSTRING);
  soap_register_plugin(soap, soap_wsse);
  soap->cafile = arguments[5];
  soap->connect_timeout = soap->recv_timeout = soap->send_timeout = 30;
  soap_wsse_set_security_token_handler(soap, service_certificate);

  BIGNUM *number = ASN1_INTEGER_to_BN(X509_get0_serialNumber(service), NULL);
  char *serial = BN_bn2dec(number);
  BIO *memory = BIO_new(BIO_s_mem());
  X509_NAME_print_ex(memory, X509_get_issuer_name(service), 0, XN_FLAG_RFC2253);
  BIO_write(memory, "", 1);
  char *issuer;
  BIO_get_mem_data(memory, &issuer);

  int signing = modern ? SOAP_SMD_SIGN_RSA_SHA256 : SOAP_SMD_SIGN_RSA_SHA1;
  int hiding = SOAP_MEC_OAEP | (modern ? SOAP_MEC_ENV_ENC_AES256_GCM : SOAP_MEC_ENV_ENC_AES128_CBC);
  int opening = SOAP_MEC_OAEP | (modern ? SOAP_MEC_ENV_DEC_AES256_GCM : SOAP_MEC_ENV_DEC_AES128_CBC);
  soap_wsse_verify_auto(soap, SOAP_SMD_NONE, NULL, 0);
  soap_wsse_decrypt_auto(soap, opening, key, 0);
  struct t__answer answer = {NULL};
  if (soap_wsse_add_Timestamp(soap, "Time", 60) ||
      soap_wsse_add_BinarySecurityTokenX509(soap, "X509Token", own) ||
      soap_wsse_add_KeyInfo_SecurityTokenReferenceX509(soap, "#X509Token") ||
      soap_wsse_sign_body(soap, signing, key, 0) ||
      soap_wsse_add_EncryptedKey(soap, hiding, "Key", service, NULL, issuer, serial) ||
      soap_call_t__ask(soap, arguments[1], "urn:staithe:tide:ask", arguments[7], &answer) ||
      soap_wsse_verify_Timestamp(soap) || soap_wsse_verify_body(soap)) {
    soap_print_fault(soap, stderr);
    return 1;
  }
  printf("%s\n", answer.height);
  return 0;
}
