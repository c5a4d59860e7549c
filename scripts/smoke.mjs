/**
 * Does what a newcomer does, on its own ports and in its own directory: starts both built services as `npm start` does, checks
 * their health, runs the commands that it prints and those of docs/flow.md with a data proxy, and stops everything with Ctrl-C.
 * Needs `sh` and `curl`.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import process from 'node:process';
import { ROOT } from './lib/run.mjs';
import { ForegroundProgram, Terminal } from './lib/terminal.mjs';
import { findFreePorts } from './lib/test-services/free-ports.mjs';

/** The lines of the output up to the one that says how to stop it; undefined when it ended earlier. */
async function readWelcome(child) {
  const lines = [];
  for await (const line of createInterface({ input: child.stdout })) {
    console.log(line);
    lines.push(line);
    if (line.startsWith('Ctrl-C')) {
      return lines;
    }
  }
  return undefined;
}

async function requireOk(url) {
  const response = await fetch(url);
  if (!response.ok) {
    throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
  }
  console.log(`ok ${url}`);
}

/** Runs one command; curl's `--fail` makes it fail on any status from 400 on. */
function paste(line) {
  const answer = execFileSync('sh', ['-c', line.replace(/^curl /, 'curl --fail-with-body ')], { encoding: 'utf8' });
  console.log(`ok ${answer}`);
  return answer;
}

/** The blocks of commands on a page for services that run, for these. */
function commandsOn(page, { dataDirectory, scimPort, controlPort }) {
  const blocks = [...readFileSync(join(ROOT, page), 'utf8').matchAll(/^```sh\n(.*?)^```$/gms)];
  return blocks
    .map(([, commands]) => commands)
    .filter((commands) => !/^(npm start|npm test|docker )/m.test(commands))
    .map((commands) =>
      commands
        .replaceAll('.palisade/', `${dataDirectory}/`)
        .replaceAll('localhost:9091', `127.0.0.1:${scimPort}`)
        .replaceAll('localhost:8980', `127.0.0.1:${controlPort}`),
    );
}

/** What docs/flow.md says that its commands are answered with, in this order. */
const FLOW_ANSWERS = [
  /"reason":"no_relation"/,
  /"relation":"write"/,
  /"tenant_id":"acme"/,
  /"allowed":true.*"healthy_proxies":\[\{"id":"data-proxy-1"/,
  /"rows":.*"title":"Plan".*"row_count":1/,
  /"isolation_level":"session".*\n.*"code":"SESSION_REQUIRED"/,
  /"rows":.*"title":"Plan"/,
  /"code":"NAMESPACE_NOT_FOUND"/,
  /"reason":"inactive_user"/,
  /"session_destroyed".*"access_lost".*\n.*"code":"ACCESS_DENIED"/,
];
const ROUTE_WITHIN_MS = 60_000;

/** Pastes the page into one terminal, and starts the data proxy in another one. */
async function pasteFlow(place) {
  const [port] = await findFreePorts(1);
  const env = { ...process.env, SVC_DATA_DIR: place.dataDirectory, DATA_PROXY_LISTEN: `127.0.0.1:${port}` };
  const terminal = new Terminal(env, ROOT);
  let proxy;
  let answers = '';
  try {
    for (const commands of commandsOn('docs/flow.md', place)) {
      if (commands.includes('npm run example')) {
        proxy = new ForegroundProgram(commands, env, ROOT);
        await proxy.printed('Ctrl-C');
        await terminal.paste(proxy.output.match(/^export .*$/gm).join('\n'));
        continue;
      }
      let answer = await terminal.paste(commands);
      const deadline = performance.now() + ROUTE_WITHIN_MS;
      // The page says that this takes some seconds.
      while (answer.includes('"reason":"no_healthy_proxy"') && performance.now() < deadline) {
        answer = await terminal.paste(`sleep 1\n${commands}`);
      }
      console.log(answer);
      answers += `${answer}\n`;
    }
  } finally {
    await terminal.close();
    await proxy?.interrupt();
  }
  let rest = answers;
  for (const expected of FLOW_ANSWERS) {
    const [found] = expected.exec(rest) ?? [];
    if (found === undefined) {
      throw new Error(`what docs/flow.md says was not answered with ${expected}`);
    }
    rest = rest.slice(rest.indexOf(found) + found.length);
  }
}

async function smoke(dataDirectory) {
  const [scimPort, controlPort] = await findFreePorts(2);
  const child = spawn(process.execPath, [join(ROOT, 'scripts/start.mjs')], {
    cwd: ROOT,
    env: {
      ...process.env,
      SVC_DATA_DIR: dataDirectory,
      SVC_SCIM_LISTEN: `127.0.0.1:${scimPort}`,
      SVC_CONTROL_LISTEN: `127.0.0.1:${controlPort}`,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  try {
    const lines = await readWelcome(child);
    if (lines === undefined) {
      throw new Error('the services did not start');
    }
    child.stdout.resume();
    for (const path of ['/health/live', '/health/ready', '/metrics', '/docs-json']) {
      await requireOk(`http://127.0.0.1:${scimPort}${path}`);
      await requireOk(`http://127.0.0.1:${controlPort}${path}`);
    }
    const answers = lines.filter((line) => line.startsWith('curl ')).map(paste);
    const [check, , route] = answers.slice(-3);
    if (!/"allowed":\s*true/.test(check ?? '')) {
      throw new Error('the user who was given access has none');
    }
    if (!/"allowed":\s*true.*"pool":\s*"standard"/s.test(route ?? '')) {
      throw new Error('the control plane does not see the access, or has no route to the namespace');
    }
    const place = { dataDirectory, scimPort, controlPort };
    await pasteFlow(place);
  } finally {
    child.kill('SIGINT');
  }
  const [code] = await ended;
  if (code !== 0) {
    throw new Error(`ended with ${code} after Ctrl-C`);
  }
}

const dataDirectory = mkdtempSync(join(tmpdir(), 'palisade-smoke-'));
// As root, the database below runs as another user.
chmodSync(dataDirectory, 0o711);
try {
  await smoke(dataDirectory);
  console.log('smoke: passed');
} catch (error) {
  console.error(`smoke: FAILED: ${error.message}`);
  process.exitCode = 1;
} finally {
  rmSync(dataDirectory, { recursive: true, force: true });
}
