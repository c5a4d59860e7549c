import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const MAIN = join(import.meta.dirname, '../../../dist/cli/src/main.js');

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly error: string;
}

/** The built command as a process of its own, with an environment of only what is given. */
export class Palisade {
  private constructor(
    readonly child: ChildProcess,
    private readonly ending: Promise<Ended>,
  ) {}

  static start(arguments_: readonly string[], env: Readonly<Record<string, string>> = {}): Palisade {
    if (!existsSync(MAIN)) {
      throw new Error(`${MAIN} is missing: run "npm run build" first`);
    }
    const child = spawn(process.execPath, [MAIN, ...arguments_], {
      env: { PATH: process.env.PATH, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return new Palisade(child, collect(child));
  }

  /** Resolves when it has ended in whatever way; `code` is null after a signal. */
  ended(): Promise<Ended> {
    return this.ending;
  }
}

async function collect(child: ChildProcess): Promise<Ended> {
  let [out, error] = ['', ''];
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    error += text;
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, out, error };
}
