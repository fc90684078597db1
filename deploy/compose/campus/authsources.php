<?php
// One person, whose password was made with the site.
$config = ['users' => ['exampleauth:UserPass', 'ada:' . trim(file_get_contents('/etc/staithe/keys/ada-password')) => [
  'eduPersonPrincipalName' => ['ada@example.org'],
  'displayName' => ['Ada Lovelace'],
  'mail' => ['ada@example.org'],
  'eduPersonScopedAffiliation' => ['member@example.org'],
  'schacHomeOrganization' => ['example.org'],
]]];
