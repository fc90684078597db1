<?php
$provider = json_decode(file_get_contents(getenv('STAITHE_CAMPUS') . '/provider.json'), true);
$metadata[($provider['url'] ?? 'http://127.0.0.1:' . $_SERVER['SERVER_PORT'] . '/') . $provider['entity']] = [
  'host' => '__DEFAULT__',
  'privatekey' => 'idp-key.pem',
  'certificate' => 'idp.pem',
  'auth' => 'users',
  'scope' => $provider['scopes'],
  'UIInfo' => ['DisplayName' => ['en' => $provider['shown']]],
  'attributes.NameFormat' => 'urn:oasis:names:tc:SAML:2.0:attrname-format:uri',
  'authproc' => [10 => ['class' => 'core:AttributeMap', 'name2oid']],
  'assertion.encryption' => $provider['encrypts'],
  'saml20.ecp' => $provider['ecp'],
  'saml20.sign.assertion' => $provider['signsAssertion'],
  'saml20.sign.response' => $provider['signsResponse'],
  'validate.authnrequest' => $provider['wantsSignedRequests'],
  'sign.logout' => true,
  'validate.logout' => true,
];
