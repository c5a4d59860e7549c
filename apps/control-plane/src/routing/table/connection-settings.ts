import { BACKEND_KINDS, type BackendKind, type BackendPoolSettings, type ConnectionPools } from '@palisade/domain';

/** Settings of one source, weakest first: of two that set the same key of the same backend, the later wins. */
export interface SettingsLayer {
  /** Where they are set, for people. */
  readonly from: string;
  readonly pools: ConnectionPools | undefined;
}

export interface SettledValue {
  readonly backend: BackendKind;
  readonly key: keyof BackendPoolSettings;
  readonly value: number;
  /** The layer that won. */
  readonly from: string;
}

const KEYS = ['connectionsPerNamespace', 'maxTotalConnections', 'maxConnections', 'perSessionLimit'] as const;

/** Each value that any layer sets, with the layer that has the last word. */
export function settleConnectionSettings(layers: readonly SettingsLayer[]): SettledValue[] {
  return BACKEND_KINDS.flatMap((backend) =>
    KEYS.flatMap((key) => {
      const layer = layers.findLast(({ pools }) => pools?.[backend]?.[key] !== undefined);
      const value = layer?.pools?.[backend]?.[key];
      return layer === undefined || value === undefined ? [] : [{ backend, key, value, from: layer.from }];
    }),
  );
}

/** The values that {@link settleConnectionSettings} finds, by backend. */
export function mergeConnectionPools(...pools: readonly (ConnectionPools | undefined)[]): ConnectionPools {
  const layers = pools.map((each) => ({ from: '', pools: each }));
  const byBackend = Map.groupBy(settleConnectionSettings(layers), ({ backend }) => backend);
  return Object.fromEntries(
    [...byBackend].map(([backend, values]) => [
      backend,
      Object.fromEntries(values.map(({ key, value }) => [key, value])),
    ]),
  );
}
