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
  /** Without a slash at its end. */
  readonly server: string;
  /** With credentials; the agent keeps connections. */
  readonly options: https.RequestOptions;
}

/**
 * Where the API server is and who we are to it: as a file says; else as the service account of the pod; else as
 * `KUBECONFIG` or `~/.kube/config` say. Credentials are asked for at each connection, so that those which rotate, and those
 * which a program hands out, are up to date.
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
        throw new Error('it names no current cluster');
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

  /** Reads the access anew before the next connection: what it says is not accepted any more. */
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

/** The parser of the file quotes it from the second line of its message on, and so credentials. */
function unusable(error: unknown): KubernetesError {
  const [reason = '', ...quoted] = messageOf(error).split('\n');
  const cause = quoted.length === 0 ? error : undefined;
  return new KubernetesError(`the access to the cluster cannot be used: ${reason}`, { cause });
}

/** The client library is loaded only here: it takes a second and 90 MB, which most installations need not spend. */
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
