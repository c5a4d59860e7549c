import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { outputOf } from './output-of.mjs';

const DAYS = '30';

async function run(openssl, args, directory) {
  const { succeeded, output } = await outputOf(openssl, args, { cwd: directory });
  if (!succeeded) {
    throw new Error(`openssl ${args.join(' ')} failed: ${output}`);
  }
}

const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

/** Makes a certificate authority in `directory`: `ca.pem` and `ca.key`. */
export function createAuthority(openssl, directory) {
  const subject = ['-subj', '/CN=Palisade test authority', '-days', DAYS];
  return run(openssl, ['req', '-x509', ...NEW_KEY, '-keyout', 'ca.key', '-out', 'ca.pem', ...subject], directory);
}

/** Makes `<name>.pem` and `<name>.key` for clients of that common name, and for servers at 127.0.0.1 and localhost. */
export async function issueCertificate(openssl, directory, name) {
  const [key, request, extensions] = [`${name}.key`, `${name}.csr`, `${name}.ext`];
  writeFileSync(
    join(directory, extensions),
    'subjectAltName=IP:127.0.0.1,DNS:localhost\nextendedKeyUsage=serverAuth,clientAuth\n',
  );
  await run(openssl, ['req', ...NEW_KEY, '-keyout', key, '-out', request, '-subj', `/CN=${name}`], directory);
  const authority = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-days', DAYS];
  const result = ['-in', request, '-out', `${name}.pem`, '-extfile', extensions];
  await run(openssl, ['x509', '-req', ...authority, ...result], directory);
}
