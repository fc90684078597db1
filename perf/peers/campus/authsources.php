<?php
$provider = json_decode(file_get_contents(getenv('STAITHE_CAMPUS') . '/provider.json'), true);
$config = ['users' => ['exampleauth:UserPass']];
foreach ($provider['users'] as $user) {
  $config['users'][$user['name'] . ':' . $user['password']] = $user['attributes'];
}
