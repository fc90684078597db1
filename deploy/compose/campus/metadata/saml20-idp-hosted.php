<?php
$metadata['https://campus.localhost:8480/idp'] = [
  'host' => '__DEFAULT__',
  'privatekey' => 'idp-key.pem',
  'certificate' => 'idp.pem',
  'auth' => 'users',
  'scope' => ['example.org'],
  'UIInfo' => ['DisplayName' => ['en' => 'Campus']],
  'attributes.NameFormat' => 'urn:oasis:names:tc:SAML:2.0:attrname-format:uri',
  'authproc' => [10 => ['class' => 'core:AttributeMap', 'name2oid']],
  'assertion.encryption' => false,
  'saml20.ecp' => true,
  'saml20.sign.assertion' => true,
  'saml20.sign.response' => true,
  'validate.authnrequest' => true,
];
