import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface Issued {
  readonly cert: string;
  readonly key: string;
}

export interface CertificateRequest {
  /** Subject alternative names as OpenSSL's configuration has them: `URI.1`, `DNS.1`. */
  readonly names?: Readonly<Record<string, string>>;
  readonly commonName?: string;
  /** Default `clientAuth`. */
  readonly usage?: string;
  /** Default 1; a negative one is over already. */
  readonly days?: number;
}

/** Issues certificates with the `openssl` of this machine. */
export class CertificateAuthority {
  #issued = 0;

  private constructor(
    private readonly folder: string,
    readonly cert: string,
  ) {}

  /** @throws {Error} that says what to install when there is no `openssl` */
  static async create(): Promise<CertificateAuthority> {
    const folder = await mkdtemp(join(tmpdir(), 'palisade-ca-'));
    await createKey(folder, 'ca');
    const args = [
      'req',
      '-x509',
      '-new',
      '-key',
      'ca.key',
      '-subj',
      '/CN=Test authority',
      '-days',
      '2',
      '-out',
      'ca.pem',
    ];
    await openssl(folder, args);
    return new CertificateAuthority(folder, await readFile(join(folder, 'ca.pem'), 'utf8'));
  }

  async issue({
    names = {},
    commonName = 'client',
    usage = 'clientAuth',
    days = 1,
  }: CertificateRequest): Promise<Issued> {
    const name = `issued-${this.#issued++}`;
    const hasNames = Object.keys(names).length > 0;
    const lines = Object.entries(names).map(([key, value]) => `${key} = ${value}`);
    const extensions = [
      `extendedKeyUsage = ${usage}`,
      ...(hasNames ? ['subjectAltName = @names', '[names]', ...lines] : []),
    ];
    await writeFile(join(this.folder, `${name}.ext`), `${extensions.join('\n')}\n`);
    await createKey(this.folder, name);
    await openssl(this.folder, [
      'req',
      '-new',
      '-key',
      `${name}.key`,
      '-subj',
      `/CN=${commonName}`,
      '-out',
      `${name}.csr`,
    ]);
    const files = ['-in', `${name}.csr`, '-extfile', `${name}.ext`, '-out', `${name}.pem`];
    const signer = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-days', String(days)];
    await openssl(this.folder, ['x509', '-req', ...files, ...signer]);
    const [cert, key] = await Promise.all(
      ['pem', 'key'].map((suffix) => readFile(join(this.folder, `${name}.${suffix}`), 'utf8')),
    );
    return { cert: cert ?? '', key: key ?? '' };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.folder, { recursive: true });
  }
}

async function createKey(folder: string, name: string): Promise<void> {
  await openssl(folder, ['ecparam', '-name', 'prime256v1', '-genkey', '-noout', '-out', `${name}.key`]);
}

async function openssl(folder: string, args: readonly string[]): Promise<void> {
  try {
    await run('openssl', args, { cwd: folder });
  } catch (cause) {
    const isMissing = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';
    throw new Error(isMissing ? 'these tests need the openssl command: install the package openssl' : String(cause), {
      cause,
    });
  }
}
