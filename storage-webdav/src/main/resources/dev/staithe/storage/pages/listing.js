/*
 * Makes the listing sortable and filterable, and does uploads, downloads, new folders and deletion.
 * It only adds to what the server sent: without it, folders that need no token still work.
 *
 * The token lives in one variable of this function and nowhere else: no cookie, no storage, no
 * attribute of the page. That is why folders are then fetched and shown in place: a navigation
 * would forget it. Whatever comes from the server or from a file name is put into the page as text,
 * never as markup.
 */
(() => {
  'use strict';

  const CHUNK = 400;
  const PARALLEL_UPLOADS = 2;
  const IN_MEMORY_LIMIT = 512 * 1024 * 1024;

  let token = '';
  let claims = {};
  let loading = null;
  // The path of the folder that is shown, or will be.
  let current = location.pathname;
  const view = { key: 'name', descending: false, filter: '' };
  const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

  const main = () => document.getElementById('folder');

  /* ---- small pieces -------------------------------------------------------------------------- */

  function make(tag, properties = {}, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(properties)) {
      if (name.startsWith('on')) {
        element.addEventListener(name.slice(2), value);
      } else if (name in element && name !== 'list') {
        element[name] = value;
      } else {
        element.setAttribute(name, value);
      }
    }
    element.append(...children);
    return element;
  }

  function human(bytes) {
    if (bytes < 1024) return `${bytes} B`;
    let value = bytes;
    let prefix = -1;
    do {
      value /= 1024;
      prefix++;
    } while (value >= 1023.95 && prefix < 5);
    return `${value.toFixed(1)} ${'KMGTPE'[prefix]}iB`;
  }

  function say(text, problem = false) {
    const status = document.getElementById('status');
    status.textContent = text;
    status.className = problem ? 'problem' : '';
    status.hidden = !text;
  }

  function withToken(headers = {}) {
    return token ? { ...headers, Authorization: `Bearer ${token}` } : headers;
  }

  const meanings = {
    401: 'The server did not accept the token.',
    403: 'The token does not allow this.',
    404: 'There is nothing at this address any more.',
    405: 'Something with this name is there already.',
    409: 'The folder does not exist any more.',
    412: 'Something with this name is there already.',
    423: 'It is locked by somebody.',
    507: 'The storage has no room for it.',
  };

  /* Our status in words, with the server's one line where it sent one. */
  function explain(status, text, type) {
    const line = type && type.startsWith('text/plain') ? text.split('\n')[0].slice(0, 300) : '';
    return [meanings[status] || `The server answered ${status}.`, line && `(${line})`].filter(Boolean).join(' ');
  }

  async function refusal(response) {
    return explain(response.status, await response.text().catch(() => ''), response.headers.get('Content-Type'));
  }

  function dialog(title, content, choices) {
    const box = make('dialog', { ariaLabel: title, onclose: () => box.remove() });
    const form = make('form', { method: 'dialog' }, make('h2', { textContent: title }), ...content);
    const row = make('p', { className: 'choices' });
    row.append(make('button', { type: 'button', textContent: choices.dismiss || 'Cancel', onclick: () => box.close() }));
    if (choices.label) {
      row.append(make('button', { type: 'submit', className: choices.danger ? 'danger' : 'main', textContent: choices.label }));
    }
    form.addEventListener('submit', async (event) => {
      event.preventDefault();
      if (await choices.act() !== false) box.close();
    });
    form.append(row);
    box.append(form);
    document.body.append(box);
    box.showModal();
    return box;
  }

  /* ---- the token ----------------------------------------------------------------------------- */

  function readClaims(jwt) {
    try {
      const part = jwt.split('.')[1].replace(/-/g, '+').replace(/_/g, '/');
      const bytes = Uint8Array.from(atob(part), (c) => c.charCodeAt(0));
      const read = JSON.parse(new TextDecoder().decode(bytes));
      return read && typeof read === 'object' ? read : {};
    } catch {
      return {};
    }
  }

  /* Tries the token on the folder at hand; resolves to a line that says what is wrong, or to ''. */
  async function signIn(text) {
    const given = text.trim().replace(/^(authorization:\s*)?bearer\s+/i, '').replace(/\s+/g, '');
    if (!/^[A-Za-z0-9._~+\/=-]+$/.test(given)) return 'This is not an access token.';
    const before = [token, claims];
    token = given;
    claims = readClaims(given);
    const wrong = await load(location.pathname, false);
    if (wrong) {
      [token, claims] = before;
    } else {
      say('');
    }
    showSession();
    return wrong;
  }

  function signOut() {
    token = '';
    claims = {};
    location.reload();
  }

  function tokenFields() {
    const field = make('textarea', {
      id: 'token', rows: 5, spellcheck: false, required: true, autocomplete: 'off', placeholder: ' ',
    });
    const problem = make('p', { className: 'problem', role: 'alert', hidden: true });
    return { field, problem };
  }

  function askForToken() {
    const { field, problem } = tokenFields();
    dialog('Sign in with an access token', [
      make('label', { htmlFor: 'token', textContent: 'Access token' }),
      field,
      make('p', {
        className: 'note',
        textContent: 'It stays in the memory of this tab: it is not stored, and it is gone when you reload or close the tab.',
      }),
      problem,
    ], {
      label: 'Sign in',
      act: async () => {
        const wrong = await signIn(field.value);
        problem.textContent = wrong;
        problem.hidden = !wrong;
        return !wrong;
      },
    });
    field.focus();
  }

  function prepareSignInPage(form) {
    const field = form.querySelector('textarea');
    const problem = form.querySelector('.problem');
    field.placeholder = ' ';
    form.addEventListener('submit', async (event) => {
      event.preventDefault();
      const button = form.querySelector('button');
      button.disabled = true;
      const wrong = await signIn(field.value);
      button.disabled = false;
      problem.textContent = wrong;
      problem.hidden = !wrong;
    });
    field.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') {
        event.preventDefault();
        form.requestSubmit();
      }
    });
    field.focus();
  }

  function showSession() {
    const session = document.getElementById('session');
    session.replaceChildren();
    if (token) {
      const until = Number.isFinite(claims.exp) ? new Date(claims.exp * 1000) : null;
      const who = typeof claims.sub === 'string' ? claims.sub : 'token';
      const end = until
        ? `, until ${until.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })}`
        : '';
      session.append(
        make('span', { textContent: `${who}${end}`, title: typeof claims.iss === 'string' ? claims.iss : '' }),
        make('button', { type: 'button', textContent: 'Sign out', onclick: signOut }));
    } else if (!main().dataset.signIn) {
      session.append(make('button', { type: 'button', textContent: 'Sign in', onclick: askForToken }));
    }
  }

  /* ---- going from folder to folder ----------------------------------------------------------- */

  /*
   * Whether it is a page of the server itself, which alone may run its script. What is stored comes in a
   * sandbox: shown in place of a folder, its buttons would do with the token what whoever stored it wants.
   */
  function isOwnPage(response) {
    const policy = response.headers.get('Content-Security-Policy') || '';
    return response.headers.get('Content-Type')?.startsWith('text/html')
      && policy.includes("script-src 'self'") && !policy.includes('sandbox');
  }

  /* Shows the folder at that path in place; resolves to a line that says what is wrong, or to ''. */
  async function load(path, push) {
    loading?.abort();
    const mine = new AbortController();
    loading = mine;
    current = path;
    let response;
    let html;
    try {
      response = await fetch(path, { headers: withToken({ Accept: 'text/html' }), signal: mine.signal, cache: 'no-store' });
      if (!response.ok) {
        return response.status === 401 && response.headers.get('Content-Type')?.startsWith('text/html')
          ? meanings[401]
          : await refusal(response);
      }
      if (!isOwnPage(response)) {
        mine.abort();
        return 'The server sent no listing.';
      }
      html = await response.text();
    } catch (failure) {
      return failure.name === 'AbortError' ? '' : 'The server cannot be reached.';
    }
    const page = new DOMParser().parseFromString(html, 'text/html');
    const next = page.getElementById('folder');
    if (!next) return 'The server sent no listing.';
    const here = new URL(response.url || path, location.href).pathname;
    if (push) {
      history.pushState(null, '', here);
      current = here;
      view.filter = '';
      say('');
    }
    document.title = page.title;
    main().replaceWith(document.adoptNode(next));
    prepare();
    if (push) {
      main().focus({ preventScroll: true });
      scrollTo(0, 0);
    }
    return '';
  }

  async function go(path) {
    const before = current;
    const wrong = await load(path, true);
    if (wrong) {
      // What was shown before still is.
      if (current === path) current = before;
      say(wrong, true);
    }
  }

  async function refresh() {
    const wrong = await load(location.pathname, false);
    if (wrong) say(wrong, true);
  }

  document.addEventListener('click', (event) => {
    const link = event.target.closest?.('#folder a[href]');
    if (!link || !token || event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const url = new URL(link.href);
    if (url.origin !== location.origin) return;
    event.preventDefault();
    const row = link.closest('tr');
    if (row && row.classList.contains('file')) {
      download(url.pathname, Number(row.dataset.size));
    } else {
      go(url.pathname);
    }
  });

  addEventListener('popstate', () => {
    // A link within the page, as the one that skips to the folder, changes no more than its end.
    if (location.pathname === current) return;
    if (token) {
      load(location.pathname, false).then((wrong) => wrong && say(wrong, true));
    } else {
      location.reload();
    }
  });

  /* ---- the table ----------------------------------------------------------------------------- */

  let rows = [];
  let watcher = null;

  function readRows() {
    // Child by child: asking for 100,000 rows by selector takes minutes.
    const body = main().querySelector('#entries tbody');
    rows = [...(body ? body.children : [])].map((element) => ({
      element,
      folder: element.className === 'folder',
      name: element.firstChild.firstChild.textContent,
      size: Number(element.dataset.size),
      time: Number(element.dataset.time),
      ready: false,
    }));
  }

  /* Shows the rows in order, some hundreds at a time: a folder of 100,000 stays quick. */
  function showRows() {
    const body = main().querySelector('#entries tbody');
    if (!body) return;
    const wanted = view.filter.toLocaleLowerCase();
    const direction = view.descending ? -1 : 1;
    const by = {
      name: (a, b) => direction * collator.compare(a.name, b.name),
      size: (a, b) => direction * (a.size - b.size) || collator.compare(a.name, b.name),
      time: (a, b) => direction * (a.time - b.time) || collator.compare(a.name, b.name),
    }[view.key];
    const shown = rows
      .filter((row) => !wanted || row.name.toLocaleLowerCase().includes(wanted))
      .sort((a, b) => (b.folder - a.folder) || by(a, b));
    body.replaceChildren();
    watcher?.disconnect();
    watcher = new IntersectionObserver((seen) => {
      if (seen.some((one) => one.isIntersecting)) more();
    }, { rootMargin: '800px' });
    let at = 0;
    function more() {
      watcher.disconnect();
      const next = shown.slice(at, at + CHUNK);
      at += next.length;
      body.append(...next.map((row) => readied(row)));
      if (at < shown.length) watcher.observe(body.lastElementChild);
    }
    if (shown.length) {
      more();
    } else {
      body.append(make('tr', {}, make('td', {
        colSpan: 5, className: 'empty', textContent: rows.length ? 'Nothing here has such a name.' : 'This folder is empty.',
      })));
    }
    const files = shown.filter((row) => !row.folder);
    const bytes = files.reduce((sum, row) => sum + row.size, 0);
    const entries = shown.length === 1 ? '1 entry' : `${shown.length.toLocaleString('en')} entries`;
    main().querySelector('.count').textContent = files.length ? `${entries}, ${human(bytes)}` : entries;
    for (const head of main().querySelectorAll('th[data-sort]')) {
      const active = head.dataset.sort === view.key;
      head.setAttribute('aria-sort', active ? (view.descending ? 'descending' : 'ascending') : 'none');
    }
  }

  function readied(row) {
    if (row.ready) return row.element;
    row.ready = true;
    const checksum = row.element.querySelector('td.c code');
    if (checksum && navigator.clipboard) {
      const whole = checksum.title;
      checksum.replaceWith(make('button', {
        type: 'button', className: 'copy', textContent: checksum.textContent, title: `${whole} – click to copy`,
        onclick: async () => {
          await navigator.clipboard.writeText(whole.slice(whole.indexOf(':') + 1));
          say(`Copied ${whole}`);
        },
      }));
    }
    if (main().dataset.modify === 'true') {
      row.element.querySelector('td.a').append(make('button', {
        type: 'button', className: 'delete', title: 'Delete', ariaLabel: `Delete ${row.name}`,
        onclick: () => confirmDelete(row),
      }));
    }
    return row.element;
  }

  function prepareTable() {
    readRows();
    main().classList.add('live');
    for (const head of main().querySelectorAll('th[data-sort]')) {
      head.replaceChildren(make('button', {
        type: 'button',
        textContent: head.textContent,
        onclick: () => {
          view.descending = view.key === head.dataset.sort ? !view.descending : head.dataset.sort !== 'name';
          view.key = head.dataset.sort;
          showRows();
        },
      }));
    }
    const tools = document.getElementById('tools');
    tools.append(make('input', {
      type: 'search', placeholder: 'Filter by name', ariaLabel: 'Filter by name', value: view.filter,
      oninput: (event) => {
        view.filter = event.target.value;
        showRows();
      },
    }));
    if (main().dataset.create === 'true') {
      const chooser = make('input', {
        type: 'file', multiple: true, hidden: true, id: 'chooser',
        onchange: () => {
          upload([...chooser.files]);
          chooser.value = '';
        },
      });
      tools.append(
        make('button', { type: 'button', className: 'main', textContent: 'Upload', onclick: () => chooser.click() }),
        make('button', { type: 'button', textContent: 'New folder', onclick: askForFolder }),
        chooser);
    }
    tools.append(make('span', { className: 'count' }));
    showRows();
  }

  /* ---- changes ------------------------------------------------------------------------------- */

  function askForFolder() {
    const name = make('input', { type: 'text', required: true, maxLength: 255, id: 'folder-name', autocomplete: 'off' });
    const problem = make('p', { className: 'problem', role: 'alert', hidden: true });
    dialog('New folder', [make('label', { htmlFor: 'folder-name', textContent: 'Name' }), name, problem], {
      label: 'Create',
      act: async () => {
        let wrong = '';
        if (name.value.includes('/') || name.value === '.' || name.value === '..') {
          wrong = 'A name cannot have a slash in it, nor be a dot or two.';
        } else {
          const made = await fetch(`${main().dataset.href}${encodeURIComponent(name.value)}/`, {
            method: 'MKCOL', headers: withToken(),
          }).catch(() => null);
          wrong = !made ? 'The server cannot be reached.' : made.ok ? '' : await refusal(made);
        }
        problem.textContent = wrong;
        problem.hidden = !wrong;
        if (wrong) return false;
        say('The folder is made.');
        refresh();
        return true;
      },
    });
    name.focus();
  }

  function confirmDelete(row) {
    dialog(`Delete ${row.name}?`, [
      make('p', { textContent: row.folder ? 'The folder and everything in it will be gone.' : 'The file will be gone.' }),
    ], {
      label: 'Delete',
      danger: true,
      act: async () => {
        const path = new URL(row.element.querySelector('a').href).pathname;
        const gone = await fetch(path, { method: 'DELETE', headers: withToken() }).catch(() => null);
        const wrong = !gone ? 'The server cannot be reached.' : gone.ok || gone.status === 404 ? '' : await refusal(gone);
        say(wrong || `Deleted ${row.name}`, Boolean(wrong));
        if (!wrong) refresh();
      },
    });
  }

  /* ---- transfers ----------------------------------------------------------------------------- */

  const waiting = [];
  let running = 0;

  /* A line of the list at the bottom, with a bar. */
  function transfer(name, cancel) {
    const how = make('span', { className: 'how', textContent: 'waiting' });
    const bar = make('progress', { max: 1, value: 0, ariaLabel: name });
    const buttons = make('span', { className: 'choices' },
      make('button', { type: 'button', textContent: 'Cancel', onclick: cancel }));
    const item = make('li', {}, make('span', { className: 'what', textContent: name, title: name }), buttons, how, bar);
    document.getElementById('uploads').append(item);
    const began = performance.now();
    return {
      item,
      progress(done, total) {
        const seconds = Math.max((performance.now() - began) / 1000, 0.001);
        bar.value = total ? done / total : 0;
        how.textContent = `${human(done)} of ${human(total)}, ${human(Math.round(done / seconds))}/s`;
      },
      end(text, problem, ...choices) {
        how.textContent = text;
        how.className = problem ? 'how problem' : 'how done';
        bar.hidden = true;
        buttons.replaceChildren(
          ...choices,
          make('button', { type: 'button', textContent: 'Close', onclick: () => item.remove() }));
      },
    };
  }

  function upload(files) {
    const folder = main().dataset.href;
    const mayReplace = main().dataset.modify === 'true';
    for (const file of files) {
      waiting.push({ file, folder, mayReplace, replace: false });
    }
    startUploads();
  }

  function startUploads() {
    while (running < PARALLEL_UPLOADS && waiting.length) {
      running++;
      send(waiting.shift()).finally(() => {
        running--;
        startUploads();
        if (!running) refreshQuietly();
      });
    }
  }

  function refreshQuietly() {
    if (!main().dataset.signIn && !document.querySelector('dialog[open]')) refresh();
  }

  function send(job) {
    return new Promise((resolve) => {
      const request = new XMLHttpRequest();
      const line = transfer(job.file.name, () => request.abort());
      request.open('PUT', job.folder + encodeURIComponent(job.file.name));
      if (token) request.setRequestHeader('Authorization', `Bearer ${token}`);
      request.setRequestHeader('Content-Type', 'application/octet-stream');
      // Nothing is replaced unless the person said so.
      if (!job.replace) request.setRequestHeader('If-None-Match', '*');
      request.upload.onprogress = (event) => line.progress(event.loaded, event.total);
      request.onload = () => {
        if (request.status >= 200 && request.status < 300) {
          line.end(`${human(job.file.size)} uploaded`, false);
        } else if (request.status === 412 && !job.replace && job.mayReplace) {
          line.end('A file with this name is there already.', true, make('button', {
            type: 'button', textContent: 'Replace',
            onclick: () => {
              line.item.remove();
              waiting.push({ ...job, replace: true });
              startUploads();
            },
          }));
        } else {
          line.end(explain(request.status, request.responseText, request.getResponseHeader('Content-Type')), true);
        }
        resolve();
      };
      request.onerror = () => {
        line.end('The connection ended before the file was there; nothing of it is kept.', true);
        resolve();
      };
      request.onabort = () => {
        line.end('Cancelled; nothing of it is kept.', true);
        resolve();
      };
      request.send(job.file);
    });
  }

  /* With a token, a link cannot be followed by the browser itself: fetch, then save from memory. */
  async function download(path, size) {
    let name = path.slice(path.lastIndexOf('/') + 1);
    try {
      name = decodeURIComponent(name);
    } catch {
      // Not UTF-8: keep it encoded.
    }
    if (size > IN_MEMORY_LIMIT) {
      showCommand(path, name, size);
      return;
    }
    const stop = new AbortController();
    const line = transfer(name, () => stop.abort());
    try {
      // A page may fetch from its own server alone, which else could send it on to another one.
      const response = await fetch(`${path}?no_redirect`, { headers: withToken(), signal: stop.signal });
      if (!response.ok) {
        line.end(await refusal(response), true);
        return;
      }
      const parts = [];
      let done = 0;
      const reader = response.body.getReader();
      for (let read = await reader.read(); !read.done; read = await reader.read()) {
        parts.push(read.value);
        done += read.value.length;
        line.progress(done, size);
      }
      const saved = URL.createObjectURL(new Blob(parts, { type: 'application/octet-stream' }));
      const link = make('a', { href: saved, download: name });
      link.click();
      setTimeout(() => URL.revokeObjectURL(saved), 60_000);
      line.end(`${human(done)} downloaded`, false);
    } catch (failure) {
      line.end(failure.name === 'AbortError' ? 'Cancelled.' : 'The connection ended early.', true);
    }
  }

  function showCommand(path, name, size) {
    // In single quotes the shell reads nothing but the closing quote.
    const url = new URL(path, location.href).href.replace(/'/g, '%27');
    const command = `read -rs TOKEN   # paste the token, then Enter\n`
      + `curl --fail --location --remote-name --header @- '${url}' <<< "Authorization: Bearer $TOKEN"`;
    dialog(`${name} has ${human(size)}`, [
      make('p', { textContent: 'A file of this size does not fit into the memory of a tab. In a shell:' }),
      make('pre', { textContent: command }),
    ], {
      dismiss: 'Close',
      label: navigator.clipboard ? 'Copy' : '',
      act: () => navigator.clipboard.writeText(command),
    });
  }

  addEventListener('beforeunload', (event) => {
    if (running) event.preventDefault();
  });

  const carriesFiles = (event) => [...(event.dataTransfer?.types || [])].includes('Files');

  addEventListener('dragover', (event) => {
    if (!carriesFiles(event)) return;
    // Else the browser would leave this page for the dropped file.
    event.preventDefault();
    const able = main().dataset.create === 'true';
    event.dataTransfer.dropEffect = able ? 'copy' : 'none';
    main().classList.toggle('drop', able);
  });
  addEventListener('dragleave', (event) => {
    if (!event.relatedTarget) main().classList.remove('drop');
  });
  addEventListener('drop', (event) => {
    if (!carriesFiles(event)) return;
    event.preventDefault();
    main().classList.remove('drop');
    if (main().dataset.create !== 'true') return;
    const items = [...event.dataTransfer.items].filter((item) => item.kind === 'file');
    const folders = items.some((item) => item.webkitGetAsEntry?.()?.isDirectory);
    if (folders) say('Only files can be dropped; make the folder first, then drop what is in it.', true);
    upload(items.filter((item) => !item.webkitGetAsEntry?.()?.isDirectory).map((item) => item.getAsFile()).filter(Boolean));
  });

  /* ---- third-party copies -------------------------------------------------------------------- */

  const LOOK_AGAIN = 5000;
  let again = 0;

  function prepareTransfers() {
    main().classList.add('live');
    for (const row of main().querySelectorAll('#transfers tbody tr')) {
      const href = row.dataset.cancel;
      if (!href) continue;
      const name = row.querySelector('td.n bdi').textContent;
      row.lastElementChild.append(make('button', {
        type: 'button', textContent: 'Cancel', ariaLabel: `Cancel ${name}`, onclick: () => confirmCancel(href, name),
      }));
    }
    lookLater();
  }

  function lookLater() {
    clearTimeout(again);
    again = setTimeout(lookAgain, LOOK_AGAIN);
  }

  async function lookAgain() {
    if (!main().dataset.transfers) return;
    if (document.hidden || document.querySelector('dialog[open]')) {
      lookLater();
      return;
    }
    const focused = document.activeElement?.closest('tr')?.dataset.cancel;
    const wrong = await load(location.pathname, false);
    if (wrong) {
      say(wrong, true);
      lookLater();
    } else if (focused) {
      main().querySelector(`tr[data-cancel="${CSS.escape(focused)}"] button`)?.focus();
    }
  }

  function confirmCancel(href, name) {
    dialog(`Cancel the copy of ${name}?`, [
      make('p', { textContent: 'What was moved so far will be gone.' }),
    ], {
      dismiss: 'Go on copying',
      label: 'Cancel the copy',
      danger: true,
      act: async () => {
        const told = await fetch(href, { method: 'DELETE', headers: withToken() }).catch(() => null);
        const over = told && (told.status === 404 || told.status === 409);
        say(!told ? 'The server cannot be reached.'
          : told.ok ? `Cancelled ${name}` : over ? 'It has ended already.' : await refusal(told),
        !told || !told.ok);
        if (told?.ok || over) refresh();
      },
    });
  }

  /* ---- begin --------------------------------------------------------------------------------- */

  function prepare() {
    main().tabIndex = -1;
    showSession();
    const form = main().querySelector('form.sign-in');
    if (form) {
      prepareSignInPage(form);
    } else if (main().dataset.transfers) {
      prepareTransfers();
    } else if (document.getElementById('tools')) {
      prepareTable();
    }
  }

  prepare();
})();
