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

/** One line of what an import tells programs. */
export interface ImportEvent {
  readonly event: string;
  readonly [name: string]: unknown;
}

/** What an import told programs; what SIGKILL cut off is no event. */
export function eventsOf(out: string): ImportEvent[] {
  return out
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as ImportEvent);
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

  /** Resolves when it has written a line of standard output that is such an event; rejects when it ends without. */
  async untilEvent(isMeant: (event: ImportEvent) => boolean): Promise<void> {
    const { stdout } = this.child;
    let rest = '';
    const found = new Promise<void>((resolve) => {
      stdout?.on('data', (text: string) => {
        const lines = (rest + text).split('\n');
        rest = lines.pop() ?? '';
        if (lines.some((line) => isMeant(JSON.parse(line) as ImportEvent))) {
          resolve();
        }
      });
    });
    const { out, error } = (await Promise.race([found, this.ending])) ?? {};
    if (out !== undefined) {
      throw new Error(`it ended before:\n${out}${error}`);
    }
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
