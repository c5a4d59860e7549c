import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const DIRECTORY = join(import.meta.dirname, '../../../deploy/grafana/dashboards');

export interface Target {
  readonly refId: string;
  readonly expr: string;
  readonly legendFormat: string;
  readonly instant: boolean;
}

export interface GridPosition {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

export interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly gridPos: GridPosition;
  readonly description?: string;
  /** Rows have none. */
  readonly targets?: readonly Target[];
  /** The panels of a collapsed row. */
  readonly panels?: readonly Panel[];
  readonly fieldConfig?: {
    readonly defaults: {
      readonly unit: string;
      readonly thresholds: { readonly steps: readonly { readonly color: string; readonly value: number | null }[] };
    };
  };
}

export interface Variable {
  readonly name: string;
  readonly type: string;
  readonly query: string | { readonly query: string };
  /** What stands for all values; else they are listed. */
  readonly allValue?: string;
}

export interface Dashboard {
  readonly uid: string;
  readonly title: string;
  readonly schemaVersion: number;
  readonly panels: readonly Panel[];
  readonly templating: { readonly list: readonly Variable[] };
  readonly annotations: { readonly list: readonly { readonly name: string; readonly expr: string }[] };
}

/** The dashboards as they are deployed, by file. */
export function readDashboards(): [string, Dashboard][] {
  return globSync('*.json', { cwd: DIRECTORY })
    .toSorted()
    .map((file) => [basename(file), JSON.parse(readFileSync(join(DIRECTORY, file), 'utf8')) as Dashboard]);
}

/** Those of collapsed rows as well. */
export function panelsOf({ panels }: Pick<Dashboard, 'panels'>): Panel[] {
  return panels.flatMap((panel) => [panel, ...(panel.panels ?? [])]);
}
