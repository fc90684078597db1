// What the page does: a key and a request here, a certificate from there, both in one file.
import { certificates, pem } from './der.js';
import { pkcs12 } from './pkcs12.js';
import { generate, request } from './request.js';

const $ = (id) => document.getElementById(id);

function say(line) {
  $('problem').hidden = true;
  $('state').hidden = false;
  $('state').textContent = line;
}

function refuse(line) {
  $('state').hidden = true;
  $('problem').hidden = false;
  $('problem').textContent = line;
}

/** What the service answered, or an error with the one line that it gave for a refusal. */
async function ask(path, options) {
  const answer = await fetch(path, { ...options, redirect: 'error', headers: { Accept: 'application/json', ...options?.headers } });
  if (answer.status === 401) throw new Error('You are no longer logged in: load this page again.');
  if (answer.ok) return answer;
  const text = await answer.text();
  throw new Error(answer.headers.get('Content-Type')?.startsWith('application/json') ? JSON.parse(text).message : text.trim());
}

async function make(event) {
  event.preventDefault();
  const password = $('password').value;
  if (password !== $('repeat').value) return refuse('The two passwords are not the same.');
  $('make').disabled = true;
  $('file').hidden = true;
  try {
    const kind = new FormData($('new')).get('kind');
    say('Making a key…');
    const keys = await generate(kind);
    say('Asking for a certificate…');
    const answer = await ask(`/certificates?lifetime=${encodeURIComponent($('lifetime').value)}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-pem-file' },
      body: pem('CERTIFICATE REQUEST', await request(kind, keys)),
    });
    const chain = certificates((await answer.json()).chain);
    if (chain.length === 0) throw new Error('The service answered with no certificate.');
    say('Encrypting the file…');
    const key = new Uint8Array(await crypto.subtle.exportKey('pkcs8', keys.privateKey));
    const file = await pkcs12(key, chain, $('who').textContent, password);
    URL.revokeObjectURL($('file').href);
    $('file').href = URL.createObjectURL(new Blob([file], { type: 'application/x-pkcs12' }));
    $('file').hidden = false;
    $('file').focus();
    say('Your certificate is ready. The key was made in this browser and is in this file only.');
    $('new').reset();
    await list();
  } catch (problem) {
    refuse(problem.message);
  } finally {
    $('make').disabled = false;
  }
}

async function revoke(serial) {
  try {
    await ask(`/certificates/${encodeURIComponent(serial)}`, { method: 'DELETE' });
    say(`The certificate ${serial} is revoked.`);
    await list();
  } catch (problem) {
    refuse(problem.message);
  }
}

const shown = (instant) => new Date(instant).toLocaleString(document.documentElement.lang, { dateStyle: 'medium', timeStyle: 'short' });

function row(certificate) {
  const line = $('line').content.cloneNode(true);
  const state = certificate.revoked ? 'revoked' : new Date(certificate.notAfter) < new Date() ? 'expired' : 'good';
  line.querySelector('.subject').textContent = certificate.subject;
  line.querySelector('.serial').textContent = certificate.serial;
  line.querySelector('.until').textContent = shown(certificate.notAfter);
  line.querySelector('.state').textContent = state;
  const button = line.querySelector('button');
  button.hidden = state !== 'good';
  button.setAttribute('aria-label', `Revoke the certificate ${certificate.serial}`);
  button.addEventListener('click', () => revoke(certificate.serial));
  return line;
}

async function list() {
  const own = await (await ask('/certificates')).json();
  $('lines').replaceChildren(...own.certificates.map(row));
  $('list').hidden = own.certificates.length === 0;
}

$('new').addEventListener('submit', make);
list().catch((problem) => refuse(problem.message));
