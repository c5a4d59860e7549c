import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { requireBinary } from '../../../../test/support/test-services.js';

const run = promisify(execFile);

const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

/** Files for a server, contents for a client. */
export interface IssuedCertificate {
  readonly certFile: string;
  readonly keyFile: string;
  readonly cert: string;
  readonly key: string;
}

/** A certificate authority of a test's own, whose files disappear with it. */
export class TestAuthority implements AsyncDisposable {
  private constructor(
    readonly directory: string,
    readonly caFile: string,
    readonly ca: string,
  ) {}

  static async create(): Promise<TestAuthority> {
    const directory = await mkdtemp(join(tmpdir(), 'palisade-authority-'));
    const [caFile, caKeyFile] = [join(directory, 'ca.pem'), join(directory, 'ca.key')];
    const subject = ['-subj', '/CN=Palisade isolation tests', '-days', '2'];
    await openssl('req', '-x509', ...NEW_KEY, '-keyout', caKeyFile, '-out', caFile, ...subject);
    return new TestAuthority(directory, caFile, await readFile(caFile, 'utf8'));
  }

  /** For clients of that common name, and for servers at 127.0.0.1 and localhost. */
  async issue(name: string): Promise<IssuedCertificate> {
    const path = (extension: string) => join(this.directory, `${name}.${extension}`);
    const [certFile, keyFile] = [path('pem'), path('key')];
    await writeFile(path('ext'), 'subjectAltName=IP:127.0.0.1,DNS:localhost\nextendedKeyUsage=serverAuth,clientAuth\n');
    await openssl('req', ...NEW_KEY, '-keyout', keyFile, '-out', path('csr'), '-subj', `/CN=${name}`);
    const authority = ['-CA', this.caFile, '-CAkey', join(this.directory, 'ca.key'), '-CAcreateserial', '-days', '2'];
    await openssl('x509', '-req', ...authority, '-in', path('csr'), '-out', certFile, '-extfile', path('ext'));
    return { certFile, keyFile, cert: await readFile(certFile, 'utf8'), key: await readFile(keyFile, 'utf8') };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.directory, { recursive: true, force: true });
  }
}

async function openssl(...args: string[]): Promise<void> {
  await run(requireBinary('openssl'), args);
}
