import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ApiKey } from '@palisade/guards';
import { stringify } from 'yaml';
import { ServiceProcess } from '../../../../test/support/service-process.js';

export interface ProcessOptions {
  /** The settings file. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly keys: readonly ApiKey[];
  readonly environment: Readonly<Record<string, string>>;
}

/** A line of the audit file, as far as tests look at it. */
interface AuditLine {
  readonly event?: string;
  readonly session_id?: string;
  readonly reason?: string;
}

/** The built data proxy as a process of its own, with a data directory that ends with it. */
export class ProxyProcess implements AsyncDisposable {
  private constructor(
    readonly service: ServiceProcess,
    private readonly directory: string,
  ) {}

  /** Resolves before it is ready. */
  static async spawn({ settings, keys, environment }: ProcessOptions): Promise<ProxyProcess> {
    const directory = mkdtempSync(join(tmpdir(), 'palisade-proxy-process-'));
    const write = (name: string, content: string): string => {
      writeFileSync(join(directory, name), content, { mode: 0o600 });
      return join(directory, name);
    };
    const service = await ServiceProcess.spawn('data-proxy', {
      SVC_DATA_DIR: directory,
      DATA_PROXY_SETTINGS: write('settings.json', JSON.stringify(settings)),
      DATA_PROXY_API_KEYS: write('keys.yaml', stringify(keys.map(toEntry))),
      ...environment,
    });
    return new ProxyProcess(service, directory);
  }

  get origin(): string {
    return this.service.origin;
  }

  /** What the audit file holds; empty until there is one. */
  get audit(): string {
    const file = join(this.directory, 'audit.jsonl');
    return existsSync(file) ? readFileSync(file, 'utf8') : '';
  }

  /** Of a session, in order: each with its reason, if it has one. */
  eventsOf(session: string): string[] {
    const lines = this.audit
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as AuditLine);
    return lines.flatMap(({ event, session_id: id, reason }) =>
      event !== undefined && id === session ? [reason === undefined ? event : `${event} ${reason}`] : [],
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.service.end('SIGKILL');
    rmSync(this.directory, { recursive: true, force: true });
  }
}

/** A namespace that nobody else has. */
export function uniqueNamespace(): string {
  return `acme-${randomBytes(4).toString('hex')}`;
}

function toEntry({ id, digest, namespace, userId, tenantId }: ApiKey): object {
  return {
    id,
    digest,
    namespace,
    ...(userId !== undefined && { user_id: userId }),
    ...(tenantId !== undefined && { tenant_id: tenantId }),
  };
}
