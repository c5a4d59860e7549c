/**
 * `npm run recording`: runs both services, a data proxy and the commands below as a newcomer would, and writes what a terminal
 * shows of it to docs/images/recording.svg, animated. What a command prints is what it printed, shortened to what matters; only the pauses are
 * chosen. Needs `sh` and `curl`, and the built project.
 */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { ROOT } from './lib/run.mjs';
import { printRecording } from './lib/terminal-recording.mjs';
import { ForegroundProgram, Terminal } from './lib/terminal.mjs';
import { findFreePorts } from './lib/test-services/free-ports.mjs';

const TARGET = join(ROOT, 'docs/images/recording.svg');
const USER = 'user:scim:default:grace';
const SCHEMAS = {
  core: 'urn:ietf:params:scim:schemas:core:2.0:',
  patch: 'urn:ietf:params:scim:api:messages:2.0:PatchOp',
};
/** What the identity provider sends, by file. */
const PAYLOADS = {
  'grace.json': { schemas: [`${SCHEMAS.core}User`], externalId: 'grace', userName: 'grace@example.com' },
  'team.json': {
    schemas: [`${SCHEMAS.core}Group`],
    externalId: 'team',
    displayName: 'Acme team',
    members: [{ value: USER }],
  },
  'leaves.json': { schemas: [SCHEMAS.patch], Operations: [{ op: 'replace', path: 'active', value: false }] },
};

/** What is shown: a comment or a command, and which part of its answer. */
const BEFORE_PROXY = [
  { say: 'Okta pushes Grace and her team. That grants nothing:' },
  { type: 'curl -sS -H "$OKTA" $SCIM/Users -d @grace.json', show: /"id":"[^"]*"|"userName":"[^"]*"|"active":\w+/g },
  { type: 'curl -sS -H "$OKTA" $SCIM/Groups -d @team.json', show: /"id":"group[^"]*"|"displayName":"[^"]*"/g },
  { type: `palisade access check ${USER} acme`, show: /^(?:allowed|reason) .*/gm },
  { say: 'An admin of the namespace binds the team, an operator registers the tenant:' },
  { type: 'palisade binding add group:scim:default:team acme --relation write', show: /^(?:relation|state) .*/gm },
  {
    type: 'palisade tenant register acme --patterns acme --pool standard --isolation-level session',
    show: /^(?:pool|isolation_level) .*/gm,
  },
];
const WITH_PROXY = [
  { say: 'A data proxy has joined the pool. Grace opens a session, and works:' },
  { type: 'SESSION=$(curl -sS -H "$GRACE" -X POST $PROXY/sessions | grep -o \'[0-9a-f-]\\{36\\}\' | head -1)' },
  { type: 'notes() { curl -sS -H "$GRACE" -H "x-palisade-session: $SESSION" $PROXY/queries/notes.$1 -d "$2"; }' },
  { type: `notes insert '{"values":{"title":"Plan","body":"for acme"}}'`, show: /"row_count":\d+|"code":"[^"]*"/g },
  { type: `notes list '{"values":{"limit":1}}'`, show: /"title":"[^"]*"|"row_count":\d+|"code":"[^"]*"/g },
  { say: 'Grace leaves the company. One second later, on every proxy:' },
  { type: 'curl -sS -H "$OKTA" -X PATCH $SCIM/Users/grace -d @leaves.json', show: /"userName":"[^"]*"|"active":\w+/g },
  { type: 'sleep 1' },
  { type: `notes list '{"values":{"limit":1}}'`, show: /"status":\d+|"code":"[^"]*"/g },
  { type: 'grep -o \'"session_destroyed".*\' audit.jsonl', show: /session_destroyed|access_lost/g },
];

async function typeAll(terminal, scene) {
  const shown = [];
  for (const { say, type, show } of scene) {
    if (say !== undefined) {
      shown.push({ say });
      continue;
    }
    const printed = await terminal.paste(type);
    const found = show === undefined ? [printed] : (printed.match(show) ?? []);
    const parts = found.map((part) => part.replace(/ {2,}/, ': ')).join(', ');
    if (show !== undefined && parts === '') {
      throw new Error(`${type}\nprinted nothing of what is shown:\n${printed}`);
    }
    shown.push({ type, prints: parts.split('\n').filter((line) => line !== '') });
  }
  return shown;
}

async function record(directory) {
  const [scimPort, controlPort, proxyPort] = await findFreePorts(3);
  const data = join(directory, '.palisade');
  for (const [file, payload] of Object.entries(PAYLOADS)) {
    writeFileSync(join(directory, file), JSON.stringify(payload));
  }
  const scim = `http://127.0.0.1:${scimPort}`;
  const control = `http://127.0.0.1:${controlPort}`;
  const env = {
    ...process.env,
    PATH: `${join(ROOT, 'node_modules/.bin')}:${process.env.PATH}`,
    SVC_DATA_DIR: data,
    SVC_SCIM_LISTEN: `127.0.0.1:${scimPort}`,
    SVC_CONTROL_LISTEN: `127.0.0.1:${controlPort}`,
    DATA_PROXY_LISTEN: `127.0.0.1:${proxyPort}`,
    DATA_PROXY_API_KEYS: join(data, 'keys.json'),
    DATA_PROXY_CONTROL_URL: control,
    DATA_PROXY_CONTROL_TOKEN_FILE: join(data, 'admin-token'),
    PALISADE_SCIM_URL: scim,
    PALISADE_CONTROL_URL: control,
    PALISADE_TOKEN_FILE: join(data, 'admin-token'),
  };
  const services = new ForegroundProgram('node scripts/start.mjs', env, ROOT);
  const terminal = new Terminal(env, directory);
  let proxy;
  try {
    await services.printed('Ctrl-C');
    await terminal.paste(`
      palisade() { node '${join(ROOT, 'dist/cli/src/main.js')}' "$@"; }
      OKTA="Authorization: Bearer $(cat .palisade/scim-token)"; SCIM=${scim}/scim/v2; PROXY=http://127.0.0.1:${proxyPort}/v1
      curl() { command curl -H 'Content-Type: application/json' "$@"; }
      ln -s .palisade/audit.jsonl audit.jsonl
      GRACE="X-Api-Key: $(node --input-type=module -e "
        import { writeFileSync } from 'node:fs';
        import { createApiKey } from '${join(ROOT, 'dist/libs/guards/src/index.js')}';
        const { key, id, digest } = createApiKey();
        writeFileSync('.palisade/keys.json', JSON.stringify([{ id, digest, namespace: 'acme', user_id: '${USER}' }]));
        process.stdout.write(key);")"`);
    const first = await typeAll(terminal, BEFORE_PROXY);
    proxy = new ForegroundProgram('node scripts/example.mjs', env, ROOT);
    await proxy.printed('Ctrl-C');
    await terminal.paste(`until palisade proxy list | grep -q ' healthy'; do sleep 1; done`);
    const second = await typeAll(terminal, WITH_PROXY);
    const welcome = services.output.match(/^Palisade is ready\.|^ {2}(?:SCIM|control plane) +\S+/gm) ?? [];
    const shown = [{ type: 'npm start', prints: welcome }, ...first, ...second];
    return JSON.parse(
      JSON.stringify(shown).replaceAll(String(scimPort), '9091').replaceAll(String(controlPort), '8980'),
    );
  } finally {
    await terminal.close();
    await proxy?.interrupt();
    await services.interrupt();
  }
}

const directory = mkdtempSync(join(tmpdir(), 'palisade-recording-'));
// As root, the database below runs as another user.
chmodSync(directory, 0o711);
try {
  writeFileSync(TARGET, printRecording(await record(directory)));
} finally {
  rmSync(directory, { recursive: true, force: true });
}
