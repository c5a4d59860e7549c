import type { Client } from 'pg';

/** A node of a plan, as `explain (format json)` prints it. */
export interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Shared Hit Blocks'?: number;
  readonly 'Shared Read Blocks'?: number;
  readonly Plans?: readonly PlanNode[];
}

interface ExplainRow {
  readonly 'QUERY PLAN': readonly { readonly Plan: PlanNode }[];
}

/** All nodes of the plan for these parameters. */
export async function explain(client: Client, text: string, parameters: readonly unknown[]): Promise<PlanNode[]> {
  const { rows } = await client.query<ExplainRow>(`explain (format json) ${text}`, [...parameters]);
  return nodesOfRows(rows);
}

/** So many pages of tables and indexes the statement looks at with these parameters. */
export async function pagesRead(client: Client, text: string, parameters: readonly unknown[]): Promise<number> {
  const { rows } = await client.query<ExplainRow>(`explain (analyze, buffers, format json) ${text}`, [...parameters]);
  const plan = rows[0]?.['QUERY PLAN'][0]?.Plan;
  return (plan?.['Shared Hit Blocks'] ?? Number.NaN) + (plan?.['Shared Read Blocks'] ?? Number.NaN);
}

/** All nodes of the plan that a prepared statement has for parameters that are not known yet. */
export async function explainGeneric(client: Client, text: string, parameterCount: number): Promise<PlanNode[]> {
  const nulls = Array.from({ length: parameterCount }, () => 'null').join(', ');
  await client.query('set plan_cache_mode = force_generic_plan');
  await client.query(`prepare explained as ${text}`);
  const { rows } = await client.query<ExplainRow>(`explain (format json) execute explained(${nulls})`);
  await client.query('deallocate explained; reset plan_cache_mode');
  return nodesOfRows(rows);
}

export function sequentiallyRead(nodes: readonly PlanNode[]): string[] {
  return nodes.filter((node) => node['Node Type'] === 'Seq Scan').map((node) => node['Relation Name'] ?? '');
}

export function indexesOf(nodes: readonly PlanNode[]): string[] {
  return nodes.flatMap((node) => node['Index Name'] ?? []);
}

function nodesOfRows(rows: readonly ExplainRow[]): PlanNode[] {
  return (rows[0]?.['QUERY PLAN'] ?? []).flatMap(({ Plan }) => nodesOf(Plan));
}

function nodesOf(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}
