<?php
// A campus for trying: as little as a provider of SAML 2.0 needs.
$config = [
  'baseurlpath' => 'https://campus.localhost:8480/',
  'certdir' => '/etc/staithe/keys/',
  'loggingdir' => '/tmp/log/',
  'datadir' => '/tmp/data/',
  'tempdir' => '/tmp/data',
  'metadatadir' => '/opt/campus/metadata',
  'attributenamemapdir' => '/usr/share/simplesamlphp/config/attributemap/',
  'timezone' => 'UTC',
  'technicalcontact_name' => 'Nobody',
  'technicalcontact_email' => 'nobody@example.org',
  'secretsalt' => trim(file_get_contents('/etc/staithe/keys/salt')),
  // Nobody logs in as its administrator.
  'auth.adminpassword' => bin2hex(random_bytes(16)),
  'admin.checkforupdates' => false,
  'logging.level' => SimpleSAML\Logger::WARNING,
  'logging.handler' => 'stderr',
  'enable.saml20-idp' => true,
  'module.enable' => ['exampleauth' => true, 'core' => true, 'saml' => true],
  'session.cookie.secure' => true,
  'language.cookie.secure' => true,
  'session.phpsession.savepath' => '/tmp/sessions',
  'store.type' => 'phpsession',
  'authproc.idp' => [],
  'metadata.sources' => array_merge(
    [['type' => 'flatfile']],
    array_map(fn($file) => ['type' => 'xml', 'file' => $file], glob('/etc/staithe/metadata/sp/*.xml'))),
];
