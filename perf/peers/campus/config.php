<?php
// SimpleSAMLphp as an identity provider for measuring, testing and trying; what differs is in
// provider.json of the folder that STAITHE_CAMPUS names.
$folder = getenv('STAITHE_CAMPUS');
$provider = json_decode(file_get_contents("$folder/provider.json"), true);
$config = [
  // Behind a server with a name and a certificate the address is that server's.
  'baseurlpath' => $provider['url'] ?? 'http://127.0.0.1:' . $_SERVER['SERVER_PORT'] . '/',
  'certdir' => "$folder/cert/",
  'loggingdir' => "$folder/log/",
  'datadir' => "$folder/data/",
  'tempdir' => "$folder/tmp",
  'metadatadir' => __DIR__ . '/metadata',
  'attributenamemapdir' => '/usr/share/simplesamlphp/config/attributemap/',
  'timezone' => 'UTC',
  'technicalcontact_name' => 'Nobody',
  'technicalcontact_email' => 'nobody@example.org',
  'secretsalt' => trim(file_get_contents("$folder/salt")),
  // Nobody logs in as its administrator.
  'auth.adminpassword' => bin2hex(random_bytes(16)),
  'admin.checkforupdates' => false,
  'trusted.url.domains' => null,
  'logging.level' => SimpleSAML\Logger::WARNING,
  'logging.handler' => 'file',
  'enable.saml20-idp' => true,
  'module.enable' => ['exampleauth' => true, 'core' => true, 'saml' => true],
  // Cookies know no ports: without this all providers of a machine would be one.
  'session.cookie.name' => 'Idp' . $_SERVER['SERVER_PORT'],
  'session.phpsession.cookiename' => 'IdpSession' . $_SERVER['SERVER_PORT'],
  'session.authtoken.cookiename' => 'IdpToken' . $_SERVER['SERVER_PORT'],
  'session.cookie.secure' => false,
  'session.cookie.samesite' => null,
  'language.cookie.secure' => false,
  'session.phpsession.savepath' => "$folder/sessions",
  'store.type' => 'phpsession',
  'authproc.idp' => [],
  'metadata.sources' => array_merge(
    [['type' => 'flatfile']],
    array_map(fn($file) => ['type' => 'xml', 'file' => $file], array_filter(glob("$folder/sp/*.xml"), 'is_file'))),
];
