import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Resolver } from 'node:dns/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { requireBinary } from '../../../../test/support/test-services.js';
import { findFreePort } from '../../../../test/support/free-port.js';

export const ZONE = 'pools.example.com';
export const KEY_NAME = 'palisade-key';

/** A Knot DNS server that is the primary of one zone, which one key may change. */
export class KnotServer implements AsyncDisposable {
  private constructor(
    readonly port: number,
    /** In base64. */
    readonly secret: string,
    readonly directory: string,
    private readonly stop: () => Promise<void>,
  ) {}

  /** @param rule lines of the ACL that restrict what the key may update; by default the whole zone */
  static async start(
    port?: number,
    secret = randomBytes(32).toString('base64'),
    rule: readonly string[] = [],
  ): Promise<KnotServer> {
    const directory = mkdtempSync(join(tmpdir(), 'palisade-knot-'));
    const chosen = port ?? (await findFreePort());
    writeFileSync(join(directory, 'zone'), zoneFile());
    writeFileSync(join(directory, 'knot.conf'), configuration(directory, chosen, secret, rule));
    const child = spawn(requireBinary('knotd'), ['-c', join(directory, 'knot.conf')], { stdio: 'ignore' });
    const exited = once(child, 'exit');
    const server = new KnotServer(chosen, secret, directory, async () => {
      child.kill('SIGKILL');
      await exited;
      rmSync(directory, { recursive: true, force: true });
    });
    await server.untilItAnswers();
    return server;
  }

  /** What the server says, in order; empty when the name does not exist. */
  async resolve(name: string, type: 'A' | 'AAAA' = 'A'): Promise<string[]> {
    const resolver = new Resolver({ timeout: 1000, tries: 3 });
    resolver.setServers([`127.0.0.1:${this.port}`]);
    try {
      return (await (type === 'A' ? resolver.resolve4(name) : resolver.resolve6(name))).sort();
    } catch (error) {
      if (/ENOTFOUND|ENODATA/.test(String(error))) {
        return [];
      }
      throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  private async untilItAnswers(): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        await this.resolve(`ns.${ZONE}`);
        return;
      } catch (error) {
        if (attempt === 100) {
          await this.stop();
          throw error;
        }
        // Nothing tells when the server listens.
        await sleep(50);
      }
    }
  }
}

function zoneFile(): string {
  return `$ORIGIN ${ZONE}.
@ 3600 SOA ns.${ZONE}. admin.${ZONE}. 1 7200 3600 1209600 60
@ 3600 NS ns.${ZONE}.
ns 3600 A 127.0.0.1
`;
}

function configuration(directory: string, port: number, secret: string, rule: readonly string[]): string {
  return `server:
  rundir: ${directory}
  listen: 127.0.0.1@${port}
database:
  storage: ${directory}
key:
  - id: ${KEY_NAME}
    algorithm: hmac-sha256
    secret: ${secret}
  - id: other-key
    algorithm: hmac-sha256
    secret: ${secret}
acl:
  - id: updates
    key: ${KEY_NAME}
    action: update
${rule.map((line) => `    ${line}\n`).join('')}zone:
  - domain: ${ZONE}
    storage: ${directory}
    file: zone
    acl: updates
`;
}
