import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const ROOT = join(import.meta.dirname, '../..');

/** What tests look at in a service of a compose file. */
export interface ComposeService {
  readonly image: string;
  readonly build?: { readonly dockerfile: string };
  readonly profiles?: readonly string[];
  readonly user?: string;
  readonly init?: boolean;
  readonly read_only?: boolean;
  readonly privileged?: boolean;
  readonly network_mode?: string;
  readonly cap_drop?: readonly string[];
  readonly cap_add?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly mem_limit?: string;
  readonly pids_limit?: number;
  readonly restart?: string;
  readonly stop_grace_period?: string;
  readonly entrypoint?: readonly string[];
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string | number>>;
  readonly volumes?: readonly string[];
  readonly ports?: readonly string[];
  readonly healthcheck?: { readonly test?: readonly string[]; readonly disable?: boolean };
  readonly depends_on?: Readonly<Record<string, { readonly condition: string; readonly required?: boolean }>>;
}

export interface ComposeFile {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly volumes: Readonly<Record<string, unknown>>;
}

/** A file of the workspace. */
export function readText(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

/** docker-compose.yml with its merge keys resolved, and its variables as they stand there. */
export function readComposeFile(): ComposeFile {
  return parse(readText('docker-compose.yml'), { merge: true }) as ComposeFile;
}

/** A text of it as it is when the environment holds nothing: with its defaults. */
export function withDefaults(text: string): string {
  return text.replaceAll(/\$\{\w+(?::?-([^{}]*)|[^{}]*)\}/g, (_, value: string | undefined) => value ?? '');
}

/** The names of variables that it takes from the environment, also as the content of a secret. */
export function variablesIn(text: string): Set<string> {
  return new Set(
    [...text.matchAll(/(?<!\$)\$\{(\w+)|\{ environment: (\w+)/g)].flatMap(
      ([, name, ofSecret]) => name ?? ofSecret ?? [],
    ),
  );
}
