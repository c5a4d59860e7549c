import { createHash } from 'node:crypto';
import type { JsonObject } from '@palisade/domain';
import type { LoadBalancerSettings } from '../../config/control-plane-settings.js';
import { hashFiles, renderFile, type RenderedFile, type Rendering } from '../rendering/rendered-file.js';
import type { ResolvedState } from '../rendering/resolved-state.js';
import {
  LISTENER,
  envoyPathsBeside,
  RESOURCE_TYPES,
  bootstrap,
  cluster,
  listener,
  trialBootstrap,
} from './envoy-resources.js';
import { routeConfiguration } from './envoy-routes.js';

export interface EnvoyRendering extends Rendering {
  readonly routes: RenderedFile;
  readonly clusters: RenderedFile;
  /** The names of all clusters, in one text. */
  readonly pools: string;
  /** The versions that Envoy shows once it has taken these files, by its name of each source. */
  readonly versions: ReadonlyMap<string, string>;
  /** All of it in one file, to be checked. */
  readonly trial: () => string;
}

/** @throws {RejectedStateError} when Envoy cannot express the state */
export async function renderEnvoy(settings: LoadBalancerSettings, state: ResolvedState): Promise<EnvoyRendering> {
  const paths = envoyPathsBeside(settings.configPath);
  const table = await routeConfiguration(state, settings);
  const clusters = versioned('cluster', state.pools.map(cluster));
  const listeners = versioned('listener', [listener(settings, paths.routes)]);
  const routes = versioned('routes', [table]);
  const clustersFile = await renderFile(paths.clusters, [clusters.text]);
  const routesFile = await renderFile(paths.routes, [routes.text]);
  const files = [
    clustersFile,
    routesFile,
    await renderFile(paths.listeners, [listeners.text]),
    await renderFile(settings.configPath, [`${JSON.stringify(bootstrap(settings, paths), undefined, 2)}\n`]),
  ];
  const versions = new Map([
    ['cluster_manager.cds', clusters.version],
    ['listener_manager.lds', listeners.version],
    [`http.${LISTENER}.rds.${LISTENER}`, routes.version],
  ]);
  const pools = state.pools.map(({ name }) => name).join();
  const trial = (): string => JSON.stringify(trialBootstrap(listener(settings, table), state.pools.map(cluster)));
  return { files, hash: hashFiles(files), routes: routesFile, clusters: clustersFile, pools, versions, trial };
}

interface Versioned {
  readonly version: string;
  readonly text: string;
}

/** The content of a watched file: resources, and a version that changes with them. */
function versioned(type: keyof typeof RESOURCE_TYPES, resources: readonly JsonObject[]): Versioned {
  const text = JSON.stringify(resources.map((resource) => ({ '@type': RESOURCE_TYPES[type], ...resource })));
  const version = createHash('sha256').update(text).digest('hex').slice(0, 16);
  return { version, text: `{"version_info":"${version}","resources":${text}}\n` };
}
