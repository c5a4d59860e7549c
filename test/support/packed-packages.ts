import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';

const ROOT = join(import.meta.dirname, '../..');
const NPM_QUIET = ['--no-audit', '--no-fund', '--loglevel=error', '--prefer-offline'];

export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly engines: { readonly node: string };
  readonly exports: Readonly<Record<string, unknown>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly bin?: Readonly<Record<string, string>>;
}

export interface Packed {
  readonly folder: string;
  readonly manifest: Manifest;
  readonly tarball: string;
  readonly files: readonly string[];
  readonly bytes: number;
}

export function readManifest(...path: string[]): Manifest & { readonly workspaces?: readonly string[] } {
  return JSON.parse(readFileSync(join(ROOT, ...path, 'package.json'), 'utf8')) as Manifest;
}

export interface Run {
  readonly code: number;
  readonly out: string;
  readonly error: string;
}

/** Runs a program to its end. */
export async function run(
  command: string,
  arguments_: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Run> {
  // Jest's options for Node.js are not for others.
  const options = { cwd, env: { ...process.env, NODE_OPTIONS: '', ...env }, maxBuffer: 1 << 26 };
  try {
    const { stdout, stderr } = await promisify(execFile)(command, arguments_, options);
    return { code: 0, out: stdout, error: stderr };
  } catch (failure) {
    const { code, stdout, stderr } = failure as { code: number; stdout: string; stderr: string };
    return { code, out: stdout, error: stderr };
  }
}

/** A folder outside of the workspace, with the packages as others would install them, and what is added to it. */
export class Consumer implements Disposable {
  readonly directory = mkdtempSync(join(tmpdir(), 'palisade-pack-'));

  constructor() {
    writeFileSync(join(this.directory, 'package.json'), '{ "name": "consumer", "private": true, "type": "module" }\n');
  }

  /** Packs what is built. */
  async pack(): Promise<Packed[]> {
    const folders = readManifest().workspaces ?? [];
    const into = join(this.directory, 'tarballs');
    mkdirSync(into);
    const { out } = await this.npm(
      ROOT,
      'pack',
      '--json',
      '--pack-destination',
      into,
      ...folders.map((each) => `./dist/packages/${basename(each)}`),
    );
    const packed = JSON.parse(out) as { name: string; filename: string; size: number; files: { path: string }[] }[];
    return Object.values(packed).map(({ name, filename, size, files }) => {
      const folder = folders.find((each) => readManifest(each).name === name) ?? '';
      const tarball = join(into, filename);
      return { folder, manifest: readManifest(folder), tarball, files: files.map(({ path }) => path), bytes: size };
    });
  }

  /** @throws {Error} when npm does not succeed */
  install(...what: readonly string[]): Promise<Run> {
    return this.npm(this.directory, 'install', ...what);
  }

  write(path: string, text: string): void {
    mkdirSync(join(this.directory, path, '..'), { recursive: true });
    writeFileSync(join(this.directory, path), text);
  }

  run(command: string, arguments_: readonly string[], env?: Readonly<Record<string, string>>): Promise<Run> {
    return run(command, arguments_, this.directory, env);
  }

  [Symbol.dispose](): void {
    rmSync(this.directory, { recursive: true });
  }

  private async npm(cwd: string, ...arguments_: readonly string[]): Promise<Run> {
    const result = await run('npm', [...arguments_, ...NPM_QUIET], cwd, { SCARF_ANALYTICS: 'false' });
    if (result.code !== 0) {
      throw new Error(`npm ${arguments_[0]} failed:\n${result.out}${result.error}`);
    }
    return result;
  }
}

/** What the files below a folder take, without links. */
export function bytesOf(directory: string): number {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}

/** The programs that a README shows, in order. */
export function examplesOf(folder: string): string[] {
  const text = readFileSync(join(ROOT, folder, 'README.md'), 'utf8');
  return [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code]) => code ?? '');
}

/** What an example says that it prints: `console.log(…); // 42`. */
export function promisedOutput(code: string): string[] {
  return [...code.matchAll(/^ *console\.log\(.*\); \/\/ (.*)$/gm)].map(([, text]) => text ?? '');
}

/** The packages that an example imports. */
export function importsOf(code: string): string[] {
  return [...code.matchAll(/(?:from|import) '((?:@[^/']+\/)?[^/']+)/g)].map(([, name]) => name ?? '');
}

/** The packages that a README says to install. */
export function installsOf(folder: string): string[] {
  const text = readFileSync(join(ROOT, folder, 'README.md'), 'utf8');
  return [...text.matchAll(/npm install ([^`\n]+)/g)].flatMap(([, names]) => names?.split(' ') ?? []);
}
