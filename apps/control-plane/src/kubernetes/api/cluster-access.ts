import { messageOf } from '@palisade/domain';
import { existsSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import { isDeepStrictEqual } from 'node:util';
import type { KubeConfig } from '@kubernetes/client-node';
import { KubernetesError } from './kubernetes.errors.js';

const SERVICE_ACCOUNT_TOKEN = '/var/run/secrets/kubernetes.io/serviceaccount/token';
const MAX_CONNECTIONS = 32;

export interface Connection {
  /** Without a trailing slash. */
  readonly server: string;
  /** With credentials; the agent keeps connections. */
  readonly options: https.RequestOptions;
}

/**
 * The address of the API server and our credentials: from a file; otherwise from the pod's service account; otherwise from
 * `KUBECONFIG` or `~/.kube/config`. Credentials are read for each connection, so that those that rotate, or that a program
 * issues, are up to date.
 */
export class ClusterAccess {
  private config: KubeConfig | undefined;
  private agent: { readonly agent: http.Agent; readonly tls: https.AgentOptions } | undefined;

  /** @param kubeconfigFile read when it is needed for the first time */
  constructor(private readonly kubeconfigFile?: string) {}

  /** @throws {KubernetesError} when there is no usable access */
  async connection(): Promise<Connection> {
    try {
      this.config ??= await loadConfig(this.kubeconfigFile);
      const cluster = this.config.getCurrentCluster();
      if (!cluster) {
        throw new Error('it has no current cluster');
      }
      const options: https.RequestOptions = {};
      await this.config.applyToHTTPSOptions(options);
      const agent = cluster.proxyUrl ? options.agent : this.agentFor(cluster.server, options);
      return { server: cluster.server.replace(/\/+$/, ''), options: { ...options, agent } };
    } catch (error) {
      this.forget();
      throw unusable(error);
    }
  }

  /** Reads the credentials again before the next connection, as the API server rejects the present ones. */
  forget(): void {
    this.config = undefined;
  }

  /** Ends every connection. */
  close(): void {
    this.agent?.agent.destroy();
  }

  private agentFor(server: string, options: https.RequestOptions): http.Agent | undefined {
    const { ca, cert, key, passphrase, servername, rejectUnauthorized } = options;
    const tls = { ca, cert, key, passphrase, servername, rejectUnauthorized };
    if (!isDeepStrictEqual(tls, this.agent?.tls)) {
      const settings = { keepAlive: true, maxSockets: MAX_CONNECTIONS };
      const agent = server.startsWith('http:') ? new http.Agent(settings) : new https.Agent({ ...settings, ...tls });
      this.agent = { agent, tls };
    }
    return this.agent?.agent;
  }
}

/** The parser quotes the file, with credentials, from the second line of its message on. */
function unusable(error: unknown): KubernetesError {
  const [reason = '', ...quoted] = messageOf(error).split('\n');
  const cause = quoted.length === 0 ? error : undefined;
  return new KubernetesError(`cannot access the cluster: ${reason}`, { cause });
}

/** Loads the client library only here: it takes a second and 90 MB, which most installations can save. */
async function loadConfig(file: string | undefined): Promise<KubeConfig> {
  const { KubeConfig } = await import('@kubernetes/client-node');
  const config = new KubeConfig();
  if (file !== undefined) {
    config.loadFromFile(file);
  } else if (existsSync(SERVICE_ACCOUNT_TOKEN)) {
    config.loadFromCluster();
  } else {
    config.loadFromDefault();
    if (config.getCurrentUser()?.name === 'user' && config.getCurrentCluster()?.server === 'http://localhost:8080') {
      throw new Error('there is no service account, KUBECONFIG is not set, and there is no ~/.kube/config');
    }
  }
  return config;
}
