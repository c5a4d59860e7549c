export interface ApiReport {
  readonly folder: string;
  /** Of the page, from the root of the workspace. */
  readonly path: string;
  readonly text: string;
}

export function renderApiReports(): ApiReport[];
