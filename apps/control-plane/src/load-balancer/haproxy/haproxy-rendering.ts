import type { LoadBalancerSettings } from '../../config/control-plane-settings.js';
import { DestinationNames } from '../rendering/destination-names.js';
import { hashFiles, renderFile, type RenderedFile, type Rendering } from '../rendering/rendered-file.js';
import {
  contestedPrefixes,
  orderWildcards,
  toPerlRegex,
  type WildcardPattern,
} from '../rendering/wildcard-patterns.js';
import type { ResolvedState } from '../rendering/resolved-state.js';
import { fingerprintOf, printConfiguration, type HaproxyLayout, type MapPaths } from './haproxy-configuration.js';
import { NamespaceTable } from './namespace-table.js';

export interface HaproxyRendering extends Rendering {
  readonly layout: HaproxyLayout;
  readonly maps: MapPaths;
  readonly fingerprint: string;
  readonly namespaces: NamespaceTable;
  /** In order of precedence: `map_reg` finds the first one that matches. */
  readonly wildcards: readonly (readonly [string, string])[];
  readonly configuration: RenderedFile;
  readonly wildcardFile: RenderedFile;
}

/** @throws {RejectedStateError} when something in the state cannot be written */
export async function renderHaproxy(
  settings: LoadBalancerSettings,
  state: ResolvedState,
  previous: HaproxyRendering | undefined,
): Promise<HaproxyRendering> {
  const maps = mapPathsBeside(settings.configPath);
  const names = new DestinationNames();
  const ordered = orderWildcards(state.wildcards);
  const source = { state, contested: contestedPrefixes(ordered), names };
  const namespaces = await NamespaceTable.of(source, previous?.namespaces);
  const wildcards = wildcardEntries(ordered, names);
  const layout = { settings, pools: state.pools, splits: names.splits() };
  const fingerprint = fingerprintOf(layout, maps);
  const namespaceFile = await renderFile(maps.namespaces, namespaces.pieces());
  const wildcardFile = await renderFile(
    maps.wildcards,
    wildcards.map(
      ([regex, value]) => `${regex} ${value}
`,
    ),
  );
  const configuration = await renderFile(settings.configPath, [printConfiguration(layout, maps, fingerprint)]);
  const files = [namespaceFile, wildcardFile, configuration];
  return {
    files,
    hash: hashFiles(files),
    layout,
    maps,
    fingerprint,
    namespaces,
    wildcards,
    configuration,
    wildcardFile,
  };
}

function wildcardEntries(
  wildcards: readonly WildcardPattern[],
  names: DestinationNames,
): (readonly [string, string])[] {
  return wildcards.map(({ pattern, literalPrefix, destination }) => [
    toPerlRegex(pattern),
    `${names.nameOf(destination)}/${literalPrefix.length}`,
  ]);
}

function mapPathsBeside(configPath: string): MapPaths {
  const stem = configPath.replace(/\.[A-Za-z]+$/, '');
  return { namespaces: `${stem}.namespaces.map`, wildcards: `${stem}.wildcards.map` };
}
