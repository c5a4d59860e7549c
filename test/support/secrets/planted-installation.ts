import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PlantedSecrets } from './planted-secrets.js';

/** Nobody listens there. */
const AWAY = '127.0.0.1:1';

/** Everything that the configuration of a control plane can hold a secret in, each planted; what they are for is unreachable. */
export class PlantedInstallation implements Disposable {
  readonly directory = mkdtempSync(join(tmpdir(), 'palisade-secrets-'));

  /** @param isBroken whether what stands in files with secrets is not what it is to be, and the load balancer rejects everything */
  constructor(
    private readonly secrets: PlantedSecrets,
    private readonly options: { readonly isBroken: boolean },
  ) {}

  /** The environment of the control plane. */
  get environment(): Record<string, string> {
    return {
      SVC_STORE_URL: 'memory:',
      SVC_LOG_LEVEL: 'trace',
      SVC_ADMIN_TOKEN: this.secrets.plant('admin token'),
      SVC_CONTROL_CONFIG: this.write('control-plane.yaml', this.yaml()),
      AWS_ACCESS_KEY_ID: 'AKIAEXAMPLE',
      AWS_SECRET_ACCESS_KEY: this.secrets.plant('secret key of S3'),
      AWS_SESSION_TOKEN: this.secrets.plant('session token of S3'),
      AWS_REGION: 'eu-central-1',
      AWS_ENDPOINT_URL: `http://${AWAY}`,
    };
  }

  /** A file of the installation; resolves to its path. */
  write(name: string, content: string): string {
    const path = join(this.directory, name);
    writeFileSync(path, content, { mode: 0o600 });
    return path;
  }

  [Symbol.dispose](): void {
    rmSync(this.directory, { recursive: true, force: true });
  }

  private yaml(): string {
    const tenants = this.write('tenant-secret', this.secrets.plant('secret of tenants'));
    const administrator = (scheme: string): string => {
      const password = this.secrets.plant(`administrator of ${scheme}`);
      const host = this.options.isBroken ? '[no address' : AWAY;
      return this.write(`${scheme}-url`, `${scheme}://admin:${password}@${host}`);
    };
    const provisioned = (scheme: string): string =>
      `provisioning: { tenant_secret_file: ${tenants}, admin_url_file: ${administrator(scheme)} }`;
    const program = this.options.isBroken ? '/bin/false' : '/bin/true';
    return `
proxy_pools: { standard: { isolation_level: namespace } }
default_pool: standard
backends:
  postgres: { endpoint: "${AWAY}", provisioning: { tenant_secret_file: ${tenants}, admin_url_file: ${administrator('postgres')}, tables: [public.orders] } }
  redis: { endpoint: "${AWAY}", ${provisioned('redis')} }
  kafka: { endpoint: "${AWAY}", ${provisioned('kafka')} }
dns:
  server: "${AWAY}"
  zone: pools.example.com
  key_name: palisade
  key_secret_file: ${this.write('tsig-key', this.secrets.plant('TSIG key') + (this.options.isBroken ? ' no base64!' : ''))}
  timeout: 500ms
kubernetes: { kubeconfig_file: ${this.write('kubeconfig', this.kubeconfig())} }
load_balancer:
  type: nginx
  config_path: ${join(this.directory, 'nginx.conf')}
  binary: ${program}
  reload_command: ${program}
  certificate_file: ${this.write('certificate.pem', this.secrets.plant('key of the certificate'))}
audit_backend: s3://palisade-audit/records
`;
  }

  /** A broken one is so behind the token: there parsers quote what stands before. */
  private kubeconfig(): string {
    return `
apiVersion: v1
kind: Config
current-context: test
contexts: [{ name: test, context: { cluster: test, user: test } }]
clusters: [{ name: test, cluster: { server: "https://${AWAY}" } }]
users:
- name: test
  user:
    token: ${this.secrets.plant('token of Kubernetes')}
${this.options.isBroken ? '   : [' : ''}
`;
  }
}
